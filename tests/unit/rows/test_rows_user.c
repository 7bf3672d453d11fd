/* SPDX-License-Identifier: MIT */
/* Rows of user values: counters, states and slices of the definitions, compared with a list of all their values. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rows/rows_fixture.h"

#define EVENTS_MAX 40000u
#define COLUMNS    211u

static const char text[] = "enum mode 0=idle 1=running 2=\"out of order\"\n"
                           "event 4096 \"level\" \"level {0:u}\"\n"
                           "event 4097 \"current\" \"current {1:d/1000 A} of channel {0}\"\n"
                           "event 4098 \"gain\" \"gain {2:f}\"\n"
                           "event 4099 \"mode\" \"mode {3:enum mode}\"\n"
                           "event 4100 \"job begins\" \"number {0}\"\n"
                           "event 4101 \"job ends\"\n"
                           "event 4102 \"other\"\n"
                           "counter 4096 0 \"level\"\n"
                           "counter 4097 1 \"current\"\n"
                           "counter 4098 2 \"gain\"\n"
                           "counter 4099 3 \"mode\"\n"
                           "slice 4100 4101 \"job\"\n";

enum { LEVEL = 4096, CURRENT, GAIN, MODE, JOB_BEGINS, JOB_ENDS, OTHER };

static struct txtap_definition events[16];
static struct txtap_word words[16];
static char strings[1024];
static struct txtap_definitions definitions;

static void define(const char *lines)
{
    struct txtap_definitions_problem problem;

    txtap_definitions_init(&definitions,
                           (struct txtap_definitions_memory){events, 16, words, 16, strings, sizeof strings});
    cr_assert_eq(txtap_definitions_parse(&definitions, lines, strlen(lines), &problem), TXTAP_OK, "%s", problem.text);
}

static struct txtap_rows *open_rows(void)
{
    struct txtap_rows *rows = fixture_rows(0, UINT32_MAX);

    define(text);
    txtap_rows_define(rows, &definitions);
    return rows;
}

static void take_kind(struct txtap_rows *rows, enum txtap_change_kind kind, uint64_t ticks)
{
    struct txtap_change change = {.kind = kind, .ticks = ticks, .seq = ticks};

    cr_assert_eq(txtap_rows_take(rows, &change), TXTAP_OK);
}

static void take(struct txtap_rows *rows, uint64_t ticks, uint32_t id, uint32_t value)
{
    struct txtap_event event = {.id = id, .info = {value, value, value, value}};
    struct txtap_change change = {.kind = TXTAP_CHANGE_EVENT, .ticks = ticks, .seq = ticks, .event = &event};

    change.recorded.thread.number = TXTAP_CHANGE_NONE;
    cr_assert_eq(txtap_rows_take(rows, &change), TXTAP_OK);
}

static void lose(struct txtap_rows *rows, uint64_t from, uint64_t to)
{
    struct txtap_change end = {.kind = TXTAP_CHANGE_GAP_END, .ticks = to, .seq = to, .gap = {from, 3, true}};

    take_kind(rows, TXTAP_CHANGE_GAP, from);
    cr_assert_eq(txtap_rows_take(rows, &end), TXTAP_OK);
}

/* Returns the row whose value is in events with this id, or whose slices begin with them. */
static uint32_t row_of(const struct txtap_rows *rows, uint32_t id)
{
    struct txtap_row row;

    for (uint32_t i = 0; txtap_rows_row(rows, i, &row); i++)
        if (row.kind >= TXTAP_ROW_USER_VALUE && row.id == id)
            return i;
    cr_assert_fail("no row for event %u", id);
    return 0;
}

