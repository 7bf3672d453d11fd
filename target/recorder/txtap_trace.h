/* SPDX-License-Identifier: MIT */
/*
 * txtap's recorder: writes ThreadX's TXTB trace buffer from any firmware, bare metal or another RTOS.
 *
 * Copy this file and txtap_trace.c. Nothing else is needed (C11, freestanding, no allocation). For a build without the
 * recorder, also copy txtap_trace_off.h and define TXTAP_TRACE_OFF. The recorder knows the buffer's layout, and the
 * order in which a live reader may see the buffer change. It knows no kernel: the kernel tells it the running context,
 * through the four variables below.
 */
#ifndef TXTAP_TRACE_H
#define TXTAP_TRACE_H

#include <stddef.h>
#include <stdint.h>

#ifdef TXTAP_TRACE_PORT_HEADER
#include TXTAP_TRACE_PORT_HEADER
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ThreadX's status codes. */
enum txtap_trace_status {
    TXTAP_TRACE_OK = 0,
    TXTAP_TRACE_POINTER_ERROR = 0x03,      /* the buffer is NULL or not on a 4-byte boundary */
    TXTAP_TRACE_SIZE_ERROR = 0x05,         /* no room for the header, the registry and one entry */
    TXTAP_TRACE_NOT_DONE = 0x20,           /* already enabled, not enabled, or no free slot for the object */
    TXTAP_TRACE_FEATURE_NOT_ENABLED = 0xFF /* the firmware is built without the recorder */
};

/* Object types with ThreadX's numbers. Each comment names the object's two parameters. */
enum txtap_trace_object_type {
    TXTAP_TRACE_OBJECT_THREAD = 1,       /* parameters: stack start, stack bytes */
    TXTAP_TRACE_OBJECT_TIMER = 2,        /* initial ticks, reschedule ticks */
    TXTAP_TRACE_OBJECT_QUEUE = 3,        /* bytes, words of a message */
    TXTAP_TRACE_OBJECT_SEMAPHORE = 4,    /* initial count */
    TXTAP_TRACE_OBJECT_MUTEX = 5,        /* 1 with priority inheritance */
    TXTAP_TRACE_OBJECT_EVENT_FLAGS = 6,  /* no parameters */
    TXTAP_TRACE_OBJECT_BLOCK_POOL = 7,   /* bytes of the pool, bytes of a block */
    TXTAP_TRACE_OBJECT_BYTE_POOL = 8,    /* bytes */
    TXTAP_TRACE_OBJECT_MEDIA = 9,        /* FAT cache, sector cache */
    TXTAP_TRACE_OBJECT_FILE = 10,        /* no parameters */
    TXTAP_TRACE_OBJECT_IP = 11,          /* stack start, stack bytes */
    TXTAP_TRACE_OBJECT_PACKET_POOL = 12, /* bytes of a payload, packets */
    TXTAP_TRACE_OBJECT_TCP_SOCKET = 13,  /* type of service, window */
    TXTAP_TRACE_OBJECT_UDP_SOCKET = 14,  /* type of service, limit of queued packets */
    TXTAP_TRACE_OBJECT_HOST_DEVICE = 21, /* USB, host side */
    TXTAP_TRACE_OBJECT_HOST_INTERFACE = 22,
    TXTAP_TRACE_OBJECT_HOST_ENDPOINT = 23,
    TXTAP_TRACE_OBJECT_HOST_CLASS = 24,
    TXTAP_TRACE_OBJECT_DEVICE = 25, /* USB, device side */
    TXTAP_TRACE_OBJECT_DEVICE_INTERFACE = 26,
    TXTAP_TRACE_OBJECT_DEVICE_ENDPOINT = 27,
    TXTAP_TRACE_OBJECT_DEVICE_CLASS = 28
};

/* Filter classes. An event has one class (last argument of txtap_trace_event_insert); a filter has a bit for each
 * class. */
