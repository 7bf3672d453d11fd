/* SPDX-License-Identifier: MIT */
/*
 * A parser of the TSDL that Zephyr's metadata is written in. It refuses what it does not know the size of: a wrong size
 * would cut records at wrong places.
 */
#include "txtap/ctf_layout.h"

#include <string.h>

#include "file/ctf_layout_types.h"

static void parse_typealias(struct ctf_parser *parser)
{
    struct txtap_ctf_type type = {.bytes = 0};
    struct ctf_element element;

    if (ctf_take(parser, "enum")) {
        element = ctf_parse_enum(parser);
    } else {
        ctf_expect(parser, "integer");
        element = ctf_parse_integer(parser);
    }
    type.bytes = element.bytes;
    type.kind = element.kind;
    ctf_expect(parser, ":=");
    ctf_take_name(parser, type.name);
    ctf_expect(parser, ";");
    ctf_add_type(parser, type);
}

static void parse_named_struct(struct ctf_parser *parser)
{
    struct txtap_ctf_type type = {.is_struct = true};

    ctf_take_name(parser, type.name);
    (void)ctf_parse_struct(parser, &type, false);
    ctf_expect(parser, ";");
    ctf_add_type(parser, type);
}

static void parse_trace(struct ctf_parser *parser)
{
    ctf_expect(parser, "{");
    while (!parser->failed && !ctf_next_is(parser, "}")) {
        if (ctf_next_is(parser, "packet.header"))
            ctf_fail_at_next(parser, "streams with packets are not supported");
        if (ctf_take(parser, "byte_order")) {
            ctf_expect(parser, "=");
            parser->layout->big_endian = ctf_next_is(parser, "be");
        }
        while (parser->kind != CTF_TOKEN_END && !ctf_next_is(parser, ";") && !ctf_next_is(parser, "{"))
            ctf_advance(parser);
        if (ctf_next_is(parser, "{"))
            ctf_fail(parser, "a block inside the trace block");
        ctf_expect(parser, ";");
    }
    ctf_expect(parser, "}");
    ctf_expect(parser, ";");
}

static void parse_stream(struct ctf_parser *parser)
{
    ctf_expect(parser, "{");
    while (!parser->failed && !ctf_next_is(parser, "}")) {
        if (ctf_take(parser, "event.header")) {
            ctf_expect(parser, ":=");
            ctf_expect(parser, "struct");
            ctf_take_name(parser, parser->header_type);
        } else if (ctf_take(parser, "id")) {
            ctf_expect(parser, "=");
            ctf_advance(parser);
        } else {
            ctf_fail_at_next(parser, "streams with packets or a context are not supported");
        }
        ctf_expect(parser, ";");
    }
    ctf_expect(parser, "}");
    ctf_expect(parser, ";");
}

static void add_event(struct ctf_parser *parser, struct txtap_ctf_event event)
{
    struct txtap_ctf_layout *layout = parser->layout;
    size_t at = layout->event_count;

    if (parser->failed)
        return;
    while (at > 0 && layout->events[at - 1].id > event.id)
        at--;
    if (at > 0 && layout->events[at - 1].id == event.id) {
        ctf_fail(parser, "two events have the same id");
        return;
    }
    if (layout->event_count == TXTAP_CTF_EVENTS_MAX) {
        ctf_fail(parser, "more events than there is room for");
        return;
    }
    memmove(&layout->events[at + 1], &layout->events[at], (layout->event_count - at) * sizeof event);
    layout->events[at] = event;
    layout->event_count++;
}

/* A word or a quoted one. */
static void take_event_name(struct ctf_parser *parser, char name[static TXTAP_CTF_NAME_BYTES])
{
    const char *text = parser->kind == CTF_TOKEN_QUOTED ? parser->quoted : parser->text;
    size_t length = strlen(text);

    if (length < TXTAP_CTF_NAME_BYTES)
        memcpy(name, text, length + 1);
    ctf_advance(parser);
}

static void parse_event(struct ctf_parser *parser)
{
    struct txtap_ctf_event event = {.field = (uint32_t)parser->layout->field_count};
    struct txtap_ctf_type fields = {.bytes = 0};
    bool has_id = false;

    ctf_expect(parser, "{");
    while (!parser->failed && !ctf_next_is(parser, "}")) {
        if (ctf_take(parser, "id")) {
            ctf_expect(parser, "=");
            event.id = ctf_expect_number(parser, UINT32_MAX);
            has_id = true;
        } else if (ctf_take(parser, "fields")) {
            ctf_expect(parser, ":=");
            ctf_expect(parser, "struct");
            event.bytes = ctf_parse_struct(parser, &fields, true);
        } else if (ctf_take(parser, "name")) {
            ctf_expect(parser, "=");
            take_event_name(parser, event.name);
        } else if (ctf_take(parser, "stream_id") || ctf_take(parser, "loglevel")) {
            ctf_expect(parser, "=");
            ctf_advance(parser);
        } else {
            ctf_fail_at_next(parser, "an unknown part of an event");
        }
        ctf_expect(parser, ";");
    }
    ctf_expect(parser, "}");
    ctf_expect(parser, ";");
    if (!has_id)
        ctf_fail(parser, "an event without an id");
    event.field_count = (uint32_t)parser->layout->field_count - event.field;
    event.first_bytes = fields.first_bytes;
    event.name_at = fields.name_at;
    event.name_bytes = fields.name_bytes;
    event.ret_at = fields.ret_at;
    event.ret_bytes = fields.ret_bytes;
    add_event(parser, event);
}

static void parse_statement(struct ctf_parser *parser)
{
    if (ctf_take(parser, "typealias"))
        parse_typealias(parser);
    else if (ctf_take(parser, "struct"))
        parse_named_struct(parser);
    else if (ctf_take(parser, "trace"))
        parse_trace(parser);
    else if (ctf_take(parser, "stream"))
        parse_stream(parser);
    else if (ctf_take(parser, "event"))
        parse_event(parser);
    else if (!ctf_take(parser, ";"))
        ctf_fail_at_next(parser, "an unknown statement");
}

static void take_header(struct ctf_parser *parser)
{
    struct txtap_ctf_layout *layout = parser->layout;
    const struct txtap_ctf_type *header = ctf_find_type(parser, parser->header_type, true);

    if (header == NULL || header->id_bytes == 0 || header->id_bytes > 4 || header->bytes > TXTAP_CTF_HEADER_MAX) {
        ctf_fail(parser, "no event header with an id of 1 to 4 bytes");
        return;
    }
    layout->header_bytes = header->bytes;
    layout->id_at = header->id_at;
    layout->id_bytes = header->id_bytes;
    layout->stamp_at = header->stamp_at;
    layout->stamp_bytes = header->stamp_bytes;
    if (layout->event_count == 0)
        ctf_fail(parser, "no event");
}

enum txtap_status txtap_ctf_layout_parse(struct txtap_ctf_layout *layout, const char *text, size_t length)
{
    struct ctf_parser parser = {.layout = layout, .at = text, .end = text + length, .line = 1};

    memset(layout, 0, sizeof *layout);
    if (length > TXTAP_CTF_METADATA_MAX)
        ctf_fail(&parser, "too large");
    ctf_advance(&parser);
    while (parser.kind != CTF_TOKEN_END)
        parse_statement(&parser);
    if (!parser.failed)
        take_header(&parser);
    return parser.failed ? TXTAP_ERROR_FORMAT : TXTAP_OK;
}
