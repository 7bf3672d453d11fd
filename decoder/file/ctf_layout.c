/* SPDX-License-Identifier: MIT */
/*
 * Parses TSDL, the language of Zephyr's metadata. The parser rejects a type if it cannot determine the type's size,
 * because a wrong size would split records at wrong places.
 */
#include "txtap/inner/ctf_layout.h"

#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/text.h"

/* ---- the text as tokens ---- */

#define CTF_TOKEN_BYTES 64

enum ctf_token_kind { CTF_TOKEN_END, CTF_TOKEN_WORD, CTF_TOKEN_NUMBER, CTF_TOKEN_SIGN, CTF_TOKEN_QUOTED };

struct ctf_parser {
    struct txtap_ctf_layout *layout;
    const char *at, *end;
    /* Line numbers: of the current position, of the next token, and of the last token taken. */
    size_t line, token_line, taken_line;
    enum ctf_token_kind kind;     /* kind of the next token */
    char text[CTF_TOKEN_BYTES];   /* the next token; "" if it is QUOTED, so that it matches no other token */
    char quoted[CTF_TOKEN_BYTES]; /* if the next token is QUOTED: its text; a long text is cut */
    uint32_t number;
    bool failed;
    char header_type[TXTAP_CTF_NAME_BYTES];
};

/* Notes a failure, unless an earlier failure was noted. Moves to the end of the text. */
static void ctf_fail(struct ctf_parser *parser, const char *what)
{
    struct txtap_ctf_layout *layout = parser->layout;

    if (!parser->failed) {
        layout->error_line = parser->taken_line > 0 ? parser->taken_line : 1;
        snprintf(layout->complaint, sizeof layout->complaint, "%s", what);
    }
    parser->failed = true;
    parser->kind = CTF_TOKEN_END;
    parser->at = parser->end;
}

/* Like ctf_fail(), but notes the line of the next token. */
static void ctf_fail_at_next(struct ctf_parser *parser, const char *what)
{
    parser->taken_line = parser->token_line;
    ctf_fail(parser, what);
}

static bool is_word_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

/* Skips blanks, line ends and comments. */
static void skip_blanks(struct ctf_parser *parser)
{
    while (parser->at < parser->end) {
        bool two = parser->end - parser->at > 1;

        if (two && parser->at[0] == '/' && parser->at[1] == '/') {
            while (parser->at < parser->end && *parser->at != '\n')
                parser->at++;
        } else if (two && parser->at[0] == '/' && parser->at[1] == '*') {
            for (parser->at += 2; parser->end - parser->at > 1 && !(parser->at[0] == '*' && parser->at[1] == '/');)
                parser->line += *parser->at++ == '\n';
            parser->at += parser->end - parser->at > 1 ? 2 : parser->end - parser->at;
        } else if (*parser->at == ' ' || (*parser->at >= '\t' && *parser->at <= '\r')) {
            parser->line += *parser->at++ == '\n';
        } else {
            return;
        }
    }
}

static void take_quoted(struct ctf_parser *parser)
{
    size_t length = 0;

    parser->kind = CTF_TOKEN_QUOTED;
    parser->text[0] = '\0';
    for (parser->at++; parser->at < parser->end && *parser->at != '"' && *parser->at != '\n'; parser->at++)
        if (length < CTF_TOKEN_BYTES - 1)
            parser->quoted[length++] = *parser->at;
    parser->quoted[length] = '\0';
    if (parser->at == parser->end || *parser->at != '"')
        ctf_fail(parser, "a quote that is not closed");
    else
        parser->at++;
}

/* Reads the next token. */
static void ctf_advance(struct ctf_parser *parser)
{
    size_t length = 0;

    parser->taken_line = parser->token_line;
    skip_blanks(parser);
    parser->token_line = parser->line;
    if (parser->at == parser->end) {
        parser->kind = CTF_TOKEN_END;
        return;
    }
    if (*parser->at == '"') {
        take_quoted(parser);
        return;
    }
    while (parser->at < parser->end && is_word_byte(*parser->at) && length < CTF_TOKEN_BYTES)
        parser->text[length++] = *parser->at++;
    if (length == CTF_TOKEN_BYTES) {
        ctf_fail(parser, "a word that is too long");
        return;
    }
    parser->kind = CTF_TOKEN_WORD;
    if (length == 0) {
        parser->kind = CTF_TOKEN_SIGN;
        parser->text[length++] = *parser->at++;
        if (parser->text[0] == ':' && parser->at < parser->end && *parser->at == '=')
            parser->text[length++] = *parser->at++;
    }
    parser->text[length] = '\0';
    if (parser->kind == CTF_TOKEN_WORD && parser->text[0] >= '0' && parser->text[0] <= '9') {
        parser->kind = CTF_TOKEN_NUMBER;
        if (!digits_number(parser->text, length, &parser->number))
            ctf_fail(parser, "not a number, or too large");
    }
}

