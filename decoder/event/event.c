/* SPDX-License-Identifier: MIT */
/* Parses ring entries, and finds rows of the event table in events.def. */
#include "txtap/event.h"

#include <string.h>

#include "base/bytes.h"

#define USER_FIRST               1025u
#define THREAD_SUSPEND           2u
#define DEVICE_STACK_CONNECT_OLD 856u
#define DEVICE_STACK_LAST_OLD    870u
#define PRIORITY_MASK            0x3FFu /* priority and threshold have 10 bits each: ThreadX allows 1024 priorities */
#define PRIORITY_THRESHOLD       0x80000000u /* set: the event records a priority and a threshold */

/* The marks of an event are four groups of four bits: late words, and registered, unregistered and used objects. */
#define LATE(marks)      ((marks)&0xFu)
#define CREATED(marks)   ((marks) >> 4 & 0xFu)
#define DELETED(marks)   ((marks) >> 8 & 0xFu)
#define USED(marks)      ((marks) >> 12 & 0xFu)
#define REGISTERS(marks) (((marks) & ~0xF00Fu) != 0)

#define TXTAP_ROW(component, id, symbol, name, marks, ...)                                                             \
    {id,                                                                                                               \
     TXTAP_COMPONENT_##component,                                                                                      \
     symbol,                                                                                                           \
     name,                                                                                                             \
     {__VA_ARGS__},                                                                                                    \
     LATE(marks),                                                                                                      \
     CREATED(marks),                                                                                                   \
     DELETED(marks),                                                                                                   \
     USED(marks),                                                                                                      \
     REGISTERS(marks),                                                                                                 \
     NULL},

static const struct txtap_event_info table[] = {
#include "event/events.def"
};

#undef TXTAP_ROW

#define TABLE_ROWS (sizeof(table) / sizeof(table[0]))

/* The index of each row in the table, as a constant. */
#define TXTAP_ROW(component, id, ...) ROW_##component##_##id,
enum {
#include "event/events.def"
};
#undef TXTAP_ROW

/*
 * For each id: the index of its first row, plus one; 0 if there is no row. If two components share an id, only the row
 * of the first component is indexed, so that no element has two initializers.
 */
#define INDEXED_IDS                   1100u
#define TXTAP_ROW(component, id, ...) INDEX_##component(id, ROW_##component##_##id)
#define INDEX(id, row)                [(id) < INDEXED_IDS ? (id) : 0] = (row) + 1,
#define INDEX_THREADX(id, row)        INDEX(id, row)
#define INDEX_FILEX(id, row)          INDEX(id, row)
#define INDEX_NETX_BOTH(id, row)      INDEX(id, row)
#define INDEX_NETX(id, row)
#define INDEX_NETXDUO(id, row)        INDEX(id, row)
#define INDEX_NETXDUO_LEGACY(id, row) INDEX(id, row)
#define INDEX_USBX(id, row)           INDEX(id, row)
#define INDEX_USBX_LEGACY(id, row)
#define INDEX_USER(id, row)
static const uint16_t first_rows[INDEXED_IDS] = {
#include "event/events.def"
};
#undef TXTAP_ROW

static void set_context(struct txtap_event *event, uint32_t thread, uint32_t priority)
{
    switch (thread) {
    case TXTB_THREAD_ISR:
        event->context = priority == 0 ? TXTAP_CONTEXT_IDLE : TXTAP_CONTEXT_ISR;
        event->thread = priority;
        return;
    case TXTB_THREAD_INIT:
        event->context = TXTAP_CONTEXT_INIT;
        return;
    default:
        event->context = TXTAP_CONTEXT_THREAD;
        event->thread = thread;
        event->priority = (uint16_t)(priority & PRIORITY_MASK);
        event->threshold = event->priority;
        if (priority & PRIORITY_THRESHOLD)
            event->threshold = (uint16_t)(priority >> 16 & PRIORITY_MASK);
    }
}

/*
 * Initialises each member explicitly. Otherwise gcc would zero the whole struct with an instruction that takes longer
 * than the rest of this function.
 */
void txtap_event_parse(const uint8_t entry[TXTB_ENTRY_BYTES], const struct txtap_header *header,
                       struct txtap_event *event)
{
    struct bytes bytes = {entry, TXTB_ENTRY_BYTES};
    uint32_t words[TXTB_ENTRY_BYTES / 4];
    const uint32_t *info = &words[TXTB_ENTRY_INFO / 4];

