# SPDX-License-Identifier: Apache-2.0
hs_test(NAME core_plan SOURCES unit/plan_config.cpp unit/plan_memory.cpp unit/plan_placement.cpp LIBS hs_core_plan)
hs_test(NAME golden_plans SOURCES golden/plan_golden.cpp LIBS hs_core_plan)
hs_test(NAME core_exec SOURCES unit/exec_engine.cpp unit/exec_control_flow.cpp LIBS hs_core_exec hs_executors_reference)
hs_test(NAME core_run SOURCES unit/run_inputs.cpp unit/run_profile.cpp unit/run_overhead.cpp LIBS hs_core_run hs_executors_reference)
hs_test(NAME app_cli SOURCES unit/cli_parts.cpp LIBS hs_app_cli)
