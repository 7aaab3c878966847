# SPDX-License-Identifier: Apache-2.0
# The window: real input events on the offscreen platform.
if(HS_BUILD_GUI)
  foreach(name shell_models shell_window shell_translations)
    add_executable(test_gui_${name} "${CMAKE_CURRENT_LIST_DIR}/${name}_test.cpp" "${CMAKE_CURRENT_LIST_DIR}/gui_fixture.h")
    set_target_properties(test_gui_${name} PROPERTIES AUTOMOC ON)
    target_link_libraries(test_gui_${name} PRIVATE hs_compile_options hs_ui_shell Qt6::Test)
    target_compile_definitions(test_gui_${name} PRIVATE HS_SOURCE_DIR="${CMAKE_SOURCE_DIR}" HS_BINARY_DIR="${CMAKE_BINARY_DIR}"
                               HS_LUPDATE="$<TARGET_FILE:Qt6::lupdate>")
    add_test(NAME gui_${name} COMMAND test_gui_${name})
    set_tests_properties(gui_${name} PROPERTIES TIMEOUT 300 LABELS gui RUN_SERIAL ON ENVIRONMENT "QT_QPA_PLATFORM=offscreen;LANG=C.UTF-8")
  endforeach()
  foreach(needed hscope hs_plugin_cpu hs_plugin_onednn)  # What a run from the window needs beside it.
    if(TARGET ${needed})
      add_dependencies(test_gui_shell_window ${needed})
    endif()
  endforeach()
endif()