static uint32_t bits_of(float number)
{
    uint32_t bits;

    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* ---- single rows ---- */

Test(rows_user, kinds_follow_from_the_texts)
{
    struct txtap_rows *rows = open_rows();
    struct txtap_row row;

    for (uint32_t id = LEVEL; id <= OTHER; id++)
        take(rows, id, id, 1);
    cr_assert(txtap_rows_row(rows, row_of(rows, LEVEL), &row));
    cr_assert(row.kind == TXTAP_ROW_USER_VALUE && row.form == TXTAP_VALUE_UNSIGNED && row.counter && row.number == 0);
    cr_assert(txtap_rows_row(rows, row_of(rows, CURRENT), &row));
    cr_assert(row.kind == TXTAP_ROW_USER_VALUE && row.form == TXTAP_VALUE_SIGNED && row.word == 1);
    cr_assert(txtap_rows_row(rows, row_of(rows, GAIN), &row));
    cr_assert(row.kind == TXTAP_ROW_USER_VALUE && row.form == TXTAP_VALUE_FLOAT && row.word == 2);
    cr_assert(txtap_rows_row(rows, row_of(rows, MODE), &row));
    cr_assert(row.kind == TXTAP_ROW_USER_STATE && row.word == 3);
    cr_assert(txtap_rows_row(rows, row_of(rows, JOB_BEGINS), &row));
    cr_assert(row.kind == TXTAP_ROW_SLICE && row.counter);
    cr_assert_str_eq(txtap_row_kind_name(row.kind), "slice");
    fixture_close(rows);
}

Test(rows_user, every_word_is_a_value)
{
    struct txtap_rows *rows = open_rows();
    struct txtap_row_values piece;
    struct txtap_rows_edge edges[2];
    struct txtap_row_step step;

    take(rows, 10, LEVEL, UINT32_MAX);
    take(rows, 20, LEVEL, 0);
    take(rows, 30, LEVEL, UINT32_MAX - 1);
    take(rows, 40, OTHER, 0);
    cr_assert(txtap_rows_at(rows, row_of(rows, LEVEL), 10, &step));
    cr_assert(step.value_known && step.value == UINT32_MAX);
    txtap_rows_edges(rows, &(struct txtap_rows_range){10, 41, 1, false}, edges);
    cr_assert_eq(txtap_rows_values(rows, row_of(rows, LEVEL), edges, 1, &piece), 1);
    cr_assert(piece.min == 0 && piece.max == UINT32_MAX && piece.last == UINT32_MAX - 1);
    cr_assert_eq(piece.flags & TXTAP_VALUES_LAST, TXTAP_VALUES_LAST);
    fixture_close(rows);
}

Test(rows_user, keys_have_the_order_of_numbers)
{
    static const float floats[] = {-INFINITY, -3.4e38f, -1.5f, -1e-40f, 0, 1e-40f, 1.5f, 3.4e38f, INFINITY};
    static const uint32_t integers[] = {0x80000000u, 0xFFFFFFFFu, 0, 1, 0x7FFFFFFFu};

    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++) {
        uint32_t key = txtap_value_key(TXTAP_VALUE_FLOAT, bits_of(floats[i]));

        cr_assert_eq(txtap_value_word(TXTAP_VALUE_FLOAT, key), bits_of(floats[i]));
        cr_assert(i == 0 || key > txtap_value_key(TXTAP_VALUE_FLOAT, bits_of(floats[i - 1])));
    }
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
        uint32_t key = txtap_value_key(TXTAP_VALUE_SIGNED, integers[i]);

        cr_assert_eq(txtap_value_word(TXTAP_VALUE_SIGNED, key), integers[i]);
        cr_assert(i == 0 || key > txtap_value_key(TXTAP_VALUE_SIGNED, integers[i - 1]));
    }
}

Test(rows_user, no_number_has_no_place_on_the_axis)
{
    struct txtap_rows *rows = open_rows();
    struct txtap_row_values piece[3];
    struct txtap_rows_edge edges[4];
    struct txtap_row_step step;

    take(rows, 0, GAIN, bits_of(1.5f));
    take(rows, 10, GAIN, bits_of(NAN));
    take(rows, 20, GAIN, bits_of(-INFINITY));
    take(rows, 30, OTHER, 0);
    txtap_rows_edges(rows, &(struct txtap_rows_range){0, 30, 3, false}, edges);
    cr_assert_eq(txtap_rows_values(rows, row_of(rows, GAIN), edges, 3, piece), 3);
    cr_assert(piece[0].min == piece[0].max && piece[0].min == txtap_value_key(TXTAP_VALUE_FLOAT, bits_of(1.5f)));
    for (size_t i = 1; i < 3; i++) {
        cr_assert_gt(piece[i].min, piece[i].max);
        cr_assert_eq(piece[i].flags, TXTAP_VALUES_PARTLY);
    }
    cr_assert(txtap_rows_at(rows, row_of(rows, GAIN), 25, &step));
    cr_assert(step.value_known && step.value == bits_of(-INFINITY), "its text is shown");
    fixture_close(rows);
}

