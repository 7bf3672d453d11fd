/* SPDX-License-Identifier: MIT */
/*
 * What Zephyr 4.4 and later includes with CONFIG_TRACING_CUSTOM. Zephyr fills in the hooks that txtap does not have.
 */
#ifndef TXTAP_ZEPHYR_CUSTOM_TRACING_H
#define TXTAP_ZEPHYR_CUSTOM_TRACING_H

#if __has_include(<zephyr/tracing/tracing_syscall.h>) /* its hooks are replaced too */
#include <zephyr/tracing/tracing_syscall.h>
#endif

#include "txtap_zephyr_hooks.h"

#endif
