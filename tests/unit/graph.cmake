# SPDX-License-Identifier: Apache-2.0
hs_test(NAME graph_infer SOURCES unit/graph_infer.cpp unit/graph_infer_errors.cpp unit/graph_element.cpp unit/graph_cost.cpp unit/graph_control_flow.cpp
        LIBS hs_core_graph)
hs_test(NAME graph_corpus SOURCES unit/graph_corpus.cpp LIBS hs_core_graph hs_core_import)
hs_test(NAME graph_zoo SOURCES unit/graph_zoo.cpp LIBS hs_core_graph hs_core_zoo)
