/* SPDX-License-Identifier: MIT */
/*
 * Replaces the functions of txtap_trace.h in firmware that is built without the recorder. txtap_trace.h includes this
 * file if TXTAP_TRACE_OFF is defined. Each function does nothing and returns TXTAP_TRACE_FEATURE_NOT_ENABLED, or NULL
 * if it returns a pointer. The compiler removes the calls.
 */
#ifndef TXTAP_TRACE_OFF_H
#define TXTAP_TRACE_OFF_H

static inline uint32_t txtap_trace_enable(void *buffer, uint32_t buffer_bytes, uint32_t registry_entries)
{
    (void)buffer, (void)buffer_bytes, (void)registry_entries;
    return TXTAP_TRACE_FEATURE_NOT_ENABLED;
}

static inline uint32_t txtap_trace_disable(void)
{
    return TXTAP_TRACE_FEATURE_NOT_ENABLED;
}

static inline uint32_t txtap_trace_object_register(uint8_t type, const void *object, const char *name,
                                                   uint32_t parameter1, uint32_t parameter2)
{
    (void)type, (void)object, (void)name, (void)parameter1, (void)parameter2;
    return TXTAP_TRACE_FEATURE_NOT_ENABLED;
}

static inline uint32_t txtap_trace_thread_register(const void *thread, const char *name, uint32_t priority,
                                                   uint32_t stack_start, uint32_t stack_bytes)
{
    (void)thread, (void)name, (void)priority, (void)stack_start, (void)stack_bytes;
    return TXTAP_TRACE_FEATURE_NOT_ENABLED;
}

static inline uint32_t txtap_trace_object_unregister(const void *object)
{
    (void)object;
    return TXTAP_TRACE_FEATURE_NOT_ENABLED;
}

static inline struct txtap_trace_entry *txtap_trace_event_insert(uint32_t id, uint32_t info1, uint32_t info2,
                                                                 uint32_t info3, uint32_t info4, uint32_t class_bit)
{
    (void)id, (void)info1, (void)info2, (void)info3, (void)info4, (void)class_bit;
    return NULL;
}

static inline void txtap_trace_event_patch(struct txtap_trace_entry *entry, uint32_t stamp, unsigned info_index,
                                           uint32_t value)
{
    (void)entry, (void)stamp, (void)info_index, (void)value;
}

static inline uint32_t txtap_trace_user_event_insert(uint32_t id, uint32_t info1, uint32_t info2, uint32_t info3,
                                                     uint32_t info4)
{
    (void)id, (void)info1, (void)info2, (void)info3, (void)info4;
    return TXTAP_TRACE_FEATURE_NOT_ENABLED;
}

static inline void txtap_trace_isr_enter_insert(uint32_t isr_id)
{
    (void)isr_id;
}

static inline void txtap_trace_isr_exit_insert(uint32_t isr_id)
{
    (void)isr_id;
}

static inline uint32_t txtap_trace_event_filter(uint32_t bits)
{
    (void)bits;
    return TXTAP_TRACE_FEATURE_NOT_ENABLED;
}

static inline uint32_t txtap_trace_event_unfilter(uint32_t bits)
{
    (void)bits;
    return TXTAP_TRACE_FEATURE_NOT_ENABLED;
}

static inline uint32_t txtap_trace_buffer_full_notify(void (*callback)(void *header))
{
    (void)callback;
    return TXTAP_TRACE_FEATURE_NOT_ENABLED;
}

static inline const volatile uint32_t *txtap_trace_clock_select(const volatile uint32_t *fallback_register)
{
    (void)fallback_register;
    return NULL;
}

#endif
