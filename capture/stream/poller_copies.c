/* SPDX-License-Identifier: MIT */
/*
 * Part of the poller: when the object registry is copied. Addresses are reused, so what a copy says is certain for the
 * events around it only once all events up to it are known. Knows objects and the exchanges that copy them; delivers
 * nothing.
 */
#include "stream/poller_parts.h"

#include <string.h>

#include "probe/source_base.h"

#define REGISTRY_TRIES   4
#define REGISTRY_SHARE   16 /* while events are being lost, one part in so many of the time may go to the registry */
#define UNKNOWN_RETRY_US 1000000 /* pause between looking for objects that are not registered */
#define REST_US          50000   /* no kernel stays within a service this long without an event */

/* ---- copying ---- */

/* The range in which two copies differ, whole objects, in bytes from the registry's start. False: they are equal. */
static bool find_difference(const struct poller *poller, const uint8_t *a, const uint8_t *b, uint32_t *start,
                            uint32_t *end)
{
    uint32_t step = txtap_header_object_bytes(&poller->header), bytes = poller->objects_bytes;
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
 * Copies a range of the registry, then reads the ring's write pointer; first: reads the pointer before it, too. The
 * pointers date the copy, but for whole laps: it began at or after the first such position from the head of the last
 * exchange on, and ended at or before the last such position up to the head of the next exchange. Last it reads the
 * kernel's search start, if its address is known.
 */
static enum txtap_status copy_range(struct poller *poller, uint32_t start, uint32_t end, bool first,
                                    struct error *error)
{
    struct poller_names *names = &poller->names;
    uint32_t pointer = poller_state(poller).pointer;
    uint32_t most = poller->source.ops->read_bytes_max - 3 * (uint32_t)sizeof names->pointer_after;
    enum txtap_status status = TXTAP_OK;

    while (start < end && status == TXTAP_OK) {
        uint32_t part = most < end - start ? most : end - start;
        const struct txtap_read reads[] = {
            {pointer, sizeof names->pointer_before, names->pointer_before},
            {poller->header.registry_start + start, part, names->again + start},
            {pointer, sizeof names->pointer_after, names->pointer_after},
            {poller->search_start, sizeof names->search_start, names->search_start},
        };
        size_t count = poller->search_start != 0 ? 4 : 3;

        status = poller_exchange(poller, first ? reads : reads + 1, first ? count : count - 1, error);
        first = false;
        start += part;
    }
    return status;
}

/* The end of the last slot that was ever used: such a slot has an address. */
static uint32_t end_of_used(const struct poller *poller, const uint8_t *registry)
{
    uint32_t step = txtap_header_object_bytes(&poller->header),
             end = poller->objects_bytes - poller->objects_bytes % step;

    while (end > 0 && memory_word(registry + end - step + TXTB_OBJECT_POINTER, poller->header.endian) == 0)
        end -= step;
    return end;
}

/*
 * Reads the registry up to its first slot that was never used, for the kernel takes those in their order; as long as
 * that slot is empty, all behind it are.
 */
static enum txtap_status read_used(struct poller *poller, struct error *error)
{
    struct poller_names *names = &poller->names;
    uint32_t end = end_of_used(poller, poller->objects) + txtap_header_object_bytes(&poller->header);
    enum txtap_status status;

    end = (end + 3) & ~3u;
    if (end > poller->objects_bytes)
        end = poller->objects_bytes;
    memcpy(names->again, poller->objects, poller->objects_bytes);
    status = copy_range(poller, 0, end, true, error);
    if (status == TXTAP_OK && end_of_used(poller, names->again) + 3 >= end)
        status = copy_range(poller, end, poller->objects_bytes, false, error);
    return status;
}

/*
 * Reads the registry, then what has changed in it again until it stays the same: an object may just be being
 * registered, its entry half written. *stable: it stayed the same.
 */
static enum txtap_status read_registry(struct poller *poller, bool *stable, struct error *error)
{
    struct poller_names *names = &poller->names;
    uint64_t begin_us = poller->now_us();
    uint32_t start = 0, end = 0;
    enum txtap_status status = read_used(poller, error);

    memcpy(names->copy, poller->objects, poller->objects_bytes);
    *stable = false;
    for (int i = 0; status == TXTAP_OK; i++) {
        *stable = !find_difference(poller, names->copy, names->again, &start, &end);
        if (*stable || i == REGISTRY_TRIES)
            break;
        memcpy(names->copy, names->again, poller->objects_bytes);
        status = copy_range(poller, start, end, false, error);
    }
    names->read_us = poller->now_us();
    names->took_us = names->read_us - begin_us;
    return status;
}

/* This copy has no date, for positions begin with the first exchange. All events wait for the copy after that one. */
enum txtap_status copies_begin(struct poller *poller, struct error *error)
{
    enum txtap_status status;

    if (poller->objects_bytes == 0)
        return TXTAP_OK;
    poller->registry.whole_seq = poller->registry.now_seq = poller->seq_offset;
    poller->names.wanted_seq = poller->seq_offset;
    status = poller_read(poller, poller->header.registry_start, poller->objects_bytes, poller->objects, error);
    if (status != TXTAP_OK)
        return status;
    poller->names.read_us = poller->now_us();
    txtap_registry_update(&poller->registry, &poller->header, poller->objects, poller->objects_bytes);
    txtap_registry_doubt(&poller->registry);
    return TXTAP_OK;
}

/* ---- what events want ---- */

static bool names_unknown(const struct poller *poller, const struct txtap_event *event,
                          const struct txtap_event_info *info)
{
    if (event->thread != 0 && txtap_registry_find(&poller->registry, event->thread) == NULL)
        return true;
    for (unsigned i = 0; info != NULL && i < 4; i++)
        if (info->field[i].kind == TXTAP_FIELD_OBJECT && event->info[i] != 0 &&
            txtap_registry_find(&poller->registry, event->info[i]) == NULL)
            return true;
    return false;
}

static bool wants_registry(const struct poller *poller, const struct txtap_event *event)
{
    const struct txtap_event_info *info = txtap_event_find(event->id, 0);

    if (names_event_changes(info))
        return true;
    return poller->now_us() - poller->names.read_us >= UNKNOWN_RETRY_US && names_unknown(poller, event, info);
}

/* Asks for a copy whose low_seq is at least this, for the event seq. */
static void want(struct poller *poller, uint64_t seq, uint64_t low_seq)
{
    struct poller_names *names = &poller->names;

    if (seq < names->wanted_seq)
        names->wanted_seq = seq;
    if (low_seq > names->wanted_low_seq)
        names->wanted_low_seq = low_seq;
}

static void note_events(struct poller *poller, const struct txtap_item *items, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct txtap_event *event = &items[i].event;
        uint32_t generation = poller->registry.generation;
        bool wants = wants_registry(poller, event);

        txtap_registry_note(&poller->registry, event);
        if (wants || poller->registry.generation != generation)
            want(poller, event->seq, event->seq + 1);
    }
}

