/* SPDX-License-Identifier: MIT */
/* The parts of Zephyr that the recorder needs. They return the state of objects that the test sets. */
#ifndef TXTAP_ZEPHYR_PORT_H
#define TXTAP_ZEPHYR_PORT_H

#include "zephyr_target.h"

#define TXTAP_ZEPHYR_PORT_PRIORITY_BIAS 16
#ifndef TXTAP_ZEPHYR_PORT_EVENT_ACCUMULATES
#define TXTAP_ZEPHYR_PORT_EVENT_ACCUMULATES 0
#endif

#define TXTAP_TRACE_CONTEXT_STATE()  (txtap_trace_system_state | zephyr_exception)
#define TXTAP_TRACE_CONTEXT_THREAD() zephyr_current
#define TXTAP_TRACE_CONTEXT_PRIORITY()                                                                                 \
    ((uint32_t)(zephyr_current->priority + TXTAP_ZEPHYR_PORT_PRIORITY_BIAS) * 0x10001u)

#define txtap_zephyr_port_current()   ((const void *)zephyr_current)
#define txtap_zephyr_port_exception() zephyr_exception
#define txtap_zephyr_port_user_mode() zephyr_user_mode
#define txtap_zephyr_port_idle()      (zephyr_idled++)
#define txtap_zephyr_port_idle_exit() (zephyr_idled++)

static inline const struct zephyr_thing *zephyr_thing_of(const void *object)
{
    return object;
}

#define txtap_zephyr_port_thread_name(object)        zephyr_thing_of(object)->name
#define txtap_zephyr_port_thread_priority(object)    zephyr_thing_of(object)->priority
#define txtap_zephyr_port_thread_is_idle(object)     zephyr_thing_of(object)->idle
#define txtap_zephyr_port_thread_state(object)       zephyr_thing_of(object)->state
#define txtap_zephyr_port_thread_stack_start(object) zephyr_thing_of(object)->start
#define txtap_zephyr_port_thread_stack_bytes(object) zephyr_thing_of(object)->bytes
#define txtap_zephyr_port_sem_count(object)          zephyr_thing_of(object)->count
#define txtap_zephyr_port_sem_waited(object)         zephyr_thing_of(object)->waited
#define txtap_zephyr_port_mutex_owner(object)        zephyr_thing_of(object)->owner
#define txtap_zephyr_port_mutex_depth(object)        zephyr_thing_of(object)->count
#define txtap_zephyr_port_msgq_messages(object)      zephyr_thing_of(object)->count
#define txtap_zephyr_port_msgq_messages_max(object)  zephyr_thing_of(object)->count_max
#define txtap_zephyr_port_msgq_message_bytes(object) zephyr_thing_of(object)->size
#define txtap_zephyr_port_msgq_buffer(object)        ((const void *)(uintptr_t)zephyr_thing_of(object)->start)
#define txtap_zephyr_port_slab_blocks(object)        zephyr_thing_of(object)->count_max
#define txtap_zephyr_port_slab_block_bytes(object)   zephyr_thing_of(object)->size
#define txtap_zephyr_port_slab_used(object)          zephyr_thing_of(object)->count
#define txtap_zephyr_port_slab_buffer(object)        ((const void *)(uintptr_t)zephyr_thing_of(object)->start)
#define txtap_zephyr_port_slab_waited(object)        zephyr_thing_of(object)->waited
#define txtap_zephyr_port_heap_start(object)         ((const void *)(uintptr_t)zephyr_thing_of(object)->start)
#define txtap_zephyr_port_heap_bytes(object)         zephyr_thing_of(object)->bytes
#define txtap_zephyr_port_heap_waited(object)        zephyr_thing_of(object)->waited
#define txtap_zephyr_port_event_events(object)       zephyr_thing_of(object)->count
#define txtap_zephyr_port_event_waited(object)       zephyr_thing_of(object)->waited

#endif
