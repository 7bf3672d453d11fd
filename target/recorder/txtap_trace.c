/* SPDX-License-Identifier: MIT */
/*
 * txtap's recorder; txtap_trace.h is its contract. A debug probe may read the buffer at any moment, and the processor
 * does not notice it. So the order of stores is part of the format. Do not reorder the stores, and do not replace the
 * barriers by volatile alone.
 */
#include "txtap_trace.h"

void *volatile txtap_trace_thread;
volatile uint32_t txtap_trace_thread_priority;
volatile uint32_t txtap_trace_system_state = TXTAP_TRACE_STATE_INIT;
volatile uint32_t txtap_trace_preempt_disable;

#ifndef TXTAP_TRACE_OFF

#if defined(__GNUC__)
#define COLD              __attribute__((noinline, cold))
#define INLINE            static inline __attribute__((always_inline))
#define LIKELY(condition) __builtin_expect(!!(condition), 1)
#else
#define COLD
#define INLINE            static inline
#define LIKELY(condition) (condition)
#endif

/* Variables with ThreadX's names. The current pointer is volatile, because its store must stay between the store of the
 * entry and the store of the header. */
struct txtap_trace_header *_tx_trace_header_ptr;
struct txtap_trace_entry *volatile _tx_trace_buffer_current_ptr;
struct txtap_trace_entry *_tx_trace_buffer_start_ptr;
struct txtap_trace_entry *_tx_trace_buffer_end_ptr;
struct txtap_trace_object *_tx_trace_registry_start_ptr;
struct txtap_trace_object *_tx_trace_registry_end_ptr;
uint32_t _tx_trace_event_enable_bits;
uint32_t _tx_trace_simulated_time;
uint32_t _tx_trace_total_registry_entries;
uint32_t _tx_trace_available_registry_entries;
uint32_t _tx_trace_registry_search_start;
void (*_tx_trace_full_notify_function)(void *header);

#ifdef TXTAP_TRACE_HAS_DWT
#define CLOCK_DEFAULT ((const volatile uint32_t *)0xE0001004u) /* DWT_CYCCNT, as in ThreadX's ports */
#else
#define CLOCK_DEFAULT NULL
#endif

/*
 * The initial value of this struct is 0, so start-up code clears it, like the buffer. hot_update() updates the copies
 * of other variables in this struct.
 */
struct txtap_trace_writer txtap_trace_writer;

static const volatile uint32_t *clock_register = CLOCK_DEFAULT; /* NULL = no register: the clock is simulated */
/* number of traces that were enabled; each trace gets its own life from this number */
static uint32_t lives TXTAP_TRACE_RETAINED;

static uint8_t enabling; /* txtap_trace_enable is preparing a buffer, outside the lock */

/* ---------------------------------------------------------------------------------------------- clock */

INLINE uint32_t clock_read(void)
{
    const volatile uint32_t *clock = clock_register;
    return LIKELY(clock != NULL) ? *clock : TXTAP_TRACE_STAMP_UNCLOCKED();
}

/* Returns the clock's value. If the clock's counter continues during a reset, as DWT_CYCCNT does, this value differs
 * from one start to the next start. */
INLINE uint32_t clock_seed(void)
{
    const volatile uint32_t *clock = clock_register;
    return clock != NULL ? *clock : 0;
}

#ifdef TXTAP_TRACE_HAS_DWT
/* Starts the cycle counter. Returns its register, or NULL if the counter does not count, because the vendor left it out
 * or stopped it. */
static const volatile uint32_t *cycle_counter_start(void)
{
    volatile uint32_t *const demcr = (volatile uint32_t *)0xE000EDFCu;
    volatile uint32_t *const dwt_ctrl = (volatile uint32_t *)0xE0001000u;
    volatile uint32_t *const dwt_cyccnt = (volatile uint32_t *)0xE0001004u;
    volatile uint32_t *const dwt_lar = (volatile uint32_t *)0xE0001FB0u;

    *demcr |= 1u << 24;     /* TRCENA: without this bit the DWT does not respond */
    *dwt_lar = 0xC5ACCE55u; /* Cortex-M7 locks the DWT against software; other cores ignore this store */
    *dwt_ctrl |= 1u;        /* CYCCNTENA. Do not change the count itself: other code may use it. */
    uint32_t before = *dwt_cyccnt;
    for (unsigned tries = 0; tries < 64; tries++) {
        if (*dwt_cyccnt != before) {
            return dwt_cyccnt;
        }
    }
    return NULL;
}
#else
static const volatile uint32_t *cycle_counter_start(void)
{
    return NULL;
}
#endif

