/* SPDX-License-Identifier: MIT */
/* The list of rows, their memory, and the removal of the oldest events. */
#include "rows/rows_parts.h"

#include <string.h>

/* ---- memory ---- */

size_t txtap_rows_bytes(void)
{
    return sizeof(struct txtap_rows);
}

struct txtap_rows *txtap_rows_open(void *memory, struct txtap_rows_pages pages,
                                   const struct txtap_rows_options *options)
{
    struct txtap_rows *rows = memory;

    memset(rows, 0, sizeof *rows);
    rows->source.pages = pages;
    rows->options = *options;
    rows->last_event = TXTAP_ROWS_NO_INDEX;
    rows->lost_exact = true;
    return rows;
}

void txtap_rows_close(struct txtap_rows *rows)
{
    struct paged *const lists[] = {&rows->moments, &rows->stretches,   &rows->wakes,      &rows->gaps,
                                   &rows->marks,   &rows->thread_rows, &rows->object_rows};

    for (uint32_t i = 0; i < rows->rows.count; i++) {
        paged_clear(&row_at(rows, i)->steps, &rows->source);
        paged_clear(&row_at(rows, i)->recorded, &rows->source);
        paged_clear(&row_at(rows, i)->sampled.list, &rows->source);
        paged_clear(&row_at(rows, i)->sampled.texts, &rows->source);
    }
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        paged_clear(lists[i], &rows->source);
    paged_clear(&rows->rows, &rows->source);
}

void *rows_room(struct txtap_rows *rows, struct paged *list, uint32_t per_page)
{
    void *page = paged_room(list, &rows->source, per_page);

    while (page == NULL && rows->options.keep > 0) {
        uint32_t first = rows->moments.first, held = moments_end(rows) - first;

        txtap_rows_drop(rows, held / 8 > MOMENTS ? held / 8 : MOMENTS);
        if (rows->moments.first == first)
            break;
        page = paged_room(list, &rows->source, per_page);
    }
    if (page == NULL)
        rows->full = true;
    return page;
}

/* ---- removing the oldest events, and everything that began and ended before the remaining events ---- */

static void drop_list(struct txtap_rows *rows, struct paged *list, uint32_t per_page, uint32_t first)
{
    if (first > list->first)
        paged_drop(list, &rows->source, per_page, first);
}

static uint32_t first_mark_kept(const struct txtap_rows *rows, uint32_t index)
{
    uint32_t first = txtap_rows_first_mark(rows, index);

    return first < rows->marks_ready ? first : rows->marks_ready;
}

/* Returns the number of the first stretch to keep. This stretch contains the event. */
static uint32_t first_stretch_kept(const struct txtap_rows *rows, uint32_t index)
{
    uint32_t first = rows->stretches.first;

    while (first + 1 < rows->stretches.count && stretch_at(rows, first + 1)->index <= index)
        first++;
    return first;
}

/* Drops every element of the lists that ended before event `index`. */
static void drop_lists(struct txtap_rows *rows, uint32_t index)
{
    drop_list(rows, &rows->wakes, PER_PAGE(struct wake), txtap_rows_first_wake(rows, index));
    drop_list(rows, &rows->gaps, PER_PAGE(struct gap), txtap_rows_first_gap(rows, moment_ticks(rows, index)));
    drop_list(rows, &rows->marks, PER_PAGE(struct mark), first_mark_kept(rows, index));
    drop_list(rows, &rows->stretches, PER_PAGE(struct stretch), first_stretch_kept(rows, index));
}

