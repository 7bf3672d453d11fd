/* SPDX-License-Identifier: MIT */
/*
 * The compiler finds this header before Zephyr's header of the same name. Zephyr's tracing_user.c includes it first. So
 * this header includes tracing.h before Zephyr's header, and txtap replaces hooks that are already defined. There is no
 * guard here, because Zephyr's header has a guard.
 */
#if __has_include(<zephyr/kernel.h>)
#include <zephyr/tracing/tracing.h>
#else
#include <tracing/tracing.h>
#endif

#include_next <tracing_user.h>