#define TXTAP_TRACE_CLASS_INTERNAL  0x00000001u
#define TXTAP_TRACE_CLASS_BLOCK     0x00000002u
#define TXTAP_TRACE_CLASS_BYTE      0x00000004u
#define TXTAP_TRACE_CLASS_FLAGS     0x00000008u
#define TXTAP_TRACE_CLASS_INTERRUPT 0x00000010u
#define TXTAP_TRACE_CLASS_MUTEX     0x00000020u
#define TXTAP_TRACE_CLASS_QUEUE     0x00000040u
#define TXTAP_TRACE_CLASS_SEMAPHORE 0x00000080u
#define TXTAP_TRACE_CLASS_THREAD    0x00000100u
#define TXTAP_TRACE_CLASS_TIME      0x00000200u
#define TXTAP_TRACE_CLASS_TIMER     0x00000400u
#define TXTAP_TRACE_CLASS_USER      0x80000000u
#define TXTAP_TRACE_CLASS_ALL       0xFFFFFFFFu

/* The kernel's own events, which have the class INTERNAL. Their words are in the comments. User events have ids 4096 to
 * 65535. */
#define TXTAP_TRACE_EVENT_THREAD_RESUME  1u /* thread, its previous state, stack pointer, next thread (set later) */
#define TXTAP_TRACE_EVENT_THREAD_SUSPEND 2u /* thread, its new state, stack pointer, next thread (set later) */
#define TXTAP_TRACE_EVENT_ISR_ENTER      3u /* stack pointer, ISR number, system state, preempt disable */
#define TXTAP_TRACE_EVENT_ISR_EXIT       4u
#define TXTAP_TRACE_EVENT_TIME_SLICE     5u /* next thread, system state, preempt disable, stack pointer */
#define TXTAP_TRACE_EVENT_RUNNING        6u
#define TXTAP_TRACE_EVENT_USER_FIRST     4096u

/* ------------------------------------------------------------------------------------------------
 * Layout. Words are in the processor's byte order. Addresses are 32 bits wide, even on a 64-bit host. The number at the
 * start of a member's comment is the member's offset in bytes.
 */

/* Size of a name in the registry in bytes, including the NUL. The header contains this number, too. */
#ifndef TXTAP_TRACE_NAME_BYTES
#define TXTAP_TRACE_NAME_BYTES 32
#endif

#define TXTAP_TRACE_ID           0x54585442u
#define TXTAP_TRACE_THREAD_INIT  0xF0F0F0F0u /* thread word before the kernel starts, or if no thread runs */
#define TXTAP_TRACE_THREAD_ISR   0xFFFFFFFFu /* thread word in an interrupt */
#define TXTAP_TRACE_STATE_INIT   0xF0F0F0F0u /* system state before the kernel starts */
#define TXTAP_TRACE_RESERVED2    0xAAAAAAAAu
#define TXTAP_TRACE_RESERVED3    0xBBBBBBBBu
#define TXTAP_TRACE_RESERVED4    0xCCCCCCCCu
#define TXTAP_TRACE_ENTRY_THREAD 0x80000000u /* bit that is set in a priority word of an event in thread context */

struct txtap_trace_header {
    uint32_t id;             /*  0  TXTAP_TRACE_ID, written last of all */
    uint32_t timer_mask;     /*  4  valid bits of a time stamp */
    uint32_t base;           /*  8  address of this header */
    uint32_t registry_start; /* 12 */
    uint16_t laps;           /* 16  how often the ring has wrapped, modulo 65536 (ThreadX: always 0) */
    uint16_t name_bytes;     /* 18 */
    uint32_t registry_end;   /* 20 */
    uint32_t ring_start;     /* 24 */
    uint32_t ring_end;       /* 28 */
    uint32_t current;        /* 32  next entry to write; once the ring has wrapped, this is the oldest entry */
    uint32_t reserved2;      /* 36 */
    uint32_t reserved3;      /* 40 */
    uint32_t reserved4;      /* 44 */
};

struct txtap_trace_object {
    uint8_t available;                 /*  0  1 = slot is free or its object deleted, 0 = in use */
    uint8_t type;                      /*  1  enum txtap_trace_object_type, 0 = slot was never used */
    uint8_t reserved1;                 /*  2  thread of known priority: 0x80 | priority >> 8; idle thread: also 0x40 */
    uint8_t reserved2;                 /*  3  thread of known priority: priority & 0xFF */
    uint32_t pointer;                  /*  4  address of the object, 0 = slot was never used */
    uint32_t parameter1;               /*  8 */
    uint32_t parameter2;               /* 12 */
    char name[TXTAP_TRACE_NAME_BYTES]; /* 16 */
};

