# SPDX-License-Identifier: Apache-2.0
file(GLOB zoo_tests CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/unit/zoo_*.cpp")
hs_test(NAME core_zoo SOURCES ${zoo_tests} LIBS hs_core_zoo)
