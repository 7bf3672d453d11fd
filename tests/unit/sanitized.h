/* SPDX-License-Identifier: MIT */
/*
 * How often a randomised or exhaustive test runs. The optimised build does it all. The sanitizers' build, which takes
 * five times as long, looks for wrong accesses: a quarter of the runs makes the same ones.
 */
#ifndef TXTAP_TESTS_SANITIZED_H
#define TXTAP_TESTS_SANITIZED_H

#ifdef __SANITIZE_ADDRESS__
#define RUNS_DIVISOR 4u
#else
#define RUNS_DIVISOR 1u
#endif

#endif
