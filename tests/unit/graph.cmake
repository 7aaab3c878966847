#SPDX - License - Identifier : Apache - 2.0
hs_test(NAME graph_infer SOURCES ${CMAKE_CURRENT_LIST_DIR} / graph_infer.cpp ${CMAKE_CURRENT_LIST_DIR} / graph_infer_errors.cpp ${CMAKE_CURRENT_LIST_DIR} /
        graph_element.cpp ${CMAKE_CURRENT_LIST_DIR} / graph_cost.cpp ${CMAKE_CURRENT_LIST_DIR} / graph_control_flow.cpp LIBS hs_core_graph)
