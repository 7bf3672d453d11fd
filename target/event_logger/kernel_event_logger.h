/* SPDX-License-Identifier: MIT */
/*
 * The kernel event logger of Zephyr 1.x in portable C11. Zephyr removed this API and its ring in version 1.13. Copy
 * this file, kernel_event_logger.c and one port. The logger records interrupts, context switches, sleep and events of
 * the application in a ring. A collector thread empties the ring. While the ring is full, new events are dropped and
 * counted; events in the ring are never overwritten. A debug probe can also read the ring; README.md describes this.
 *
 * Options have Zephyr's names: CONFIG_KERNEL_EVENT_LOGGER, alone and with the endings below. Each option is a macro,
 * and is on if the macro is defined. All files that include this header must be compiled with the same options.
 *   (no ending)                           if off, calls that write an event compile to nothing; nothing else is defined
 *   _BUFFER_SIZE                          words of the ring, 3 or more; default 128. One word always stays unused.
 *   _DYNAMIC                              a mask chooses the recorded events; initially no event is recorded
 *   _CUSTOM_TIMESTAMP                     defines sys_k_event_logger_set_timer()
 *   _CONTEXT_SWITCH, _INTERRUPT, _SLEEP   record this kind of kernel event
 */
#ifndef TXTAP_KERNEL_EVENT_LOGGER_H
#define TXTAP_KERNEL_EVENT_LOGGER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __has_include
#if __has_include(<errno.h>)
#include <errno.h>
#endif
#endif
#ifndef EMSGSIZE
#define EMSGSIZE 122 /* the number in newlib and Zephyr, for freestanding builds */
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Predefined events; the comments name their words. An event of the application has another id and at least one
 * word. */
#define KERNEL_EVENT_LOGGER_CONTEXT_SWITCH_EVENT_ID 0x0001 /* time, thread that was switched out */
#define KERNEL_EVENT_LOGGER_INTERRUPT_EVENT_ID      0x0002 /* time, interrupt */
#define KERNEL_EVENT_LOGGER_SLEEP_EVENT_ID          0x0003 /* time when sleep began, time when sleep ended, interrupt */

#define SIZE32_OF(x) (sizeof(x) / sizeof(uint32_t))

/* Returns an event's time stamp, in any unit. The logger calls it inside the logger's lock, in the context that records
 * the event. */
typedef uint32_t (*sys_k_timer_func_t)(void);

#ifdef CONFIG_KERNEL_EVENT_LOGGER

#ifndef CONFIG_KERNEL_EVENT_LOGGER_BUFFER_SIZE
#define CONFIG_KERNEL_EVENT_LOGGER_BUFFER_SIZE 128
#endif

/* ------------------------------------------------------------------------------------------------
 * The logger's memory. The layout is the layout of Zephyr 1.6 to 1.8, word for word (without CONFIG_POLL and
 * CONFIG_OBJECT_TRACING). The offsets are for a processor with 32-bit pointers. Applications may only read it.
 *
 * An item in the ring is a header word and its data words. The header:
 *   bits  0 to 15   the event's id
 *   bits 16 to 23   data words that follow, 1 to 255; they continue at index 0 after the ring's last word
 *   bits 24 to 31   events dropped since the previous item; 255 = 255 or more
 */
#define KERNEL_EVENT_LOGGER_HEADER_LENGTH_SHIFT  16
#define KERNEL_EVENT_LOGGER_HEADER_DROPPED_SHIFT 24
#define KERNEL_EVENT_LOGGER_DROPPED_MAX          255u

struct event_logger_sync {
    void *wait_queue[2]; /*  0  Zephyr's list of waiting threads; here always NULL, because the port has its own list */
    uint32_t count;      /*  8  events in the ring */
    uint32_t limit;      /* 12  0xFFFFFFFF */
};

struct event_logger_ring {
    uint32_t head;              /*  0  index of the next item to get */
    uint32_t tail;              /*  4  index of the next item to put; head = tail: empty */
    uint32_t dropped_put_count; /*  8  events dropped since the last item, up to 0xFFFFFFFF */
    uint32_t size;              /* 12  words in the ring; head and tail are below this number */
    uint32_t *buf;              /* 16  NULL until sys_k_event_logger_init() has ended */
    uint32_t mask;              /* 20  size - 1 if size is a power of two, else 0 */
};

struct event_logger {
    struct event_logger_sync sync_sema; /*  0 */
    struct event_logger_ring ring_buf;  /* 16 */
};

