/* SPDX-License-Identifier: MIT */
/* Answers about the whole trace, its events, and marks between events. libtxtap's exporters write the events. A search
 * call looks only at a bounded number of events. */
#include "view/wasm/answers.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "txtap/event.h"
#include "txtap/inner/escape.h"

/* ---- records of CTF ---- */

#define TEXT_BYTES 256 /* size of a field's value */

static uint64_t number_of(const struct view_record *record, const struct txtap_ctf_field *field)
{
    const uint8_t *at = record->fields + field->at;
    uint64_t number = 0;

    for (uint32_t i = 0; i < field->bytes; i++) {
        uint32_t place = record->layout->big_endian ? field->bytes - 1 - i : i;

        number |= (uint64_t)at[i] << 8 * place;
    }
    return number;
}

static int64_t signed_of(uint64_t number, uint32_t bytes)
{
    uint64_t sign = UINT64_C(1) << (8 * bytes - 1);

    return (int64_t)((number ^ sign) - sign);
}

/*
 * Reports whether the field is an address. Zephyr calls the address of a thread or object "id" or "thread_id". A
 * socket's id is a small number, not an address.
 */
static bool is_address(const struct view_record *record, const struct txtap_ctf_field *field)
{
    size_t length = strlen(field->name);

    return field->bytes == 4 && txtap_zephyr_ctf_class(record->event->name) != TXTAP_CLASS_NET &&
           (strcmp(field->name, "id") == 0 || (length > 3 && strcmp(field->name + length - 3, "_id") == 0));
}

static void put_number(const struct view_record *record, const struct txtap_ctf_field *field,
                       const struct txtap_registry *names, char text[TEXT_BYTES])
{
    uint64_t number = number_of(record, field);
    const char *name = field->bytes == 4 ? txtap_registry_name(names, (uint32_t)number) : "";

    if (field->kind == TXTAP_CTF_SIGNED)
        (void)snprintf(text, TEXT_BYTES, "%" PRId64, signed_of(number, field->bytes));
    else if (*name != '\0')
        (void)snprintf(text, TEXT_BYTES, "%s", name);
    else
        (void)snprintf(text, TEXT_BYTES, is_address(record, field) ? "0x%08" PRIx64 : "%" PRIu64, number);
}

/* Writes as many of the field's bytes as the store has. */
static void put_bytes(const struct view_record *record, const struct txtap_ctf_field *field, char text[TEXT_BYTES])
{
    size_t used = 0;

    for (uint32_t i = 0; i < field->bytes && field->at + i < record->length; i++)
        used +=
            (size_t)snprintf(text + used, TEXT_BYTES - used, "%s%02x", i > 0 ? " " : "", record->fields[field->at + i]);
}

/* Returns false if the store does not have the value. */
static bool put_value(const struct view_record *record, const struct txtap_ctf_field *field,
                      const struct txtap_registry *names, char text[TEXT_BYTES])
{
    bool is_number = field->kind == TXTAP_CTF_UNSIGNED || field->kind == TXTAP_CTF_SIGNED;
    size_t left = field->at < record->length ? record->length - field->at : 0;
    size_t length = field->bytes < left ? field->bytes : left;

    text[0] = '\0';
    if (length == 0 || (is_number && (length < field->bytes || length > 8)))
        return false;
    if (is_number)
        put_number(record, field, names, text);
    else if (field->kind == TXTAP_CTF_TEXT)
        (void)snprintf(text, TEXT_BYTES, "%.*s", (int)length, (const char *)record->fields + field->at);
    else
        put_bytes(record, field, text);
    return true;
}

static void add_fields(struct view_trace *trace, const struct view_record *record, const struct txtap_registry *names,
                       void (*add)(struct text *out, const char *name, const char *value, bool first))
{
    char value[TEXT_BYTES];
    bool first = true;

    for (uint32_t i = 0; i < record->event->field_count; i++) {
        const struct txtap_ctf_field *field = &record->layout->fields[record->event->field + i];

        if (!put_value(record, field, names, value))
            continue;
        add(&trace->out, field->name, value, first);
        first = false;
    }
}

static void add_json_field(struct text *out, const char *name, const char *value, bool first)
{
    text_print(out, "%s", first ? "" : ",");
    text_json(out, name);
    text_print(out, ":");
    text_json(out, value);
}

