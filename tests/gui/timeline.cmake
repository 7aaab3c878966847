# SPDX-License-Identifier: GPL-3.0-or-later
if(HS_BUILD_GUI)
  hs_test(NAME timeline_view LABELS gui SOURCES "${CMAKE_CURRENT_LIST_DIR}/graph_main.cpp" "${CMAKE_CURRENT_LIST_DIR}/graph_models.cpp"
          "${CMAKE_CURRENT_LIST_DIR}/timeline_session.cpp" "${CMAKE_CURRENT_LIST_DIR}/timeline_view_test.cpp" LIBS hs_ui_timeline hs_core_store Qt6::Test)
endif()
