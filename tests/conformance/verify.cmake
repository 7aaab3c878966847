# SPDX-License-Identifier: Apache-2.0
# Runs the built hscope on cases and models that lie outside of the repository; skipped where they are absent.
find_package(Python3 COMPONENTS Interpreter)
set(shared_dir "${CMAKE_SOURCE_DIR}/../shared")

# hs_outside_test(NAME NEEDS path ARGS …): a run of check_outside.py
function(hs_outside_test)
  cmake_parse_arguments(T "" "NAME;NEEDS;TIMEOUT" "ARGS;LABELS" ${ARGN})
  if(NOT Python3_Interpreter_FOUND)
    return()
  endif()
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT 900)
  endif()
  add_test(NAME ${T_NAME} COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/conformance/check_outside.py" "$<TARGET_FILE:hscope>" "${T_NEEDS}" ${T_ARGS})
  set_tests_properties(${T_NAME} PROPERTIES TIMEOUT ${T_TIMEOUT} SKIP_RETURN_CODE 77 LABELS "conformance")
endfunction()

foreach(suite onnx-node onnx-simple onnx-pytorch-converted onnx-pytorch-operator)
  hs_outside_test(NAME conformance_${suite} NEEDS "${shared_dir}/conformance/${suite}/open" ARGS cases)
endforeach()
foreach(suite onnx-node onnx-simple)
  hs_outside_test(NAME conformance_${suite}_extended NEEDS "${shared_dir}/conformance/${suite}/extended-open" ARGS cases)
endforeach()
# The same kind of cases, of ONNX 1.12, where nothing lies beside the repository: package libonnx-testdata.
hs_outside_test(NAME conformance_debian NEEDS /usr/share/libonnx-testdata/data ARGS old-cases)
hs_outside_test(NAME conformance_onnx-light NEEDS "${shared_dir}/conformance/onnx-light/open" ARGS cases)
hs_outside_test(NAME conformance_reference NEEDS "${shared_dir}/conformance/onnx-node/open" ARGS cases --executor reference)
foreach(model ch_PP-OCRv4_det_infer ch_PP-OCRv4_rec_infer face_detection_back_256x256_barracuda face_detection_front_128x128_barracuda silero_vad_v5)
  hs_outside_test(NAME models_${model} NEEDS "${shared_dir}/models/npm/${model}" ARGS cases --atol 1e-4)
endforeach()
# The last convolution of these two cancels large terms, so float32 rounding alone moves single elements by up to 0.05 of
# values up to 40: the reference executor and oneDNN differ from each other by as much as from the recorded outputs.
foreach(model mlsd_320x320_tiny mlsd_512x512_large)
  hs_outside_test(NAME models_${model} NEEDS "${shared_dir}/models/npm/${model}" ARGS cases --atol 5e-2)
endforeach()
hs_outside_test(NAME models_hostile NEEDS "${shared_dir}/models/ort-testdata" ARGS hostile)
hs_outside_test(NAME contract NEEDS "${shared_dir}/checks/contract" ARGS script)
if(TEST contract)
  # It counts what a run records within seconds: other tests beside it would decide the result.
  set_tests_properties(contract PROPERTIES RUN_SERIAL ON)
endif()
# Wrong requests, files and surroundings: needs nothing from outside.
if(Python3_Interpreter_FOUND)
  add_test(NAME cli_failures COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/conformance/check_cli.py" "$<TARGET_FILE:hscope>")
  set_tests_properties(cli_failures PROPERTIES TIMEOUT 900 LABELS "conformance" RUN_SERIAL ON)
endif()
