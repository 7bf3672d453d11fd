/* SPDX-License-Identifier: MIT */
/* Makes copies of the target's object registry, and keeps the queue of events that wait for them. */
#include "stream/name_copies.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "probe/source_base.h"
#include "txtap/event.h"
#include "txtap/inner/header.h"

#define REGISTRY_TRIES   4
#define REGISTRY_SHARE   16      /* while events are being lost, reading the registry may take 1/16 of the time */
#define UNKNOWN_RETRY_US 1000000 /* pause between two searches for objects that are not registered */
#define REST_US          50000   /* if no event is written for this time, the kernel is not inside a service call */

#define WAIT_ENTRIES      8192  /* room for waiting events in addition to the ring's size */
#define WAIT_ENTRIES_MOST 65536 /* largest number of waiting events: 13 MB */

struct waiting {
    struct txtap_item item;          /* an event or a gap */
    uint8_t entry[TXTB_ENTRY_BYTES]; /* the event's entry */
    uint64_t seq, taken_us;
    bool wants; /* the item needs a newer copy of the registry */
};

struct name_copies {
    struct name_copies_setup setup;
    struct txtap_header header;
    struct txtap_registry *registry;

    struct waiting *items; /* a circular buffer; `first` is the index of the oldest item */
    size_t capacity, first, count;

    uint64_t wanted_seq; /* the first event that needs a newer copy; UINT64_MAX: no event */
    uint64_t wanted_all; /* items that may have left the queue still need a copy with at least this before_seq */

    uint32_t bytes;                   /* size of a copy */
    uint8_t *accepted, *copy, *again; /* the last accepted copy; the newest copy; the newest copy as read again */
    bool reading;                     /* `copy` is not accepted yet */
    bool has_accepted;
    uint64_t before_seq, from_seq; /* `copy` includes all events before before_seq, and no event from from_seq on */
    bool from_known;               /* from_seq is valid */
    uint64_t passed_seq;           /* from_seq is certain once the reader is beyond this number */
    uint64_t read_us, took_us;     /* when the registry was last read, and how long this took */
    /* The ring's write pointer before and after the copy was read. */
    uint8_t pointer_before[4], pointer_after[4];
    uint8_t search_start[4]; /* _tx_trace_registry_search_start, read after the copy */

    uint64_t moved;    /* lower bound of the number of entries written since the end of the copy */
    uint32_t moved_to; /* `moved` counts the entries up to this slot */
    bool lapped;       /* `moved` is at least a lap */
    uint64_t head_seq; /* the ring's head at the last exchange */
    bool head_exact;   /* nothing was written beyond head_seq at the last exchange */
};

static uint64_t next_seq(const struct name_copies *names, const struct reader_state *state)
{
    return names->setup.first_seq + state->next_seq;
}

/* ---- the queue ---- */

static struct waiting *item_at(const struct name_copies *names, size_t i)
{
    return &names->items[(names->first + i) % names->capacity];
}

/* Returns the first event, from number `seq` on, that needs a copy with more than the events before `seq`. */
static uint64_t find_wanted(const struct name_copies *names, uint64_t seq)
{
    for (size_t i = 0; i < names->count; i++) {
        const struct waiting *item = item_at(names, i);

        if (item->wants && item->seq >= seq)
            return item->seq;
    }
    return names->wanted_all > seq ? names->wanted_all - 1 : UINT64_MAX;
}

static enum txtap_status deliver_first(struct name_copies *names)
{
    struct waiting *item = item_at(names, 0);

    names->first = (names->first + 1) % names->capacity;
    names->count--;
    return names->setup.deliver(names->setup.self, &item->item);
}

static bool changes_registry(const struct txtap_event *event)
{
    const struct txtap_event_info *info = txtap_event_find(event->id, 0);

    return info != NULL && info->registers;
}

enum txtap_status name_copies_take(struct name_copies *names, struct txtap_item *item, uint64_t now_us)
{
    bool is_event = item->kind == TXTAP_ITEM_EVENT;
    uint64_t seq = is_event ? item->event.seq : item->gap.seq;
    struct waiting *waiting;
    enum txtap_status status;

