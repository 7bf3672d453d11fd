/* SPDX-License-Identifier: MIT */
/* The rows of samples: pieces against a plain walk over all samples, texts, program counters, limits, and dropping. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rows/rows_fixture.h"
#include "seeds.h"
#include "txtap/inner/rows_samples.h"

static const struct txtap_channel_word words[] = {{-1, "BROKEN"}, {2, "RUNNING"}};
static const struct txtap_channel speed = {.number = 3, .form = TXTAP_FORM_FLOAT, .name = "speed", .unit = "V"};
static const struct txtap_channel mode = {
    .number = 255, .form = TXTAP_FORM_STATE, .name = "mode", .words = words, .word_count = 2};
static const struct txtap_channel uart = {.number = 0, .kind = TXTAP_CHANNEL_LOG, .name = "uart"};
static const struct txtap_channel pc = {
    .number = 1, .kind = TXTAP_CHANNEL_PC, .form = TXTAP_FORM_ADDRESS, .name = "pc"};

static struct txtap_rows *rows;

static void give(const struct txtap_channel *channel, uint64_t ticks, uint64_t bits)
{
    const struct txtap_sample sample = {
        .channel = channel, .ticks = ticks, .from_ticks = ticks, .to_ticks = ticks, .bits = bits, .text = ""};

    cr_assert_eq(txtap_rows_take_sample(rows, &sample), TXTAP_OK);
}

static void give_unreadable(const struct txtap_channel *channel, uint64_t ticks)
{
    const struct txtap_sample sample = {
        .channel = channel, .state = TXTAP_SAMPLE_UNREADABLE, .ticks = ticks, .to_ticks = UINT64_MAX, .text = ""};

    cr_assert_eq(txtap_rows_take_sample(rows, &sample), TXTAP_OK);
}

static void give_line(uint64_t ticks, const char *text)
{
    const struct txtap_sample sample = {.channel = &uart, .ticks = ticks, .to_ticks = ticks, .text = text};

    cr_assert_eq(txtap_rows_take_sample(rows, &sample), TXTAP_OK);
}

static uint32_t row_of(const struct txtap_channel *channel)
{
    struct txtap_row row;

    for (uint32_t i = 0; txtap_rows_row(rows, i, &row); i++)
        if (row.channel == channel)
            return i;
    cr_assert_fail("no row of %s", channel->name);
    return 0;
}

/* Adds events at these times, without any other change. */
static void give_events(uint64_t first, uint64_t step, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        cr_assert_eq(txtap_rows_take(rows, &(struct txtap_change){.kind = TXTAP_CHANGE_EVENT,
                                                                  .ticks = first + i * step,
                                                                  .seq = i,
                                                                  .recorded.thread.number = TXTAP_CHANGE_NONE}),
                     TXTAP_OK);
}

/* ---- a plain walk ---- */

struct plain {
    uint64_t ticks, bits;
    bool known;
};

static struct plain plain[20000];
static size_t plain_count;
static uint64_t plain_until; /* ticks of the newest sample */

static double plain_number(size_t i)
{
    double number;

    memcpy(&number, &plain[i].bits, sizeof number);
    return plain[i].known && isfinite(number) ? number : (double)NAN;
}

static bool is_equal(double a, double b)
{
    return (isnan(a) && isnan(b)) || !(a < b || a > b);
}

/* Returns true if the column from `begin` to `end` has a piece; sets the piece. */
static bool plain_piece(uint64_t begin, uint64_t end, struct txtap_row_samples *out)
{
    bool any = false, partly = false;
    double last = (double)NAN;

    out->min = (double)INFINITY;
    out->max = (double)-INFINITY;
    for (size_t i = 0; i < plain_count && plain[i].ticks < end; i++) {
        bool lasts = i + 1 == plain_count ? begin <= plain_until : begin < plain[i + 1].ticks;

        if (plain[i].ticks < begin && !lasts)
            continue;
        any = true;
        last = plain_number(i);
        partly = partly || isnan(last);
        out->min = last < out->min ? last : out->min;
        out->max = last > out->max ? last : out->max;
    }
    out->last = last;
    out->flags = (uint16_t)((isnan(last) ? 0 : TXTAP_VALUES_LAST) | (partly ? TXTAP_VALUES_PARTLY : 0));
    return any && begin < end;
}