struct txtap_trace_entry {
    uint32_t thread;   /*  0  address, TXTAP_TRACE_THREAD_INIT or _ISR; 0 = entry was never written */
    uint32_t priority; /*  4  thread: 0x80000000 | threshold << 16 | priority; ISR: the interrupted thread */
    uint32_t id;       /*  8 */
    uint32_t stamp;    /* 12 */
    uint32_t info[4];  /* 16 */
};

/*
 * The position of the writer. A debug probe finds the first three words by the symbol txtap_trace_writer. It reads them
 * as one block, upwards. The words give the exact position, although they may change between the reads of two words
 * (docs/reference/txtb.md). The other words are for the recorder only. They are in this struct so that one base address
 * reaches all data that an event needs.
 */
struct txtap_trace_writer {
    volatile uint32_t current;   /*  0  as in the header; 0 = the buffer is being prepared, or no trace was enabled */
    volatile uint32_t half_laps; /*  4  how often the writer reached the ring's middle or end, modulo 2^32 */
    volatile uint32_t life;      /*  8  different for each enabled trace; 0 = no trace was enabled */
    uint32_t classes;            /* recorded classes: the enable bits, or 0 while the trace is disabled */
    struct txtap_trace_entry *turn; /* slot at which ring_turn() runs next: the ring's middle or end */
    volatile struct txtap_trace_header *header;
};

#ifdef __cplusplus
#define TXTAP_TRACE_ASSERT(condition) static_assert(condition, #condition)
#else
#define TXTAP_TRACE_ASSERT(condition) _Static_assert(condition, #condition)
#endif
TXTAP_TRACE_ASSERT(offsetof(struct txtap_trace_header, id) == 0);
TXTAP_TRACE_ASSERT(offsetof(struct txtap_trace_header, timer_mask) == 4);
TXTAP_TRACE_ASSERT(offsetof(struct txtap_trace_header, base) == 8);
TXTAP_TRACE_ASSERT(offsetof(struct txtap_trace_header, registry_start) == 12);
TXTAP_TRACE_ASSERT(offsetof(struct txtap_trace_header, laps) == 16);
TXTAP_TRACE_ASSERT(offsetof(struct txtap_trace_header, name_bytes) == 18);
TXTAP_TRACE_ASSERT(offsetof(struct txtap_trace_header, registry_end) == 20);
TXTAP_TRACE_ASSERT(offsetof(struct txtap_trace_header, ring_start) == 24);
TXTAP_TRACE_ASSERT(offsetof(struct txtap_trace_header, ring_end) == 28);
TXTAP_TRACE_ASSERT(offsetof(struct txtap_trace_header, current) == 32);
TXTAP_TRACE_ASSERT(offsetof(struct txtap_trace_header, reserved2) == 36);
TXTAP_TRACE_ASSERT(offsetof(struct txtap_trace_header, reserved3) == 40);
TXTAP_TRACE_ASSERT(offsetof(struct txtap_trace_header, reserved4) == 44);
TXTAP_TRACE_ASSERT(sizeof(struct txtap_trace_header) == 48);
TXTAP_TRACE_ASSERT(offsetof(struct txtap_trace_object, available) == 0);
TXTAP_TRACE_ASSERT(offsetof(struct txtap_trace_object, type) == 1);
TXTAP_TRACE_ASSERT(offsetof(struct txtap_trace_object, reserved1) == 2);
TXTAP_TRACE_ASSERT(offsetof(struct txtap_trace_object, reserved2) == 3);
TXTAP_TRACE_ASSERT(offsetof(struct txtap_trace_object, pointer) == 4);
TXTAP_TRACE_ASSERT(offsetof(struct txtap_trace_object, parameter1) == 8);
TXTAP_TRACE_ASSERT(offsetof(struct txtap_trace_object, parameter2) == 12);
TXTAP_TRACE_ASSERT(offsetof(struct txtap_trace_object, name) == 16);
TXTAP_TRACE_ASSERT(TXTAP_TRACE_NAME_BYTES >= 4 && TXTAP_TRACE_NAME_BYTES % 4 == 0 && TXTAP_TRACE_NAME_BYTES < 65536);
TXTAP_TRACE_ASSERT(sizeof(struct txtap_trace_object) == 16 + TXTAP_TRACE_NAME_BYTES);
TXTAP_TRACE_ASSERT(offsetof(struct txtap_trace_entry, thread) == 0);
TXTAP_TRACE_ASSERT(offsetof(struct txtap_trace_entry, priority) == 4);
TXTAP_TRACE_ASSERT(offsetof(struct txtap_trace_entry, id) == 8);
TXTAP_TRACE_ASSERT(offsetof(struct txtap_trace_entry, stamp) == 12);
TXTAP_TRACE_ASSERT(offsetof(struct txtap_trace_entry, info) == 16);
TXTAP_TRACE_ASSERT(sizeof(struct txtap_trace_entry) == 32);
TXTAP_TRACE_ASSERT(offsetof(struct txtap_trace_writer, current) == 0);
TXTAP_TRACE_ASSERT(offsetof(struct txtap_trace_writer, half_laps) == 4);
TXTAP_TRACE_ASSERT(offsetof(struct txtap_trace_writer, life) == 8);