    if (names->capacity == 0 || (names->count == 0 && seq < names->wanted_seq))
        return names->setup.deliver(names->setup.self, item);
    status = names->count == names->capacity ? deliver_first(names) : TXTAP_OK;
    waiting = item_at(names, names->count++);
    waiting->item = *item;
    waiting->seq = seq;
    waiting->taken_us = now_us;
    waiting->wants = !is_event || changes_registry(&item->event);
    if (is_event) {
        memcpy(waiting->entry, item->event.entry, TXTB_ENTRY_BYTES);
        waiting->item.event.entry = waiting->entry;
    }
    return status;
}

static enum txtap_status release_all(struct name_copies *names)
{
    enum txtap_status status = TXTAP_OK;

    while (names->count > 0 && status == TXTAP_OK)
        status = deliver_first(names);
    names->wanted_seq = UINT64_MAX;
    return status;
}

enum txtap_status name_copies_release(struct name_copies *names, bool all)
{
    uint64_t now;
    enum txtap_status status = TXTAP_OK;

    if (all)
        return release_all(names);
    now = names->setup.now_us();
    while (names->count > 0 && status == TXTAP_OK) {
        const struct waiting *item = item_at(names, 0);

        if (item->seq >= names->wanted_seq) {
            if (now - item->taken_us < names->setup.wait_us)
                break;
            names->wanted_seq = find_wanted(names, item->seq + 1);
        }
        status = deliver_first(names);
    }
    return status;
}

/* ---- copying ---- */

/* Finds the range in which two copies differ, in whole objects. *start and *end are offsets in bytes from the
 * registry's start. False: the copies are equal. */
static bool find_difference(const struct name_copies *names, const uint8_t *a, const uint8_t *b, uint32_t *start,
                            uint32_t *end)
{
    uint32_t step = txtap_header_object_bytes(&names->header), bytes = names->bytes;
    bool any = false;

    for (uint32_t at = 0; at < bytes; at += step) {
        uint32_t length = step < bytes - at ? step : bytes - at;

        if (memcmp(a + at, b + at, length) == 0)
            continue;
        if (!any)
            *start = at & ~3u;
        *end = at + length;
        any = true;
    }
    *end = (*end + 3) & ~3u;
    if (*end > bytes)
        *end = bytes;
    return any;
}

/*
 * Copies a range of the registry, then reads the ring's write pointer at the address `pointer`. first: also reads the
 * write pointer before the range. The two values of the write pointer show, modulo whole laps, which events the copy
 * includes: all events before before_seq, and no event from from_seq on. Last, it reads the kernel's search start if
 * its address is known.
 */
static enum txtap_status copy_range(struct name_copies *names, uint32_t pointer, uint32_t start, uint32_t end,
                                    bool first, struct error *error)
{
    uint32_t most = names->setup.read_bytes_max - 3 * (uint32_t)sizeof names->pointer_after;
    enum txtap_status status = TXTAP_OK;

    while (start < end && status == TXTAP_OK) {
        uint32_t part = most < end - start ? most : end - start;
        const struct txtap_read reads[] = {
            {pointer, sizeof names->pointer_before, names->pointer_before},
            {names->header.registry_start + start, part, names->again + start},
            {pointer, sizeof names->pointer_after, names->pointer_after},
            {names->setup.search_start, sizeof names->search_start, names->search_start},
        };
        size_t count = names->setup.search_start != 0 ? 4 : 3;

        status = names->setup.exchange(names->setup.self, first ? reads : reads + 1, first ? count : count - 1, error);
        first = false;
        start += part;
    }
    return status;
}

/* Returns the end of the last slot that was ever used. A used slot has an address. */
static uint32_t end_of_used(const struct name_copies *names, const uint8_t *registry)
{
    uint32_t step = txtap_header_object_bytes(&names->header), end = names->bytes - names->bytes % step;

    while (end > 0 && memory_word(registry + end - step + TXTB_OBJECT_POINTER, names->header.endian) == 0)
        end -= step;
    return end;
}

/* Reads the registry up to and including the first slot that was never used. The kernel takes unused slots in order. So
 * if that slot is still empty, all slots after it are unused, too. */
static enum txtap_status read_used(struct name_copies *names, uint32_t pointer, struct error *error)
{
    uint32_t end = end_of_used(names, names->accepted) + txtap_header_object_bytes(&names->header);
    enum txtap_status status;

    end = (end + 3) & ~3u;
    if (end > names->bytes)
        end = names->bytes;
    memcpy(names->again, names->accepted, names->bytes);
    status = copy_range(names, pointer, 0, end, true, error);
    if (status == TXTAP_OK && end_of_used(names, names->again) + 3 >= end)
        status = copy_range(names, pointer, end, names->bytes, false, error);
    return status;
}

