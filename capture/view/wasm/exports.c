/* SPDX-License-Identifier: MIT */
/* The functions that decoder.js calls. 64-bit numbers are passed as f64, which is exact up to 2^53. */
#include <stdint.h>
#include <stdlib.h>

#include "view/wasm/answers.h"
#include "view/wasm/compare.h"
#include "view/wasm/csv.h"
#include "view/wasm/instances.h"
#include "view/wasm/judge.h"
#include "view/wasm/report.h"

#define EXPORT(name) __attribute__((export_name(#name)))

/* ---- memory ---- */

EXPORT(memory_take) void *memory_take(size_t bytes)
{
    return malloc(bytes);
}

EXPORT(memory_give) void memory_give(void *bytes)
{
    free(bytes);
}

/* Converts a time or an event number. An invalid value becomes the nearest valid value. */
static uint64_t whole(double number)
{
    if (!(number > 0))
        return 0;
    return number < 0x1p63 ? (uint64_t)number : UINT64_MAX;
}

/* Checks a tick rate, because a page's server may send any number. Outside these bounds the rate counts as unknown. */
static double rate(double hz)
{
    return hz >= VIEW_HZ_LEAST && hz <= VIEW_HZ_MOST ? hz : 0;
}

/* ---- a trace ---- */

EXPORT(trace_open)
struct view_trace *trace_open(const char *name, double hz, bool given, uint32_t profile, uint32_t keep)
{
    return view_trace_new(&(struct view_options){
        .tick_hz = rate(hz), .hz_given = given && rate(hz) > 0, .profile = profile, .keep = keep, .name = name});
}

EXPORT(trace_close) void trace_close(struct view_trace *trace)
{
    report_forget(trace);
    instances_forget(trace);
    view_trace_free(trace);
}

EXPORT(trace_set_hz) void trace_set_hz(struct view_trace *trace, double hz)
{
    trace->options.tick_hz = rate(hz);
    trace->options.hz_given = true;
    trace->text.era = trace->json.era = NULL; /* makes both exporters start again with the new rate */
    trace->version++;
}

EXPORT(trace_define) void trace_define(struct view_trace *trace, const char *text, size_t length, bool of_user)
{
    view_trace_define(trace, of_user ? MEANING_OF_USER : MEANING_OF_FIRMWARE, text, length);
}

EXPORT(trace_feed) void trace_feed(struct view_trace *trace, const uint8_t *bytes, size_t length)
{
    view_trace_feed(trace, bytes, length);
}

EXPORT(trace_load) void trace_load(struct view_trace *trace, const uint8_t *bytes, size_t length)
{
    view_trace_load(trace, bytes, length);
}

EXPORT(trace_add_start) bool trace_add_start(struct view_trace *trace, const uint8_t *bytes, size_t length, double size)
{
    return view_trace_add_start(trace, bytes, length, whole(size));
}

EXPORT(trace_next_file) void trace_next_file(struct view_trace *trace)
{
    view_trace_next_file(trace);
}

EXPORT(trace_note) void trace_note(struct view_trace *trace, const char *text)
{
    view_trace_note(trace, text);
}

EXPORT(trace_end) void trace_end(struct view_trace *trace)
{
    view_trace_end(trace);
}

EXPORT(trace_version) uint32_t trace_version(const struct view_trace *trace)
{
    return trace->version;
}

/* ---- answers: texts, at trace_text() ---- */

EXPORT(trace_text) const char *trace_text(const struct view_trace *trace)
{
    return trace->out.at;
}

static size_t length_of(const struct view_trace *trace)
{
    return trace->out.failed ? 0 : trace->out.length;
}

EXPORT(trace_sort) size_t trace_sort(struct view_trace *trace)
{
    view_trace_sort(trace);
    return length_of(trace);
}

EXPORT(trace_state) size_t trace_state(struct view_trace *trace)
{
    answer_state(trace);
    return length_of(trace);
}

EXPORT(trace_event) size_t trace_event(struct view_trace *trace, uint32_t index)
{
    answer_event(trace, index);
    return length_of(trace);
}

EXPORT(trace_find) uint32_t trace_find(struct view_trace *trace, char *list, uint32_t from, uint32_t to)
{
    return answer_find(trace, list, from, to);
}

EXPORT(trace_alike)
uint32_t trace_alike(struct view_trace *trace, uint32_t index, uint32_t what, bool forward, uint32_t from,
                     uint32_t count)
{
    return answer_alike(trace, index, (enum answer_alike)what, forward, from, count);
}