const volatile uint32_t *txtap_trace_clock_select(const volatile uint32_t *fallback_register)
{
    const volatile uint32_t *clock = cycle_counter_start();
    if (clock == NULL) {
        clock = fallback_register;
    }
    clock_register = clock;
    return clock != NULL ? clock : &_tx_trace_simulated_time;
}

/* --------------------------------------------------------------------------------------------- events */

INLINE uint32_t address_of(const void *pointer)
{
    return pointer != NULL ? TXTAP_TRACE_ADDRESS(pointer) : 0;
}

/*
 * Writes the thread and priority words of an event outside thread context, or in an exception that belongs to the
 * thread.
 */
COLD static void entry_origin_write(struct txtap_trace_entry *entry, uint32_t state, const void *thread)
{
    if (state != 0 && thread != NULL && TXTAP_TRACE_STATE_IS_THREAD(state)) {
        TXTAP_TRACE_STORE(entry->thread, address_of(thread));
        TXTAP_TRACE_STORE(entry->priority, TXTAP_TRACE_ENTRY_THREAD | TXTAP_TRACE_CONTEXT_PRIORITY());
    } else if (state != 0 && state < TXTAP_TRACE_STATE_INIT) {
        TXTAP_TRACE_STORE(entry->thread, TXTAP_TRACE_THREAD_ISR);
        TXTAP_TRACE_STORE(entry->priority, address_of(thread));
    } else {
        TXTAP_TRACE_STORE(entry->thread, TXTAP_TRACE_THREAD_INIT);
        TXTAP_TRACE_STORE(entry->priority, 0u);
    }
}

/*
 * Moves the current pointer in three places: for readers of the half-laps, in ThreadX's variable, and in the header.
 * The header's pointer is stored last. So if a reader reads the header first, the header is never ahead of the other
 * places.
 */
INLINE void current_move(struct txtap_trace_entry *next)
{
    uint32_t address = address_of(next);
    if (TXTAP_TRACE_COUNT_LAPS) {
        TXTAP_TRACE_STORE(txtap_trace_writer.current, address);
    }
    _tx_trace_buffer_current_ptr = next;
    TXTAP_TRACE_STORE(txtap_trace_writer.header->current, address);
}

/* Returns the slot at which the second half of the ring begins. Half-laps are odd while the pointer is in the second
 * half. A ring of one entry has no such slot. */
static struct txtap_trace_entry *ring_middle(void)
{
    return _tx_trace_buffer_start_ptr + (_tx_trace_buffer_end_ptr - _tx_trace_buffer_start_ptr) / 2;
}

/*
 * Handles the middle and the end of the ring. Half-laps are counted before the pointer moves. So a host that reads the
 * pointer and then half_laps gets a count that is never too low for this pointer. The host can recognize a count that
 * is too high: it is odd with a pointer in the first half, or even with a pointer in the second half.
 *
 * Laps are counted after the pointer moves. A host reads laps, then current. The position laps * N + index must never
 * be too high. Between the two stores, the host sees one lap too few, and can detect this (current == start). If laps
 * were counted first, the host would see one lap too many while the pointer is still at the ring's end. The position is
 * exact if current is not the start and laps is the same before and after reading current.
 */
COLD static void ring_turn(struct txtap_trace_entry *next)
{
    volatile struct txtap_trace_header *header = txtap_trace_writer.header;
    struct txtap_trace_entry *middle = ring_middle();
    int at_end = next == _tx_trace_buffer_end_ptr;

    if (TXTAP_TRACE_COUNT_LAPS) {
        uint32_t half_laps = txtap_trace_writer.half_laps;
        txtap_trace_writer.turn = at_end && middle != _tx_trace_buffer_start_ptr ? middle : _tx_trace_buffer_end_ptr;
        TXTAP_TRACE_STORE(txtap_trace_writer.half_laps, at_end ? (half_laps | 1u) + 1u : half_laps + 1u);
        TXTAP_TRACE_BARRIER();
    }
    current_move(at_end ? _tx_trace_buffer_start_ptr : next);
    if (at_end) {
        if (TXTAP_TRACE_COUNT_LAPS) {
            TXTAP_TRACE_BARRIER();
            TXTAP_TRACE_STORE(header->laps, (uint16_t)(header->laps + 1u));
        }
        if (_tx_trace_full_notify_function != NULL) {
            _tx_trace_full_notify_function(_tx_trace_header_ptr);
        }
    }
}