static void add_text_field(struct text *out, const char *name, const char *value, bool first)
{
    char shown[TXTAP_ESCAPED_JSON_BYTES(TEXT_BYTES)];
    bool plain = *value != '\0' && strpbrk(value, " \"\\") == NULL;

    (void)first;
    txtap_escape_json(shown, sizeof shown, value);
    if (plain && strlen(shown) == strlen(value) + 2)
        text_print(out, " %s=%s", name, value);
    else
        text_print(out, " %s=%s", name, shown);
}

/* Writes the thread that recorded the event; for an interrupt, the thread that it interrupted. "": not known, or the
 * idle loop. */
static void put_thread(const struct txtap_registry *names, const struct txtap_event *event, char text[TEXT_BYTES])
{
    const char *name = txtap_registry_name(names, event->thread);

    text[0] = '\0';
    if (*name != '\0')
        (void)snprintf(text, TEXT_BYTES, "%s", name);
    else if (event->thread != 0)
        (void)snprintf(text, TEXT_BYTES, "0x%08" PRIx32, event->thread);
}

/* Adds the JSON of a CTF event, in the form of JSON Lines, and its line of text. */
static void answer_add_record(struct view_trace *trace, const struct txtap_event *event)
{
    const struct view_record record = view_trace_record(trace, event);
    const struct txtap_registry *names = &trace->eras[0]->registry;
    struct text *out = &trace->out;
    char thread[TEXT_BYTES];

    put_thread(names, event, thread);
    text_print(out, "{\"type\":\"event\",\"seq\":%" PRIu64 ",\"ticks\":%" PRIu64 ",\"context\":\"%s\",\"thread\":",
               event->seq, event->ticks, event->context == TXTAP_CONTEXT_THREAD ? "thread" : "isr");
    if (*thread != '\0')
        text_json(out, thread);
    else
        text_print(out, "null");
    text_print(out, ",\"id\":%" PRIu32 ",\"event\":", record.event->id);
    if (*record.event->name != '\0')
        text_json(out, record.event->name);
    else
        text_print(out, "null");
    text_print(out, ",\"fields\":{");
    add_fields(trace, &record, names, add_json_field);
    text_print(out, "}}");
}

static void answer_add_record_line(struct view_trace *trace, const struct txtap_event *event)
{
    const struct view_record record = view_trace_record(trace, event);
    const struct txtap_registry *names = &trace->eras[0]->registry;
    struct text *out = &trace->out;
    char thread[TEXT_BYTES];

    put_thread(names, event, thread);
    if (trace->options.tick_hz > 0)
        text_print(out, "%.9f", (double)event->ticks / trace->options.tick_hz);
    else
        text_print(out, "%" PRIu64, event->ticks);
    text_print(out, "  %s  %s ", event->context == TXTAP_CONTEXT_THREAD ? thread : "isr", record.event->name);
    add_fields(trace, &record, names, add_text_field);
}

/* Sets two members of the event from its CTF record: the id, and the first word. The first word is the first number in
 * the record, which is the object in Zephyr's CTF. */
static void answer_show_record(const struct view_trace *trace, struct txtap_event *event)
{
    const struct view_record record = view_trace_record(trace, event);
    const struct txtap_ctf_field first = {.bytes = record.event->first_bytes};

    event->id = record.event->id;
    event->info[0] = first.bytes == 4 && record.length >= 4 ? (uint32_t)number_of(&record, &first) : 0;
}

/* ---- the trace ---- */

static const struct txtap_registry *newest_names(const struct view_trace *trace)
{
    return &trace->eras[trace->era_count - 1]->registry;
}

static void add_lines(struct text *out, const struct text *lines)
{
    const char *at = lines->at, *end;
    const char *comma = "";
    char line[1024];

    while (at != NULL && (end = strchr(at, '\n')) != NULL) {
        size_t length = (size_t)(end - at) < sizeof line ? (size_t)(end - at) : sizeof line - 1;

        memcpy(line, at, length);
        line[length] = '\0';
        text_print(out, "%s", comma);
        text_json(out, line);
        comma = ",";
        at = end + 1;
    }
}

