# SPDX-License-Identifier: Apache-2.0
hs_test(NAME reference_kernels SOURCES unit/reference_kernels.cpp LIBS hs_executors_reference)
hs_test(NAME reference_conformance SOURCES unit/reference_conformance.cpp LIBS hs_executors_reference hs_core_import LABELS conformance)
hs_test(NAME reference_values SOURCES unit/reference_values.cpp LIBS hs_executors_reference)