/*
 * Fills the entry, then publishes it in this order: whole entry, barrier, current pointer, header. Called in the lock.
 * The words of the entry may be stored in any order, because no reader trusts the slot at `current`. The arguments are
 * stored first, so that the fast path need not save them.
 */
INLINE void entry_write(struct txtap_trace_entry *entry, uint32_t id, uint32_t info1, uint32_t info2, uint32_t info3,
                        uint32_t info4)
{
    TXTAP_TRACE_STORE(entry->id, id);
    TXTAP_TRACE_STORE(entry->info[0], info1);
    TXTAP_TRACE_STORE(entry->info[1], info2);
    TXTAP_TRACE_STORE(entry->info[2], info3);
    TXTAP_TRACE_STORE(entry->info[3], info4);
    TXTAP_TRACE_STORE(entry->stamp, TXTAP_TRACE_STAMP());
    uint32_t state = TXTAP_TRACE_CONTEXT_STATE();
    const void *thread = TXTAP_TRACE_CONTEXT_THREAD();
    if (LIKELY(state == 0 && thread != NULL)) {
        TXTAP_TRACE_STORE(entry->thread, address_of(thread));
        TXTAP_TRACE_STORE(entry->priority, TXTAP_TRACE_ENTRY_THREAD | TXTAP_TRACE_CONTEXT_PRIORITY());
    } else {
        entry_origin_write(entry, state, thread);
    }

    struct txtap_trace_entry *next = entry + 1;
    TXTAP_TRACE_BARRIER();
    if (LIKELY(next != txtap_trace_writer.turn)) {
        current_move(next);
    } else {
        ring_turn(next);
    }
}

struct txtap_trace_entry *txtap_trace_event_insert(uint32_t id, uint32_t info1, uint32_t info2, uint32_t info3,
                                                   uint32_t info4, uint32_t class_bit)
{
    struct txtap_trace_entry *entry = NULL;
    uint32_t lock;
    TXTAP_TRACE_LOCK(lock);
    if (LIKELY((txtap_trace_writer.classes & class_bit) != 0)) {
        entry = _tx_trace_buffer_current_ptr;
        entry_write(entry, id, info1, info2, info3, info4);
    }
    TXTAP_TRACE_UNLOCK(lock);
    return entry;
}

/* Returns the status of a user event that was not recorded. As in ThreadX, it is an error if the trace is disabled, but
 * not if a filter excludes the event. */
COLD static uint32_t unrecorded_status(void)
{
    return _tx_trace_buffer_current_ptr != NULL ? TXTAP_TRACE_OK : TXTAP_TRACE_NOT_DONE;
}

uint32_t txtap_trace_user_event_insert(uint32_t id, uint32_t info1, uint32_t info2, uint32_t info3, uint32_t info4)
{
    uint32_t lock;
    TXTAP_TRACE_LOCK(lock);
    if (!LIKELY((txtap_trace_writer.classes & TXTAP_TRACE_CLASS_USER) != 0)) {
        TXTAP_TRACE_UNLOCK(lock);
        return unrecorded_status();
    }
    entry_write(_tx_trace_buffer_current_ptr, id, info1, info2, info3, info4);
    TXTAP_TRACE_UNLOCK(lock);
    return TXTAP_TRACE_OK;
}

static void isr_insert(uint32_t id, uint32_t isr_id)
{
    uint32_t here = 0; /* the address of this variable is recorded as the stack pointer, as in ThreadX */
    txtap_trace_event_insert(id, address_of(&here), isr_id, TXTAP_TRACE_CONTEXT_STATE(), TXTAP_TRACE_CONTEXT_PREEMPT(),
                             TXTAP_TRACE_CLASS_INTERNAL);
}

void txtap_trace_isr_enter_insert(uint32_t isr_id)
{
    isr_insert(TXTAP_TRACE_EVENT_ISR_ENTER, isr_id);
}

void txtap_trace_isr_exit_insert(uint32_t isr_id)
{
    isr_insert(TXTAP_TRACE_EVENT_ISR_EXIT, isr_id);
}