EXPORT(trace_marks) size_t trace_marks(struct view_trace *trace, double from, double to, uint32_t most)
{
    answer_marks(trace, whole(from), whole(to), most);
    return length_of(trace);
}

EXPORT(trace_gaps) size_t trace_gaps(struct view_trace *trace, double from, double to, uint32_t most)
{
    answer_gaps(trace, whole(from), whole(to), most);
    return length_of(trace);
}

EXPORT(trace_wakes) size_t trace_wakes(struct view_trace *trace, double from, double to, uint32_t most)
{
    answer_wakes(trace, whole(from), whole(to), most);
    return length_of(trace);
}

EXPORT(trace_rows) size_t trace_rows(struct view_trace *trace)
{
    answer_rows(trace);
    return length_of(trace);
}

EXPORT(trace_sums) size_t trace_sums(struct view_trace *trace, uint32_t row, double from, double to)
{
    answer_sums(trace, row, whole(from), whole(to));
    return length_of(trace);
}

EXPORT(trace_step) size_t trace_step(struct view_trace *trace, uint32_t row, double ticks)
{
    answer_step(trace, row, whole(ticks));
    return length_of(trace);
}

EXPORT(trace_peak)
size_t trace_peak(struct view_trace *trace, uint32_t row, double window, double next, uint32_t most)
{
    answer_peak(trace, row, whole(window), whole(next), most);
    return length_of(trace);
}

EXPORT(trace_slice) size_t trace_slice(struct view_trace *trace, uint32_t row, double ticks, uint32_t depth)
{
    answer_slice(trace, row, whole(ticks), depth);
    return length_of(trace);
}

EXPORT(trace_value) size_t trace_value(struct view_trace *trace, uint32_t row, uint32_t key)
{
    answer_value(trace, row, key);
    return length_of(trace);
}

EXPORT(trace_sample_value) size_t trace_sample_value(struct view_trace *trace, uint32_t row, double value)
{
    answer_sample_value(trace, row, value);
    return length_of(trace);
}

EXPORT(trace_profile) size_t trace_profile(struct view_trace *trace, double from, double to)
{
    answer_profile(trace, whole(from), whole(to));
    return length_of(trace);
}

EXPORT(csv_begin_at) bool csv_begin_at(struct view_trace *trace, double from, double to)
{
    return csv_begin(trace, whole(from), whole(to));
}

EXPORT(csv_step_by) uint32_t csv_step_by(struct view_trace *trace, uint32_t count)
{
    return csv_step(trace, count);
}

EXPORT(csv_bytes) size_t csv_bytes(const struct view_trace *trace)
{
    return length_of(trace);
}

EXPORT(report_begin) bool report_begin_at(struct view_trace *trace, double from, double to, bool flow)
{
    const struct txtap_why_wish longest = {.select = TXTAP_WHY_WORST};

    return report_begin(trace, whole(from), whole(to), flow ? NULL : &longest);
}

EXPORT(report_step) uint32_t report_step_by(struct view_trace *trace, uint32_t count)
{
    return report_step(trace, count);
}

static struct txtap_subject subject_of(uint32_t address, bool is_thread)
{
    enum txtap_subject_kind object = address != 0 ? TXTAP_SUBJECT_OBJECT : TXTAP_SUBJECT_SYSTEM;

    return (struct txtap_subject){.kind = is_thread ? TXTAP_SUBJECT_THREAD : object, .number = address};
}

/* select: see WHY_SELECTS in abi.js. address: of a thread or an object; 0: neither. */
EXPORT(why_begin)
bool why_begin_at(struct view_trace *trace, uint32_t select, const char *figure, uint32_t address, bool is_thread,
                  double seq, double ticks, double from, double to)
{
    const struct txtap_why_wish wish = {.select =
                                            select < TXTAP_WHY_WORST ? (enum txtap_why_select)select : TXTAP_WHY_EVENT,
                                        .figure = txtap_figure_by_name(figure),
                                        .subject = subject_of(address, is_thread),
                                        .seq = whole(seq),
                                        .ticks = whole(ticks)};

    return report_begin(trace, whole(from), whole(to), &wish);
}

EXPORT(why_answer) size_t why_answer_length(struct view_trace *trace)
{
    return report_answer_why(trace) ? trace->out.length : 0;
}

EXPORT(report_answer) size_t report_answer_length(struct view_trace *trace)
{
    return report_answer(trace) ? trace->out.length : 0;
}

/* text: `length` bytes and a NUL; the decoder changes them. */
EXPORT(judge_answer) size_t judge_answer_length(struct view_trace *trace, char *text, size_t length)
{
    return judge_checks(trace, text, length) ? trace->out.length : 0;
}