static uint64_t column_begin(const struct txtap_rows_edge *edge, uint32_t end)
{
    if (!edge->by_event)
        return edge->at;
    return edge->index >= end ? UINT64_MAX : edge->ticks;
}

static void compare(uint32_t row, const struct txtap_rows_range *range, uint64_t seed)
{
    static struct txtap_rows_edge edges[400];
    static struct txtap_row_samples out[400];
    struct txtap_rows_summary summary;
    size_t count, at = 0;

    txtap_rows_summary(rows, &summary);
    cr_assert_eq(txtap_rows_edges(rows, range, edges), TXTAP_OK);
    count = txtap_rows_samples(rows, row, edges, range->count, out);
    for (uint32_t x = 0; x < range->count; x++) {
        struct txtap_row_samples expected;
        bool some =
            plain_piece(column_begin(&edges[x], summary.end), column_begin(&edges[x + 1], summary.end), &expected);
        bool empty = column_begin(&edges[x], summary.end) == column_begin(&edges[x + 1], summary.end);

        while (at < count && out[at].x1 <= x)
            at++;
        if (empty)
            continue;
        cr_assert_eq(at < count && out[at].x0 <= x, some, "seed %" PRIu64 ", column %u", seed, x);
        if (!some)
            continue;
        cr_assert(is_equal(out[at].min, expected.min) && is_equal(out[at].max, expected.max) &&
                      is_equal(out[at].last, expected.last) && out[at].flags == expected.flags,
                  "seed %" PRIu64 ", column %u: %g..%g, %g, %u; expected %g..%g, %g, %u", seed, x, out[at].min,
                  out[at].max, out[at].last, out[at].flags, expected.min, expected.max, expected.last, expected.flags);
    }
}

static void give_random(uint64_t *random)
{
    static const double odd[] = {(double)NAN, (double)INFINITY, -0.0, 1e300, -1e300};
    uint64_t ticks = next_random(random, 3000);
    uint32_t pace = 1 + next_random(random, 40);

    plain_count = 0;
    for (uint32_t i = 1 + next_random(random, 4000); i > 0; i--, ticks += next_random(random, pace)) {
        double number = next_random(random, 20) == 0 ? odd[next_random(random, 5)] : (double)next_random(random, 9) - 4;
        struct plain next = {ticks, txtap_sample_bits(number), next_random(random, 30) > 0};

        next.bits = next.known ? next.bits : 0;
        if (next.known)
            give(&speed, ticks, next.bits);
        else
            give_unreadable(&speed, ticks);
        plain_until = ticks;
        if (plain_count == 0 || plain[plain_count - 1].known != next.known || plain[plain_count - 1].bits != next.bits)
            plain[plain_count++] = next;
    }
}

Test(rows_samples, pieces_are_those_of_a_plain_walk)
{
    uint64_t first = setting("TXTAP_SEED", 1), runs = setting("TXTAP_RUNS", 60);

    for (uint64_t seed = first; seed < first + runs; seed++) {
        uint64_t random = seed;

        rows = fixture_rows(0, UINT32_MAX);
        give_events(next_random(&random, 2000), 1 + next_random(&random, 60), 500);
        give_random(&random);
        for (unsigned i = 0; i < 40; i++) {
            struct txtap_rows_range range = {.count = 1 + next_random(&random, 399), .by_event = i % 4 == 0};

            range.from = next_random(&random, range.by_event ? 520 : 40000);
            range.to = range.from + 1 + next_random(&random, range.by_event ? 520 : i % 2 == 0 ? 90000 : 300);
            compare(row_of(&speed), &range, seed);
        }
        fixture_close(rows);
    }
}

/* ---- single samples ---- */

