/* SPDX-License-Identifier: MIT */
/*
 * Zephyr 4.4 and later include this header with CONFIG_TRACING_CUSTOM. Zephyr itself defines the hooks that txtap
 * lacks.
 */
#ifndef TXTAP_ZEPHYR_CUSTOM_TRACING_H
#define TXTAP_ZEPHYR_CUSTOM_TRACING_H

#if __has_include(<zephyr/tracing/tracing_syscall.h>) /* include this header first: txtap also replaces its hooks */
#include <zephyr/tracing/tracing_syscall.h>
#endif

#include "txtap_zephyr_hooks.h"

#endif
