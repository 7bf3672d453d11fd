/* SPDX-License-Identifier: MIT */
/*
 * The same as zephyr/tracing/tracing.h, for Zephyr before 3.1 and for code that includes it by its old name.
 */
#ifndef TXTAP_ZEPHYR_SHADOW_H
#define TXTAP_ZEPHYR_SHADOW_H

#include_next <tracing/tracing.h>

#if __has_include(<tracing/tracing_syscall.h>) /* the hooks of this header are replaced too */
#include <tracing/tracing_syscall.h>
#endif

#include "txtap_zephyr_hooks.h"
#include "txtap_zephyr_missing.h"

#endif
