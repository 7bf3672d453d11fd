/* SPDX-License-Identifier: MIT */
/*
 * Starts and stops txtap's recorder in Zephyr, and reports its state. Any thread may call all functions; interrupts
 * may not. In txtap_trace.h, txtap_trace_user_event_insert() records the application's own events, and
 * txtap_trace_object_register() names its own objects. With CONFIG_TXTAP off these functions do nothing,
 * txtap_start() and txtap_stop() return -ENOTSUP, and no class has a name.
 */
#ifndef TXTAP_CONTROL_H
#define TXTAP_CONTROL_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

struct txtap_status {
    bool running;
    uint32_t classes;      /* recorded classes: TXTAP_TRACE_CLASS_... */
    uint32_t address;      /* address of the buffer */
    uint32_t bytes;        /* bytes of the buffer */
    uint32_t ring_entries; /* events that the ring holds */
    uint32_t ring_index;   /* slot of the next event */
    uint32_t laps;         /* times the ring has wrapped, modulo 65536 */
    uint32_t objects;      /* names in the registry */
    uint32_t objects_max;
    uint32_t clock_hz; /* rate of the time stamps, in Hz */
};

#ifndef TXTAP_TRACE_OFF

/*
 * Starts the recorder again: the ring is empty, and the registry has the existing threads and objects. -EALREADY if the
 * recorder runs.
 */
int txtap_start(void);

/* Stops the recorder; the buffer can still be read. -EALREADY if the recorder does not run. */
int txtap_stop(void);

/* Records the classes in `classes` from now on, also after the next txtap_start(). */
void txtap_filter(uint32_t classes);

/*
 * Stores the bit of the class `name` ("semaphore") in `classes`; for "all" all bits, for "none" 0. -EINVAL: no such
 * class.
 */
int txtap_class(const char *name, uint32_t *classes);

/* Returns the name of class bit `bit`; NULL: the bit has no class. */
const char *txtap_class_name(unsigned bit);

void txtap_status_get(struct txtap_status *status);

#else /* An image without the recorder: CONFIG_TXTAP is off. */

static inline int txtap_start(void)
{
    return -ENOTSUP;
}

static inline int txtap_stop(void)
{
    return -ENOTSUP;
}

static inline void txtap_filter(uint32_t classes)
{
    (void)classes;
}

static inline int txtap_class(const char *name, uint32_t *classes)
{
    (void)name, (void)classes;
    return -EINVAL;
}

static inline const char *txtap_class_name(unsigned bit)
{
    (void)bit;
    return NULL;
}

static inline void txtap_status_get(struct txtap_status *status)
{
    memset(status, 0, sizeof(*status));
}

#endif

#ifdef __cplusplus
}
#endif

#endif