/* A gap of unknown size renumbers the events behind it: the date of a copy that was made before the gap was noticed
 * is no longer valid. */
static void note_gap(struct poller *poller, uint64_t seq, uint64_t lost, bool exact)
{
    struct poller_names *names = &poller->names;

    if (!exact && names->reading && names->low_seq > seq)
        names->low_seq = seq;
    names->high_seq = names->passed_seq; /* it was counted from a head that may have been laps behind */
    txtap_registry_note_gap(&poller->registry, seq, lost);
    want(poller, seq + lost, seq + lost);
}

void copies_note(struct poller *poller, const struct txtap_ring_batch *batch)
{
    if (poller->objects_bytes == 0)
        return;
    if (poller->unknown_before && (batch->held_count > 0 || (batch->lost == 0 && batch->count > 0)))
        note_gap(poller, poller->seq_offset + (batch->held_count > 0 ? batch->held_seq : batch->seq), 0, false);
    note_events(poller, poller->items, batch->held_count);
    if (batch->lost > 0)
        note_gap(poller, poller->seq_offset + batch->lost_seq, batch->lost, batch->exact);
    note_events(poller, poller->items + batch->held_count, batch->count);
}

/* ---- when a copy is certain ---- */

/* How many entries lie between position and where the pointer stood, without whole laps. back: from there to here. */
static uint32_t entries_to(const struct poller *poller, uint64_t position, const uint8_t pointer[4], bool back)
{
    const struct txtap_header *header = &poller->header;
    uint32_t address = memory_word(pointer, header->endian), entries = txtap_header_ring_entries(header);
    uint32_t from = (uint32_t)(position % entries), to;

    if (!txtap_header_is_slot(header, address))
        return 0;
    to = txtap_header_slot(header, address);
    return (back ? from + entries - to : to + entries - from) % entries;
}

/*
 * Counts what was written since the copy's end. The distance from one reading of the pointer to the next, without whole
 * laps, is the least that the writer has moved. A head that is behind is no reading of this exchange.
 */
static void count_moved(struct poller *poller, const struct reader_state *state)
{
    struct poller_names *names = &poller->names;
    uint32_t entries = txtap_header_ring_entries(&poller->header);
    uint32_t slot = (uint32_t)(state->head % entries);

    if (state->behind)
        return;
    names->moved += (slot + entries - names->moved_to) % entries;
    names->moved_to = slot;
    names->lapped = names->moved >= entries;
}

