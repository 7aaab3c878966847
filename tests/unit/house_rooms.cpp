// SPDX-License-Identifier: Apache-2.0
// Holds every source file against the room map: a room includes its own headers and those of the rooms it declares, and
// nothing of Qt where the house forbids it.
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using RoomMap = std::map<std::string, std::set<std::string>>;

RoomMap readManifest() {
    RoomMap rooms;
    std::ifstream file(std::string(HS_BINARY_DIR) + "/room_manifest.txt");
    for (std::string line; std::getline(file, line);) {
        const auto colon = line.find(':');
        if (colon == std::string::npos) continue;
        std::istringstream uses(line.substr(colon + 1));
        auto& set = rooms[line.substr(0, colon)];
        for (std::string room; uses >> room;)
            set.insert(room);
    }
    return rooms;
}

/// What a room may include: what it declares, and what those declare in turn (their headers show it).
std::set<std::string> reachable(const RoomMap& rooms, const std::string& room) {
    std::set<std::string> seen = {room};
    std::vector<std::string> pending = {room};
    while (!pending.empty()) {
        const std::string current = pending.back();
        pending.pop_back();
        const auto it = rooms.find(current);
        if (it == rooms.end()) continue;
        for (const auto& next : it->second)
            if (seen.insert(next).second) pending.push_back(next);
    }
    return seen;
}

std::vector<fs::path> sourcesOf(const std::string& room) {
    std::vector<fs::path> out;
    for (const auto& entry : fs::directory_iterator(fs::path(HS_SOURCE_DIR) / room))
        if (entry.path().extension() == ".h" || entry.path().extension() == ".cpp") out.push_back(entry.path());
    return out;
}

std::vector<std::string> includesOf(const fs::path& file, char open) {
    static const std::regex kQuoted("^\\s*#\\s*include\\s*\"([^\"]+)\"");
    static const std::regex kAngled("^\\s*#\\s*include\\s*<([^>]+)>");
    std::vector<std::string> out;
    std::ifstream stream(file);
    std::smatch match;
    for (std::string line; std::getline(stream, line);)
        if (std::regex_search(line, match, open == '"' ? kQuoted : kAngled)) out.push_back(match[1]);
    return out;
}

bool startsWith(const std::string& text, const std::string& prefix) {
    return text.rfind(prefix, 0) == 0;
}

TEST(Rooms, IncludeOnlyWhatTheyDeclare) {
    const RoomMap rooms = readManifest();
    ASSERT_GE(rooms.size(), 10U) << "room_manifest.txt is missing or empty: configure again";
    for (const auto& [room, uses] : rooms) {
        const auto allowed = reachable(rooms, room);
        for (const fs::path& file : sourcesOf(room)) {
            for (const std::string& include : includesOf(file, '"')) {
                const auto slash = include.rfind('/');
                if (slash == std::string::npos) continue;  // generated beside the source
                EXPECT_TRUE(allowed.contains(include.substr(0, slash)))
                    << file.string() << " includes " << include << ", but " << room << " does not declare that room";
            }
        }
    }
}

TEST(Rooms, KnowledgeFlowsOneWay) {
    for (const auto& [room, uses] : readManifest()) {
        for (const std::string& used : uses) {
            const std::string text = room + " uses " + used;
            if (startsWith(room, "core/")) {
                EXPECT_FALSE(startsWith(used, "ui/") || startsWith(used, "executors/") || startsWith(used, "plugins/")) << text;
            }
            if (startsWith(room, "executors/")) {
                EXPECT_TRUE(startsWith(used, "core/")) << text;
            }
            if (startsWith(room, "ui/") && room != "ui/shell" && startsWith(used, "ui/")) {
                EXPECT_TRUE(used == "ui/models" || used == "ui/edit") << text << ": a view knows no other view";
            }
        }
    }
}

TEST(Rooms, QtStaysWhereItBelongs) {
    for (const auto& [room, uses] : readManifest()) {
        const bool qtFree = startsWith(room, "executors/") || (startsWith(room, "core/") && room != "core/host");
        if (!qtFree) continue;
        for (const fs::path& file : sourcesOf(room))
            for (const std::string& include : includesOf(file, '<'))
                EXPECT_FALSE(std::regex_match(include, std::regex("Q[A-Z][A-Za-z]+|Qt[A-Z].*"))) << file.string() << " includes <" << include << ">";
    }
}

TEST(Rooms, SecretsStayPrivate) {
    // protobuf is private to core/import, SQLite to core/store, oneDNN to executors/onednn.
    const std::vector<std::pair<std::string, std::string>> owners = {{"google/protobuf/", "core/import"},
                                                                     {"SQLiteCpp/", "core/store"},
                                                                     {"sqlite3.h", "core/store"},
                                                                     {"oneapi/dnnl/", "executors/onednn"},
                                                                     {"dnnl.hpp", "executors/onednn"}};
    for (const auto& [room, uses] : readManifest())
        for (const fs::path& file : sourcesOf(room))
            for (const std::string& include : includesOf(file, '<'))
                for (const auto& [prefix, owner] : owners)
                    if (startsWith(include, prefix)) {
                        EXPECT_EQ(room, owner) << file.string() << " includes <" << include << ">";
                    }
}

}  // namespace
