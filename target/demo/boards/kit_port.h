/* SPDX-License-Identifier: MIT */
/* The recorder's clock on a core without a cycle counter. */
#ifndef DEMO_KIT_PORT_H
#define DEMO_KIT_PORT_H

#include <stdint.h>

/* Returns the core clocks since board_init(), modulo 2^32. */
uint32_t kit_stamp(void);

#define TXTAP_TRACE_STAMP_UNCLOCKED() kit_stamp()

#endif
