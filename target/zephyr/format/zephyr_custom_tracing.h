/* SPDX-License-Identifier: MIT */
/*
 * Zephyr 4.4 and later include this with CONFIG_TRACING_CUSTOM. Zephyr itself adds the hooks that txtap lacks.
 */
#ifndef TXTAP_ZEPHYR_CUSTOM_TRACING_H
#define TXTAP_ZEPHYR_CUSTOM_TRACING_H

#if __has_include(<zephyr/tracing/tracing_syscall.h>) /* the hooks of this header are replaced too */
#include <zephyr/tracing/tracing_syscall.h>
#endif

#include "txtap_zephyr_hooks.h"

#endif
