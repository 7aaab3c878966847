// SPDX-License-Identifier: Apache-2.0
// The names that scripts may rely on, errors for what is no session, and files of every released schema version.
#include <SQLiteCpp/SQLiteCpp.h>
#include <fstream>
#include <gmock/gmock.h>
#include <map>
#include <set>
#include <sstream>

#include "core/store/schema.h"
#include "tests/unit/store_fixture.h"

namespace hs {
namespace {

using test::smallRun;
using test::TempDir;

const std::map<std::string, std::string>& contractColumns() {
    static const std::map<std::string, std::string> kColumns = {
        {"run", "id model_id label config_json status started_at host_json message"},
        {"model", "id path sha256 name ir_version opsets_json"},
        {"node", "id model_id name op_type domain flops bytes"},
        {"device", "id run_id name plugin kind simulated properties_json"},
        {"step", "id run_id device_id executor kernel precision label"},
        {"step_node", "step_id node_id"},
        {"track", "id run_id device_id kind name"},
        {"span", "id run_id track_id iteration start_ns dur_ns category name step_id correlation_id bytes"},
        {"counter", "track_id ts_ns value"},
        {"memory_event", "run_id device_id ts_ns kind bytes buffer value_name"},
        {"message", "run_id ts_ns severity text"},
        {"op_stats", "run_id node_id name op_type device executor calls total_ns mean_ns p50_ns p95_ns share gflops gbps outcome fused_with"},
        {"device_stats", "run_id device busy_ns idle_ns copy_ns utilisation peak_bytes"},
        {"transfer_stats", "run_id from_device to_device copies bytes total_ns gbps"},
    };
    return kColumns;
}

TEST(StoreContract, NamesAndColumns) {
    SQLite::Database db(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    db.exec(std::string(store::schemaSql()));
    for (const auto& [table, columns] : contractColumns()) {
        std::set<std::string> have;
        SQLite::Statement info(db, "SELECT name FROM pragma_table_info(?)");
        info.bind(1, table);
        while (info.executeStep())
            have.insert(info.getColumn(0).getString());
        std::istringstream words(columns);
        for (std::string column; words >> column;)
            EXPECT_TRUE(have.count(column) == 1) << table << "." << column;
    }
}

TEST(StoreContract, HeaderOfANewFile) {
    const TempDir dir;
    Recorder recorder(3);
    auto writer = SessionWriter::open(dir.file("a.hscope"), smallRun(), recorder, ticks());
    ASSERT_TRUE(writer) << writer.error().text();
    ASSERT_TRUE((*writer)->finish("finished", "", "{}"));
    SQLite::Database db(dir.file("a.hscope"));
    EXPECT_EQ(db.execAndGet("PRAGMA application_id").getInt64(), 0x48534350);
    EXPECT_EQ(db.execAndGet("PRAGMA user_version").getInt(), 1);
}

TEST(StoreContract, RefusesWhatIsNoSession) {
    const TempDir dir;
    std::ofstream(dir.file("text")) << "not a database at all, just text";
    std::ofstream(dir.file("empty")).flush();
    { SQLite::Database(dir.file("other"), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE).exec("CREATE TABLE t(x)"); }
    for (const char* name : {"text", "empty", "other", "absent"}) {
        const auto reader = SessionReader::open(dir.file(name));
        ASSERT_FALSE(reader) << name;
        EXPECT_EQ(reader.error().code, ErrorCode::BadInput) << name;
        EXPECT_EQ(reader.error().where, dir.file(name));
    }
    for (const char* name : {"text", "other"}) {
        const auto sizeBefore = std::filesystem::file_size(dir.file(name));
        Recorder recorder(3);
        const auto writer = SessionWriter::open(dir.file(name), smallRun(), recorder, ticks());
        ASSERT_FALSE(writer) << name;
        EXPECT_EQ(writer.error().code, ErrorCode::BadInput) << name;
        EXPECT_EQ(std::filesystem::file_size(dir.file(name)), sizeBefore);
    }
    Recorder recorder(3);
    const auto nowhere = SessionWriter::open(dir.file("no/such/folder/a.hscope"), smallRun(), recorder, ticks());
    ASSERT_FALSE(nowhere);
    EXPECT_EQ(nowhere.error().code, ErrorCode::Io);
}

TEST(StoreContract, RefusesANewerVersion) {
    const TempDir dir;
    {
        SQLite::Database db(dir.file("new.hscope"), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        db.exec("PRAGMA application_id = 1213416272; PRAGMA user_version = 99; CREATE TABLE run(id)");
    }
    const auto reader = SessionReader::open(dir.file("new.hscope"));
    ASSERT_FALSE(reader);
    EXPECT_EQ(reader.error().code, ErrorCode::BadInput);
    EXPECT_THAT(reader.error().message, testing::HasSubstr("99"));
    Recorder recorder(3);
    const auto writer = SessionWriter::open(dir.file("new.hscope"), smallRun(), recorder, ticks());
    ASSERT_FALSE(writer);
    EXPECT_EQ(writer.error().code, ErrorCode::BadInput);
}

TEST(StoreContract, OpensAFileOfVersion1) {
    const TempDir dir;
    std::ifstream sql(std::string(HS_SOURCE_DIR) + "/tests/golden/session_v1.sql");
    ASSERT_TRUE(sql);
    const std::string text{std::istreambuf_iterator<char>(sql), {}};
    { SQLite::Database(dir.file("v1.hscope"), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE).exec(text); }
    auto reader = SessionReader::open(dir.file("v1.hscope"));
    ASSERT_TRUE(reader) << reader.error().text();
    const auto runs = (*reader)->runs();
    ASSERT_TRUE(runs) << runs.error().text();
    ASSERT_EQ(runs->size(), 1U);
    EXPECT_EQ(runs->front().label, "small on cpu");
    EXPECT_EQ(runs->front().status, "finished");
    const auto ops = (*reader)->opStats(1);
    ASSERT_TRUE(ops) << ops.error().text();
    ASSERT_EQ(ops->size(), 5U);
    EXPECT_EQ((*ops)[1].calls, 4);
    EXPECT_EQ((*ops)[1].fusedWith, "conv1+relu1");
    EXPECT_DOUBLE_EQ((*ops)[1].totalNs, 90000);
    EXPECT_EQ((*ops)[4].outcome, "not_reached");
    const auto spans = (*reader)->spans(1, 0, 1'000'000'000, 100);
    ASSERT_TRUE(spans) << spans.error().text();
    ASSERT_EQ(spans->size(), 9U);
    EXPECT_EQ((*spans)[1].name, "conv0");
    EXPECT_EQ((*reader)->memory(1)->size(), 2U);
    EXPECT_EQ((*reader)->tracks(1)->size(), 2U);
    EXPECT_EQ((*reader)->counters(2, 0, 1'000'000, 10)->size(), 1U);
}

}  // namespace
}  // namespace hs
