# SPDX-License-Identifier: GPL-3.0-or-later
if(HS_BUILD_GUI)
  hs_test(NAME layout SOURCES "${CMAKE_CURRENT_LIST_DIR}/layout_layered.cpp" "${CMAKE_CURRENT_LIST_DIR}/layout_spatial_index.cpp" LIBS hs_ui_graph)
endif()
