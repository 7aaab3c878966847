# SPDX-License-Identifier: GPL-3.0-or-later
if(HS_BUILD_GUI)
  hs_test(NAME timeline SOURCES "${CMAKE_CURRENT_LIST_DIR}/timeline_viewport.cpp" "${CMAKE_CURRENT_LIST_DIR}/timeline_data.cpp" LIBS hs_ui_timeline)
endif()
