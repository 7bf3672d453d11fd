/* SPDX-License-Identifier: MIT */
/* The same as zephyr/tracing/tracing.h, for Zephyr before 3.1 and for code that uses this old name of the header. */
#ifndef TXTAP_ZEPHYR_SHADOW_H
#define TXTAP_ZEPHYR_SHADOW_H

#include_next <tracing/tracing.h>

#if __has_include(<tracing/tracing_syscall.h>) /* include this header first: txtap also replaces its hooks */
#include <tracing/tracing_syscall.h>
#endif

#include "txtap_zephyr_hooks.h"
#include "txtap_zephyr_missing.h"

#endif