void answer_state(struct view_trace *trace)
{
    const struct store *store = &trace->store;
    uint32_t first = store_first(store), end = store_end(store);
    const char *lacks = view_trace_lacks(trace);
    struct txtap_rows_summary rows;
    bool any = end > first;
    struct text *out = &trace->out;

    txtap_rows_summary(trace->timeline.rows, &rows);
    text_clear(out);
    text_print(out, "{\"version\":%" PRIu32 ",\"events\":%" PRIu32 ",\"first\":%" PRIu32, trace->version, end - first,
               first);
    text_print(out, ",\"seqFirst\":%" PRIu64 ",\"lastSeq\":%" PRIu64 ",\"from\":%" PRIu64 ",\"to\":%" PRIu64,
               any ? store_seq(store, first) : 0, any ? store_seq(store, end - 1) : 0,
               any ? store_ticks(store, first) : 0, any ? store_ticks(store, end - 1) : 0);
    text_print(out, ",\"hz\":%.17g,\"lost\":%" PRIu64 ",\"lostExact\":%s,\"gaps\":%" PRIu64 ",\"resets\":%" PRIu64,
               trace->options.tick_hz, trace->counts.lost, trace->counts.lost_exact ? "true" : "false",
               trace->counts.gaps, trace->counts.resets);
    text_print(out, ",\"earlier\":%" PRIu64 ",\"earlierExact\":%s", trace->counts.earlier,
               trace->counts.earlier_exact ? "true" : "false");
    text_print(out, ",\"dropped\":%" PRIu32 ",\"bytes\":%" PRIu64 ",\"ended\":%s,\"full\":%s", first, trace->bytes,
               trace->ended ? "true" : "false", trace->full ? "true" : "false");
    text_print(out, ",\"rows\":%" PRIu32 ",\"rowsVersion\":%" PRIu32 ",\"known\":%" PRIu64 ",\"leftOut\":%" PRIu64,
               rows.rows, rows.rows_version + (trace->era_count > 0 ? newest_names(trace)->generation : 0),
               rows.to_ticks, rows.left_out);
    text_print(out, ",\"names\":%zu,\"lacks\":", trace->era_count > 0 ? newest_names(trace)->count : 0);
    text_json(out, lacks != NULL ? lacks : "");
    text_print(out, ",\"heldBytes\":%zu,\"problem\":", trace->pool.slab_bytes + trace->timeline.pages.slab_bytes);
    text_json(out, trace->problem.length > 0 ? trace->problem.at : "");
    text_print(out, ",\"notes\":[");
    add_lines(out, &trace->notes);
    text_print(out, "]}");
}

/* ---- an event ---- */

static enum txtap_status write_out(void *self, const char *bytes, size_t length)
{
    text_add(self, bytes, length);
    return TXTAP_OK;
}

/* Starts the exporter, unless it has started with the names of that era. */
static bool begin_lines(struct view_trace *trace, struct view_lines *lines, const char *format, const struct era *era,
                        const struct txtap_header *header)
{
    struct txtap_exporter *exporter = &lines->exporter;

    if (lines->era == era)
        return true;
    lines->era = NULL;
    if (txtap_exporter_init(exporter, format, (struct txtap_writer){write_out, &trace->out}, &lines->memory) !=
        TXTAP_OK)
        return false;
    exporter->registry = &era->registry;
    exporter->header = header;
    exporter->definitions = trace->definitions;
    exporter->options.tick_hz = trace->options.tick_hz;
    exporter->options.profile = trace->options.profile;
    if (exporter->ops->begin(exporter) != TXTAP_OK || txtap_exporter_flush(exporter) != TXTAP_OK)
        return false;
    lines->era = era;
    return true;
}

/* Starts both exporters with the right names. CTF needs neither exporter. */
static bool begin_both(struct view_trace *trace, uint32_t index)
{
    const struct era *era = view_trace_era(trace, index);
    const struct txtap_header *header = store_header_of(&trace->store, index);

    return view_trace_is_ctf(trace) || (begin_lines(trace, &trace->text, "text", era, header) &&
                                        begin_lines(trace, &trace->json, "jsonl", era, header));
}

/* Adds the event's line, without the line feed. */
static void add_line(struct view_trace *trace, struct view_lines *lines, const struct txtap_event *event)
{
    struct text *out = &trace->out;

    (void)view_trace_interrupt(trace, 0);
    lines->exporter.interrupts = trace->interrupts; /* from the numbers of all events, even if few events were shown */
    (void)lines->exporter.ops->event(&lines->exporter, event);
    (void)txtap_exporter_flush(&lines->exporter);
    if (out->length > 0 && out->at[out->length - 1] == '\n')
        out->at[--out->length] = '\0';
}

