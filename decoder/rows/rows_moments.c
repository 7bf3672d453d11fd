/* SPDX-License-Identifier: MIT */
/*
 * Events by index: time, seq, class, and the row that recorded the event. Also wakes, gaps and marks in order of time.
 */
#include "rows/rows_parts.h"
#include "txtap/event.h"

/* ---- the class of an event by its id, which selects the colour of its mark ---- */

/* Returns the class of an event of ThreadX: tx_trace.h. */
static enum txtap_event_class class_of_threadx(uint32_t id)
{
    static const struct {
        uint8_t below, event_class;
    } classes[] = {
        {3, TXTAP_CLASS_THREAD},      {5, TXTAP_CLASS_ISR},      {10, TXTAP_CLASS_THREAD}, {30, TXTAP_CLASS_POOL},
        {40, TXTAP_CLASS_FLAGS},      {50, TXTAP_CLASS_OTHER},   {60, TXTAP_CLASS_MUTEX},  {80, TXTAP_CLASS_QUEUE},
        {100, TXTAP_CLASS_SEMAPHORE}, {120, TXTAP_CLASS_THREAD}, {140, TXTAP_CLASS_TIME},
    };

    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (id < classes[i].below)
            return (enum txtap_event_class)classes[i].event_class;
    return TXTAP_CLASS_OTHER;
}

static enum txtap_event_class class_of_component(enum txtap_component component)
{
    switch (component) {
    case TXTAP_COMPONENT_FILEX:
        return TXTAP_CLASS_FILE;
    case TXTAP_COMPONENT_NETX_BOTH:
    case TXTAP_COMPONENT_NETX:
    case TXTAP_COMPONENT_NETXDUO:
    case TXTAP_COMPONENT_NETXDUO_LEGACY:
        return TXTAP_CLASS_NET;
    case TXTAP_COMPONENT_USBX:
    case TXTAP_COMPONENT_USBX_LEGACY:
        return TXTAP_CLASS_USB;
    case TXTAP_COMPONENT_USER:
        return TXTAP_CLASS_USER;
    case TXTAP_COMPONENT_THREADX:
        break;
    }
    return TXTAP_CLASS_OTHER;
}

enum txtap_event_class txtap_event_class_of(uint32_t id, unsigned profile)
{
    const struct txtap_event_info *info;

    if (id < 140)
        return class_of_threadx(id);
    info = txtap_event_find(id, profile);
    return info != NULL ? class_of_component(info->component) : TXTAP_CLASS_OTHER;
}

const char *txtap_event_class_name(enum txtap_event_class class_of)
{
    static const char *const names[TXTAP_CLASSES] = {
        "none", "thread", "queue", "semaphore", "mutex", "flags", "pool",
        "time", "isr",    "user",  "file",      "net",   "usb",   "other",
    };

    return (unsigned)class_of < TXTAP_CLASSES ? names[class_of] : "other";
}

/* ---- finding ---- */

