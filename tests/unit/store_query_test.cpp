// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <thread>

#include "tests/unit/store_fixture.h"

namespace hs {
namespace {

using test::smallRun;
using test::TempDir;

class StoreQuery : public testing::Test {
protected:
    void SetUp() override {
        Recorder recorder(3);
        auto writer = SessionWriter::open(m_dir.file("q.hscope"), smallRun(), recorder, ticks());
        ASSERT_TRUE(writer);
        ASSERT_TRUE((*writer)->finish("finished", "", "{}"));
        m_reader = std::move(*SessionReader::open(m_dir.file("q.hscope")));
    }
    TempDir m_dir;
    std::unique_ptr<SessionReader> m_reader;
};

TEST_F(StoreQuery, Reads) {
    const auto r = m_reader->query("SELECT COUNT(*) AS n, 1.5 AS x, 'a' AS t, NULL AS e, x'0AFF' AS b FROM node -- done", 10);
    ASSERT_TRUE(r) << r.error().text();
    EXPECT_THAT(r->columns, testing::ElementsAre("n", "x", "t", "e", "b"));
    EXPECT_EQ(r->rows[0][0], Cell(std::int64_t{5}));
    EXPECT_EQ(r->rows[0][1], Cell(1.5));
    EXPECT_EQ(r->rows[0][2], Cell(std::string("a")));
    EXPECT_EQ(r->rows[0][3], Cell(std::monostate{}));
    EXPECT_EQ(r->rows[0][4], Cell(std::string("x'0aff'")));
    EXPECT_TRUE(m_reader->query("PRAGMA table_info(span)", 100));
    EXPECT_TRUE(m_reader->query("WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM c WHERE i<9) SELECT * FROM c", 100));
}

TEST_F(StoreQuery, CutsAtTheRowLimit) {
    const auto r = m_reader->query("SELECT name FROM node ORDER BY id", 2);
    EXPECT_EQ(r->rows.size(), 2U);
    EXPECT_TRUE(r->truncated);
    EXPECT_FALSE(m_reader->query("SELECT name FROM node", 5)->truncated);
}

TEST_F(StoreQuery, RefusesWhatIsNotReading) {
    for (const char* sql : {"DELETE FROM span",
                            "DELETE FROM run",
                            "UPDATE run SET label = 'x'",
                            "INSERT INTO message VALUES(1,1,'a','b')",
                            "DROP TABLE run",
                            "CREATE TABLE t(x)",
                            "CREATE TEMP TABLE t(x)",
                            "ATTACH ':memory:' AS m",
                            "PRAGMA user_version = 3",
                            "PRAGMA journal_mode = DELETE",
                            "PRAGMA writable_schema = 1",
                            "VACUUM",
                            "VACUUM INTO 'x'",
                            "REINDEX",
                            "ANALYZE",
                            "BEGIN",
                            "SAVEPOINT s",
                            "SELECT load_extension('x')",
                            "SELECT 1; DELETE FROM run",
                            "SELECT 1; SELECT 2",
                            "SELECT FROM",
                            "",
                            " -- nothing",
                            "SELECT * FROM no_such_table",
                            "PRAGMA wal_checkpoint"}) {
        const auto r = m_reader->query(sql, 10);
        ASSERT_FALSE(r) << sql;
        EXPECT_EQ(r.error().code, ErrorCode::BadRequest) << sql;
    }
    EXPECT_EQ(m_reader->runs()->size(), 1U);
    EXPECT_EQ(m_reader->runs()->front().label, "small on cpu");
}

constexpr const char* kEndless = "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM c) SELECT COUNT(*) FROM c";

TEST_F(StoreQuery, StopsAtTheTimeLimit) {
    const auto r = m_reader->query(kEndless, 10, 100);
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code, ErrorCode::BadRequest);
    EXPECT_THAT(r.error().message, testing::HasSubstr("100 ms"));
    EXPECT_TRUE(m_reader->query("SELECT 1", 1)) << "the reader stays usable";
}

TEST_F(StoreQuery, CanBeInterrupted) {
    std::thread other([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        m_reader->interrupt();
    });
    const auto r = m_reader->query(kEndless, 10, 20'000);
    other.join();
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code, ErrorCode::Cancelled);
}

}  // namespace
}  // namespace hs