static void add_json(struct view_trace *trace, const struct txtap_event *event)
{
    if (view_trace_is_ctf(trace))
        answer_add_record(trace, event);
    else
        add_line(trace, &trace->json, event);
}

static void add_text(struct view_trace *trace, const struct txtap_event *event)
{
    if (view_trace_is_ctf(trace))
        answer_add_record_line(trace, event);
    else
        add_line(trace, &trace->text, event);
}

/* Returns the name of the event's class. A definition makes any event a user event. */
static const char *class_name(const struct view_trace *trace, const struct txtap_event *event)
{
    uint32_t id = event->id;
    const struct txtap_event_info *info = txtap_definitions_event(trace->definitions, id, trace->options.profile);

    if (view_trace_is_ctf(trace)) /* definitions refer to ids of entries */
        return txtap_event_class_name(txtap_zephyr_ctf_class(view_trace_record(trace, event).event->name));
    return txtap_event_class_name(
        info != NULL && info->definition != NULL ? TXTAP_CLASS_USER : txtap_event_class_of(id, trace->options.profile));
}

void answer_event(struct view_trace *trace, uint32_t index)
{
    const struct store *store = &trace->store;
    struct txtap_row_event recorded = {.row = TXTAP_ROW_NONE};
    uint32_t words[STORE_WORDS_MAX];
    struct txtap_event event;
    struct text *out = &trace->out;

    text_clear(out);
    if (index < store_first(store) || index >= store_end(store))
        return;
    store_get(store, index, &event, words);
    if (!begin_both(trace, index))
        return;
    text_clear(out);
    (void)txtap_rows_event(trace->timeline.rows, columns_moment_of(trace, index), &recorded);
    text_print(out, "{\"ticks\":%" PRIu64 ",\"thread\":%" PRIu32 ",\"core\":%u,\"class\":\"%s\",\"row\":%d",
               event.ticks, event.thread, event.core, class_name(trace, &event),
               recorded.row == TXTAP_ROW_NONE ? -1 : recorded.row);
    text_print(out, ",\"event\":");
    add_json(trace, &event);
    text_print(out, "}\n");
    add_text(trace, &event);
}

/* Writes the searchable text of an event: its class, a blank, and its JSON Lines. Writes nothing if the store does not
 * have the event. */
static void write_words(struct view_trace *trace, uint32_t index)
{
    const struct store *store = &trace->store;
    uint32_t words[STORE_WORDS_MAX];
    struct txtap_event event;

    text_clear(&trace->out);
    if (index < store_first(store) || index >= store_end(store))
        return;
    store_get(store, index, &event, words);
    if (!begin_both(trace, index))
        return;
    text_clear(&trace->out);
    text_print(&trace->out, "%s ", class_name(trace, &event));
    add_json(trace, &event);
}

void answer_time(struct view_trace *trace, uint64_t ticks)
{
    text_clear(&trace->out);
    if (trace->options.tick_hz > 0)
        text_print(&trace->out, "%.9f s", (double)ticks / trace->options.tick_hz);
    else
        text_print(&trace->out, "%" PRIu64 " ticks", ticks);
}

/* ---- between events ---- */

static void add_mark(struct view_trace *trace, const struct stored_note *note, uint64_t ticks)
{
    struct text *out = &trace->out;

    text_print(out, "{\"index\":%" PRIu32 ",\"ticks\":%" PRIu64 ",\"kind\":\"%s\",\"unixUs\":%" PRIu64 ",\"text\":",
               note->index, ticks, txtap_mark_name(note->mark.kind), note->mark.unix_us);
    text_json(out, (const char *)note->bytes);
    text_print(out, "}");
}

/* Returns the ticks of the event at `index`, or of the newest event if there is no such event. */
static uint64_t ticks_near(const struct store *store, uint32_t index)
{
    return store_ticks(store, index < store_end(store) ? index : store_end(store) - 1);
}

