/* SPDX-License-Identifier: MIT */
/*
 * How often a randomised or exhaustive test runs. The optimised build runs everything. The build with sanitizers is
 * five times slower and looks for invalid accesses, for which an eighth of the runs is enough.
 */
#ifndef TXTAP_TESTS_SANITIZED_H
#define TXTAP_TESTS_SANITIZED_H

#ifdef __SANITIZE_ADDRESS__
#define RUNS_DIVISOR 8u
#else
#define RUNS_DIVISOR 1u
#endif

#endif