    (void)bytes_take_words(&bytes, header->endian, words, sizeof(words) / sizeof(words[0]));
    *event = (struct txtap_event){
        .seq = 0,
        .ticks = 0,
        .stamp = words[TXTB_ENTRY_STAMP / 4] & header->timer_mask,
        .thread = 0,
        .id = words[TXTB_ENTRY_ID / 4] & TXTAP_EVENT_ID_MASK,
        .info = {info[0], info[1], info[2], info[3]},
        .priority = 0,
        .threshold = 0,
        .core = (uint8_t)(words[TXTB_ENTRY_ID / 4] >> 24),
        .event_class = 0,
        .context = TXTAP_CONTEXT_THREAD,
        .unix_us = 0,
        .ticks_doubtful = false,
        .unsettled = false,
        .next = 0,
        .entry = entry,
        .words = NULL,
        .word_count = 0,
    };
    set_context(event, words[TXTB_ENTRY_THREAD / 4], words[TXTB_ENTRY_PRIORITY / 4]);
}

static bool profile_has(unsigned profile, enum txtap_component component)
{
    switch (component) {
    case TXTAP_COMPONENT_NETX:
        return profile & TXTAP_PROFILE_NETX;
    case TXTAP_COMPONENT_NETXDUO:
        return !(profile & TXTAP_PROFILE_NETX);
    case TXTAP_COMPONENT_USBX_LEGACY:
        return profile & TXTAP_PROFILE_USBX_LEGACY;
    case TXTAP_COMPONENT_USBX:
        return !(profile & TXTAP_PROFILE_USBX_LEGACY);
    case TXTAP_COMPONENT_THREADX:
    case TXTAP_COMPONENT_FILEX:
    case TXTAP_COMPONENT_NETX_BOTH:
    case TXTAP_COMPONENT_NETXDUO_LEGACY:
    case TXTAP_COMPONENT_USER:
        break;
    }
    return true;
}

/* Returns the first row of the id; TABLE_ROWS if there is no row. */
static size_t first_row(uint32_t id)
{
    if (id == TXTB_USER_EVENT_FIRST)
        return ROW_USER_4096;
    return id < INDEXED_IDS && first_rows[id] != 0 ? first_rows[id] - 1u : TABLE_ROWS;
}

/*
 * Returns true if the id is lower by one than the id in the table. Before 6.1.8, ux_api.h gave the id 855 to both
 * CONFIGURATION_GET and CONFIGURATION_SET: usbx issue 22.
 */
static bool is_one_lower(uint32_t id, unsigned profile)
{
    return (profile & TXTAP_PROFILE_USBX_6_1_7) && id >= DEVICE_STACK_CONNECT_OLD && id < DEVICE_STACK_LAST_OLD;
}

const struct txtap_event_info *txtap_event_find(uint32_t id, unsigned profile)
{
    size_t first;

    if (is_one_lower(id, profile))
        id++;
    if (id >= (profile & TXTAP_PROFILE_USER_1025 ? USER_FIRST : TXTB_USER_EVENT_FIRST) && id <= TXTB_USER_EVENT_LAST)
        id = TXTB_USER_EVENT_FIRST;
    first = first_row(id);
    for (size_t i = first; i < TABLE_ROWS && table[i].id == id; i++) {
        if (profile_has(profile, table[i].component))
            return &table[i];
    }
    return first < TABLE_ROWS ? &table[first] : NULL;
}

/* Returns true if the service may have waited. A service with the wait option 0 cannot wait. */
static bool may_wait(const struct txtap_event_info *info, const struct txtap_event *event)
{
    for (size_t i = 0; i < 4; i++)
        if (info->field[i].kind == TXTAP_FIELD_WAIT)
            return event->info[i] != 0;
    return true;
}

unsigned txtap_event_pending(const struct txtap_event_info *info, const struct txtap_event *event)
{
    unsigned pending = 0;

    if (info == NULL || info->patched == 0)
        return 0;
    if (event->unsettled)
        return info->patched;
    for (size_t i = 0; i < 4; i++) {
        if (!(info->patched >> i & 1))
            continue;
        if (info->field[i].kind == TXTAP_FIELD_OBJECT) { /* the next thread */
            if (info->id == THREAD_SUSPEND && event->info[i] != 0 && event->info[i] == event->info[0])
                pending |= 1u << i; /* a suspended thread is not the next thread */
            continue;
        }
        if (event->info[i] != 0)
            return 0; /* the kernel writes all late words of an event at once */
        pending |= 1u << i;
    }
    return pending != 0 && may_wait(info, event) ? pending : 0;
}

const struct txtap_event_info *txtap_event_table(size_t *count)
{
    *count = TABLE_ROWS;
    return table;
}