Test(rows_user, a_gap_is_a_gap_and_hides_no_sample)
{
    struct txtap_rows *rows = open_rows();
    struct txtap_row_values piece[6];
    struct txtap_rows_edge edges[7];
    struct txtap_row_step step;

    take(rows, 0, LEVEL, 5);
    take(rows, 10, LEVEL, 99);
    lose(rows, 10, 30);
    take(rows, 30, OTHER, 0);
    take(rows, 40, LEVEL, 7);
    take(rows, 60, OTHER, 0);
    txtap_rows_edges(rows, &(struct txtap_rows_range){0, 60, 6, false}, edges);
    cr_assert_eq(txtap_rows_values(rows, row_of(rows, LEVEL), edges, 6, piece), 5);
    cr_assert(piece[0].max == 5 && piece[0].flags == TXTAP_VALUES_LAST);
    cr_assert(piece[1].min == 99 && piece[1].max == 99 && piece[1].flags == TXTAP_VALUES_PARTLY,
              "the last sample before the gap is drawn");
    cr_assert(piece[2].x0 == 2 && piece[2].x1 == 4 && piece[2].min > piece[2].max);
    cr_assert(piece[3].x0 == 4 && piece[3].min == 7 && piece[3].max == 7 && piece[3].flags == TXTAP_VALUES_LAST);
    cr_assert(piece[4].min == 7 && piece[4].max == 7);
    cr_assert(txtap_rows_at(rows, row_of(rows, LEVEL), 5, &step));
    cr_assert(step.value == 5 && step.from_known && step.to_known);
    cr_assert(txtap_rows_at(rows, row_of(rows, LEVEL), 20, &step));
    cr_assert(!step.value_known);
    cr_assert(txtap_rows_at(rows, row_of(rows, LEVEL), 45, &step));
    cr_assert(step.value == 7 && step.from_known && !step.to_known && step.from_ticks == 40);
    fixture_close(rows);
}

/* ---- slices ---- */

static struct txtap_row_slice slice_at(const struct txtap_rows *rows, uint64_t ticks, uint32_t depth)
{
    struct txtap_row_slice slice = {0};

    cr_assert(txtap_rows_slice(rows, row_of(rows, JOB_BEGINS), ticks, depth, &slice));
    return slice;
}

Test(rows_user, slices_nest)
{
    struct txtap_rows *rows = open_rows();
    struct txtap_row_slice slice;
    struct txtap_row row;

    take(rows, 0, OTHER, 0);
    take(rows, 10, JOB_BEGINS, 1);
    take(rows, 20, JOB_BEGINS, 2);
    take(rows, 30, JOB_ENDS, 0);
    take(rows, 40, JOB_ENDS, 0);
    take(rows, 50, JOB_BEGINS, 3);
    take(rows, 60, OTHER, 0);
    slice = slice_at(rows, 25, 1);
    cr_assert(slice.from_ticks == 10 && slice.to_ticks == 40 && slice.from_known && slice.to_known);
    slice = slice_at(rows, 25, 2);
    cr_assert(slice.from_ticks == 20 && slice.to_ticks == 30 && slice.from_known && slice.to_known);
    cr_assert_not(txtap_rows_slice(rows, row_of(rows, JOB_BEGINS), 35, 2, &slice));
    cr_assert_not(txtap_rows_slice(rows, row_of(rows, JOB_BEGINS), 45, 1, &slice));
    slice = slice_at(rows, 55, 1);
    cr_assert(slice.from_ticks == 50 && slice.to_ticks == 60 && slice.from_known && !slice.to_known, "not finished");
    cr_assert(txtap_rows_row(rows, row_of(rows, JOB_BEGINS), &row));
    cr_assert_eq(row.deepest, 2);
    fixture_close(rows);
}

