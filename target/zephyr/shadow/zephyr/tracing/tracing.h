/* SPDX-License-Identifier: MIT */
/*
 * From Zephyr 3.1 on, the compiler finds this header before Zephyr's header of the same name. This header includes
 * Zephyr's header, and then replaces its hooks by txtap's hooks. tracing/tracing.h has the same guard, so that the
 * hooks are replaced only once, after the whole of Zephyr's header.
 */
#ifndef TXTAP_ZEPHYR_SHADOW_H
#define TXTAP_ZEPHYR_SHADOW_H

#include_next <zephyr/tracing/tracing.h>

#if __has_include(<zephyr/tracing/tracing_syscall.h>) /* include this header first: txtap also replaces its hooks */
#include <zephyr/tracing/tracing_syscall.h>
#endif

#include "txtap_zephyr_hooks.h"
#include "txtap_zephyr_missing.h"

#endif
