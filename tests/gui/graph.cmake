# SPDX-License-Identifier: GPL-3.0-or-later
if(HS_BUILD_GUI)
  hs_test(NAME graph_view LABELS gui SOURCES "${CMAKE_CURRENT_LIST_DIR}/graph_main.cpp" "${CMAKE_CURRENT_LIST_DIR}/graph_models.cpp"
          "${CMAKE_CURRENT_LIST_DIR}/graph_scene_test.cpp" "${CMAKE_CURRENT_LIST_DIR}/graph_view_test.cpp" LIBS hs_ui_graph Qt6::Test)
endif()