extern struct event_logger sys_k_event_logger;
extern uint32_t _sys_k_event_logger_buffer[CONFIG_KERNEL_EVENT_LOGGER_BUFFER_SIZE];

/* Zephyr does not have these counts. A reader that was too slow computes from them how much it missed. All counts are
 * modulo 2^32 and begin at init. The tail moves first, then `words_put` changes, then `events_put`. README.md describes
 * the computation. */
struct txtap_event_logger_totals {
    uint32_t words_put;      /* 0  words of all items ever stored, headers included */
    uint32_t events_dropped; /* 4  all events ever dropped: exact, unlike the "255 or more" in an item's header */
    uint32_t events_put;     /* 8  all events ever stored: shows how many were overwritten before they were read */
};

extern struct txtap_event_logger_totals txtap_event_logger_totals;

/* ------------------------------------------------------------------------------------------------
 * Writing. All functions may be called from threads and from interrupts, at the same time.
 */

/*
 * Empties the ring and starts the logger. The mask, the time source and the collector do not change. Call it after the
 * port's lock works. Earlier events are ignored and not counted. A second call discards the contents of the ring.
 */
void sys_k_event_logger_init(void);

/*
 * Records an event of `data_size` words (1 to 255), whatever the mask is. If the whole event does not fit, the event is
 * dropped and counted. An event without words is also dropped and counted, because its size would be equal to the
 * return value for "no event".
 */
void sys_k_event_logger_put(uint16_t event_id, const uint32_t *event_data, uint8_t data_size);

/* Records an event with one word, the time. */
void sys_k_event_logger_put_timed(uint16_t event_id);

/* Returns 1 if events of `event_type` are recorded. With CONFIG_KERNEL_EVENT_LOGGER_DYNAMIC, this is so if the mask has
 * the bit of the type. Without it, this is always so. Returns 0 for types below 1 and above 32, because they have no
 * bit. */
int sys_k_must_log_event(int event_type);

#ifdef CONFIG_KERNEL_EVENT_LOGGER_DYNAMIC
/* The recorded types: bit 0 is type 1, bit 31 is type 32. Initially 0. */
extern volatile int _sys_k_event_logger_mask;
void sys_k_event_logger_set_mask(int value);
int sys_k_event_logger_get_mask(void);
#endif

#ifdef CONFIG_KERNEL_EVENT_LOGGER_CUSTOM_TIMESTAMP
/* From now on, `func` gives all time stamps; NULL selects the port's clock. */
extern volatile sys_k_timer_func_t _sys_k_get_time;
void sys_k_event_logger_set_timer(sys_k_timer_func_t func);
#endif

/* ------------------------------------------------------------------------------------------------
 * Collecting. Before each call, set `*data_size` to the number of words that fit into `event_data`. The three
 * functions return:
 *
 *   > 0          the number of words that were copied. The event is removed from the ring. `*event_id` is set,
 *                `*data_size` is the returned number, and `*dropped` is the number of events dropped before this
 *                event; 255 = 255 or more.
 *   0            there was no event; nothing was changed
 *   -EMSGSIZE    `event_data` has no room for all words of the event. `*data_size` is now the event's number of words.
 *                Nothing else was changed, and the event stays in the ring for the next call.
 *
 * Any thread may collect. If several threads collect at once, each event goes to only one of these threads.
 */

/* Gets an event if there is one. Does not wait, so interrupts may call this function. */
int sys_k_event_logger_get(uint16_t *event_id, uint8_t *dropped, uint32_t *event_data, uint8_t *data_size);

/* Waits for an event. Never returns 0. */
int sys_k_event_logger_get_wait(uint16_t *event_id, uint8_t *dropped, uint32_t *event_data, uint8_t *data_size);

/* Waits for an event for at most `timeout` ticks of the port's clock; 0: does not wait. Returns 0 if no event arrived
 * in this time. */
int sys_k_event_logger_get_wait_timeout(uint16_t *event_id, uint8_t *dropped, uint32_t *event_data, uint8_t *data_size,
                                        uint32_t timeout);

#else /* without CONFIG_KERNEL_EVENT_LOGGER, calls that write events compile to nothing */

static inline void sys_k_event_logger_put(uint16_t event_id, const uint32_t *event_data, uint8_t data_size)
{
    (void)event_id;
    (void)event_data;
    (void)data_size;
}
static inline void sys_k_event_logger_put_timed(uint16_t event_id)
{
    (void)event_id;
}
static inline int sys_k_must_log_event(int event_type)
{
    (void)event_type;
    return 0;
}

#endif

