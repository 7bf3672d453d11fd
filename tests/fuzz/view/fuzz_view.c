/* SPDX-License-Identifier: MIT */
/*
 * Gives any bytes to the page of 'txtap view': as a file of any kind, or as a recording in pieces. Then makes all
 * queries of the page, also with numbers from the input. Each index that is kept must have an answer, and no other
 * index may have one.
 */
#include <string.h>

#include "fuzz.h"
#include "recording_repair.h"
#include "view/wasm/answers.h"
#include "view/wasm/csv.h"
#include "view/wasm/instances.h"
#include "view/wasm/report.h"

/* Keeps the sanitizer's quarantine small, so that each trace reuses memory. New memory for each would take long. */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
    return "quarantine_size_mb=4";
}

static void ask_rows(struct view_trace *trace, const uint64_t numbers[4])
{
    const struct store *store = &trace->store;
    struct txtap_rows_range range = {numbers[0], numbers[1], (uint32_t)numbers[2] % 200, numbers[3] % 2 != 0};
    size_t count;

    for (uint32_t row = 0; row < 12; row++) {
        count = columns_of_row(trace, row, &range);
        REQUIRE(count <= range.count);
        range.by_event = !range.by_event;
        count = columns_of_events(trace, row % 3 == 0 ? TXTAP_ROW_NONE : row, &range);
        REQUIRE(count == 0 || count == range.count);
        for (size_t i = 0; i < count; i++)
            REQUIRE(columns_event_of(trace, ((uint32_t *)trace->columns.cells)[i]) <= store_end(store));
        answer_sums(trace, row, numbers[0], numbers[1]);
        answer_step(trace, row, numbers[2]);
        answer_slice(trace, row, numbers[2], (uint32_t)numbers[3] % 4);
        answer_value(trace, row, (uint32_t)numbers[3]);
        answer_sample(trace, row, numbers[2]);
        answer_sample_value(trace, row, (double)numbers[3]);
    }
    answer_rows(trace);
    if (numbers[3] % 64 == 0) /* it clears 8 MiB */
        answer_profile(trace, numbers[0], numbers[1]);
    answer_wakes(trace, numbers[0], numbers[1], 50);
    answer_gaps(trace, numbers[0], numbers[1], 50);
}

static void ask(struct view_trace *trace, const uint64_t numbers[4])
{
    const struct store *store = &trace->store;
    uint32_t first = store_first(store), end = store_end(store);
    const uint32_t asked[] = {first, end, end - 1, first - 1, (uint32_t)numbers[0], (uint32_t)numbers[3]};

    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        bool held = asked[i] >= first && asked[i] < end;

        answer_event(trace, asked[i]);
        REQUIRE(held == (trace->out.length > 0));
        if (!held)
            continue;
        REQUIRE(store_ticks(store, asked[i]) >= store_ticks(store, first));
        REQUIRE(store_at(store, store_ticks(store, asked[i])) <= asked[i]);
        (void)store_of_seq(store, store_seq(store, asked[i]));
    }
    answer_state(trace);
    answer_marks(trace, numbers[0], numbers[1], 10);
    answer_time(trace, numbers[2]);
    ask_rows(trace, numbers);
    REQUIRE(!trace->out.failed);
}

/* Makes a report while more events arrive. It must fail, or include all events that were there at the start. It is the
 * flow, or explains the span that the first event and the numbers choose. */
static void report(struct view_trace *trace, uint64_t from, uint32_t count, const uint8_t *more, size_t length)
{
    const struct store *store = &trace->store;
    const struct txtap_why_wish wish = {
        .select = (enum txtap_why_select)(count % (TXTAP_WHY_WORST + 1)),
        .figure = (enum txtap_figure_id)(from % 200),
        .seq = store_end(store) > store_first(store) ? store_seq(store, store_first(store)) + from % 64 : from,
        .ticks = from};
    bool flow = count % 5 == 0, is_report = flow || wish.select == TXTAP_WHY_WORST;
    enum report_state state;

    REQUIRE(report_begin(trace, count % 2 != 0 ? from : 0, UINT64_MAX, flow ? NULL : &wish));
    state = report_step(trace, count);
    view_trace_feed(trace, more, length);
    while (state == REPORT_MORE)
        state = report_step(trace, count + 1);
    REQUIRE((is_report ? report_answer(trace) : report_answer_why(trace)) == (state == REPORT_DONE));
    REQUIRE(state != REPORT_DONE || trace->out.at[0] == '{' || strcmp(trace->out.at, "null") == 0);
    REQUIRE(report_step(trace, 1) == REPORT_NONE);
}