void copies_see_head(struct poller *poller, bool exact)
{
    struct poller_names *names = &poller->names;
    const struct reader_state state = poller_state(poller);
    uint64_t head = poller->seq_offset + state.next_seq + (state.head - state.next);

    /* While the pointer is at the ring's start, the lap may not be counted yet, but not in two exchanges in a row.
     * poll_now: the writer is laps further. */
    names->head_exact = !state.overtaken && !state.behind && !state.poll_now && (exact || head == names->head_seq);
    names->head_seq = head;
    if (names->reading)
        count_moved(poller, &state);
    if (names->reading && !names->high_known && names->head_exact) {
        uint32_t since = entries_to(poller, state.head, names->pointer_after, true);

        names->high_seq = head > since ? head - since : 0;
        names->passed_seq = head;
        names->high_known = true;
    }
}

/* While events are being lost, reading names must not cost many more of them. The copy of an empty registry costs time,
 * too: meanwhile the ring may be overwritten. */
static bool may_read(const struct poller *poller)
{
    const struct poller_names *names = &poller->names;

    return !names->has_before || !poller_state(poller).overtaken ||
           poller->now_us() - names->read_us >= REGISTRY_SHARE * names->took_us;
}

/* Else what each copy costs would grow with every object that was ever deleted. */
static void forget_past(struct poller *poller)
{
    uint64_t next = poller_next_seq(poller), past = poller->settings.past_events;

    if (past > 0 && next > past)
        txtap_registry_forget(&poller->registry, next - past);
}

static void believe(struct poller *poller, uint64_t low_seq, uint64_t high_seq)
{
    struct poller_names *names = &poller->names;
    const struct txtap_registry_copy copy = {
        .bytes = names->copy,
        .before = names->has_before ? poller->objects : NULL,
        .length = poller->objects_bytes,
        .low_seq = low_seq,
        .high_seq = high_seq > low_seq ? high_seq : low_seq,
        .has_search_start = poller->search_start != 0,
        .search_start = memory_word(names->search_start, poller->header.endian),
    };

    txtap_registry_take(&poller->registry, &poller->header, &copy);
    forget_past(poller);
    memcpy(poller->objects, names->copy, poller->objects_bytes);
    names->has_before = true;
    names->reading = false;
    names->wanted_seq = names_find_wanted(names, low_seq);
}

/*
 * Are all events known that the copy may reflect? That the head after the copy was not laps behind is certain only once
 * the events behind it were read without a gap. An object is registered before its create event is written, and may be
 * unregistered before its delete event is.
 */
static bool is_passed(const struct poller *poller)
{
    const struct poller_names *names = &poller->names;
    uint64_t next = poller_next_seq(poller);

    return names->high_known && (next > names->passed_seq || (next == names->passed_seq && next == names->head_seq &&
                                                              poller->now_us() - names->read_us >= REST_US));
}

/*
 * While events are being lost, no head may ever be certain. But once the writer has made a lap since the copy's end,
 * the ring has nothing older: entries that were not read by then are lost.
 */
static bool is_left_behind(const struct poller *poller)
{
    return poller->names.lapped && poller_state(poller).held == 0;
}

enum txtap_status copies_follow(struct poller *poller, struct error *error)
{
    struct poller_names *names = &poller->names;
    uint64_t next = poller_next_seq(poller);
    bool stable;
    enum txtap_status status;

    if (poller->objects_bytes == 0 || poller->reader_self == NULL)
        return TXTAP_OK;
    if (names->reading && is_passed(poller))
        believe(poller, names->low_seq, names->high_seq);
    else if (names->reading && is_left_behind(poller))
        believe(poller, next < names->low_seq ? next : names->low_seq, UINT64_MAX);
    if (names->reading || names->wanted_seq == UINT64_MAX || !poller_state(poller).started || !may_read(poller))
        return TXTAP_OK;
    status = read_registry(poller, &stable, error);
    if (status != TXTAP_OK) {
        names->wanted_seq = UINT64_MAX;
        return status;
    }
    names->reading = stable; /* else it is read again after the next exchange */
    names->low_seq = names->head_seq + entries_to(poller, poller_head(poller), names->pointer_before, false);
    names->high_known = false;
    names->moved = 0;
    names->lapped = false;
    names->moved_to = entries_to(poller, 0, names->pointer_after, false);
    return TXTAP_OK;
}

enum txtap_status poller_end_registry(struct poller *poller, struct error *error)
{
    bool stable;
    enum txtap_status status = poller->objects_bytes > 0 ? read_registry(poller, &stable, error) : TXTAP_OK;

    if (status == TXTAP_OK)
        memcpy(poller->objects, poller->names.copy, poller->objects_bytes);
    return status;
}

bool poller_is_settled(const struct poller *poller)
{
    return poller->objects_bytes == 0 || (!poller->names.reading && poller->names.wanted_seq == UINT64_MAX);
}
