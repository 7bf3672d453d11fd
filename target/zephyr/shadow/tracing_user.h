/* SPDX-License-Identifier: MIT */
/*
 * Whoever includes Zephyr's header of this name first, as its tracing_user.c does, gets tracing.h first: the hooks that
 * this one defines must be there before txtap replaces them. No guard: Zephyr's has one.
 */
#if __has_include(<zephyr/kernel.h>)
#include <zephyr/tracing/tracing.h>
#else
#include <tracing/tracing.h>
#endif

#include_next <tracing_user.h>
