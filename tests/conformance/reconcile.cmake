# SPDX-License-Identifier: Apache-2.0
# Profiled runs whose sessions must account for every node and for all of the time.
find_package(Python3 COMPONENTS Interpreter)

# hs_reconcile_test(NAME MODEL ARGS …)
function(hs_reconcile_test name model)
  if(NOT Python3_Interpreter_FOUND)
    return()
  endif()
  add_test(NAME reconcile_${name} COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/conformance/check_reconcile.py" "$<TARGET_FILE:hscope>" "${model}"
                                          ${ARGN})
  set_tests_properties(reconcile_${name} PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77 LABELS "conformance" RUN_SERIAL ON)
endfunction()

foreach(name mlp squeezenet mobilenet_v2 bert_tiny gpt2_tiny lstm gru yolo_like wide-1k)
  hs_reconcile_test(${name} zoo:${name})
endforeach()
set(shared_models "${CMAKE_SOURCE_DIR}/../shared/models/npm")
set(silero_case "${shared_models}/silero_vad_v5/test_data_set_0")
hs_reconcile_test(silero_vad_v5 "${shared_models}/silero_vad_v5/model.onnx" --input "input=${silero_case}/input_0.pb" --input "state=${silero_case}/input_1.pb"
                  --input "sr=${silero_case}/input_2.pb")
hs_reconcile_test(ch_PP-OCRv4_rec_infer "${shared_models}/ch_PP-OCRv4_rec_infer/model.onnx" --input
                  "x=${shared_models}/ch_PP-OCRv4_rec_infer/test_data_set_0/input_0.pb")

if(Python3_Interpreter_FOUND)
  add_test(NAME memory_of_external_weights COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/conformance/check_memory.py" "$<TARGET_FILE:hscope>")
  set_tests_properties(memory_of_external_weights PROPERTIES TIMEOUT 300 LABELS "conformance" RUN_SERIAL ON)
endif()
