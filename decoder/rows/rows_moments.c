/* SPDX-License-Identifier: MIT */
/* Events by index: when each was, its number, who recorded it. */
#include "rows/rows_parts.h"

/* ---- taking ---- */

bool moments_add(struct txtap_rows *rows, uint64_t ticks)
{
    struct moments *page;
    uint32_t at = moments_end(rows) % MOMENTS;

    if (moments_end(rows) >= UINT32_MAX - 1) {
        rows->full = true;
        return false;
    }
    page = rows_room(rows, &rows->moments, MOMENTS);
    if (page == NULL)
        return false;
    if (moments_end(rows) == 0 || ticks > rows->newest)
        rows->newest = ticks;
    page->ticks[at] = rows->newest;
    page->row[at] = NO_ROW;
    page->event_class[at] = TXTAP_CLASS_NONE;
    rows->moments.count++;
    return true;
}

/* Numbers go on one by one, or begin a new stretch. */
static bool note_seq(struct txtap_rows *rows, uint64_t seq)
{
    uint32_t newest = moments_end(rows) - 1;
    bool goes_on =
        rows->last_event != TXTAP_ROWS_NO_INDEX && seq == rows->last_seq + 1 && newest == rows->last_event + 1;
    struct stretch *page;

    if (!goes_on) {
        page = rows_room(rows, &rows->stretches, PER_PAGE(struct stretch));
        if (page == NULL)
            return false;
        page[rows->stretches.count % PER_PAGE(struct stretch)] = (struct stretch){seq, newest};
        rows->stretches.count++;
    }
    rows->last_seq = seq;
    rows->last_event = newest;
    return true;
}

static bool note_recorded(struct txtap_rows *rows, uint32_t number, uint32_t index)
{
    struct row *row = row_at(rows, number);
    uint32_t *page = rows_room(rows, &row->recorded, RECORDED);

    if (page == NULL)
        return false;
    page[row->recorded.count % RECORDED] = index;
    row->recorded.count++;
    return true;
}

static uint8_t class_of(const struct txtap_rows *rows, const struct txtap_event *event)
{
    if (event == NULL)
        return TXTAP_CLASS_OTHER;
    if (event->event_class != TXTAP_CLASS_NONE)
        return event->event_class < TXTAP_CLASSES ? event->event_class : TXTAP_CLASS_OTHER;
    return (uint8_t)txtap_event_class_of(event->id, rows->options.profile);
}

bool moments_record(struct txtap_rows *rows, uint32_t row, const struct txtap_change *change)
{
    uint32_t newest = moments_end(rows) - 1;
    struct moments *page = paged_page(&rows->moments, newest / MOMENTS);

    page->event_class[newest % MOMENTS] = class_of(rows, change->event);
    page->row[newest % MOMENTS] = (uint16_t)row;
    marks_settle(rows, change->seq, newest);
    return note_seq(rows, change->seq) && (row == NO_ROW || note_recorded(rows, row, newest));
}

bool moments_move(struct txtap_rows *rows, uint32_t to)
{
    uint32_t newest = moments_end(rows) - 1;
    struct moments *page = paged_page(&rows->moments, newest / MOMENTS);
    uint16_t *row = &page->row[newest % MOMENTS];

    if (page->event_class[newest % MOMENTS] == TXTAP_CLASS_NONE || *row == to)
        return true;
    if (*row != NO_ROW)
        row_at(rows, *row)->recorded.count--;
    *row = (uint16_t)to;
    return note_recorded(rows, to, newest);
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

/* The number of the last stretch that begins at that index or before it; the oldest if none does. */
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

/* ---- what others see ---- */

static uint8_t class_at(const struct txtap_rows *rows, uint32_t index)
{
    return ((const struct moments *)paged_page(&rows->moments, index / MOMENTS))->event_class[index % MOMENTS];
}

/* The events of a stretch come one after another; moments without an event end it. */
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

/* The event of that stretch with that number; limit: none. limit: the index behind the stretch. */
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
