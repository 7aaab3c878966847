# SPDX-License-Identifier: Apache-2.0
hs_test(NAME house SOURCES ${CMAKE_CURRENT_LIST_DIR}/house_rooms.cpp)
hs_test(NAME base SOURCES ${CMAKE_CURRENT_LIST_DIR}/base_result.cpp LIBS hs_core_base)