Test(rows_user, an_end_without_its_begin)
{
    struct txtap_rows *rows = open_rows();
    struct txtap_row_slice slice;
    struct txtap_row_step step;
    struct txtap_row row;

    take(rows, 0, OTHER, 0);
    take(rows, 10, JOB_ENDS, 0); /* it began before the trace */
    take(rows, 20, JOB_ENDS, 0); /* no slice is open: an error of the firmware */
    take(rows, 30, JOB_BEGINS, 0);
    lose(rows, 30, 50);
    take(rows, 50, OTHER, 0);
    take(rows, 60, JOB_ENDS, 0); /* it was open from the gap on */
    take(rows, 70, OTHER, 0);
    slice = slice_at(rows, 5, 1);
    cr_assert(slice.from_ticks == 0 && slice.to_ticks == 10 && !slice.from_known && slice.to_known);
    cr_assert(txtap_rows_at(rows, row_of(rows, JOB_BEGINS), 15, &step));
    cr_assert(step.value_known && step.value == 0);
    slice = slice_at(rows, 55, 1);
    cr_assert(slice.from_ticks == 50 && slice.to_ticks == 60 && !slice.from_known && slice.to_known);
    cr_assert_not(txtap_rows_slice(rows, row_of(rows, JOB_BEGINS), 40, 1, &slice), "nothing is known in the gap");
    cr_assert(txtap_rows_row(rows, row_of(rows, JOB_BEGINS), &row));
    cr_assert_eq(row.unpaired, 1);
    fixture_close(rows);
}

Test(rows_user, the_end_may_come_first)
{
    struct txtap_rows *rows = open_rows();
    struct txtap_row row;

    take(rows, 0, JOB_ENDS, 0);
    take(rows, 10, JOB_BEGINS, 0);
    cr_assert(txtap_rows_row(rows, row_of(rows, JOB_BEGINS), &row));
    cr_assert_eq(slice_at(rows, 10, 1).from_ticks, 10);
    fixture_close(rows);
}

/* ---- other definitions ---- */

Test(rows_user, lines_may_get_other_numbers)
{
    static const char more[] = "event 5000 \"more\"\ncounter 5000 0 \"more\"\n"
                               "event 4096 \"level\" \"level {0:u}\"\ncounter 4096 0 \"level\"\n";
    struct txtap_rows *rows = open_rows();
    struct txtap_rows_summary before, after;
    struct txtap_row_step step;

    take(rows, 0, LEVEL, 1);
    txtap_rows_summary(rows, &before);
    define(more);
    take(rows, 10, 5000, 2);
    take(rows, 20, LEVEL, 3);
    txtap_rows_summary(rows, &after);
    cr_assert_eq(after.rows, before.rows + 1);
    cr_assert(txtap_rows_at(rows, row_of(rows, LEVEL), 20, &step) && step.value == 3);
    cr_assert(txtap_rows_at(rows, row_of(rows, LEVEL), 10, &step) && step.value == 1);
    txtap_rows_define(rows, NULL);
    take(rows, 30, LEVEL, 4);
    cr_assert(txtap_rows_at(rows, row_of(rows, LEVEL), 30, &step) && step.value == 3);
    fixture_close(rows);
}

Test(rows_user, the_number_of_rows_is_bounded)
{
    struct txtap_rows *rows = open_rows();
    struct txtap_rows_summary summary;
    char lines[200];

    for (uint32_t i = 0; i < TXTAP_DEFINITION_ROWS_MAX + 9; i++) {
        (void)snprintf(lines, sizeof lines, "event %u \"e\"\ncounter %u 0 \"e\"\n", i + 100, i + 100);
        define(lines);
        take(rows, i, i + 100, i);
    }
    txtap_rows_summary(rows, &summary);
    cr_assert_eq(summary.left_out, 9);
    fixture_close(rows);
}

/* ---- many values ---- */