/* Bytes to reserve for a registry of `objects` and a ring of `entries`. Align the buffer to 4 bytes. */
#define TXTAP_TRACE_BUFFER_BYTES(objects, entries)                                                                     \
    (sizeof(struct txtap_trace_header) + (objects) * sizeof(struct txtap_trace_object) +                               \
     (entries) * sizeof(struct txtap_trace_entry))

/* ------------------------------------------------------------------------------------------------
 * Variables that the kernel, or the bare-metal program, sets by plain stores. At each event, the recorder reads all of
 * these variables inside the lock.
 */

/* The running thread (any address that identifies it), NULL = no thread. If an event occurs without a thread and
 * outside an interrupt, its thread word is TXTAP_TRACE_THREAD_INIT, because 0 means "slot never written". */
extern void *volatile txtap_trace_thread;

/* The running thread's preemption threshold << 16 | priority. Without thresholds, the threshold is equal to the
 * priority. */
extern volatile uint32_t txtap_trace_thread_priority;

/* TXTAP_TRACE_STATE_INIT (its initial value) until the kernel starts, then 0. A kernel may count nested interrupts in
 * this variable. On Cortex-M the recorder adds the number of the active exception. */
extern volatile uint32_t txtap_trace_system_state;

/* Nonzero while preemption is disabled in the kernel. Only the ISR events contain this value. */
extern volatile uint32_t txtap_trace_preempt_disable;

#ifdef TXTAP_TRACE_OFF
#include "txtap_trace_off.h"
#else

/* ------------------------------------------------------------------------------------------------
 * Functions. Threads and interrupts may call all of them; no function blocks or allocates.
 */

/*
 * Builds an empty trace in `buffer` and starts it, with all classes unfiltered. buffer: 4-byte aligned, owned by the
 * caller, in use until txtap_trace_disable. Unlike ThreadX, this function inserts no RUNNING events and registers no
 * existing objects, because it knows no kernel. Returns OK, POINTER_ERROR, SIZE_ERROR, or NOT_DONE if a trace is
 * already enabled. On failure nothing changes.
 */
uint32_t txtap_trace_enable(void *buffer, uint32_t buffer_bytes, uint32_t registry_entries);

/* Stops the trace. As with ThreadX, the buffer keeps its header and contents. Returns NOT_DONE if no trace is
 * enabled. */
uint32_t txtap_trace_disable(void);

/*
 * Gives `object` a name and two parameters in the registry. `name` is copied, up to TXTAP_TRACE_NAME_BYTES - 1 bytes;
 * NULL gives "". Returns NOT_DONE if the trace is disabled, if live objects use all slots, or if `object` is NULL
 * (address 0 marks a slot that was never used).
 */