/* Reads the registry. Then it reads the part that changed again until it stays the same, because the kernel may be
 * registering an object, whose slot is then half written. *stable: the registry stayed the same. */
static enum txtap_status read_registry(struct name_copies *names, const struct reader_state *state, bool *stable,
                                       struct error *error)
{
    uint64_t begin_us = names->setup.now_us();
    uint32_t start = 0, end = 0;
    enum txtap_status status = read_used(names, state->pointer, error);

    memcpy(names->copy, names->accepted, names->bytes);
    *stable = false;
    for (int i = 0; status == TXTAP_OK; i++) {
        *stable = !find_difference(names, names->copy, names->again, &start, &end);
        if (*stable || i == REGISTRY_TRIES)
            break;
        memcpy(names->copy, names->again, names->bytes);
        status = copy_range(names, state->pointer, start, end, false, error);
    }
    names->read_us = names->setup.now_us();
    names->took_us = names->read_us - begin_us;
    return status;
}

/* ---- which events need a copy ---- */

static bool names_unknown(const struct name_copies *names, const struct txtap_event *event,
                          const struct txtap_event_info *info)
{
    if (event->thread != 0 && txtap_registry_find(names->registry, event->thread) == NULL)
        return true;
    for (unsigned i = 0; info != NULL && i < 4; i++)
        if (info->field[i].kind == TXTAP_FIELD_OBJECT && event->info[i] != 0 &&
            txtap_registry_find(names->registry, event->info[i]) == NULL)
            return true;
    return false;
}

/* Reports whether the registry must be read. now_us may be earlier than the last read of the registry. */
static bool wants_registry(const struct name_copies *names, const struct txtap_event *event, uint64_t now_us)
{
    const struct txtap_event_info *info = txtap_event_find(event->id, 0);

    if (info != NULL && info->registers)
        return true;
    return now_us >= names->read_us + UNKNOWN_RETRY_US && names_unknown(names, event, info);
}

/* Notes that the event with number `seq` needs a copy that includes all events before before_seq. */
static void want(struct name_copies *names, uint64_t seq, uint64_t before_seq)
{
    if (seq < names->wanted_seq)
        names->wanted_seq = seq;
    if (before_seq > names->wanted_all)
        names->wanted_all = before_seq;
}

static void note_event(struct name_copies *names, const struct txtap_event *event, uint64_t now_us)
{
    uint32_t generation = names->registry->generation;
    bool wants = wants_registry(names, event, now_us);

    txtap_registry_note(names->registry, event);
    if (wants || names->registry->generation != generation)
        want(names, event->seq, event->seq + 1);
}

/* Notes a gap. A gap of unknown size renumbers the events after it. So if a copy was made before the gap was noticed,
 * its before_seq and from_seq are no longer valid. */
static void note_gap(struct name_copies *names, const struct txtap_gap *gap, bool exact)
{
    if (!exact && names->reading && names->before_seq > gap->seq)
        names->before_seq = gap->seq;
    names->from_seq = names->passed_seq; /* from_seq was counted from a head that may have been laps too old */
    txtap_registry_note_gap(names->registry, gap->seq, gap->lost);
    want(names, gap->seq + gap->lost, gap->seq + gap->lost);
}

void name_copies_note(struct name_copies *names, const struct txtap_item *item, bool exact, uint64_t now_us)
{
    if (names->bytes == 0)
        return;
    if (item->kind == TXTAP_ITEM_EVENT)
        note_event(names, &item->event, now_us);
    else if (item->kind == TXTAP_ITEM_GAP)
        note_gap(names, &item->gap, exact && item->gap.lost > 0);
}

/* ---- when a copy is certain ---- */

/* Returns the number of entries from `position` to the slot at `pointer`, modulo whole laps. back: the number of
 * entries from that slot to `position`. */
static uint32_t entries_to(const struct name_copies *names, uint64_t position, const uint8_t pointer[4], bool back)
{
    const struct txtap_header *header = &names->header;
    uint32_t address = memory_word(pointer, header->endian), entries = txtap_header_ring_entries(header);
    uint32_t from = (uint32_t)(position % entries), to;

    if (!txtap_header_is_slot(header, address))
        return 0;
    to = txtap_header_slot(header, address);
    return (back ? from + entries - to : to + entries - from) % entries;
}

