# SPDX-License-Identifier: Apache-2.0
if(TARGET hs_executors_onednn)
  hs_test(NAME executors_onednn
          SOURCES unit/onednn_harness.cpp unit/onednn_convolution.cpp unit/onednn_matmul.cpp unit/onednn_pointwise.cpp
                  unit/onednn_shapes.cpp unit/onednn_rnn.cpp unit/onednn_executor.cpp unit/onednn_exactness.cpp
                  unit/onednn_random.cpp
          LIBS hs_executors_onednn hs_executors_reference)
  hs_test(NAME onednn_zoo SOURCES unit/onednn_zoo.cpp LIBS hs_executors_onednn hs_executors_reference hs_core_run hs_core_zoo)
endif()