static bool ctf_next_is(const struct ctf_parser *parser, const char *text)
{
    return parser->kind != CTF_TOKEN_END && strcmp(parser->text, text) == 0;
}

/* If the next token is equal to text, skips this token and returns true. */
static bool ctf_take(struct ctf_parser *parser, const char *text)
{
    if (!ctf_next_is(parser, text))
        return false;
    ctf_advance(parser);
    return true;
}

static void ctf_expect(struct ctf_parser *parser, const char *text)
{
    char what[TXTAP_CTF_COMPLAINT_MAX];

    if (ctf_take(parser, text) || parser->failed)
        return;
    snprintf(what, sizeof what, "'%s' is missing", text);
    ctf_fail(parser, what);
}

static uint32_t ctf_expect_number(struct ctf_parser *parser, uint32_t max)
{
    uint32_t number = parser->number;

    if (parser->kind != CTF_TOKEN_NUMBER || parser->number > max) {
        ctf_fail(parser, "a number is missing, or too large");
        return 0;
    }
    ctf_advance(parser);
    return number;
}

/* Takes a name. If there is no valid name, notes a failure. */
static void ctf_take_name(struct ctf_parser *parser, char name[static TXTAP_CTF_NAME_BYTES])
{
    const size_t length = strlen(parser->text);

    name[0] = '\0';
    if (parser->kind != CTF_TOKEN_WORD || length >= TXTAP_CTF_NAME_BYTES) {
        ctf_fail(parser, "a name is missing, or too long");
        return;
    }
    memcpy(name, parser->text, length + 1);
    ctf_advance(parser);
}

/* The type of a field's elements. */
struct ctf_element {
    uint32_t bytes;
    enum txtap_ctf_kind kind;
};

/* ---- types: the size of a type, and how its fields are shown ---- */

/* Returns the type called name; NULL: there is no such type. */
static const struct txtap_ctf_type *find_type(const struct ctf_parser *parser, const char *name, bool is_struct)
{
    const struct txtap_ctf_layout *layout = parser->layout;

    for (size_t i = 0; i < layout->type_count; i++)
        if (layout->types[i].is_struct == is_struct && strcmp(layout->types[i].name, name) == 0)
            return &layout->types[i];
    return NULL;
}

static void add_type(struct ctf_parser *parser, struct txtap_ctf_type type)
{
    struct txtap_ctf_layout *layout = parser->layout;

    if (parser->failed)
        return;
    if (layout->type_count == TXTAP_CTF_TYPES_MAX)
        ctf_fail(parser, "more types than there is room for");
    else
        layout->types[layout->type_count++] = type;
}

/* Notes the attribute signed or encoding, which decides how a number is shown. */
static void note_attribute(struct ctf_parser *parser, bool is_signed, bool is_encoding, enum txtap_ctf_kind *kind)
{
    if (is_encoding && !ctf_next_is(parser, "none"))
        *kind = TXTAP_CTF_TEXT;
    if (is_signed && *kind != TXTAP_CTF_TEXT &&
        (ctf_next_is(parser, "true") || (parser->kind == CTF_TOKEN_NUMBER && parser->number == 1)))
        *kind = TXTAP_CTF_SIGNED;
    ctf_advance(parser);
}

/* Parses the part after "integer": { size = 32; align = 8; ... } */
static struct ctf_element parse_integer(struct ctf_parser *parser)
{
    enum txtap_ctf_kind kind = TXTAP_CTF_UNSIGNED;
    uint32_t bits = 0;

