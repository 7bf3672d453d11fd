/* SPDX-License-Identifier: MIT */
/*
 * Declarations that the files of Zephyr's hooks share. These files need the functions below from txtap_zephyr_port.h.
 * Only the port knows Zephyr, and a test has its own port. Objects are passed as const void *. Numbers are read without
 * a lock, because a hook is called in the middle of a service.
 *
 *   port_current()             the running thread; NULL = no thread has run yet
 *   port_exception()           number of the interrupt being handled
 *   port_user_mode()           not 0: the running code has no access to the ring
 *   port_idle(), _idle_exit()  other actions that the kernel needs when idle begins or ends
 *   PORT_PRIORITY_BIAS         the sum of this number and the most urgent priority is 0
 *   PORT_EVENT_ACCUMULATES     1: k_event_post's hook has a flag as its third argument, not a mask
 *   port_thread_name(thread)   the thread's name; NULL or "" = no name
 *   port_thread_priority(), _state() (enum txtap_zephyr_state), _stack_start(), _stack_bytes()
 *   port_sem_count(sem), _waited; mutex_owner, _depth; msgq_messages, _messages_max, _message_bytes, _buffer;
 *   slab_blocks, _block_bytes, _used, _buffer, _waited; heap_start, _bytes, _waited; event_events, _waited
 *
 * All of these names have the prefix txtap_zephyr_ or TXTAP_ZEPHYR_. A function _waited returns 1 if a thread waits for
 * the object, otherwise 0.
 */
#ifndef TXTAP_ZEPHYR_INTERNAL_H
#define TXTAP_ZEPHYR_INTERNAL_H

#include "txtap_trace.h" /* this includes TXTAP_TRACE_PORT_HEADER, so that all files use the same port */

#include "txtap_zephyr_hooks.h"
#include "txtap_zephyr_port.h"

/* Returns an object's address as an event contains it; 0 for NULL. */
static inline uint32_t zephyr_word(const void *object)
{
    return object != NULL ? TXTAP_TRACE_ADDRESS(object) : 0;
}

/* Returns an address close to the stack pointer. */
static inline uint32_t zephyr_stack(void)
{
    return zephyr_word(__builtin_frame_address(0));
}

/* Returns a priority as ThreadX counts: 0 is the most urgent of all. */
uint32_t zephyr_priority(int priority);

/* Notes the reason of the running thread's next wait. */
void zephyr_will_wait(enum txtap_zephyr_state state);

/* Marks objects as deleted. Their names stay, for the events recorded so far. */
void zephyr_object_remove(const void *object);

/* Forgets the names of events: from now on, named events are registered again. */
void zephyr_names_forget(void);

#endif
