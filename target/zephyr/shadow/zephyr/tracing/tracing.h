/* SPDX-License-Identifier: MIT */
/*
 * Stands before Zephyr's header of this name, from 3.1 on: takes its hooks, then puts txtap's in their place. The guard
 * is that of tracing/tracing.h too, so that the hooks are replaced once, when Zephyr's header has been read to its end.
 */
#ifndef TXTAP_ZEPHYR_SHADOW_H
#define TXTAP_ZEPHYR_SHADOW_H

#include_next <zephyr/tracing/tracing.h>

#if __has_include(<zephyr/tracing/tracing_syscall.h>) /* its hooks are replaced too */
#include <zephyr/tracing/tracing_syscall.h>
#endif

#include "txtap_zephyr_hooks.h"
#include "txtap_zephyr_missing.h"

#endif