uint32_t txtap_trace_object_register(uint8_t type, const void *object, const char *name, uint32_t parameter1,
                                     uint32_t parameter2);

/* Add this to the priority of a kernel's idle thread, so that its time counts as idle time. ThreadX has no idle
 * thread. */
#define TXTAP_TRACE_PRIORITY_IDLE 0x4000u

/*
 * Registers a thread whose priority is known. Otherwise like txtap_trace_object_register. The priority must be below
 * 0x4000. It is in the reserved bytes of the registry entry, as in ThreadX.
 */
uint32_t txtap_trace_thread_register(const void *thread, const char *name, uint32_t priority, uint32_t stack_start,
                                     uint32_t stack_bytes);

/* Marks the object as deleted. Its name stays, for the events recorded so far. Returns NOT_DONE if it is not
 * registered. */
uint32_t txtap_trace_object_unregister(const void *object);

/*
 * Records one event of the given class. Returns the event's entry for txtap_trace_event_patch, or NULL if the trace is
 * disabled or the class is filtered out. One lap later, another event overwrites the entry: never write to the entry,
 * and copy its stamp at once.
 */
struct txtap_trace_entry *txtap_trace_event_insert(uint32_t id, uint32_t info1, uint32_t info2, uint32_t info3,
                                                   uint32_t info4, uint32_t class_bit);

/* Sets info[info_index] (0 to 3) of an entry. Does nothing if the entry no longer is in the ring or no longer has
 * `stamp`. */
void txtap_trace_event_patch(struct txtap_trace_entry *entry, uint32_t stamp, unsigned info_index, uint32_t value);

/* Records one event of class USER. Returns NOT_DONE if the trace is disabled. As in ThreadX, returns OK if the class is
 * filtered out. */
uint32_t txtap_trace_user_event_insert(uint32_t id, uint32_t info1, uint32_t info2, uint32_t info3, uint32_t info4);

/* Record the begin and the end of an interrupt handler. Call them at the handler's beginning and at its end. */
void txtap_trace_isr_enter_insert(uint32_t isr_id);
void txtap_trace_isr_exit_insert(uint32_t isr_id);

/* Stop / resume recording of the classes in `bits`. Always return OK. txtap_trace_enable removes all filters. */
uint32_t txtap_trace_event_filter(uint32_t bits);
uint32_t txtap_trace_event_unfilter(uint32_t bits);

/*
 * Calls `callback` with the header's address each time the ring has wrapped; NULL = no callback. The callback runs
 * inside the lock, in the context that recorded the event, so keep it short. The callback may call txtap_trace_disable.
 */
uint32_t txtap_trace_buffer_full_notify(void (*callback)(void *header));

/*
 * Chooses the clock of the time stamps and returns its register. The first choice is the processor's cycle counter, if
 * it counts after this function has switched it on. The second choice is `fallback_register`, a free-running up
 * counter; TXTAP_TRACE_STAMP_MASK gives its width. If fallback_register is NULL, the clock is a simulated register that
 * counts stamps, not time (_tx_trace_simulated_time). If this function is never called, the clock is the cycle counter
 * if the architecture has one, even if it does not run, as in ThreadX; otherwise it is the simulated register.
 */
const volatile uint32_t *txtap_trace_clock_select(const volatile uint32_t *fallback_register);

/* ------------------------------------------------------------------------------------------------
 * The recorder's state under ThreadX's names, so that any tool that knows ThreadX finds it. Read only.
 */
extern struct txtap_trace_header *_tx_trace_header_ptr;                 /* set when the header is complete */
extern struct txtap_trace_entry *volatile _tx_trace_buffer_current_ptr; /* NULL = disabled */
extern struct txtap_trace_entry *_tx_trace_buffer_start_ptr;
extern struct txtap_trace_entry *_tx_trace_buffer_end_ptr;
extern struct txtap_trace_object *_tx_trace_registry_start_ptr; /* NULL = disabled */
extern struct txtap_trace_object *_tx_trace_registry_end_ptr;
extern uint32_t _tx_trace_event_enable_bits;
extern uint32_t _tx_trace_simulated_time;
extern uint32_t _tx_trace_total_registry_entries;
extern uint32_t _tx_trace_available_registry_entries;
extern uint32_t _tx_trace_registry_search_start;
extern void (*_tx_trace_full_notify_function)(void *header);
extern struct txtap_trace_writer txtap_trace_writer; /* txtap's addition; its words stay 0 unless laps are counted */