void txtap_trace_event_patch(struct txtap_trace_entry *entry, uint32_t stamp, unsigned info_index, uint32_t value)
{
    uint32_t lock;
    TXTAP_TRACE_LOCK(lock);
    /* Since the entry was written, the trace may have been disabled, and the buffer may have another use. */
    if (_tx_trace_buffer_current_ptr != NULL && entry >= _tx_trace_buffer_start_ptr &&
        entry < _tx_trace_buffer_end_ptr && info_index < 4 && entry->stamp == stamp) {
        TXTAP_TRACE_STORE(entry->info[info_index], value);
    }
    TXTAP_TRACE_UNLOCK(lock);
}

/* Updates the copies of other variables in txtap_trace_writer. Called in the lock after any of these variables has
 * changed. */
static void hot_update(void)
{
    txtap_trace_writer.classes = _tx_trace_buffer_current_ptr != NULL ? _tx_trace_event_enable_bits : 0;
    txtap_trace_writer.header = _tx_trace_header_ptr;
}

uint32_t txtap_trace_event_filter(uint32_t bits)
{
    uint32_t lock;
    TXTAP_TRACE_LOCK(lock);
    _tx_trace_event_enable_bits &= ~bits;
    hot_update();
    TXTAP_TRACE_UNLOCK(lock);
    return TXTAP_TRACE_OK;
}

uint32_t txtap_trace_event_unfilter(uint32_t bits)
{
    uint32_t lock;
    TXTAP_TRACE_LOCK(lock);
    _tx_trace_event_enable_bits |= bits;
    hot_update();
    TXTAP_TRACE_UNLOCK(lock);
    return TXTAP_TRACE_OK;
}

uint32_t txtap_trace_buffer_full_notify(void (*callback)(void *header))
{
    uint32_t lock;
    TXTAP_TRACE_LOCK(lock);
    _tx_trace_full_notify_function = callback;
    TXTAP_TRACE_UNLOCK(lock);
    return TXTAP_TRACE_OK;
}

/* ------------------------------------------------------------------------------------------- registry */

/*
 * Finds the slot for an object. If a slot has the same address, returns this slot. Otherwise searches like ThreadX,
 * once around from the search start. Takes the first slot that was never used, or else the last slot of a deleted
 * object. Returns the number of slots if no slot is free. ThreadX takes a slot that was never used even if a later slot
 * has the same address. Then two slots have the same address.
 */
static uint32_t object_slot_find(uint32_t pointer)
{
    const struct txtap_trace_object *objects = _tx_trace_registry_start_ptr;
    uint32_t total = _tx_trace_total_registry_entries;
    uint32_t found = total;
    uint32_t fresh = total;
    uint32_t i = _tx_trace_registry_search_start;
    for (uint32_t seen = 0; seen < total; seen++) {
        if (objects[i].pointer == pointer) {
            return i;
        }
        if (objects[i].pointer == 0 && fresh == total) {
            fresh = i;
        }
        if (objects[i].available != 0 && (found == total || objects[found].type != 0)) {
            found = i;
        }
        i = i + 1 < total ? i + 1 : 0;
    }
    return fresh < total ? fresh : found;
}

/*
 * Fills a slot. ThreadX marks the slot as in use and then fills it. This function clears the type until the slot is
 * complete, so that a reader sees no object in a half-filled slot. It marks the slot as in use before it sets the type,
 * so that a reader does not use the new name for a deleted object. The bytes after the name's NUL are not changed.
 */
static void object_write(struct txtap_trace_object *slot, const struct txtap_trace_object *object, const char *name)
{
    TXTAP_TRACE_STORE(slot->type, (uint8_t)0);
    TXTAP_TRACE_BARRIER();
    TXTAP_TRACE_STORE(slot->available, (uint8_t)0);
    TXTAP_TRACE_STORE(slot->reserved1, object->reserved1);
    TXTAP_TRACE_STORE(slot->reserved2, object->reserved2);
    TXTAP_TRACE_STORE(slot->pointer, object->pointer);
    TXTAP_TRACE_STORE(slot->parameter1, object->parameter1);
    TXTAP_TRACE_STORE(slot->parameter2, object->parameter2);
    uint32_t length = 0;
    for (; name != NULL && length < TXTAP_TRACE_NAME_BYTES - 1 && name[length] != '\0'; length++) {
        TXTAP_TRACE_STORE(slot->name[length], name[length]);
    }
    TXTAP_TRACE_STORE(slot->name[length], '\0');
    TXTAP_TRACE_BARRIER();
    TXTAP_TRACE_STORE(slot->type, object->type);
}

