/* SPDX-License-Identifier: MIT */
/* Answers about rows: their properties, the time in each state, and the events between them. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "view/wasm/answers.h"

static const char *const state_names[TXTAP_ROW_STATES] = {
    [TXTAP_ROW_UNKNOWN] = "unknown", [TXTAP_ROW_RUNNING] = "running", [TXTAP_ROW_INTERRUPTED] = "interrupted",
    [TXTAP_ROW_READY] = "ready",     [TXTAP_ROW_BLOCKED] = "blocked", [TXTAP_ROW_IS_IDLE] = "idle",
    [TXTAP_ROW_IN_ISR] = "isr",      [TXTAP_ROW_IN_INIT] = "init",    [TXTAP_ROW_OFF] = "off",
    [TXTAP_ROW_HELD] = "held",
};

/* ---- rows ---- */

/*
 * Returns the newest name of an object of this type at this address. The registry does not name the object if the
 * address may have had another object. *doubtful: the address had objects with several names.
 */
static const char *last_name(const struct txtap_registry *registry, const struct txtap_object *object, uint8_t type,
                             bool *doubtful)
{
    const struct txtap_object *end = registry->objects + registry->count;
    const char *name = "";

    *doubtful = false;
    for (const struct txtap_object *at = object; at < end && at->pointer == object->pointer; at++) {
        if (at->name[0] == '\0' || at->type != type)
            continue;
        *doubtful = *doubtful || (name[0] != '\0' && strcmp(name, at->name) != 0);
        name = name[0] != '\0' ? name : at->name;
    }
    return name;
}

struct row_name {
    const char *name;
    bool doubtful;
};

/* Returns the newest object of the row, from the newest era that has an object at its address. NULL: no such object. */
static const struct txtap_object *object_of(const struct view_trace *trace, const struct txtap_row *row,
                                            struct row_name *of)
{
    const struct txtap_object *newest = NULL;

    *of = (struct row_name){"", false};
    for (size_t i = trace->era_count; row->address != 0 && of->name[0] == '\0' && i > 0; i--) {
        const struct txtap_registry *registry = &trace->eras[i - 1]->registry;
        const struct txtap_object *object = txtap_registry_find(registry, row->address);

        if (object == NULL)
            continue;
        newest = newest != NULL ? newest : object;
        of->name = txtap_registry_name(registry, row->address);
        if (of->name[0] == '\0')
            of->name = last_name(registry, object, row->type, &of->doubtful);
    }
    return newest;
}

/* Returns the object's capacity, if its registration contains it; 0: not known. */
static uint32_t capacity_of(const struct txtap_object *object)
{
    uint32_t words;

    if (object == NULL || object->unknown)
        return 0;
    words = object->parameter[1];
    if (object->type == TXTAP_OBJECT_QUEUE)
        return words > 0 && words < UINT32_MAX / 4 ? object->parameter[0] / (4 * words) : 0;
    return object->type == TXTAP_OBJECT_BYTE_POOL ? object->parameter[0] : 0;
}

/* Returns the newest priority of a thread, or else the priority in its registration. -1: not known. */
static int64_t priority_of(const struct txtap_row *row, const struct txtap_object *object)
{
    if (row->priority_known)
        return row->priority;
    if (object == NULL || object->type != TXTAP_OBJECT_THREAD || (object->reserved[0] & 0x80u) == 0)
        return -1;
    return object->reserved[1];
}

/* ---- user values ---- */

static bool is_user_row(const struct txtap_row *row)
{
    return row->kind == TXTAP_ROW_USER_VALUE || row->kind == TXTAP_ROW_USER_STATE || row->kind == TXTAP_ROW_SLICE;
}

/* Returns the definition of the event that is in the row's line; NULL: it is no longer defined. */
static const struct txtap_definition *definition_of(const struct view_trace *trace, const struct txtap_row *row)
{
    const struct txtap_definition *definition =
        trace->definitions != NULL ? txtap_definitions_find(trace->definitions, row->id) : NULL;

    return definition != NULL && definition->row.role != TXTAP_DEFINITION_PLAIN ? definition : NULL;
}

static void add_user_row(struct text *out, const struct txtap_row *row)
{
    static const char *const forms[] = {
        [TXTAP_VALUE_UNSIGNED] = "unsigned", [TXTAP_VALUE_SIGNED] = "signed", [TXTAP_VALUE_FLOAT] = "float"};

    text_print(out, ",\"form\":\"%s\",\"event\":%u,\"deepest\":%" PRIu32 ",\"unpaired\":%" PRIu32, forms[row->form],
               row->id, row->deepest, row->unpaired);
}

