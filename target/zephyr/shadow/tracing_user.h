/* SPDX-License-Identifier: MIT */
/*
 * Found instead of Zephyr's header of this name. A file that includes it first, as Zephyr's tracing_user.c does, gets
 * tracing.h before it, so that txtap replaces hooks that are already defined. There is no guard here, because Zephyr's
 * header has a guard.
 */
#if __has_include(<zephyr/kernel.h>)
#include <zephyr/tracing/tracing.h>
#else
#include <tracing/tracing.h>
#endif

#include_next <tracing_user.h>