    ctf_expect(parser, "{");
    while (!parser->failed && !ctf_next_is(parser, "}")) {
        bool is_size = ctf_next_is(parser, "size"), is_align = ctf_next_is(parser, "align");
        bool is_signed = ctf_next_is(parser, "signed"), is_encoding = ctf_next_is(parser, "encoding");

        if (parser->kind == CTF_TOKEN_END)
            ctf_fail(parser, "the text ends within an integer");
        ctf_advance(parser);
        ctf_expect(parser, "=");
        if (is_size)
            bits = ctf_expect_number(parser, 64);
        else if (is_align && (ctf_expect_number(parser, 64) > 8))
            ctf_fail(parser, "an integer that is aligned to more than a byte");
        else if (!is_align)
            note_attribute(parser, is_signed, is_encoding, &kind);
        ctf_expect(parser, ";");
    }
    ctf_expect(parser, "}");
    if (!parser->failed && (bits == 0 || bits % 8 != 0))
        ctf_fail(parser, "an integer that is not of whole bytes");
    return (struct ctf_element){bits / 8, kind == TXTAP_CTF_TEXT && bits != 8 ? TXTAP_CTF_UNSIGNED : kind};
}

/* Parses the part after "enum". Only the integer type of the enum matters; the words in the enum are skipped. */
static struct ctf_element parse_enum(struct ctf_parser *parser)
{
    const struct txtap_ctf_type *type;
    char name[TXTAP_CTF_NAME_BYTES];
    struct ctf_element element = {0, TXTAP_CTF_UNSIGNED};

    if (parser->kind == CTF_TOKEN_WORD)
        ctf_advance(parser);
    ctf_expect(parser, ":");
    if (ctf_take(parser, "integer")) {
        element = parse_integer(parser);
    } else {
        ctf_take_name(parser, name);
        type = find_type(parser, name, false);
        if (type != NULL)
            element = (struct ctf_element){type->bytes, type->kind};
    }
    if (element.bytes == 0)
        ctf_fail(parser, "an enumeration of a type whose size is not known");
    ctf_expect(parser, "{");
    while (parser->kind != CTF_TOKEN_END && !ctf_next_is(parser, "}"))
        ctf_advance(parser);
    ctf_expect(parser, "}");
    return element;
}

/* Parses a type. The definition of a struct inside another struct is not supported, so there is no recursion. */
static struct ctf_element parse_type(struct ctf_parser *parser)
{
    const struct txtap_ctf_type *type;
    char name[TXTAP_CTF_NAME_BYTES];
    bool is_struct = ctf_take(parser, "struct");

    if (!is_struct && ctf_take(parser, "integer"))
        return parse_integer(parser);
    if (!is_struct && ctf_take(parser, "enum"))
        return parse_enum(parser);
    ctf_take_name(parser, name);
    type = find_type(parser, name, is_struct);
    if (type == NULL) {
        ctf_fail(parser, "a type whose size is not known");
        return (struct ctf_element){0, TXTAP_CTF_OTHER};
    }
    return (struct ctf_element){type->bytes, type->kind};
}

/* Returns the number of elements; 1 if the field is not an array. */
static uint32_t parse_length(struct ctf_parser *parser)
{
    uint32_t length = 1;

    while (ctf_take(parser, "[")) {
        length *= ctf_expect_number(parser, 4096);
        if (length > TXTAP_CTF_RECORD_MAX)
            ctf_fail(parser, "an array that is too long");
        ctf_expect(parser, "]");
    }
    return parser->failed ? 0 : length;
}

/*
 * Notes offset and size of a member that is needed later. name, bytes: name and size of the member. is_number: the
 * member is neither a struct nor an array. (An array may be empty.)
 */
static void note_member(struct txtap_ctf_type *type, const char *name, uint32_t bytes, bool is_number, bool is_first)
{
    uint32_t number_bytes = is_number ? bytes : 0;

    if (is_first)
        type->first_bytes = number_bytes;
    if (strcmp(name, "id") == 0) {
        type->id_at = type->bytes;
        type->id_bytes = number_bytes;
    } else if (strcmp(name, "timestamp") == 0) {
        type->stamp_at = type->bytes;
        type->stamp_bytes = number_bytes;
    } else if (strcmp(name, "ret") == 0) {
        type->ret_at = type->bytes;
        type->ret_bytes = number_bytes;
    } else if (strcmp(name, "name") == 0 && !is_number) {
        type->name_at = type->bytes;
        type->name_bytes = bytes;
    }
}

static void add_field(struct ctf_parser *parser, const char *name, uint32_t at, uint32_t bytes,
                      enum txtap_ctf_kind kind)
{
    struct txtap_ctf_layout *layout = parser->layout;
    struct txtap_ctf_field *field;

    if (parser->failed || layout->field_count == TXTAP_CTF_FIELDS_MAX)
        return;
    field = &layout->fields[layout->field_count++];
    *field = (struct txtap_ctf_field){.at = at, .bytes = bytes, .kind = kind};
    memcpy(field->name, name, strlen(name) + 1);
}