void txtap_rows_drop(struct txtap_rows *rows, uint32_t events)
{
    uint32_t first = rows->moments.first, held = moments_end(rows) - first, most, index;

    if (held <= MOMENTS || events < MOMENTS)
        return;
    most = (held - 1) / MOMENTS * MOMENTS;
    index = first + (events / MOMENTS * MOMENTS < most ? events / MOMENTS * MOMENTS : most);
    for (uint32_t i = 0; i < rows->rows.count; i++) {
        struct row *row = row_at(rows, i);

        if (row_is_counter(row))
            values_cut(rows, row, index);
        else if (row_has_states(row))
            steps_cut(rows, row, index);
        else if (row_is_sampled(row))
            samples_cut(rows, row, moment_ticks(rows, index));
        drop_list(rows, &row->recorded, RECORDED, recorded_find(row, row->recorded.first, index));
    }
    drop_lists(rows, index);
    paged_drop(&rows->moments, &rows->source, MOMENTS, index);
    rows->version++;
}

/* ---- new rows ---- */

static uint8_t kind_of_type(uint8_t type)
{
    static const uint8_t kinds[] = {
        [TXTAP_OBJECT_THREAD] = TXTAP_ROW_THREAD,         [TXTAP_OBJECT_TIMER] = TXTAP_ROW_TIMER,
        [TXTAP_OBJECT_QUEUE] = TXTAP_ROW_QUEUE,           [TXTAP_OBJECT_SEMAPHORE] = TXTAP_ROW_SEMAPHORE,
        [TXTAP_OBJECT_MUTEX] = TXTAP_ROW_MUTEX,           [TXTAP_OBJECT_EVENT_FLAGS] = TXTAP_ROW_FLAGS,
        [TXTAP_OBJECT_BLOCK_POOL] = TXTAP_ROW_BLOCK_POOL, [TXTAP_OBJECT_BYTE_POOL] = TXTAP_ROW_BYTE_POOL,
    };

    return type > TXTAP_OBJECT_THREAD && type < sizeof kinds ? kinds[type] : TXTAP_ROW_OTHER;
}

/* Begins a row. The states of the row before this moment are unknown. */
static bool begin_row(struct txtap_rows *rows, struct row *row)
{
    struct step unknown = {.state = TXTAP_ROW_UNKNOWN, .object = NO_ROW};

    if (row_is_counter(row))
        return values_set(rows, row, rows->moments.first, UNKNOWN_VALUE, VALUE_UNKNOWN);
    return !row_has_states(row) || steps_set(rows, row, rows->moments.first, unknown);
}

uint32_t rows_add(struct txtap_rows *rows, const struct row *row)
{
    struct row *added;
    uint32_t number = rows->rows.count;

    if (number >= ROWS_MAX) {
        rows->left_out++;
        return NO_ROW;
    }
    if (rows_room(rows, &rows->rows, PER_PAGE(struct row)) == NULL)
        return NO_ROW;
    added = row_at(rows, number);
    *added = *row;
    if (!begin_row(rows, added)) {
        paged_clear(&added->steps, &rows->source);
        return NO_ROW;
    }
    rows->rows.count++;
    rows->rows_version++;
    return number;
}

/* ---- rows of threads and objects ---- */

#define NUMBERS PER_PAGE(uint16_t)

/* Returns the list element that contains the row of thread or object `number`. NULL: no room. */
static uint16_t *place_of(struct txtap_rows *rows, struct paged *numbers, uint32_t number)
{
    while (numbers->count <= number) {
        void *page = rows_room(rows, numbers, NUMBERS);

        if (page == NULL)
            return NULL;
        memset(page, 0, TXTAP_ROWS_PAGE_BYTES);
        numbers->count += NUMBERS;
    }
    return (uint16_t *)paged_page(numbers, number / NUMBERS) + number % NUMBERS;
}

uint32_t rows_of_party(struct txtap_rows *rows, const struct txtap_change_party *party)
{
    bool thread = party->type == TXTAP_OBJECT_THREAD;
    uint16_t *place;
    uint32_t number;

    if (party->number == TXTAP_CHANGE_NONE)
        return NO_ROW;
    if (party->number >= NUMBERS_MAX) {
        rows->left_out++;
        return NO_ROW;
    }
    place = place_of(rows, thread ? &rows->thread_rows : &rows->object_rows, party->number);
    if (place == NULL)
        return NO_ROW;
    if (*place > 0)
        return *place - 1u;
    number = rows_add(rows, &(struct row){.kind = thread ? TXTAP_ROW_THREAD : kind_of_type(party->type),
                                          .type = party->type,
                                          .number = party->number,
                                          .address = party->address});
    if (number != NO_ROW)
        *place = (uint16_t)(number + 1);
    return number;
}

