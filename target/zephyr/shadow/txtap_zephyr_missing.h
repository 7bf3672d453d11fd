/* SPDX-License-Identifier: MIT */
/*
 * Names that Zephyr's tracing headers use but, in some versions, do not define.
 */
#ifndef TXTAP_ZEPHYR_MISSING_H
#define TXTAP_ZEPHYR_MISSING_H

/* In Zephyr 2.7 to 3.1, CONFIG_EVENTS does not link with CONFIG_TRACING, because these hooks are missing. */
#ifndef sys_port_track_k_event_init
#define sys_port_track_k_event_init(event)
#endif

#endif
