/* SPDX-License-Identifier: MIT */
/*
 * How often randomised and exhaustive tests run. The optimised build makes all runs. The build with sanitizers is five
 * times slower. It only looks for invalid accesses, so it makes an eighth of the runs.
 */
#ifndef TXTAP_TESTS_SANITIZED_H
#define TXTAP_TESTS_SANITIZED_H

#ifdef __SANITIZE_ADDRESS__
#define RUNS_DIVISOR 8u
#else
#define RUNS_DIVISOR 1u
#endif

#endif
