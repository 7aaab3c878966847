# SPDX-License-Identifier: Apache-2.0
hs_test(NAME trace SOURCES "${CMAKE_CURRENT_SOURCE_DIR}/unit/trace_ring_test.cpp" "${CMAKE_CURRENT_SOURCE_DIR}/unit/trace_recorder_test.cpp"
                "${CMAKE_CURRENT_SOURCE_DIR}/unit/trace_host_test.cpp"
        LIBS hs_core_trace TIMEOUT 120)