uint32_t moments_find(const struct txtap_rows *rows, uint32_t from, uint64_t ticks)
{
    uint32_t end = moments_end(rows), low = from, high = from, wide = 1;

    while (high < end && moment_ticks(rows, high) < ticks) {
        low = high + 1;
        high = end - high > wide ? high + wide : end;
        wide *= 2;
    }
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (moment_ticks(rows, middle) < ticks)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t recorded_find(const struct row *row, uint32_t from, uint32_t index)
{
    uint32_t end = row->recorded.count, low = from, high = from, wide = 1;

    while (high < end && recorded_index(row, high) < index) {
        low = high + 1;
        high = end - high > wide ? high + wide : end;
        wide *= 2;
    }
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (recorded_index(row, middle) < index)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/*
 * Returns the number of the last stretch that begins at or before `index`. If there is no such stretch, returns the
 * number of the oldest stretch.
 */
static uint32_t stretch_of(const struct txtap_rows *rows, uint32_t index)
{
    uint32_t low = rows->stretches.first, high = rows->stretches.count;

    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;

        if (stretch_at(rows, middle)->index <= index)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* ---- queries of events ---- */

static uint8_t class_at(const struct txtap_rows *rows, uint32_t index)
{
    return ((const struct moments *)paged_page(&rows->moments, index / MOMENTS))->event_class[index % MOMENTS];
}

/*
 * Returns the seq of an event. Events of a stretch have consecutive numbers. A moment without an event ends a stretch.
 */
static uint64_t seq_of(const struct txtap_rows *rows, uint32_t index)
{
    const struct stretch *stretch = stretch_at(rows, stretch_of(rows, index));

    return stretch->seq + (index - stretch->index);
}

bool txtap_rows_event(const struct txtap_rows *rows, uint32_t index, struct txtap_row_event *event)
{
    const struct moments *page;

    if (index < rows->moments.first || index >= moments_end(rows))
        return false;
    page = paged_page(&rows->moments, index / MOMENTS);
    *event = (struct txtap_row_event){
        .ticks = page->ticks[index % MOMENTS],
        .seq = class_at(rows, index) != TXTAP_CLASS_NONE ? seq_of(rows, index) : 0,
        .row = page->row[index % MOMENTS],
        .event_class = page->event_class[index % MOMENTS],
    };
    return true;
}

uint64_t txtap_rows_ticks(const struct txtap_rows *rows, uint32_t index)
{
    return moment_ticks(rows, index > rows->moments.first ? index : rows->moments.first);
}

uint32_t txtap_rows_event_at(const struct txtap_rows *rows, uint64_t ticks)
{
    return moments_find(rows, rows->moments.first, ticks);
}

/*
 * Returns the index of event seq. The event must be in the stretch. limit: the index after the stretch; returned if the
 * stretch lacks the event.
 */
static uint32_t event_in_stretch(const struct txtap_rows *rows, const struct stretch *stretch, uint32_t limit,
                                 uint64_t seq)
{
    uint32_t index;

    if (seq < stretch->seq || limit <= stretch->index || seq - stretch->seq >= limit - stretch->index)
        return limit;
    index = stretch->index + (uint32_t)(seq - stretch->seq);
    return index < rows->moments.first || class_at(rows, index) == TXTAP_CLASS_NONE ? limit : index;
}

uint32_t txtap_rows_event_of_seq(const struct txtap_rows *rows, uint64_t seq)
{
    uint32_t limit = moments_end(rows), later = limit, found;
    uint64_t nearest = UINT64_MAX;

    for (uint32_t i = rows->stretches.count; i > rows->stretches.first; i--) {
        const struct stretch *stretch = stretch_at(rows, i - 1);

        found = event_in_stretch(rows, stretch, limit, seq);
        if (found != limit)
            return found;
        if (stretch->seq > seq && stretch->seq - seq < nearest) {
            nearest = stretch->seq - seq;
            later = stretch->index;
        }
        limit = stretch->index < limit ? stretch->index : limit;
    }
    return later > rows->moments.first ? later : rows->moments.first;
}

uint32_t txtap_rows_next_event(const struct txtap_rows *rows, uint32_t number, uint32_t index, bool forward)
{
    const struct row *row;
    uint32_t at, found;

    if (number >= rows->rows.count)
        return TXTAP_ROWS_NO_INDEX;
    row = row_at(rows, number);
    at = recorded_find(row, row->recorded.first, forward && index < UINT32_MAX ? index + 1 : index);
    if (forward ? at >= row->recorded.count : at == row->recorded.first)
        return TXTAP_ROWS_NO_INDEX;
    found = recorded_index(row, forward ? at : at - 1);
    return found < moments_end(rows) ? found : TXTAP_ROWS_NO_INDEX;
}

/* ---- queries of wakes, gaps and marks ---- */

/* Returns the number of the first element among low..high - 1 for which before() is false. before() must be true for
 * all elements before this element. */
static uint32_t find(const struct txtap_rows *rows, const struct paged *list, uint64_t than,
                     bool (*before)(const struct txtap_rows *rows, uint32_t number, uint64_t than))
{
    uint32_t low = list->first, high = list->count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (before(rows, middle, than))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool wake_is_before(const struct txtap_rows *rows, uint32_t number, uint64_t index)
{
    return wake_at(rows, number)->index < index;
}

static bool gap_is_before(const struct txtap_rows *rows, uint32_t number, uint64_t ticks)
{
    return gap_at(rows, number)->ended && gap_at(rows, number)->to < ticks;
}

static bool mark_is_before(const struct txtap_rows *rows, uint32_t number, uint64_t index)
{
    return mark_at(rows, number)->index < index;
}

uint32_t txtap_rows_first_wake(const struct txtap_rows *rows, uint32_t index)
{
    return find(rows, &rows->wakes, index, wake_is_before);
}

uint32_t txtap_rows_first_gap(const struct txtap_rows *rows, uint64_t ticks)
{
    return find(rows, &rows->gaps, ticks, gap_is_before);
}

uint32_t txtap_rows_first_mark(const struct txtap_rows *rows, uint32_t index)
{
    return find(rows, &rows->marks, index, mark_is_before);
}

#define STEPS_TO_RUN 64u /* maximum number of steps that are searched for the run; usually one step is enough */

/* Returns the index of the event after which the thread ran. */
static uint32_t find_run(const struct row *row, uint32_t woken)
{
    uint32_t at = steps_find(row, row->steps.first, woken + 1), end = row->steps.count;

    at -= at > row->steps.first;
    for (uint32_t i = at; i < end && i - at < STEPS_TO_RUN; i++) {
        const struct step *step = step_at(row, i);

        if (step->state == TXTAP_ROW_RUNNING)
            return step->index > woken ? step->index : woken;
        if (step->state == TXTAP_ROW_BLOCKED || step->state == TXTAP_ROW_UNKNOWN)
            break;
    }
    return TXTAP_ROWS_NO_INDEX;
}

bool txtap_rows_wake(const struct txtap_rows *rows, uint32_t number, struct txtap_row_wake *out)
{
    const struct wake *wake;
    uint32_t run;

    if (number < rows->wakes.first || number >= rows->wakes.count || wake_at(rows, number)->index >= moments_end(rows))
        return false;
    wake = wake_at(rows, number);
    run = find_run(row_at(rows, wake->to), wake->index);
    *out = (struct txtap_row_wake){
        .index = wake->index,
        .since = wake->since >= rows->moments.first ? wake->since : TXTAP_ROWS_NO_INDEX,
        .run = run < moments_end(rows) ? run : TXTAP_ROWS_NO_INDEX,
        .ticks = moment_ticks(rows, wake->index),
        .from = wake->from,
        .to = wake->to,
        .object = wake->object,
        .reason = wake->reason,
        .ending = wake->ending,
    };
    if (out->since != TXTAP_ROWS_NO_INDEX)
        out->since_ticks = moment_ticks(rows, out->since);
    if (out->run != TXTAP_ROWS_NO_INDEX)
        out->run_ticks = moment_ticks(rows, out->run);
    return true;
}

bool txtap_rows_gap(const struct txtap_rows *rows, uint32_t number, struct txtap_row_gap *out)
{
    const struct gap *gap;

    if (number < rows->gaps.first || number >= rows->gaps.count)
        return false;
    gap = gap_at(rows, number);
    *out = (struct txtap_row_gap){
        .index = gap->index < moments_end(rows) ? gap->index : moments_end(rows),
        .from_ticks = gap->from,
        .to_ticks = gap->ended                 ? gap->to
                    : rows->newest < gap->from ? gap->from /* the gap's first moment was removed for lack of memory */
                                               : rows->newest,
        .lost = gap->lost,
        .exact = gap->exact,
        .ended = gap->ended,
    };
    return true;
}

bool txtap_rows_mark(const struct txtap_rows *rows, uint32_t number, struct txtap_row_mark *out)
{
    const struct mark *mark;

    if (number < rows->marks.first || number >= rows->marks.count)
        return false;
    mark = mark_at(rows, number);
    *out = (struct txtap_row_mark){
        .kind = (enum txtap_mark_kind)mark->kind,
        .index = mark->index < moments_end(rows) ? mark->index : moments_end(rows),
        .ticks = moment_ticks(rows, mark->index),
        .unix_us = mark->unix_us,
        .text = mark->text,
    };
    return true;
}