Test(rows_samples, equal_samples_are_one_step)
{
    struct txtap_row_sample sample;
    struct txtap_row row;
    uint32_t number;

    rows = fixture_rows(0, UINT32_MAX);
    give(&mode, 100, 2);
    give(&mode, 110, 2);
    give(&mode, 150, (uint64_t)-1);
    give(&mode, 170, (uint64_t)-1);
    number = row_of(&mode);
    cr_assert(txtap_rows_row(rows, number, &row));
    cr_assert_eq(row.kind, TXTAP_ROW_SAMPLED_STATE);
    cr_assert_eq(row.samples, 4);
    cr_assert(txtap_rows_sample(rows, number, txtap_rows_first_sample(rows, number, 0), &sample));
    cr_assert_eq(sample.sample.ticks, 100);
    cr_assert_eq(sample.to_ticks, 150);
    cr_assert_not(sample.last);
    cr_assert_str_eq(txtap_sample_word(&sample.sample), "RUNNING");
    cr_assert(txtap_rows_sample(rows, number, txtap_rows_first_sample(rows, number, 101), &sample));
    cr_assert_eq(sample.to_ticks, 170);
    cr_assert(sample.last && sample.known);
    cr_assert_eq(txtap_rows_first_sample(rows, number, 151), 2);
    cr_assert_not(txtap_rows_sample(rows, number, 2, &sample));
    fixture_close(rows);
}

Test(rows_samples, value_is_not_known_after_a_restart)
{
    struct txtap_row_sample sample;

    rows = fixture_rows(0, UINT32_MAX);
    give(&mode, 100, 2);
    cr_assert_eq(txtap_rows_forget_samples(rows), TXTAP_OK);
    cr_assert_eq(txtap_rows_forget_samples(rows), TXTAP_OK);
    give(&mode, 190, 2);
    cr_assert(txtap_rows_sample(rows, row_of(&mode), 1, &sample));
    cr_assert_not(sample.known);
    cr_assert_eq(sample.to_ticks, 190);
    cr_assert(txtap_rows_sample(rows, row_of(&mode), 2, &sample) && sample.known);
    cr_assert_not(txtap_rows_sample(rows, row_of(&mode), 3, &sample));
    fixture_close(rows);
}

Test(rows_samples, window_is_at_most_a_quarter_too_long)
{
    struct txtap_row_sample out;
    uint32_t number = 0;

    rows = fixture_rows(0, UINT32_MAX);
    for (uint64_t window = 0; window < UINT64_C(1) << 52; window += 1 + window / 7, number++) {
        const struct txtap_sample sample = {.channel = &pc,
                                            .ticks = UINT64_C(1) << 53,
                                            .from_ticks = (UINT64_C(1) << 53) - window / 2,
                                            .to_ticks = (UINT64_C(1) << 53) + window,
                                            .text = ""};

        cr_assert_eq(txtap_rows_take_sample(rows, &sample), TXTAP_OK);
        cr_assert(txtap_rows_sample(rows, 0, number, &out));
        cr_assert_geq(out.window, window);
        cr_assert_leq(out.window, window + window / 4);
    }
    give_unreadable(&pc, UINT64_C(1) << 53);
    cr_assert(txtap_rows_sample(rows, 0, number, &out));
    cr_assert_eq(out.window, UINT64_MAX);
    fixture_close(rows);
}

Test(rows_samples, program_counters_keep_their_thread)
{
    const struct txtap_sample taken = {
        .channel = &pc, .ticks = 9, .bits = 0x08001235, .thread = 0x20000ffc, .to_ticks = 9, .text = ""};
    struct txtap_row_sample sample;

    rows = fixture_rows(0, UINT32_MAX);
    cr_assert_eq(txtap_rows_take_sample(rows, &taken), TXTAP_OK);
    cr_assert_eq(txtap_rows_take_sample(rows, &taken), TXTAP_OK);
    cr_assert(txtap_rows_sample(rows, 0, 1, &sample), "equal samples of PC are counted");
    cr_assert_eq(sample.sample.bits, 0x08001235);
    cr_assert_eq(sample.sample.thread, 0x20000ffc);
    fixture_close(rows);
}