static uint32_t object_register(const struct txtap_trace_object *object, const char *name)
{
    uint32_t status = TXTAP_TRACE_NOT_DONE;
    uint32_t lock;
    TXTAP_TRACE_LOCK(lock);
    if (object->pointer != 0 && _tx_trace_registry_start_ptr != NULL) {
        uint32_t total = _tx_trace_total_registry_entries;
        uint32_t found = object_slot_find(object->pointer);
        if (found < total) {
            struct txtap_trace_object *slot = &_tx_trace_registry_start_ptr[found];
            /* ThreadX also counts down if the slot is already in use. So ThreadX considers the registry full too
             * early. */
            _tx_trace_available_registry_entries -= slot->available;
            _tx_trace_registry_search_start = found + 1 < total ? found + 1 : 0;
            object_write(slot, object, name);
            status = TXTAP_TRACE_OK;
        }
    }
    TXTAP_TRACE_UNLOCK(lock);
    return status;
}

uint32_t txtap_trace_object_register(uint8_t type, const void *object, const char *name, uint32_t parameter1,
                                     uint32_t parameter2)
{
    struct txtap_trace_object wanted;
    wanted.type = type;
    wanted.reserved1 = 0;
    wanted.reserved2 = 0;
    wanted.pointer = address_of(object);
    wanted.parameter1 = parameter1;
    wanted.parameter2 = parameter2;
    return object_register(&wanted, name);
}

uint32_t txtap_trace_thread_register(const void *thread, const char *name, uint32_t priority, uint32_t stack_start,
                                     uint32_t stack_bytes)
{
    struct txtap_trace_object wanted;
    wanted.type = TXTAP_TRACE_OBJECT_THREAD;
    wanted.reserved1 = (uint8_t)(0x80u | (priority >> 8));
    wanted.reserved2 = (uint8_t)(priority & 0xFFu);
    wanted.pointer = address_of(thread);
    wanted.parameter1 = stack_start;
    wanted.parameter2 = stack_bytes;
    return object_register(&wanted, name);
}

uint32_t txtap_trace_object_unregister(const void *object)
{
    uint32_t status = TXTAP_TRACE_NOT_DONE;
    uint32_t lock;
    TXTAP_TRACE_LOCK(lock);
    struct txtap_trace_object *objects = _tx_trace_registry_start_ptr;
    uint32_t total = objects != NULL && object != NULL ? _tx_trace_total_registry_entries : 0;
    uint32_t pointer = address_of(object);
    for (uint32_t i = 0; i < total; i++) {
        if (objects[i].pointer == pointer) {
            _tx_trace_available_registry_entries += 1u - objects[i].available;
            TXTAP_TRACE_STORE(objects[i].available, (uint8_t)1);
            _tx_trace_registry_search_start = i;
            status = TXTAP_TRACE_OK;
            break;
        }
    }
    TXTAP_TRACE_UNLOCK(lock);
    return status;
}

/* ------------------------------------------------------------------------------------ enable, disable */

/* The three parts of a buffer: header, registry and ring. */
struct area {
    volatile struct txtap_trace_header *header;
    struct txtap_trace_object *objects;
    struct txtap_trace_object *objects_end;
    struct txtap_trace_entry *entries;
    struct txtap_trace_entry *entries_end;
};

static struct area area_split(void *buffer, uint32_t buffer_bytes, uint32_t registry_entries)
{
    uint32_t registry_bytes = registry_entries * (uint32_t)sizeof(struct txtap_trace_object);
    uint32_t ring_bytes = buffer_bytes - (uint32_t)sizeof(struct txtap_trace_header) - registry_bytes;
    unsigned char *at = buffer;
    struct area area;
    area.header = buffer;
    area.objects = (struct txtap_trace_object *)(void *)(at + sizeof(struct txtap_trace_header));
    area.objects_end = area.objects + registry_entries;
    area.entries = (struct txtap_trace_entry *)(void *)area.objects_end;
    area.entries_end = area.entries + ring_bytes / sizeof(struct txtap_trace_entry);
    return area;
}

/*
 * Makes a header incomplete. A header is complete if it contains the id and the three constants. They are cleared
 * before the buffer changes, so that a reader of the old buffer finds no header. They are written last, first the
 * constants and then the id. So a host that reads upwards and finds the new id also finds the new contents after it.
 */