struct sample {
    uint64_t ticks;
    uint32_t index, key;
    bool known, on_axis;
};

static uint64_t state;

static uint32_t any_below(uint32_t limit)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % limit;
}

static struct sample samples[5][EVENTS_MAX];
static size_t sample_count[5];
static const uint32_t sample_ids[5] = {LEVEL, CURRENT, GAIN, MODE, JOB_BEGINS};

static void add_sample(size_t of, struct sample sample)
{
    samples[of][sample_count[of]++] = sample;
}

/* Makes random events, and notes every value that a row should have. */
static uint32_t make(struct txtap_rows *rows, uint32_t count)
{
    uint64_t ticks = 0;
    uint32_t open = 0, index = 0;

    memset(sample_count, 0, sizeof sample_count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t what = any_below(80), word = any_below(7) == 0 ? any_below(UINT32_MAX) : any_below(200);
        uint32_t id = what < 10 ? OTHER : LEVEL + what % 6;
        bool number = id != GAIN || (word & 0x7F800000u) != 0x7F800000u;
        static const enum txtap_value_form forms[] = {TXTAP_VALUE_UNSIGNED, TXTAP_VALUE_SIGNED, TXTAP_VALUE_FLOAT,
                                                      TXTAP_VALUE_UNSIGNED};

        ticks += any_below(3) * any_below(20);
        if (what == 0 && index > 0 && open < 3) {
            lose(rows, ticks, ticks + 50);
            for (size_t of = 0; of < 5; of++)
                if (sample_count[of] > 0)
                    add_sample(of, (struct sample){.ticks = ticks, .index = index - 1});
            ticks += 50;
            open = 0;
            continue;
        }
        if (id == JOB_ENDS && (open == 0 || any_below(3) == 0))
            id = JOB_BEGINS;
        take(rows, ticks, id, word);
        if (id < JOB_BEGINS)
            add_sample(id - LEVEL,
                       (struct sample){ticks, index, txtap_value_key(forms[id - LEVEL], word), true, number});
        else if (id < OTHER)
            add_sample(4, (struct sample){ticks, index, id == JOB_BEGINS ? ++open : --open, true, true});
        index++;
    }
    take(rows, ticks, OTHER, 0);
    return index;
}

/* Returns the sample at a moment; NULL: before the first sample. */
static const struct sample *sample_at(size_t of, uint32_t index)
{
    const struct sample *found = NULL;

    for (size_t i = 0; i < sample_count[of] && samples[of][i].index <= index; i++)
        found = &samples[of][i];
    return found;
}

static void add_expected(struct txtap_row_values *expected, const struct sample *sample)
{
    if (sample == NULL || !sample->known || !sample->on_axis) {
        expected->flags |= TXTAP_VALUES_PARTLY;
        return;
    }
    expected->min = sample->key < expected->min ? sample->key : expected->min;
    expected->max = sample->key > expected->max ? sample->key : expected->max;
}

/* Computes the content of a column from the list of all samples. */
static struct txtap_row_values expected_in(size_t of, const struct txtap_rows_edge *edge)
{
    struct txtap_row_values expected = {.min = UINT32_MAX};
    const struct sample *last = edge->index > 0 ? sample_at(of, edge->index - 1) : NULL;
    bool begins = false;

    for (size_t i = 0; i < sample_count[of] && !begins; i++)
        if (samples[of][i].index >= edge->index) {
            begins = samples[of][i].index < edge[1].index && samples[of][i].ticks <= edge->at;
            break;
        }
    if (!begins)
        add_expected(&expected, last);
    for (size_t i = 0; i < sample_count[of]; i++)
        if (samples[of][i].index >= edge->index && samples[of][i].index < edge[1].index)
            add_expected(&expected, last = &samples[of][i]);
    if (last != NULL && last->known && last->on_axis) {
        expected.flags |= TXTAP_VALUES_LAST;
        expected.last = last->key;
    }
    return expected;
}