/* ------------------------------------------------------------------------------------------------
 * Ports. You can define each macro before this point, with -D, or in a file that you name with
 * -DTXTAP_TRACE_PORT_HEADER='"txtap_trace_port.h"'. Two ports are built in: Cortex-M, and a Linux process.
 *
 *   TXTAP_TRACE_LOCK(state)    keeps all other users of the recorder out; saves data for UNLOCK in the uint32_t
 *                              `state`; locks must nest
 *   TXTAP_TRACE_UNLOCK(state)
 *   TXTAP_TRACE_BARRIER()      a debug probe sees the stores before the barrier before the stores after it
 *   TXTAP_TRACE_STAMP()        the clock; default: the clock that txtap_trace_clock_select chose
 *   TXTAP_TRACE_STAMP_MASK     the valid bits of STAMP
 *   TXTAP_TRACE_STAMP_UNCLOCKED()   the time if txtap_trace_clock_select found no register; default: the number of
 *                              stamps so far
 *   TXTAP_TRACE_ADDRESS(p)     a non-NULL pointer as the 32-bit address that a debug probe uses
 *   TXTAP_TRACE_STORE(p, v)    one store into the buffer (tests replace it to stop the writer after each store)
 *   TXTAP_TRACE_CONTEXT_STATE(), _THREAD(), _PRIORITY(), _PREEMPT()   the running context; default: the variables above
 *   TXTAP_TRACE_STATE_IS_THREAD(state)   true if events in this exception belong to the thread, e.g. in the exception
 *                              that switches threads; state: as in CONTEXT_STATE; default 0
 *   TXTAP_TRACE_COUNT_LAPS     1 = count laps in the header, and half-laps in txtap_trace_writer (default); 0 = leave
 *                              these words 0, as ThreadX does: a reader then notices each loss, but does not know
 *                              the number of laps
 *   TXTAP_TRACE_RETAINED       attribute of a variable that no reset clears, such as
 *                              __attribute__((section(".noinit"))); default: no attribute, because not every linker
 *                              script has such a section
 *   TXTAP_TRACE_SEED()         a number that differs from one start of the processor to the next; default: the value
 *                              of the clock's register, or 0 if there is no register
 */
#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'

/* ARMv6-M and ARMv8-M Baseline have no cycle counter. ARMv7-M and ARMv8-M Mainline may have a cycle counter. */
#if __ARM_ARCH >= 7 && !defined(__ARM_ARCH_8M_BASE__)
#define TXTAP_TRACE_HAS_DWT 1
#endif

static inline uint32_t txtap_trace_port_lock(void)
{
    uint32_t primask;
    __asm volatile("mrs %0, primask\n\tcpsid i" : "=r"(primask) : : "memory");
    return primask;
}

static inline void txtap_trace_port_unlock(uint32_t primask)
{
    __asm volatile("msr primask, %0" : : "r"(primask) : "memory");
}

static inline uint32_t txtap_trace_port_exception(void)
{
    uint32_t ipsr;
    __asm volatile("mrs %0, ipsr" : "=r"(ipsr));
    return ipsr;
}

#ifndef TXTAP_TRACE_LOCK
#define TXTAP_TRACE_LOCK(state) ((state) = txtap_trace_port_lock())
#endif
#ifndef TXTAP_TRACE_UNLOCK
#define TXTAP_TRACE_UNLOCK(state) txtap_trace_port_unlock(state)
#endif
#ifndef TXTAP_TRACE_BARRIER
#define TXTAP_TRACE_BARRIER() __asm volatile("dmb" : : : "memory")
#endif
#ifndef TXTAP_TRACE_CONTEXT_STATE
#define TXTAP_TRACE_CONTEXT_STATE() (txtap_trace_system_state | txtap_trace_port_exception())
#endif