static void header_invalidate(volatile struct txtap_trace_header *header)
{
    TXTAP_TRACE_STORE(header->id, 0u);
    TXTAP_TRACE_BARRIER();
    TXTAP_TRACE_STORE(header->reserved2, 0u);
    TXTAP_TRACE_STORE(header->reserved3, 0u);
    TXTAP_TRACE_STORE(header->reserved4, 0u);
    TXTAP_TRACE_BARRIER();
}

/* Empties registry and ring. As in ThreadX, some words keep the previous contents of memory: parameters, names, and all
 * words of entries except the thread word. */
static void contents_clear(const struct area *area)
{
    for (struct txtap_trace_object *object = area->objects; object != area->objects_end; object++) {
        TXTAP_TRACE_STORE(object->available, (uint8_t)1);
        TXTAP_TRACE_STORE(object->type, (uint8_t)0);
        TXTAP_TRACE_STORE(object->reserved1, (uint8_t)0);
        TXTAP_TRACE_STORE(object->reserved2, (uint8_t)0);
        TXTAP_TRACE_STORE(object->pointer, 0u);
    }
    for (struct txtap_trace_entry *entry = area->entries; entry != area->entries_end; entry++) {
        TXTAP_TRACE_STORE(entry->thread, 0u);
    }
}

static void header_complete(const struct area *area)
{
    volatile struct txtap_trace_header *header = area->header;
    TXTAP_TRACE_STORE(header->timer_mask, TXTAP_TRACE_STAMP_MASK);
    TXTAP_TRACE_STORE(header->base, address_of((const void *)(uintptr_t)header));
    TXTAP_TRACE_STORE(header->registry_start, address_of(area->objects));
    TXTAP_TRACE_STORE(header->laps, (uint16_t)0);
    TXTAP_TRACE_STORE(header->name_bytes, (uint16_t)TXTAP_TRACE_NAME_BYTES);
    TXTAP_TRACE_STORE(header->registry_end, address_of(area->objects_end));
    TXTAP_TRACE_STORE(header->ring_start, address_of(area->entries));
    TXTAP_TRACE_STORE(header->ring_end, address_of(area->entries_end));
    TXTAP_TRACE_STORE(header->current, address_of(area->entries));
    TXTAP_TRACE_BARRIER();
    TXTAP_TRACE_STORE(header->reserved2, TXTAP_TRACE_RESERVED2);
    TXTAP_TRACE_STORE(header->reserved3, TXTAP_TRACE_RESERVED3);
    TXTAP_TRACE_STORE(header->reserved4, TXTAP_TRACE_RESERVED4);
    TXTAP_TRACE_BARRIER();
    TXTAP_TRACE_STORE(header->id, TXTAP_TRACE_ID);
    TXTAP_TRACE_BARRIER();
}

/*
 * Returns a `life` that is neither 0 nor the previous life. Traces of one run have different numbers, and so different
 * lives. If a reset does not clear `lives`, this is also true for traces of several runs. Otherwise their lives differ
 * if the seeds differ.
 */
static uint32_t life_new(void)
{
    uint32_t seed = TXTAP_TRACE_SEED(), life;
    do {
        lives++;
        life = lives * 0x9E3779B1u + seed; /* odd factor: with the same seed, two numbers never give the same life */
    } while (life == 0 || life == txtap_trace_writer.life);
    return life;
}

/*
 * Ends the old trace before its buffer is changed. If a reader reads entries and then finds the old life unchanged, all
 * these entries are of the old trace.
 */
static void life_begin(void)
{
    if (TXTAP_TRACE_COUNT_LAPS) {
        TXTAP_TRACE_STORE(txtap_trace_writer.life, life_new());
        TXTAP_TRACE_BARRIER();
        TXTAP_TRACE_STORE(txtap_trace_writer.current, 0u);
        TXTAP_TRACE_STORE(txtap_trace_writer.half_laps, 0u);
        TXTAP_TRACE_BARRIER();
    }
}