static void check_columns(const struct txtap_rows *rows, size_t of, uint64_t from, uint64_t to)
{
    static struct txtap_row_values pieces[COLUMNS];
    static struct txtap_rows_edge edges[COLUMNS + 1];
    uint32_t row = row_of(rows, sample_ids[of]);
    size_t count;

    cr_assert_eq(txtap_rows_edges(rows, &(struct txtap_rows_range){from, to, COLUMNS, false}, edges), TXTAP_OK);
    count = txtap_rows_values(rows, row, edges, COLUMNS, pieces);
    cr_assert_gt(count, 0);
    for (size_t i = 0; i < count; i++)
        for (uint32_t x = pieces[i].x0; x < pieces[i].x1; x++) {
            struct txtap_row_values expected = expected_in(of, &edges[x]);

            cr_assert(pieces[i].min == expected.min && pieces[i].max == expected.max,
                      "row %zu, column %u: %u-%u, not %u-%u", of, x, pieces[i].min, pieces[i].max, expected.min,
                      expected.max);
            cr_assert_eq(pieces[i].flags & (TXTAP_VALUES_LAST | TXTAP_VALUES_PARTLY), expected.flags,
                         "row %zu, column %u: flags %u, not %u", of, x, pieces[i].flags, expected.flags);
            cr_assert((expected.flags & TXTAP_VALUES_LAST) == 0 || pieces[i].last == expected.last);
        }
}

/* Finds the slice at a moment by a walk over all samples. */
static void check_slice(const struct txtap_rows *rows, uint32_t index, uint64_t ticks, uint32_t depth)
{
    const struct sample *at = sample_at(4, index), *first = at, *after = at, *end = &samples[4][sample_count[4]];
    struct txtap_row_slice slice;
    bool open = at != NULL && at->known && at->key >= depth;

    cr_assert_eq(txtap_rows_slice(rows, row_of(rows, JOB_BEGINS), ticks, depth, &slice), open);
    if (!open)
        return;
    while (first > samples[4] && first[-1].known && first[-1].key >= depth)
        first--;
    while (after < end && after->known && after->key >= depth)
        after++;
    cr_assert_eq(slice.index, first->index, "at %u", index);
    cr_assert(slice.from_known);
    cr_assert_eq(slice.to_known, after < end && after->known);
    cr_assert_eq(slice.to_ticks, after < end ? after->ticks : txtap_rows_ticks(rows, UINT32_MAX));
}

Test(rows_user, agree_with_a_list_of_all_values)
{
    struct txtap_rows *rows = open_rows();
    struct txtap_rows_summary summary;

    state = 11;
    make(rows, EVENTS_MAX / 2);
    txtap_rows_summary(rows, &summary);
    for (unsigned i = 0; i < 12; i++) {
        uint64_t whole = summary.to_ticks, from = any_below((uint32_t)whole),
                 to = from + 1 +
                      any_below((uint32_t)(i % 3 == 0   ? whole
                                           : i % 3 == 1 ? 20000
                                                        : 900));

        for (size_t of = 0; of < 5; of++)
            check_columns(rows, of, from, to);
    }
    for (unsigned i = 0; i < 400; i++) {
        uint64_t ticks = any_below((uint32_t)summary.to_ticks);
        uint32_t index = txtap_rows_event_at(rows, ticks + 1) - 1;

        for (uint32_t depth = 1; depth < 5; depth++)
            check_slice(rows, index, ticks, depth);
    }
    fixture_close(rows);
}

Test(rows_user, old_values_are_dropped)
{
    struct txtap_rows *rows = open_rows();
    struct txtap_rows_summary summary;
    struct txtap_row_step step;

    state = 12;
    make(rows, EVENTS_MAX / 4);
    txtap_rows_drop(rows, 6000);
    txtap_rows_summary(rows, &summary);
    cr_assert_gt(summary.first, 0);
    for (size_t of = 0; of < 5; of++) {
        check_columns(rows, of, summary.from_ticks, summary.to_ticks);
        cr_assert(txtap_rows_at(rows, row_of(rows, sample_ids[of]), summary.from_ticks, &step));
        cr_assert(step.index > summary.first || (step.index == summary.first && !step.from_known));
    }
    fixture_close(rows);
}