void answer_marks(struct view_trace *trace, uint64_t from, uint64_t to, uint32_t most)
{
    const struct store *store = &trace->store;
    bool any = store_end(store) > store_first(store);
    uint32_t first = any ? store_at(store, from) : 0;
    uint32_t at = first > 0 ? deque_above(&store->notes, first - 1) : store->notes.first;
    const char *comma = "";

    text_clear(&trace->out);
    text_print(&trace->out, "[");
    for (; any && at < store->notes.end && most > 0; at++) {
        const struct stored_note *note = deque_at(&store->notes, at);
        uint64_t ticks = ticks_near(store, note->index);

        if (ticks > to)
            break;
        if (note->kind != STORED_MARK)
            continue;
        text_print(&trace->out, "%s", comma);
        add_mark(trace, note, ticks);
        comma = ",";
        most--;
    }
    text_print(&trace->out, "]");
}

/* ---- search for texts ---- */

static void to_lower(char *text)
{
    for (; *text != '\0'; text++)
        if (*text >= 'A' && *text <= 'Z')
            *text = (char)(*text - 'A' + 'a');
}

/* Splits a list at its line feeds. */
static size_t split(char *list, const char *texts[static ANSWER_TEXTS_MAX])
{
    size_t count = 0;

    while (*list != '\0' && count < ANSWER_TEXTS_MAX) {
        char *end = strchr(list, '\n');

        texts[count++] = list;
        if (end == NULL)
            break;
        *end = '\0';
        list = end + 1;
    }
    return count;
}

static bool has_all(const struct view_trace *trace, const char *const *texts, size_t count)
{
    if (trace->out.length == 0)
        return false;
    to_lower(trace->out.at);
    for (size_t i = 0; i < count; i++)
        if (strstr(trace->out.at, texts[i]) == NULL)
            return false;
    return true;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

uint32_t answer_find(struct view_trace *trace, char *list, uint32_t from, uint32_t to)
{
    const char *texts[ANSWER_TEXTS_MAX];
    size_t count = split(list, texts);
    uint32_t end = least(to, store_end(&trace->store));
    uint32_t first = store_first(&trace->store);

    for (uint32_t at = from > first ? from : first; at < end; at++) {
        write_words(trace, at);
        if (has_all(trace, texts, count))
            return at;
    }
    return to;
}

/* ---- similar events ---- */

/* Reports whether both events have the same context. An interrupt is not the same context as the thread that it
 * interrupted. */
static bool same_context(const struct txtap_event *a, const struct txtap_event *b)
{
    return a->context == b->context && (a->context != TXTAP_CONTEXT_THREAD || a->thread == b->thread);
}

/* Returns the object of an event. It is the event's first word, as in TraceX; 0: no object. */
static uint32_t object_of(const struct txtap_event *event)
{
    return event->info[0];
}

/* Gets the event in the form in which it is shown. */
static void get(const struct view_trace *trace, uint32_t index, struct txtap_event *event,
                uint32_t words[STORE_WORDS_MAX])
{
    store_get(&trace->store, index, event, words);
    if (view_trace_is_ctf(trace))
        answer_show_record(trace, event);
}

static bool is_alike(const struct view_trace *trace, enum answer_alike what, const struct txtap_event *from,
                     const struct txtap_event *event, uint32_t index)
{
    uint32_t words[STORE_WORDS_MAX];
    struct txtap_event before;

    switch (what) {
    case ALIKE_EVENT:
        return event->id == from->id;
    case ALIKE_THREAD:
        return same_context(event, from);
    case ALIKE_OBJECT:
        return object_of(from) != 0 && object_of(event) == object_of(from);
    case ALIKE_SWITCH:
        if (index == store_first(&trace->store))
            return false;
        get(trace, index - 1, &before, words);
        return !same_context(event, &before);
    }
    return true;
}

uint32_t answer_alike(const struct view_trace *trace, uint32_t index, enum answer_alike what, bool forward,
                      uint32_t from, uint32_t count)
{
    uint32_t first = store_first(&trace->store), end = store_end(&trace->store);
    uint32_t words[STORE_WORDS_MAX], more[STORE_WORDS_MAX];
    struct txtap_event start, event;

    if (index < first || index >= end)
        return ANSWER_NONE;
    get(trace, index, &start, words);
    for (uint32_t at = from; count > 0 && at >= first && at < end; at = forward ? at + 1 : at - 1, count--) {
        get(trace, at, &event, more);
        if (is_alike(trace, what, &start, &event, at))
            return at;
    }
    return ANSWER_NONE;
}