/*
 * Parses a struct from its opening brace on, and returns its size. of_event: the members of the struct are the fields
 * of an event.
 */
static uint32_t parse_struct(struct ctf_parser *parser, struct txtap_ctf_type *type, bool of_event)
{
    unsigned members = 0;

    ctf_expect(parser, "{");
    while (!parser->failed && !ctf_next_is(parser, "}")) {
        char name[TXTAP_CTF_NAME_BYTES];
        bool is_number = !ctf_next_is(parser, "struct");
        struct ctf_element element = parse_type(parser);
        uint64_t bytes = element.bytes;

        ctf_take_name(parser, name);
        is_number = is_number && !ctf_next_is(parser, "[");
        bytes *= parse_length(parser);
        note_member(type, name, (uint32_t)(bytes < TXTAP_CTF_RECORD_MAX ? bytes : 0), is_number, members++ == 0);
        ctf_expect(parser, ";");
        if (type->bytes + bytes > TXTAP_CTF_RECORD_MAX)
            ctf_fail(parser, "a struct that is too large");
        if (of_event)
            add_field(parser, name, type->bytes, (uint32_t)bytes,
                      is_number || element.kind == TXTAP_CTF_TEXT ? element.kind : TXTAP_CTF_OTHER);
        if (!parser->failed)
            type->bytes += (uint32_t)bytes;
    }
    ctf_expect(parser, "}");
    return type->bytes;
}

/* ---- statements ---- */

static void parse_typealias(struct ctf_parser *parser)
{
    struct txtap_ctf_type type = {.bytes = 0};
    struct ctf_element element;

    if (ctf_take(parser, "enum")) {
        element = parse_enum(parser);
    } else {
        ctf_expect(parser, "integer");
        element = parse_integer(parser);
    }
    type.bytes = element.bytes;
    type.kind = element.kind;
    ctf_expect(parser, ":=");
    ctf_take_name(parser, type.name);
    ctf_expect(parser, ";");
    add_type(parser, type);
}

static void parse_named_struct(struct ctf_parser *parser)
{
    struct txtap_ctf_type type = {.is_struct = true};

    ctf_take_name(parser, type.name);
    (void)parse_struct(parser, &type, false);
    ctf_expect(parser, ";");
    add_type(parser, type);
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

/* Takes a word or a quoted word. */
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
            event.bytes = parse_struct(parser, &fields, true);
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
    const struct txtap_ctf_type *header = find_type(parser, parser->header_type, true);

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

/* ---- counting records by their layout ---- */

const struct txtap_ctf_event *txtap_ctf_find(const struct txtap_ctf_layout *layout, uint32_t id)
{
    size_t low = 0, high = layout->event_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (layout->events[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < layout->event_count && layout->events[low].id == id ? &layout->events[low] : NULL;
}

static void end_record(struct txtap_ctf_counter *counter)
{
    counter->records++;
    counter->bytes += counter->partial;
    counter->partial = 0;
    counter->missing = 0;
}

static void end_header(const struct txtap_ctf_layout *layout, struct txtap_ctf_counter *counter)
{
    const struct txtap_ctf_event *event;

    counter->id = (uint32_t)bytes_number(counter->header + layout->id_at, layout->big_endian ? TXTAP_BIG : TXTAP_LITTLE,
                                         layout->id_bytes);
    event = txtap_ctf_find(layout, counter->id);
    if (event == NULL)
        counter->stopped = true;
    else if (event->bytes == 0)
        end_record(counter);
    else
        counter->missing = event->bytes;
}

void txtap_ctf_count(const struct txtap_ctf_layout *layout, struct txtap_ctf_counter *counter, const uint8_t *bytes,
                     size_t length)
{
    while (length > 0) {
        size_t step = length;

        if (!counter->stopped && counter->missing > 0) {
            step = counter->missing < length ? (size_t)counter->missing : length;
            counter->missing -= step;
            counter->partial += step;
            if (counter->missing == 0)
                end_record(counter);
        } else if (!counter->stopped) {
            size_t room = layout->header_bytes - (size_t)counter->partial;

            step = room < length ? room : length;
            memcpy(counter->header + counter->partial, bytes, step);
            counter->partial += step;
            if (counter->partial == layout->header_bytes)
                end_header(layout, counter);
        } else {
            counter->partial += step;
        }
        bytes += step;
        length -= step;
    }
}
