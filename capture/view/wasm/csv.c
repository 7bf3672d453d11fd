/* SPDX-License-Identifier: MIT */
/* Gives the events and notes of a range to libtxtap's exporter for CSV. Each event has the names of its era. */
#include "view/wasm/csv.h"

#include <stdlib.h>

struct csv {
    struct txtap_exporter exporter;
    struct txtap_exporter_memory memory;
    uint64_t to;
    uint32_t first;          /* index of the first event at or after `from` */
    uint32_t index, end;     /* index of the next event, and end of the events */
    uint32_t note, note_end; /* index of the next note, and end of the notes */
};

static enum txtap_status write_out(void *self, const char *bytes, size_t length)
{
    text_add(self, bytes, length);
    return TXTAP_OK;
}

void csv_forget(struct view_trace *trace)
{
    free(trace->csv);
    trace->csv = NULL;
}

bool csv_begin(struct view_trace *trace, uint64_t from, uint64_t to)
{
    const struct store *store = &trace->store;
    struct csv *csv;

    csv_forget(trace);
    text_clear(&trace->out);
    if (view_trace_is_ctf(trace) || trace->era_count == 0)
        return false;
    csv = trace->csv = malloc(sizeof *csv);
    if (csv == NULL)
        return false;
    csv->to = to;
    csv->first = store_at(store, from);
    csv->index = store_first(store);
    csv->end = store_end(store);
    csv->note = store->notes.first;
    csv->note_end = store->notes.end;
    if (txtap_exporter_init(&csv->exporter, "csv", (struct txtap_writer){write_out, &trace->out}, &csv->memory) !=
        TXTAP_OK)
        return false;
    csv->exporter.registry = &view_trace_era(trace, csv->index)->registry;
    csv->exporter.header = csv->end > csv->index ? store_header_of(store, csv->index) : NULL;
    csv->exporter.definitions = trace->definitions;
    csv->exporter.options.tick_hz = trace->options.tick_hz;
    csv->exporter.options.profile = trace->options.profile;
    return csv->exporter.ops->begin(&csv->exporter) == TXTAP_OK;
}

/* ---- steps ---- */

static void write_note(struct csv *csv, const struct stored_note *note)
{
    if (note->kind == STORED_GAP)
        (void)csv->exporter.ops->gap(&csv->exporter, &note->gap);
    else if (note->kind == STORED_MARK)
        (void)csv->exporter.ops->mark(&csv->exporter, &note->mark);
}

static void write_event(struct view_trace *trace, struct csv *csv, uint32_t index)
{
    uint32_t words[STORE_WORDS_MAX];
    struct txtap_event event;

    store_get(&trace->store, index, &event, words);
    csv->exporter.registry = &view_trace_era(trace, index)->registry;
    (void)csv->exporter.ops->event(&csv->exporter, &event);
}

/* Writes the next event or note. Events outside the range are skipped in one step. False: there is nothing more. */
static bool write_next(struct view_trace *trace, struct csv *csv)
{
    const struct store *store = &trace->store;
    const struct stored_note *note = csv->note < csv->note_end ? deque_at(&store->notes, csv->note) : NULL;
    uint32_t until = note != NULL && note->index < csv->end ? note->index : csv->end;

    if (note != NULL && note->index <= csv->index) {
        write_note(csv, note);
        csv->note++;
        return true;
    }
    if (csv->index < csv->first && csv->index < until)
        csv->index = csv->first < until ? csv->first : until;
    else if (csv->index < until && store_ticks(store, csv->index) > csv->to)
        csv->index = until;
    else if (csv->index < until)
        write_event(trace, csv, csv->index++);
    else
        return false;
    return true;
}

enum csv_state csv_step(struct view_trace *trace, uint32_t count)
{
    struct csv *csv = trace->csv;
    bool more = true;

    text_clear(&trace->out);
    if (csv == NULL || csv->index < store_first(&trace->store) || csv->note < trace->store.notes.first) {
        csv_forget(trace);
        return CSV_NONE;
    }
    while (count-- > 0 && more)
        more = write_next(trace, csv);
    if (more) {
        (void)txtap_exporter_flush(&csv->exporter);
        return CSV_MORE;
    }
    (void)csv->exporter.ops->end(&csv->exporter);
    csv_forget(trace);
    return CSV_DONE;
}