/* Writes a word of the row's events as text; if the row has no definition, as a number. */
static void write_word(const struct view_trace *trace, const struct txtap_row *row, uint32_t word,
                       char text[static TXTAP_VALUE_TEXT_BYTES])
{
    static const struct txtap_registry no_names;
    const struct txtap_registry *names =
        trace->era_count > 0 ? &trace->eras[trace->era_count - 1]->registry : &no_names;
    const struct txtap_definition *definition = row->kind != TXTAP_ROW_SLICE ? definition_of(trace, row) : NULL;

    if (definition != NULL)
        (void)txtap_value_text(names, definition, row->word, word, text);
    else
        (void)snprintf(text, TXTAP_VALUE_TEXT_BYTES, "%" PRIu32, word);
}

void answer_value(struct view_trace *trace, uint32_t number, uint32_t key)
{
    char text[TXTAP_VALUE_TEXT_BYTES];
    struct txtap_row row;

    text_clear(&trace->out);
    if (!txtap_rows_row(trace->timeline.rows, number, &row) || !is_user_row(&row))
        return;
    write_word(trace, &row, txtap_value_word((enum txtap_value_form)row.form, key), text);
    text_print(&trace->out, "%s", text);
}

void answer_slice(struct view_trace *trace, uint32_t row, uint64_t ticks, uint32_t depth)
{
    struct text *out = &trace->out;
    struct txtap_row_slice slice;

    text_clear(out);
    if (!txtap_rows_slice(trace->timeline.rows, row, ticks, depth, &slice)) {
        text_print(out, "null");
        return;
    }
    text_print(out, "{\"from\":%" PRIu64 ",\"to\":%" PRIu64 ",\"index\":%" PRIu32 ",\"next\":%" PRIu32,
               slice.from_ticks, slice.to_ticks, columns_event_of(trace, slice.index),
               columns_event_of(trace, slice.next));
    text_print(out, ",\"fromKnown\":%s,\"toKnown\":%s,\"depth\":%" PRIu32 "}", slice.from_known ? "true" : "false",
               slice.to_known ? "true" : "false", slice.depth);
}

static void add_row(struct view_trace *trace, uint32_t number, const struct txtap_row *row)
{
    struct text *out = &trace->out;
    struct row_name name;
    const struct txtap_object *object = object_of(trace, row, &name);

    if (row->kind == TXTAP_ROW_INTERRUPT && view_trace_interrupt(trace, row->number) != NULL)
        name.name = view_trace_interrupt(trace, row->number);

    text_print(out, "%s{\"row\":%" PRIu32 ",\"kind\":\"%s\",\"name\":", number > 0 ? "," : "", number,
               txtap_row_kind_name(row->kind));
    if (is_user_row(row) && definition_of(trace, row) != NULL)
        name.name = definition_of(trace, row)->row.name;
    if (answer_is_sampled(row))
        name.name = row->channel->name;
    text_json(out, name.name);
    text_print(
        out, ",\"doubtful\":%s,\"address\":%" PRIu32 ",\"number\":%" PRIu32 ",\"counter\":%s,\"events\":%" PRIu32,
        name.doubtful ? "true" : "false", row->address, row->number, row->counter ? "true" : "false", row->events);
    text_print(out, ",\"capacity\":%" PRIu32 ",\"priority\":%" PRId64, capacity_of(object), priority_of(row, object));
    if (is_user_row(row))
        add_user_row(out, row);
    text_print(out, "}");
}

void answer_rows(struct view_trace *trace)
{
    struct txtap_row row;

    text_clear(&trace->out);
    text_print(&trace->out, "[");
    for (uint32_t i = 0; txtap_rows_row(trace->timeline.rows, i, &row); i++)
        add_row(trace, i, &row);
    text_print(&trace->out, "]");
}

void answer_sums(struct view_trace *trace, uint32_t row, uint64_t from, uint64_t to)
{
    uint64_t sums[TXTAP_ROW_STATES] = {0};
    struct txtap_row what;

    text_clear(&trace->out);
    if (txtap_rows_row(trace->timeline.rows, row, &what))
        txtap_rows_sums(trace->timeline.rows, row, from, to, sums);
    for (unsigned state = 0; state < TXTAP_ROW_STATES; state++)
        text_print(&trace->out, "%s\"%s\":%" PRIu64, state > 0 ? "," : "{", state_names[state], sums[state]);
    text_print(&trace->out, "}");
}

/* Returns the page's number of a row; -1: no row. */
static int row_number(uint16_t row)
{
    return row == TXTAP_ROW_NONE ? -1 : row;
}

