# SPDX-License-Identifier: Apache-2.0
file(GLOB import_tests CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/unit/import_*.cpp" "${CMAKE_CURRENT_SOURCE_DIR}/unit/import_*.h")
hs_test(NAME core_import SOURCES ${import_tests} LIBS hs_core_import hs_onnx_wire)