/*
 * Counts the entries written since the end of the copy. The distance from one reading of the pointer to the next,
 * modulo whole laps, is the least distance that the writer moved. A head that comes from an earlier exchange does not
 * count as a reading of the pointer.
 */
static void count_moved(struct name_copies *names, const struct reader_state *state)
{
    uint32_t entries = txtap_header_ring_entries(&names->header);
    uint32_t slot = (uint32_t)(state->head % entries);

    if (state->behind)
        return;
    names->moved += (slot + entries - names->moved_to) % entries;
    names->moved_to = slot;
    names->lapped = names->moved >= entries;
}

void name_copies_see(struct name_copies *names, const struct reader_state *state, bool exact)
{
    uint64_t head = next_seq(names, state) + (state->head - state->next);

    /* While the pointer is at the ring's start, the lap may not be counted yet. This does not happen in two consecutive
     * exchanges. poll_now is true if the writer is whole laps beyond the head. */
    names->head_exact = !state->overtaken && !state->behind && !state->poll_now && (exact || head == names->head_seq);
    names->head_seq = head;
    if (!names->reading)
        return;
    count_moved(names, state);
    if (!names->from_known && names->head_exact) {
        uint32_t since = entries_to(names, state->head, names->pointer_after, true);

        names->from_seq = head > since ? head - since : 0;
        names->passed_seq = head;
        names->from_known = true;
    }
}

/* Reports whether names may be read. While events are being lost, reading names must not cost many more events. Even a
 * copy of an empty registry takes time, in which the ring may be overwritten. */
static bool may_read(const struct name_copies *names, const struct reader_state *state)
{
    return !names->has_accepted || !state->overtaken ||
           names->setup.now_us() - names->read_us >= REGISTRY_SHARE * names->took_us;
}

/* Forgets old objects. Otherwise the cost of each copy would grow with every object that was ever deleted. */
static void forget_past(struct name_copies *names, uint64_t next)
{
    uint64_t past = names->setup.past_events;

    if (past > 0 && next > past)
        txtap_registry_forget(names->registry, next - past);
}

static void accept(struct name_copies *names, uint64_t next, uint64_t before_seq, uint64_t from_seq)
{
    const struct txtap_registry_copy copy = {
        .bytes = names->copy,
        .before = names->has_accepted ? names->accepted : NULL,
        .length = names->bytes,
        .low_seq = before_seq,
        .high_seq = from_seq > before_seq ? from_seq : before_seq,
        .has_search_start = names->setup.search_start != 0,
        .search_start = memory_word(names->search_start, names->header.endian),
    };

    txtap_registry_take(names->registry, &names->header, &copy);
    forget_past(names, next);
    memcpy(names->accepted, names->copy, names->bytes);
    names->has_accepted = true;
    names->reading = false;
    names->wanted_seq = find_wanted(names, before_seq);
}

/*
 * Reports whether all events that the copy may include are known. The head after the copy may have been whole laps too
 * old. This is impossible if the events after that head were read without a gap. (The kernel registers an object before
 * it writes the create event, and may unregister an object before it writes the delete event.)
 */
static bool is_passed(const struct name_copies *names, uint64_t next)
{
    return names->from_known && (next > names->passed_seq || (next == names->passed_seq && next == names->head_seq &&
                                                              names->setup.now_us() - names->read_us >= REST_US));
}

/* Reports whether the writer has made a lap since the copy. While events are being lost, perhaps no head ever becomes
 * certain. But once the writer has made a lap since the end of the copy, the ring contains nothing older than the copy.
 * Older entries that were not read by then are lost. */
static bool is_left_behind(const struct name_copies *names, const struct reader_state *state)
{
    return names->lapped && state->held == 0;
}

enum txtap_status name_copies_follow(struct name_copies *names, const struct reader_state *state, struct error *error)
{
    uint64_t next = next_seq(names, state);
    bool stable;
    enum txtap_status status;

    if (names->bytes == 0)
        return TXTAP_OK;
    if (names->reading && is_passed(names, next))
        accept(names, next, names->before_seq, names->from_seq);
    else if (names->reading && is_left_behind(names, state))
        accept(names, next, next < names->before_seq ? next : names->before_seq, UINT64_MAX);
    if (names->reading || names->wanted_seq == UINT64_MAX || !state->started || !may_read(names, state))
        return TXTAP_OK;
    status = read_registry(names, state, &stable, error);
    if (status != TXTAP_OK) {
        names->wanted_seq = UINT64_MAX;
        return status;
    }
    names->reading = stable; /* a copy that is not stable is read again after the next exchange */
    names->before_seq = names->head_seq + entries_to(names, state->head, names->pointer_before, false);
    names->from_known = false;
    names->moved = 0;
    names->lapped = false;
    names->moved_to = entries_to(names, 0, names->pointer_after, false);
    return TXTAP_OK;
}

