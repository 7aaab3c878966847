# SPDX-License-Identifier: Apache-2.0
add_executable(bench_trace "${CMAKE_CURRENT_SOURCE_DIR}/bench/trace_bench.cpp" "${CMAKE_CURRENT_SOURCE_DIR}/bench/trace_bench_store.cpp"
                           "${CMAKE_CURRENT_SOURCE_DIR}/bench/dispatch_bench.cpp")
target_link_libraries(bench_trace PRIVATE hs_compile_options hs_core_store hs_core_trace hs_core_exec nlohmann_json::nlohmann_json)
