# SPDX-License-Identifier: Apache-2.0
hs_test(NAME contrib SOURCES unit/contrib_pointwise.cpp unit/contrib_attention.cpp unit/contrib_products.cpp unit/contrib_bytes.cpp unit/contrib_misc.cpp LIBS hs_executors_reference)
