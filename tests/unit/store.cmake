# SPDX-License-Identifier: Apache-2.0
hs_test(NAME store
        SOURCES "${CMAKE_CURRENT_SOURCE_DIR}/unit/store_contract_test.cpp" "${CMAKE_CURRENT_SOURCE_DIR}/unit/store_round_trip_test.cpp"
                "${CMAKE_CURRENT_SOURCE_DIR}/unit/store_crash_test.cpp" "${CMAKE_CURRENT_SOURCE_DIR}/unit/store_query_test.cpp"
                "${CMAKE_CURRENT_SOURCE_DIR}/unit/store_lod_test.cpp"
        LIBS hs_core_store hs_core_trace SQLiteCpp SQLite::SQLite3 nlohmann_json::nlohmann_json
        TIMEOUT 120)
