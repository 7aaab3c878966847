# SPDX-License-Identifier: Apache-2.0
hs_test(NAME rewrite_simplify SOURCES unit/rewrite_simplify.cpp LIBS hs_core_rewrite)
