# SPDX-License-Identifier: Apache-2.0
file(GLOB import_tests CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/unit/import_*.cpp" "${CMAKE_CURRENT_SOURCE_DIR}/unit/import_*.h")
hs_test(NAME core_import SOURCES ${import_tests} "${CMAKE_CURRENT_SOURCE_DIR}/fuzz/seeds.cpp" LIBS hs_core_import hs_core_zoo hs_onnx_wire)