/* Makes instances while more events arrive. They must fail, or be complete. Then asks for a plot and for instances. */
static void plot(struct view_trace *trace, const uint64_t numbers[4], const uint8_t *more, size_t length)
{
    static const char *const figures[] = {"response", "wake", "block", "hold", "isr", "turns", "period", "cpu"};
    uint32_t series = numbers[2] % 3 == 0 ? INSTANCES_ALL : (uint32_t)numbers[2] % 16;
    uint32_t columns = (uint32_t)numbers[3] % 100 + 1;
    enum report_state state;
    const double *plotted;

    if (!instances_begin(trace, figures[numbers[1] % 8])) {
        REQUIRE(numbers[1] % 8 == 7 && trace->instances == NULL);
        return;
    }
    state = report_step(trace, (uint32_t)numbers[2] % 64);
    view_trace_feed(trace, more, length);
    if (numbers[3] % 8 == 0)
        REQUIRE(report_begin(trace, 0, UINT64_MAX, NULL)); /* a report instead: the instances are never completed */
    while (state == REPORT_MORE)
        state = report_step(trace, 100);
    REQUIRE(instances_end(trace) == (state == REPORT_DONE && numbers[3] % 8 != 0));
    plotted = instances_columns(trace, series, (double)numbers[0], (double)numbers[1], columns);
    REQUIRE((plotted != NULL) == (numbers[1] > numbers[0] && (double)numbers[1] > (double)numbers[0]));
    for (uint32_t i = 0; plotted != NULL && i < columns; i++)
        REQUIRE(plotted[i] <= plotted[columns + i]);
    instances_answer(trace, instances_near(trace, series, 0, 1e18, (double)numbers[2]));
    for (uint32_t at = INSTANCES_NONE, i = 0; i < 10; i++) {
        at = instances_step(trace, series, at, numbers[0] % 2 == 0);
        instances_answer(trace, at);
    }
    instances_csv(trace, series, 0, (double)numbers[1]);
    REQUIRE(!trace->out.failed);
}

/* Writes CSV while more events arrive. It must fail, or end with a complete line. */
static void write_csv(struct view_trace *trace, uint64_t from, uint64_t to, uint32_t count, const uint8_t *more,
                      size_t length)
{
    enum csv_state state;

    if (!csv_begin(trace, from, to))
        return;
    state = csv_step(trace, count);
    view_trace_feed(trace, more, length);
    while (state == CSV_MORE)
        state = csv_step(trace, count + 1);
    REQUIRE(state == CSV_NONE || trace->out.length == 0 || trace->out.at[trace->out.length - 1] == '\n');
    REQUIRE(csv_step(trace, 1) == CSV_NONE);
}

/* Makes user values of the kernel's events and of the application's events. */
static void define(struct view_trace *trace)
{
    static const char lines[] = "enum mode 0=idle 1=running\n"
                                "event 1 \"resume\" \"{0:object}\"\nevent 2 \"suspend\" \"{1:d/10 C}\"\n"
                                "event 68 \"receive\" \"{2:f}\"\nevent 4096 \"user\" \"{0:enum mode}\"\n"
                                "event 83 \"get\"\nevent 88 \"put\"\nevent 69 \"send\"\n"
                                "counter 1 0 \"a\"\ncounter 2 1 \"b\"\ncounter 68 2 \"c\"\ncounter 4096 0 \"d\"\n"
                                "slice 83 88 \"e\"\ncounter 69 3 \"f\"\n";

    view_trace_define(trace, MEANING_OF_USER, lines, sizeof lines - 1);
    REQUIRE(trace->notes.length == 0);
}

/* Shows the bytes. piece: number of bytes given at a time; 0: all bytes as one file. */
static void show(const uint8_t *bytes, size_t length, size_t piece, uint32_t keep)
{
    const struct view_options options = {.tick_hz = length % 2 ? 1e6 : 0, .keep = keep, .name = "fuzz"};
    struct view_trace *trace = view_trace_new(&options);
    uint64_t numbers[4] = {0, 1000, 50, 3};

    REQUIRE(trace != NULL);
    memcpy(numbers, bytes, length < sizeof numbers ? length : sizeof numbers);
    if (length % 4 == 1)
        define(trace);
    if (piece == 0)
        view_trace_load(trace, bytes, length);
    for (size_t at = 0; piece > 0 && at < length; at += piece) {
        size_t part = length - at < piece ? length - at : piece;

        if (at > 0 && at <= piece && length % 8 == 1)
            write_csv(trace, numbers[1] % 1000, numbers[0], (uint32_t)numbers[2] % 64, bytes + at, part);
        else if (at > 0 && at <= piece && length % 8 == 2)
            plot(trace, numbers, bytes + at, part);
        else if (at > 0 && at <= piece && length % 8 == 0)
            report(trace, numbers[1] % 1000, (uint32_t)numbers[2] % 64, bytes + at, part);
        else
            view_trace_feed(trace, bytes + at, part);
    }
    ask(trace, numbers);
    view_trace_end(trace);
    ask(trace, (const uint64_t[4]){store_end(&trace->store) / 3, UINT64_MAX, 100, numbers[0]});
    write_csv(trace, 0, UINT64_MAX, 100, NULL, 0);
    if (length % 16 == 1)
        plot(trace, numbers, NULL, 0);
    if (length % 16 == 0)
        report(trace, numbers[0] % 1000, 100, NULL, 0);
    if (length % 3 == 0)
        REQUIRE(report_begin(trace, 0, UINT64_MAX, &(struct txtap_why_wish){0})); /* this report is never completed */
    report_forget(trace);
    instances_forget(trace);
    view_trace_free(trace);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    uint8_t *copy = malloc(length + 1);

    REQUIRE(copy != NULL);
    show(bytes, length, 0, 0);
    memcpy(copy, bytes, length);
    recording_repair(copy, length);
    show(copy, length, length % 7 * 50, length % 3 == 0 ? 1 : 0);
    free(copy);
    return 0;
}