struct name_copies_state name_copies_state(const struct name_copies *names, const struct reader_state *reader)
{
    struct name_copies_state state = {.first_seq = UINT64_MAX, .settled = true};

    if (names == NULL)
        return state;
    state.first_seq = names->count > 0 ? item_at(names, 0)->seq : UINT64_MAX;
    if (names->wanted_seq < state.first_seq)
        state.first_seq = names->wanted_seq;
    state.waiting = names->count > 0;
    state.settled = names->bytes == 0 || (!names->reading && names->wanted_seq == UINT64_MAX);
    state.hurry = names->count > 0 && (!names->from_known || names->head_seq > next_seq(names, reader));
    return state;
}

enum txtap_status name_copies_read(struct name_copies *names, const struct reader_state *state, struct error *error)
{
    bool stable;
    enum txtap_status status = names->bytes > 0 ? read_registry(names, state, &stable, error) : TXTAP_OK;

    if (status == TXTAP_OK)
        memcpy(names->accepted, names->copy, names->bytes);
    return status;
}

const uint8_t *name_copies_bytes(const struct name_copies *names, uint32_t *length)
{
    *length = names->bytes;
    return names->accepted;
}

/* ---- life ---- */

/* Reads the first copy. It is unknown which events this copy includes, because positions begin with the first exchange.
 * All events wait for the next copy. */
static enum txtap_status read_first(struct name_copies *names, struct error *error)
{
    uint32_t most = names->setup.read_bytes_max;
    enum txtap_status status = TXTAP_OK;

    names->registry->whole_seq = names->registry->now_seq = names->setup.first_seq;
    names->wanted_seq = names->setup.first_seq;
    for (uint32_t at = 0; at < names->bytes && status == TXTAP_OK; at += most) {
        uint32_t part = names->bytes - at < most ? names->bytes - at : most;
        struct txtap_read read = {names->header.registry_start + at, part, names->accepted + at};

        status = names->setup.exchange(names->setup.self, &read, 1, error);
    }
    if (status != TXTAP_OK)
        return status;
    names->read_us = names->setup.now_us();
    txtap_registry_update(names->registry, &names->header, names->accepted, names->bytes);
    txtap_registry_doubt(names->registry);
    return TXTAP_OK;
}

static bool allocate(struct name_copies *names)
{
    size_t entries = (size_t)txtap_header_ring_entries(&names->header) + WAIT_ENTRIES;

    if (names->setup.wait_us > 0 && names->bytes > 0)
        names->capacity = entries < WAIT_ENTRIES_MOST ? entries : WAIT_ENTRIES_MOST;
    names->accepted = calloc(1, names->bytes + 1);
    names->copy = calloc(1, names->bytes + 1);
    names->again = calloc(1, names->bytes + 1);
    names->items = calloc(names->capacity + 1, sizeof *names->items);
    return names->accepted != NULL && names->copy != NULL && names->again != NULL && names->items != NULL;
}

enum txtap_status name_copies_open(struct name_copies **opened, const struct name_copies_setup *setup,
                                   struct error *error)
{
    struct name_copies *names = calloc(1, sizeof *names);
    uint32_t objects = txtap_header_registry_entries(setup->header);
    enum txtap_status status = TXTAP_OK;

    if (names == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "out of memory for the names of objects");
    names->setup = *setup;
    names->header = *setup->header;
    names->registry = setup->registry;
    names->bytes = (objects * txtap_header_object_bytes(&names->header)) & ~3u;
    names->wanted_seq = UINT64_MAX;
    if (!allocate(names))
        status = failure(error, TXTAP_ERROR_SYSTEM, "out of memory for the names of objects");
    else if (names->bytes > 0)
        status = read_first(names, error);
    if (status != TXTAP_OK)
        name_copies_close(names);
    else
        *opened = names;
    return status;
}

void name_copies_close(struct name_copies *names)
{
    if (names == NULL)
        return;
    free(names->accepted);
    free(names->copy);
    free(names->again);
    free(names->items);
    free(names);
}
