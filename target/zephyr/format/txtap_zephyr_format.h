/* SPDX-License-Identifier: MIT */
/*
 * Zephyr after 4.4 includes this header by CONFIG_TRACING_FORMAT_HEADER. It has txtap's hooks, then no-ops for the
 * hooks that txtap lacks.
 */
#ifndef TXTAP_ZEPHYR_FORMAT_H
#define TXTAP_ZEPHYR_FORMAT_H

#if __has_include(<zephyr/tracing/tracing_syscall.h>) /* the hooks of this header are replaced too */
#include <zephyr/tracing/tracing_syscall.h>
#endif

#include "txtap_zephyr_hooks.h"

#include <zephyr/tracing/tracing_default_hooks.h>
#include <zephyr/tracing/tracing_hooks.h>

#endif