/* Starts recording into a complete buffer. All writers and readers see the new trace at the same moment. */
static void area_publish(const struct area *area, uint32_t registry_entries)
{
    uint32_t lock;
    TXTAP_TRACE_LOCK(lock);
    _tx_trace_event_enable_bits = TXTAP_TRACE_CLASS_ALL;
    _tx_trace_registry_start_ptr = area->objects;
    _tx_trace_registry_end_ptr = area->objects_end;
    _tx_trace_total_registry_entries = registry_entries;
    _tx_trace_available_registry_entries = registry_entries;
    _tx_trace_registry_search_start = 0;
    _tx_trace_buffer_start_ptr = area->entries;
    _tx_trace_buffer_end_ptr = area->entries_end;
    _tx_trace_header_ptr = (struct txtap_trace_header *)(uintptr_t)area->header;
    TXTAP_TRACE_BARRIER();
    txtap_trace_writer.turn = area->entries_end;
    if (TXTAP_TRACE_COUNT_LAPS) {
        if (ring_middle() != area->entries) {
            txtap_trace_writer.turn = ring_middle();
        }
        TXTAP_TRACE_STORE(txtap_trace_writer.current, address_of(area->entries));
    }
    _tx_trace_buffer_current_ptr = area->entries;
    hot_update();
    enabling = 0;
    TXTAP_TRACE_UNLOCK(lock);
}

uint32_t txtap_trace_enable(void *buffer, uint32_t buffer_bytes, uint32_t registry_entries)
{
    const uint32_t least = (uint32_t)(sizeof(struct txtap_trace_header) + sizeof(struct txtap_trace_entry));
    if (buffer == NULL || ((uintptr_t)buffer & 3u) != 0) {
        return TXTAP_TRACE_POINTER_ERROR;
    }
    /* The first condition keeps the product below 2^32. ThreadX's product overflows for a huge number of objects. */
    if (registry_entries > 0xFFFFFFFFu / sizeof(struct txtap_trace_object) || buffer_bytes < least ||
        registry_entries * (uint32_t)sizeof(struct txtap_trace_object) > buffer_bytes - least) {
        return TXTAP_TRACE_SIZE_ERROR;
    }

    uint32_t lock;
    TXTAP_TRACE_LOCK(lock);
    uint32_t busy = enabling != 0 || _tx_trace_buffer_current_ptr != NULL;
    if (!busy) {
        enabling = 1;
    }
    TXTAP_TRACE_UNLOCK(lock);
    if (busy) {
        return TXTAP_TRACE_NOT_DONE;
    }

    /* This runs outside the lock, because clearing a large ring must not delay interrupts. The trace counts as disabled
     * until the end of this function, so no other code uses the buffer. */
    struct area area = area_split(buffer, buffer_bytes, registry_entries);
    life_begin();
    header_invalidate(area.header);
    contents_clear(&area);
    header_complete(&area);
    area_publish(&area, registry_entries);
    return TXTAP_TRACE_OK;
}

uint32_t txtap_trace_disable(void)
{
    uint32_t status = TXTAP_TRACE_NOT_DONE;
    uint32_t lock;
    TXTAP_TRACE_LOCK(lock);
    if (_tx_trace_buffer_current_ptr != NULL) {
        _tx_trace_buffer_current_ptr = NULL;
        _tx_trace_registry_start_ptr = NULL;
        hot_update();
        status = TXTAP_TRACE_OK;
    }
    TXTAP_TRACE_UNLOCK(lock);
    return status;
}

/* --------------------------------------------------------------------------- port: a process on Linux */

#ifdef TXTAP_TRACE_PORT_HOST

/* A recursive spin lock, so that locks nest as with PRIMASK. `state`: the nesting depth before the lock. */
static volatile char host_lock;
static _Thread_local uint32_t host_lock_depth;

__attribute__((weak)) uint32_t txtap_trace_port_lock(void)
{
    if (host_lock_depth == 0) {
        while (__atomic_test_and_set(&host_lock, __ATOMIC_ACQUIRE)) {
        }
    }
    return host_lock_depth++;
}

__attribute__((weak)) void txtap_trace_port_unlock(uint32_t state)
{
    host_lock_depth = state;
    if (state == 0) {
        __atomic_clear(&host_lock, __ATOMIC_RELEASE);
    }
}

__attribute__((weak)) void txtap_trace_port_barrier(void)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

__attribute__((weak)) void txtap_trace_port_stored(const volatile void *place)
{
    (void)place;
}

__attribute__((weak)) uint32_t txtap_trace_port_stamp(void)
{
    return clock_read();
}

__attribute__((weak)) uint32_t txtap_trace_port_address(const void *pointer)
{
    return (uint32_t)(uintptr_t)pointer;
}

#endif

#endif /* TXTAP_TRACE_OFF */
