/* SPDX-License-Identifier: MIT */
/*
 * Starts and stops txtap's recorder in Zephyr, and reports its state. Any thread may call these functions; interrupts
 * may not call them. To record the application's own events, use txtap_trace_user_event_insert() of txtap_trace.h. To
 * name the application's own objects, use txtap_trace_object_register(). With CONFIG_TXTAP off, the functions do
 * nothing, txtap_start() and txtap_stop() return -ENOTSUP, and no class has a name.
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
    uint32_t bytes;        /* size of the buffer in bytes */
    uint32_t ring_entries; /* number of events that the ring can contain */
    uint32_t ring_index;   /* index of the slot for the next event */
    uint32_t laps;         /* how often the ring has wrapped, modulo 65536 */
    uint32_t objects;      /* number of names in the registry */
    uint32_t objects_max;
    uint32_t clock_hz; /* rate of the time stamps, in Hz */
};

#ifndef TXTAP_TRACE_OFF

/*
 * Starts the recorder again with an empty ring. The existing threads and objects are in the registry. Returns -EALREADY
 * if the recorder runs.
 */
int txtap_start(void);

/* Stops the recorder. The buffer can still be read. Returns -EALREADY if the recorder does not run. */
int txtap_stop(void);

/* Records only the classes in `classes` from now on, even after the next txtap_start(). */
void txtap_filter(uint32_t classes);

/*
 * Sets *classes to the bit of the class `name`, such as "semaphore". Sets all bits for "all", and no bit for "none".
 * Returns -EINVAL if there is no such class.
 */
int txtap_class(const char *name, uint32_t *classes);

/* Returns the name of the class with bit number `bit`; NULL: the bit has no class. */
const char *txtap_class_name(unsigned bit);

void txtap_status_get(struct txtap_status *status);

#else /* for a build without the recorder: CONFIG_TXTAP is off */

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