EXPORT(trace_time) size_t trace_time(struct view_trace *trace, double ticks)
{
    answer_time(trace, whole(ticks));
    return length_of(trace);
}

/* ---- two traces side by side ---- */

EXPORT(compare_figures) size_t compare_figures_length(struct view_trace *trace)
{
    return compare_figures(trace) ? trace->out.length : 0;
}

EXPORT(compare_sides)
size_t compare_sides_length(struct view_trace *trace, const char *name_a, const void *figures_a, size_t length_a,
                            const char *name_b, const void *figures_b, size_t length_b)
{
    const struct compare_side sides[2] = {{name_a, figures_a, length_a}, {name_b, figures_b, length_b}};

    return compare_sides(trace, sides) ? trace->out.length : 0;
}

/* ---- instances of a figure ---- */

EXPORT(instances_start) bool instances_start(struct view_trace *trace, const char *name)
{
    return instances_begin(trace, name);
}

EXPORT(instances_series) size_t instances_series(struct view_trace *trace)
{
    return instances_end(trace) ? trace->out.length : 0;
}

EXPORT(instances_plot)
const double *instances_plot(struct view_trace *trace, uint32_t series, double from, double to, uint32_t count)
{
    return instances_columns(trace, series, from, to, count);
}

EXPORT(instances_find)
uint32_t instances_find(struct view_trace *trace, uint32_t series, double from, double to, double value)
{
    return instances_near(trace, series, from, to, value);
}

EXPORT(instances_next)
uint32_t instances_next(struct view_trace *trace, uint32_t series, uint32_t at, bool forward)
{
    return instances_step(trace, series, at, forward);
}

EXPORT(instances_one) size_t instances_one(struct view_trace *trace, uint32_t index)
{
    instances_answer(trace, index);
    return length_of(trace);
}

EXPORT(instances_table) size_t instances_table(struct view_trace *trace, uint32_t series, double from, double to)
{
    instances_csv(trace, series, from, to);
    return length_of(trace);
}

/* ---- answers: numbers ---- */

static uint32_t near(const struct store *store, uint32_t index)
{
    if (index < store_first(store))
        return store_first(store);
    return index < store_end(store) ? index : store_end(store) - 1;
}

EXPORT(trace_ticks) double trace_ticks(const struct view_trace *trace, uint32_t index)
{
    const struct store *store = &trace->store;

    return store_end(store) > store_first(store) ? (double)store_ticks(store, near(store, index)) : 0;
}

EXPORT(trace_seq) double trace_seq(const struct view_trace *trace, uint32_t index)
{
    const struct store *store = &trace->store;

    return store_end(store) > store_first(store) ? (double)store_seq(store, near(store, index)) : 0;
}

EXPORT(trace_row_of) uint32_t trace_row_of(const struct view_trace *trace, uint32_t index)
{
    return columns_row_of(trace, index);
}

EXPORT(trace_near) uint32_t trace_near(const struct view_trace *trace, uint32_t row, double ticks, bool forward)
{
    return columns_near(trace, row, whole(ticks), forward);
}

EXPORT(trace_index) uint32_t trace_index(const struct view_trace *trace, double ticks)
{
    return store_at(&trace->store, whole(ticks));
}

EXPORT(trace_index_of_seq) uint32_t trace_index_of_seq(const struct view_trace *trace, double seq)
{
    return store_of_seq(&trace->store, whole(seq));
}

/* ---- columns: typed arrays at trace_cells() ---- */

EXPORT(trace_cells) const void *trace_cells(const struct view_trace *trace)
{
    return trace->columns.cells;
}

EXPORT(trace_columns)
size_t trace_columns(struct view_trace *trace, uint32_t row, double from, double to, uint32_t count, bool by_event)
{
    const struct txtap_rows_range range = {whole(from), whole(to), count, by_event};

    return columns_of_row(trace, row, &range);
}

EXPORT(trace_event_columns)
size_t trace_event_columns(struct view_trace *trace, uint32_t row, double from, double to, uint32_t count,
                           bool by_event)
{
    const struct txtap_rows_range range = {whole(from), whole(to), count, by_event};

    return columns_of_events(trace, row, &range);
}

EXPORT(trace_shares)
size_t trace_shares(struct view_trace *trace, uint32_t row, bool second, double from, double to, uint32_t count,
                    bool by_event)
{
    const struct txtap_rows_range range = {whole(from), whole(to), count, by_event};

    return columns_of_shares(trace, row, second, &range);
}
