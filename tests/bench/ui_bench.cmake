# SPDX-License-Identifier: GPL-3.0-or-later
if(HS_BUILD_GUI)
  add_executable(bench_ui "${CMAKE_CURRENT_LIST_DIR}/ui_bench.cpp" "${CMAKE_CURRENT_LIST_DIR}/../gui/timeline_session.cpp")
  target_link_libraries(bench_ui PRIVATE hs_compile_options hs_ui_graph hs_ui_timeline hs_core_zoo hs_core_import hs_core_store Qt6::Test)
endif()
