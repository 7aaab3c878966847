// SPDX-License-Identifier: Apache-2.0
// Killed programs, full disks, folders that may not be written.
#include <SQLiteCpp/SQLiteCpp.h>
#include <chrono>
#include <cstdlib>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>

#include "tests/unit/store_fixture.h"

namespace hs {
namespace {

using test::smallRun;
using test::TempDir;
using test::ticksOf;

/// Records a step every 100 us until it is killed.
[[noreturn]] void recordForEver(const std::string& path, int readyFd) {
    Recorder recorder(3);
    const std::uint64_t origin = ticks();
    auto writer = SessionWriter::open(path, smallRun(), recorder, origin);
    if (!writer) ::_exit(1);
    ThreadRecorder& thread = recorder.addThread("main", 0);
    const auto clockAtOrigin = steadyNs() - TickClock::instance().durationNs(ticks() - origin);
    if (::write(readyFd, &clockAtOrigin, sizeof clockAtOrigin) != sizeof clockAtOrigin) ::_exit(1);
    for (int i = 0;; ++i) {
        thread.beginIteration(i, true);
        const std::uint64_t start = ticks();
        std::this_thread::sleep_for(std::chrono::microseconds(100));
        thread.step(0, start, ticks());
    }
}

TEST(StoreCrash, AKilledRunKeepsAllButTheLastQuarterSecond) {
    const TempDir dir;
    const std::string path = dir.file("killed.hscope");
    int fds[2];
    ASSERT_EQ(::pipe(fds), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) recordForEver(path, fds[1]);
    std::int64_t originNs = 0;
    ASSERT_EQ(::read(fds[0], &originNs, sizeof originNs), static_cast<ssize_t>(sizeof originNs));
    std::this_thread::sleep_for(std::chrono::milliseconds(1200));
    const std::int64_t killedNs = steadyNs() - originNs;
    ASSERT_EQ(::kill(child, SIGKILL), 0);
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    ::close(fds[0]);
    ::close(fds[1]);

    {
        auto reader = SessionReader::open(path);
        ASSERT_TRUE(reader) << reader.error().text();
        const auto runs = (*reader)->runs();
        ASSERT_EQ(runs->size(), 1U);
        EXPECT_EQ(runs->front().status, "running");
        EXPECT_TRUE(runs->front().stale);
        const auto last = (*reader)->query("SELECT COUNT(*), MAX(start_ns + dur_ns) FROM span", 1);
        ASSERT_TRUE(last) << last.error().text();
        EXPECT_GT(std::get<std::int64_t>(last->rows[0][0]), 500);
        EXPECT_GT(std::get<std::int64_t>(last->rows[0][1]), killedNs - 250'000'000) << "killed at " << killedNs;
    }
    SQLite::Database db(path, SQLite::OPEN_READWRITE);
    EXPECT_EQ(db.execAndGet("PRAGMA integrity_check").getString(), "ok");
}

/// Fills the session with messages until writing fails; the Status of finish().
Status fill(const std::string& path, WriterOptions options) {
    Recorder recorder(3);
    const std::uint64_t origin = ticks();
    auto writer = SessionWriter::open(path, smallRun(), recorder, origin, options);
    if (!writer) return tl::unexpected<Error>(writer.error());
    for (int i = 0; i < 2000 && (*writer)->status(); ++i) {
        (*writer)->message("info", std::string(20'000, 'x'));
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    const Status during = (*writer)->status();
    const Status end = (*writer)->finish("finished", "", "{}");
    return during ? during : end;
}

TEST(StoreCrash, AFullFileStopsRecordingButKeepsTheRest) {
    const TempDir dir;
    WriterOptions options;
    options.maxFileBytes = 2'000'000;
    options.flushEveryMs = 10;
    const Status status = fill(dir.file("full.hscope"), options);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::Io);
    EXPECT_THAT(status.error().message, testing::HasSubstr("space"));
    auto reader = SessionReader::open(dir.file("full.hscope"));
    ASSERT_TRUE(reader) << reader.error().text();
    EXPECT_EQ((*reader)->runs()->front().status, "finished");
    EXPECT_THAT((*reader)->runs()->front().message, testing::HasSubstr("recording stopped"));
    EXPECT_GT((*reader)->messages(1)->size(), 10U);
}

TEST(StoreCrash, ADiskThatTakesNoMoreIsAnErrorNotADeath) {
    const TempDir dir;
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        ::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{3'000'000, 3'000'000};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        WriterOptions options;
        options.flushEveryMs = 10;
        const Status status = fill(dir.file("limited.hscope"), options);
        ::_exit(!status && status.error().code == ErrorCode::Io ? 0 : 1);
    }
    int result = 0;
    ASSERT_EQ(::waitpid(child, &result, 0), child);
    EXPECT_TRUE(WIFEXITED(result));
    EXPECT_EQ(WEXITSTATUS(result), 0);
    auto reader = SessionReader::open(dir.file("limited.hscope"));
    ASSERT_TRUE(reader) << reader.error().text();
    EXPECT_GT((*reader)->messages(1)->size(), 10U);
}

TEST(StoreCrash, ReadsFromAFolderThatMayNotBeWritten) {
    if (::geteuid() == 0) GTEST_SKIP() << "permissions do not bind root";
    const TempDir dir;
    Recorder recorder(3);
    auto writer = SessionWriter::open(dir.file("ro.hscope"), smallRun(), recorder, ticks());
    ASSERT_TRUE((*writer)->finish("finished", "", "{}"));
    std::filesystem::permissions(dir.path(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
    auto reader = SessionReader::open(dir.file("ro.hscope"));
    ASSERT_TRUE(reader) << reader.error().text();
    EXPECT_EQ((*reader)->runs()->size(), 1U);
}

TEST(StoreCrash, AWriterWithoutAnEndMarksItsRunFailed) {
    const TempDir dir;
    Recorder recorder(3);
    { auto writer = SessionWriter::open(dir.file("left.hscope"), smallRun(), recorder, ticks()); }
    EXPECT_EQ((*SessionReader::open(dir.file("left.hscope")))->runs()->front().status, "failed");
}

}  // namespace
}  // namespace hs