/* ------------------------------------------------------------------------------------------------
 * The kernel's events. A port calls these functions. Each function does nothing unless its option is on and the mask
 * selects its event.
 */
#if defined(CONFIG_KERNEL_EVENT_LOGGER) && defined(CONFIG_KERNEL_EVENT_LOGGER_CONTEXT_SWITCH)
/* Makes the calling thread the collector. From now on, context switches away from this thread are not recorded. The
 * last caller is the only collector. */
void sys_k_event_logger_register_as_collector(void);
extern void *volatile _collector_coop_thread;
/*
 * Records that the running thread is being switched out. This function never switches threads itself: see
 * TXTAP_LOGGER_SIGNAL_IN_SWITCH.
 */
void _sys_k_event_logger_context_switch(void);
#else
static inline void sys_k_event_logger_register_as_collector(void)
{
}
static inline void _sys_k_event_logger_context_switch(void)
{
}
#endif

#if defined(CONFIG_KERNEL_EVENT_LOGGER) && defined(CONFIG_KERNEL_EVENT_LOGGER_INTERRUPT)
/* Records an interrupt. Call it at the beginning of the interrupt's handler. */
void _sys_k_event_logger_interrupt(void);
#else
static inline void _sys_k_event_logger_interrupt(void)
{
}
#endif

#if defined(CONFIG_KERNEL_EVENT_LOGGER) && defined(CONFIG_KERNEL_EVENT_LOGGER_SLEEP)
extern volatile uint32_t _sys_k_event_logger_sleep_start_time;
/* Notes the beginning of a sleep. Call it just before the processor sleeps. Keep interrupts masked between this call
 * and the sleep. */
void _sys_k_event_logger_enter_sleep(void);
/* Records a sleep that an interrupt has ended. Call it in each interrupt's handler, after
 * _sys_k_event_logger_interrupt(). Only the first call after a sleep records the sleep. */
void _sys_k_event_logger_exit_sleep(void);
#else
static inline void _sys_k_event_logger_enter_sleep(void)
{
}
static inline void _sys_k_event_logger_exit_sleep(void)
{
}
#endif

/* ------------------------------------------------------------------------------------------------
 * Ports. A port is a header that defines these macros. Only kernel_event_logger.c includes it. Name your port with
 * -DTXTAP_LOGGER_PORT_HEADER='"my_port.h"'. The default is kernel_event_logger_zephyr.h for Zephyr, and
 * kernel_event_logger_bare.h for any other Cortex-M. The ports of target/recorder use some of these macros, too, with
 * the same meaning.
 *
 *   TXTAP_LOGGER_LOCK(state)         keeps all other users of the logger out, interrupts included; locks must nest
 *   TXTAP_LOGGER_UNLOCK(state)       ends the lock; LOCK saves data for UNLOCK in the uint32_t `state`
 *   TXTAP_LOGGER_BARRIER()           a debug probe sees the stores before the barrier before the stores after it
 *   TXTAP_LOGGER_STAMP()             the clock of time stamps, a uint32_t
 *   TXTAP_LOGGER_WAIT(ticks)         for threads: returns if SIGNAL has been called since the last WAIT returned, or
 *                                    after `ticks` (1 to TXTAP_LOGGER_FOREVER). It may also return earlier. Called
 *                                    without the lock.
 *   TXTAP_LOGGER_SIGNAL()            ends one thread's current or next WAIT; for threads and interrupts. Several
 *                                    signals without a WAIT may count as one. Called without the lock.
 *   TXTAP_LOGGER_TICKS()             a uint32_t that counts up, for timeouts
 *   TXTAP_LOGGER_THREAD()            the running thread, a void * (with _CONTEXT_SWITCH)
 *   TXTAP_LOGGER_INTERRUPT_ID()      the current interrupt, a uint32_t (with _INTERRUPT or _SLEEP)
 * The following macros have defaults:
 *   TXTAP_LOGGER_SIGNAL_IN_SWITCH()  SIGNAL inside a context switch: must not switch threads itself; default SIGNAL
 *   TXTAP_LOGGER_ADDRESS(p)          a pointer as the 32-bit address that a debug probe uses
 *   TXTAP_LOGGER_WORDS()             words of the ring, 3 to the default _BUFFER_SIZE (tests change it before init)
 *   TXTAP_LOGGER_STORE(p, v)         one store that a debug probe may see (tests replace it to stop the logger there)
 */
#define TXTAP_LOGGER_FOREVER 0xFFFFFFFFu

#ifdef __cplusplus
}
#endif

#endif