/* ---- texts, limits ---- */

static void assert_lines(uint32_t from, uint32_t until)
{
    struct txtap_row_sample sample;
    char text[TXTAP_SAMPLE_TEXT_BYTES];

    for (uint32_t i = from; i < until; i++) {
        snprintf(text, sizeof text, "%u%*s", i, (int)(i * 37 % 1000), "x");
        cr_assert(txtap_rows_sample(rows, row_of(&uart), i, &sample));
        cr_assert_str_eq(sample.sample.text, text);
    }
}

static void give_lines(uint32_t until)
{
    char text[TXTAP_SAMPLE_TEXT_BYTES];

    for (uint32_t i = 0; i < until; i++) {
        snprintf(text, sizeof text, "%u%*s", i, (int)(i * 37 % 1000), "x");
        give_line(i, text);
    }
}

Test(rows_samples, lines_keep_their_texts)
{
    rows = fixture_rows(0, UINT32_MAX);
    give_lines(3000);
    assert_lines(0, 3000);
    fixture_close(rows);
}

Test(rows_samples, oldest_lines_are_dropped_for_lack_of_memory)
{
    struct txtap_rows_summary summary;
    struct txtap_row_sample sample;

    rows = fixture_rows(0, 60);
    give_lines(3000);
    txtap_rows_summary(rows, &summary);
    cr_assert_not(summary.full);
    cr_assert_gt(summary.samples_dropped, 0);
    cr_assert_not(txtap_rows_sample(rows, row_of(&uart), (uint32_t)summary.samples_dropped - 1, &sample));
    assert_lines((uint32_t)summary.samples_dropped, 3000);
    fixture_close(rows);
}

Test(rows_samples, samples_go_with_the_events_around_them)
{
    struct txtap_row_sample sample;

    rows = fixture_rows(0, UINT32_MAX);
    give_events(0, 10, 5000);
    give(&mode, 100, 2);
    for (uint32_t i = 0; i < 5000; i++) {
        give(&speed, 10 * i + 5, txtap_sample_bits(i));
        give_line(10 * i + 5, "line");
    }
    txtap_rows_drop(rows, 2048);
    cr_assert(txtap_rows_sample(rows, row_of(&speed), 2047, &sample), "its value lasts at the first event");
    cr_assert_not(txtap_rows_sample(rows, row_of(&speed), 2046, &sample));
    cr_assert_not(txtap_rows_sample(rows, row_of(&uart), 2047, &sample));
    cr_assert(txtap_rows_sample(rows, row_of(&uart), 2048, &sample));
    cr_assert_str_eq(sample.sample.text, "line");
    cr_assert(txtap_rows_sample(rows, row_of(&mode), 0, &sample));
    fixture_close(rows);
}

Test(rows_samples, limit_drops_samples_of_the_longest_row)
{
    struct txtap_rows_summary summary;
    struct txtap_row_sample sample;

    rows = fixture_open(&(struct txtap_rows_options){.samples = 5000}, UINT32_MAX);
    give(&mode, 1, 2);
    for (uint32_t i = 0; i < 20000; i++)
        give(&speed, i, txtap_sample_bits(i));
    txtap_rows_summary(rows, &summary);
    cr_assert_geq(summary.samples_dropped, 20001 - 5000);
    cr_assert_leq(summary.samples_dropped, 20001 - 4000);
    cr_assert_not(txtap_rows_sample(rows, row_of(&speed), (uint32_t)summary.samples_dropped - 1, &sample));
    cr_assert(txtap_rows_sample(rows, row_of(&speed), (uint32_t)summary.samples_dropped, &sample));
    cr_assert_eq(sample.sample.ticks, summary.samples_dropped);
    cr_assert(txtap_rows_sample(rows, row_of(&mode), 0, &sample));
    fixture_close(rows);
}
