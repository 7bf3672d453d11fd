/* SPDX-License-Identifier: MIT */
/* Forgets the oldest events, and what began and ended before those that are left. */
#include "rows/rows_parts.h"

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

/* The stretch that has the event stays. */
static uint32_t first_stretch_kept(const struct txtap_rows *rows, uint32_t index)
{
    uint32_t first = rows->stretches.first;

    while (first + 1 < rows->stretches.count && stretch_at(rows, first + 1)->index <= index)
        first++;
    return first;
}

/* Whatever ended before the event with that index. */
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
        drop_list(rows, &row->recorded, RECORDED, recorded_find(row, row->recorded.first, index));
    }
    drop_lists(rows, index);
    paged_drop(&rows->moments, &rows->source, MOMENTS, index);
    rows->version++;
}
