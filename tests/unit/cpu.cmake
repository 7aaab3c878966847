# SPDX-License-Identifier: Apache-2.0
hs_test(NAME executors_cpu SOURCES unit/cpu_probe.cpp LIBS hs_executors_cpu)
