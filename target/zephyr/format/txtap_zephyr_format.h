/* SPDX-License-Identifier: MIT */
/*
 * Zephyr after 4.4 includes this header because CONFIG_TRACING_FORMAT_HEADER names it. The header has txtap's hooks,
 * and empty macros for the hooks that txtap lacks.
 */
#ifndef TXTAP_ZEPHYR_FORMAT_H
#define TXTAP_ZEPHYR_FORMAT_H

#if __has_include(<zephyr/tracing/tracing_syscall.h>) /* include this header first: txtap also replaces its hooks */
#include <zephyr/tracing/tracing_syscall.h>
#endif

#include "txtap_zephyr_hooks.h"

#include <zephyr/tracing/tracing_default_hooks.h>
#include <zephyr/tracing/tracing_hooks.h>

#endif
