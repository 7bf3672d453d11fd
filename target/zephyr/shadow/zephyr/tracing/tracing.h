/* SPDX-License-Identifier: MIT */
/*
 * Found instead of Zephyr's header of this name, from 3.1 on: includes it, then replaces its hooks by txtap's.
 * tracing/tracing.h has the same guard, so that the hooks are replaced only once, after all of Zephyr's header.
 */
#ifndef TXTAP_ZEPHYR_SHADOW_H
#define TXTAP_ZEPHYR_SHADOW_H

#include_next <zephyr/tracing/tracing.h>

#if __has_include(<zephyr/tracing/tracing_syscall.h>) /* the hooks of this header are replaced too */
#include <zephyr/tracing/tracing_syscall.h>
#endif

#include "txtap_zephyr_hooks.h"
#include "txtap_zephyr_missing.h"

#endif
