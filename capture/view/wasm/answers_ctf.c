/* SPDX-License-Identifier: MIT */
/* Events of CTF: names and fields are those of the metadata. An address of a thread is shown as its name. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "txtap/inner/escape.h"
#include "view/wasm/answers.h"

#define TEXT_BYTES 256 /* of a field's value */

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

/* Zephyr calls the address of a thread or of an object id, or thread_id. That of a socket is a small number. */
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

/* As much of it as is held. */
static void put_bytes(const struct view_record *record, const struct txtap_ctf_field *field, char text[TEXT_BYTES])
{
    size_t used = 0;

    for (uint32_t i = 0; i < field->bytes && field->at + i < record->length; i++)
        used +=
            (size_t)snprintf(text + used, TEXT_BYTES - used, "%s%02x", i > 0 ? " " : "", record->fields[field->at + i]);
}

/* False: it is not held. */
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

/* The thread that recorded it; of an interrupt the one that it found. "": not known, or the idle loop. */
static void put_thread(const struct txtap_registry *names, const struct txtap_event *event, char text[TEXT_BYTES])
{
    const char *name = txtap_registry_name(names, event->thread);

    text[0] = '\0';
    if (*name != '\0')
        (void)snprintf(text, TEXT_BYTES, "%s", name);
    else if (event->thread != 0)
        (void)snprintf(text, TEXT_BYTES, "0x%08" PRIx32, event->thread);
}

void answer_add_record(struct view_trace *trace, const struct txtap_event *event)
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

void answer_add_record_line(struct view_trace *trace, const struct txtap_event *event)
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

void answer_show_record(const struct view_trace *trace, struct txtap_event *event)
{
    const struct view_record record = view_trace_record(trace, event);
    const struct txtap_ctf_field first = {.bytes = record.event->first_bytes};

    event->id = record.event->id;
    event->info[0] = first.bytes == 4 && record.length >= 4 ? (uint32_t)number_of(&record, &first) : 0;
}