void answer_step(struct view_trace *trace, uint32_t row, uint64_t ticks)
{
    struct text *out = &trace->out;
    struct txtap_row_step step;
    struct txtap_row what;

    if (txtap_rows_row(trace->timeline.rows, row, &what) && answer_is_sampled(&what)) {
        answer_sample(trace, row, ticks);
        return;
    }
    text_clear(out);
    if (!txtap_rows_row(trace->timeline.rows, row, &what) || !txtap_rows_at(trace->timeline.rows, row, ticks, &step)) {
        text_print(out, "null");
        return;
    }
    text_print(out, "{\"from\":%" PRIu64 ",\"to\":%" PRIu64 ",\"state\":%u,\"reason\":%u,\"object\":%d",
               step.from_ticks, step.to_ticks, step.state, step.reason, row_number(step.object));
    text_print(out, ",\"index\":%" PRIu32 ",\"next\":%" PRIu32 ",\"fromKnown\":%s,\"toKnown\":%s",
               columns_event_of(trace, step.index), columns_event_of(trace, step.next),
               step.from_known ? "true" : "false", step.to_known ? "true" : "false");
    if (what.counter && step.value_known)
        text_print(out, ",\"value\":%" PRIu32, step.value);
    if (is_user_row(&what) && step.value_known) {
        char text[TXTAP_VALUE_TEXT_BYTES];

        write_word(trace, &what, step.value, text);
        text_print(out, ",\"text\":");
        text_json(out, text);
    }
    text_print(out, "}");
}

void answer_peak(struct view_trace *trace, uint32_t row, uint64_t window, uint64_t next, uint32_t most)
{
    struct txtap_rows_peak peak = {.next = next};
    bool done = txtap_rows_peak(trace->timeline.rows, row, window, most, &peak);

    text_clear(&trace->out);
    text_print(&trace->out, "{\"from\":%" PRIu64 ",\"busy\":%" PRIu64 ",\"next\":%" PRIu64 ",\"done\":%s}", peak.from,
               peak.busy, peak.next, done ? "true" : "false");
}

/* ---- between rows ---- */

/* Reports gaps, and also resets, because an unknown number of events may be lost at a reset. */
void answer_gaps(struct view_trace *trace, uint64_t from, uint64_t to, uint32_t most)
{
    const struct txtap_rows *rows = trace->timeline.rows;
    uint32_t first = txtap_rows_first_gap(rows, from);
    struct txtap_row_gap gap;

    text_clear(&trace->out);
    text_print(&trace->out, "[");
    for (uint32_t i = first; i - first < most && txtap_rows_gap(rows, i, &gap) && gap.from_ticks <= to; i++)
        text_print(&trace->out,
                   "%s{\"index\":%" PRIu32 ",\"from\":%" PRIu64 ",\"to\":%" PRIu64 ",\"lost\":%" PRIu64
                   ",\"exact\":%s,\"ended\":%s}",
                   i > first ? "," : "", columns_event_of(trace, gap.index), gap.from_ticks, gap.to_ticks, gap.lost,
                   gap.exact && gap.lost > 0 ? "true" : "false", gap.ended ? "true" : "false");
    text_print(&trace->out, "]");
}

static void add_wake(struct view_trace *trace, const struct txtap_row_wake *wake)
{
    struct text *out = &trace->out;

    text_print(out, "{\"index\":%" PRIu32 ",\"ticks\":%" PRIu64 ",\"from\":%d,\"to\":%d,\"object\":%d,\"reason\":%u",
               columns_event_of(trace, wake->index), wake->ticks, row_number(wake->from), row_number(wake->to),
               row_number(wake->object), wake->reason);
    if (wake->since != TXTAP_ROWS_NO_INDEX)
        text_print(out, ",\"since\":%" PRIu64, wake->since_ticks);
    if (wake->run != TXTAP_ROWS_NO_INDEX)
        text_print(out, ",\"latencyTo\":%" PRIu64, wake->run_ticks);
    text_print(out, "}");
}

void answer_wakes(struct view_trace *trace, uint64_t from, uint64_t to, uint32_t most)
{
    const struct txtap_rows *rows = trace->timeline.rows;
    uint32_t first = txtap_rows_first_wake(rows, txtap_rows_event_at(rows, from));
    struct txtap_row_wake wake;

    text_clear(&trace->out);
    text_print(&trace->out, "[");
    for (uint32_t i = first; i - first < most && txtap_rows_wake(rows, i, &wake) && wake.ticks <= to; i++) {
        text_print(&trace->out, "%s", i > first ? "," : "");
        add_wake(trace, &wake);
    }
    text_print(&trace->out, "]");
}
