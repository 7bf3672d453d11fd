/* SPDX-License-Identifier: MIT */
/*
 * A model of ThreadX's object registry in the RAM of recorder_target.h: which slot an object gets, and each store that
 * it makes there, in ThreadX's order (common/src/tx_trace_object_register.c and _unregister.c). It differs from the
 * recorder's: a slot is marked as in use before it is filled, and the count of free slots falls when an object is
 * registered again in its own slot.
 */
#ifndef TXTAP_TESTS_KERNEL_REGISTRY_H
#define TXTAP_TESTS_KERNEL_REGISTRY_H

#include "target/recorder_target.h"

/* As after tx_trace_enable(); call it after enable() has emptied that many slots. */
void kernel_registry_init(uint32_t slots);

/* name: up to 31 of its characters are copied, or up to its NUL; NULL: none. */
void kernel_register(uint8_t type, uint32_t pointer, const char *name, uint32_t parameter1, uint32_t parameter2);
void kernel_unregister(uint32_t pointer);

#endif