#elif defined(__linux__)

/* A Linux process. The functions have weak definitions, so that a test can replace each function. */
#define TXTAP_TRACE_PORT_HOST 1
uint32_t txtap_trace_port_lock(void);
void txtap_trace_port_unlock(uint32_t state);
void txtap_trace_port_barrier(void);
void txtap_trace_port_stored(const volatile void *place); /* called after each single store into the buffer */
uint32_t txtap_trace_port_stamp(void);
uint32_t txtap_trace_port_address(const void *pointer);

#ifndef TXTAP_TRACE_LOCK
#define TXTAP_TRACE_LOCK(state) ((state) = txtap_trace_port_lock())
#endif
#ifndef TXTAP_TRACE_UNLOCK
#define TXTAP_TRACE_UNLOCK(state) txtap_trace_port_unlock(state)
#endif
#ifndef TXTAP_TRACE_BARRIER
#define TXTAP_TRACE_BARRIER() txtap_trace_port_barrier()
#endif
#ifndef TXTAP_TRACE_STAMP
#define TXTAP_TRACE_STAMP() txtap_trace_port_stamp()
#endif
#ifndef TXTAP_TRACE_ADDRESS
#define TXTAP_TRACE_ADDRESS(pointer) txtap_trace_port_address(pointer)
#endif
#ifndef TXTAP_TRACE_STORE
#define TXTAP_TRACE_STORE(place, value) ((place) = (value), txtap_trace_port_stored(&(place)))
#endif

#elif !defined(TXTAP_TRACE_LOCK) || !defined(TXTAP_TRACE_UNLOCK) || !defined(TXTAP_TRACE_BARRIER)
#error "txtap_trace: no port for this processor: define TXTAP_TRACE_LOCK, _UNLOCK and _BARRIER (see Ports above)"
#endif

#ifndef TXTAP_TRACE_STAMP
#define TXTAP_TRACE_STAMP() clock_read() /* in txtap_trace.c */
#endif
#ifndef TXTAP_TRACE_STAMP_UNCLOCKED
#define TXTAP_TRACE_STAMP_UNCLOCKED() (++_tx_trace_simulated_time)
#endif
#ifndef TXTAP_TRACE_STAMP_MASK
#define TXTAP_TRACE_STAMP_MASK 0xFFFFFFFFu
#endif
#ifndef TXTAP_TRACE_ADDRESS
#define TXTAP_TRACE_ADDRESS(pointer) ((uint32_t)(uintptr_t)(pointer))
#endif
#ifndef TXTAP_TRACE_STORE
#define TXTAP_TRACE_STORE(place, value) ((place) = (value))
#endif
#ifndef TXTAP_TRACE_COUNT_LAPS
#define TXTAP_TRACE_COUNT_LAPS 1
#endif
#ifndef TXTAP_TRACE_RETAINED
#define TXTAP_TRACE_RETAINED
#endif
#ifndef TXTAP_TRACE_SEED
#define TXTAP_TRACE_SEED() clock_seed() /* in txtap_trace.c */
#endif
#ifndef TXTAP_TRACE_CONTEXT_STATE
#define TXTAP_TRACE_CONTEXT_STATE() txtap_trace_system_state
#endif
#ifndef TXTAP_TRACE_STATE_IS_THREAD
#define TXTAP_TRACE_STATE_IS_THREAD(state) ((void)(state), 0)
#endif
#ifndef TXTAP_TRACE_CONTEXT_THREAD
#define TXTAP_TRACE_CONTEXT_THREAD() txtap_trace_thread
#endif
#ifndef TXTAP_TRACE_CONTEXT_PRIORITY
#define TXTAP_TRACE_CONTEXT_PRIORITY() txtap_trace_thread_priority
#endif
#ifndef TXTAP_TRACE_CONTEXT_PREEMPT
#define TXTAP_TRACE_CONTEXT_PREEMPT() txtap_trace_preempt_disable
#endif

#endif /* TXTAP_TRACE_OFF */

#ifdef __cplusplus
}
#endif

#endif