/* ---- rows of interrupts and cores ---- */

uint32_t rows_of_interrupt(struct txtap_rows *rows, uint32_t number)
{
    uint32_t at = (number * 2654435761u) >> 21, row;
    struct interrupt_slot *slots = rows->interrupts;

    for (; slots[at].row > 0; at = (at + 1) % INTERRUPT_SLOTS)
        if (slots[at].number == number)
            return slots[at].row - 1u;
    if (rows->interrupt_count == INTERRUPTS_MAX) {
        rows->left_out++;
        return NO_ROW;
    }
    row = rows_add(rows, &(struct row){.kind = TXTAP_ROW_INTERRUPT, .number = number});
    if (row == NO_ROW)
        return NO_ROW;
    slots[at] = (struct interrupt_slot){number, (uint16_t)(row + 1)};
    rows->interrupt_count++;
    return row;
}

struct core_rows *rows_of_core(struct txtap_rows *rows, uint32_t core)
{
    struct core_rows *of = &rows->cores[core % TXTAP_CORES_MAX];

    if (of->core == 0)
        of->core = (uint16_t)(rows_add(rows, &(struct row){.kind = TXTAP_ROW_CORE, .number = core}) + 1);
    if (of->core > 0 && of->idle == 0)
        of->idle = (uint16_t)(rows_add(rows, &(struct row){.kind = TXTAP_ROW_IDLE, .number = core}) + 1);
    return of;
}

/* ---- queries ---- */

const char *txtap_row_kind_name(enum txtap_row_kind kind)
{
    static const char *const names[TXTAP_ROW_KINDS] = {
        "core",  "isr",           "thread",        "idle",  "queue",  "semaphore",  "mutex",
        "flags", "block_pool",    "byte_pool",     "timer", "object", "user_value", "user_state",
        "slice", "sampled_value", "sampled_state", "log",   "pc",
    };

    return (unsigned)kind < TXTAP_ROW_KINDS ? names[kind] : "object";
}

bool txtap_rows_row(const struct txtap_rows *rows, uint32_t number, struct txtap_row *out)
{
    const struct row *row;

    if (number >= rows->rows.count)
        return false;
    row = row_at(rows, number);
    *out = (struct txtap_row){
        .kind = (enum txtap_row_kind)row->kind,
        .counter = row_is_counter(row),
        .number = row->number,
        .address = row->address,
        .type = row->type,
        .priority_known = row->priority_known,
        .priority = row->priority,
        .events = row->recorded.count - row->recorded.first,
        .samples = row->sampled.taken,
        .channel = row->sampled.channel,
        .id = row->id,
        .word = row->word,
        .form = row->form,
        .deepest = row->deepest,
        .unpaired = row->unpaired,
    };
    return true;
}

void txtap_rows_summary(const struct txtap_rows *rows, struct txtap_rows_summary *summary)
{
    *summary = (struct txtap_rows_summary){
        .first = rows->moments.first,
        .end = moments_end(rows),
        .from_ticks = moments_begin_ticks(rows),
        .to_ticks = rows->newest,
        .rows = rows->rows.count,
        .rows_version = rows->rows_version,
        .version = rows->version,
        .pages = rows->source.used,
        .gaps = rows->gap_count,
        .lost = rows->lost,
        .resets = rows->resets,
        .lost_exact = rows->lost_exact,
        .ended = rows->ended,
        .full = rows->full,
        .samples_dropped = rows->samples_dropped,
        .left_out = rows->left_out,
    };
}
