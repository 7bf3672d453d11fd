/* SPDX-License-Identifier: MIT */
/*
 * A parser of the TSDL that Zephyr's metadata is written in. What it does not know the size of is refused: a size that
 * is wrong would cut records at wrong places.
 */
#include "txtap/ctf_layout.h"

#include <stdio.h>
#include <string.h>

#define TOKEN_BYTES 64

enum token_kind { TOKEN_END, TOKEN_WORD, TOKEN_NUMBER, TOKEN_SIGN };

struct parser {
    struct txtap_ctf_layout *layout;
    const char *at, *end;
    size_t line, token_line, taken_line; /* of the text so far, of the token that comes next, of the one before it */
    enum token_kind kind;                /* of the token that comes next */
    char text[TOKEN_BYTES];
    uint64_t number;
    bool failed;
    char header_type[TXTAP_CTF_NAME_BYTES];
};

/* The first failure stays; from then on the text is at its end. */
static void fail(struct parser *parser, const char *what)
{
    struct txtap_ctf_layout *layout = parser->layout;

    if (!parser->failed) {
        layout->error_line = parser->taken_line > 0 ? parser->taken_line : 1;
        snprintf(layout->complaint, sizeof layout->complaint, "%s", what);
    }
    parser->failed = true;
    parser->kind = TOKEN_END;
    parser->at = parser->end;
}

/* The same, of the token that comes next. */
static void fail_at_next(struct parser *parser, const char *what)
{
    parser->taken_line = parser->token_line;
    fail(parser, what);
}

/* ---- tokens ---- */

static bool is_word_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

/* Blanks, line ends and comments. */
static void skip_blanks(struct parser *parser)
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

static uint64_t number_of(struct parser *parser)
{
    const char *at = parser->text;
    unsigned base = at[0] == '0' && (at[1] == 'x' || at[1] == 'X') ? 16 : 10;
    uint64_t value = 0;

    for (at += base == 16 ? 2 : 0; *at != '\0'; at++) {
        unsigned digit = *at >= '0' && *at <= '9' ? (unsigned)(*at - '0') : (unsigned)((*at | 32) - 'a') + 10;

        if (digit >= base || value > UINT32_MAX) {
            fail(parser, "a number that is none, or too large");
            return 0;
        }
        value = value * base + digit;
    }
    return value;
}

static void take_quoted(struct parser *parser)
{
    parser->kind = TOKEN_WORD;
    parser->text[0] = '\0'; /* what it says does not matter */
    for (parser->at++; parser->at < parser->end && *parser->at != '"'; parser->at++)
        if (*parser->at == '\n')
            break;
    if (parser->at == parser->end || *parser->at != '"')
        fail(parser, "a quote that does not end");
    else
        parser->at++;
}

static void advance(struct parser *parser)
{
    size_t length = 0;

    parser->taken_line = parser->token_line;
    skip_blanks(parser);
    parser->token_line = parser->line;
    if (parser->at == parser->end) {
        parser->kind = TOKEN_END;
        return;
    }
    if (*parser->at == '"') {
        take_quoted(parser);
        return;
    }
    while (parser->at < parser->end && is_word_byte(*parser->at) && length < TOKEN_BYTES)
        parser->text[length++] = *parser->at++;
    if (length == TOKEN_BYTES) {
        fail(parser, "a word that is too long");
        return;
    }
    parser->kind = TOKEN_WORD;
    if (length == 0) {
        parser->kind = TOKEN_SIGN;
        parser->text[length++] = *parser->at++;
        if (parser->text[0] == ':' && parser->at < parser->end && *parser->at == '=')
            parser->text[length++] = *parser->at++;
    }
    parser->text[length] = '\0';
    if (parser->kind == TOKEN_WORD && parser->text[0] >= '0' && parser->text[0] <= '9') {
        parser->kind = TOKEN_NUMBER;
        parser->number = number_of(parser);
    }
}

static bool next_is(const struct parser *parser, const char *text)
{
    return parser->kind != TOKEN_END && strcmp(parser->text, text) == 0;
}

static bool take(struct parser *parser, const char *text)
{
    if (!next_is(parser, text))
        return false;
    advance(parser);
    return true;
}

static void expect(struct parser *parser, const char *text)
{
    char what[TXTAP_CTF_COMPLAINT_MAX];

    if (take(parser, text) || parser->failed)
        return;
    snprintf(what, sizeof what, "'%s' is missing", text);
    fail(parser, what);
}

static uint32_t expect_number(struct parser *parser, uint32_t max)
{
    uint32_t number = (uint32_t)parser->number;

    if (parser->kind != TOKEN_NUMBER || parser->number > max) {
        fail(parser, "a number is missing, or too large");
        return 0;
    }
    advance(parser);
    return number;
}

static void take_name(struct parser *parser, char name[static TXTAP_CTF_NAME_BYTES])
{
    const size_t length = strlen(parser->text);

    name[0] = '\0';
    if (parser->kind != TOKEN_WORD || length >= TXTAP_CTF_NAME_BYTES) {
        fail(parser, "a name is missing, or too long");
        return;
    }
    memcpy(name, parser->text, length + 1);
    advance(parser);
}

/* ---- types ---- */

static const struct txtap_ctf_type *find_type(const struct parser *parser, const char *name, bool is_struct)
{
    const struct txtap_ctf_layout *layout = parser->layout;

    for (size_t i = 0; i < layout->type_count; i++)
        if (layout->types[i].is_struct == is_struct && strcmp(layout->types[i].name, name) == 0)
            return &layout->types[i];
    return NULL;
}

static void add_type(struct parser *parser, struct txtap_ctf_type type)
{
    struct txtap_ctf_layout *layout = parser->layout;

    if (parser->failed)
        return;
    if (layout->type_count == TXTAP_CTF_TYPES_MAX)
        fail(parser, "more types than there is room for");
    else
        layout->types[layout->type_count++] = type;
}

/* From behind "integer" on: { size = 32; align = 8; ... } */
static uint32_t parse_integer(struct parser *parser)
{
    uint32_t bits = 0;

    expect(parser, "{");
    while (!parser->failed && !next_is(parser, "}")) {
        bool is_size = next_is(parser, "size"), is_align = next_is(parser, "align");

        if (parser->kind == TOKEN_END)
            fail(parser, "the text ends within an integer");
        advance(parser);
        expect(parser, "=");
        if (is_size)
            bits = expect_number(parser, 64);
        else if (is_align && (expect_number(parser, 64) > 8))
            fail(parser, "an integer that is aligned to more than a byte");
        else if (!is_align)
            advance(parser);
        expect(parser, ";");
    }
    expect(parser, "}");
    if (!parser->failed && (bits == 0 || bits % 8 != 0))
        fail(parser, "an integer that is not of whole bytes");
    return bits / 8;
}

/* From behind "enum" on: its words do not matter, only the integer that they stand for. */
static uint32_t parse_enum(struct parser *parser)
{
    const struct txtap_ctf_type *type;
    char name[TXTAP_CTF_NAME_BYTES];
    uint32_t bytes = 0;

    if (parser->kind == TOKEN_WORD)
        advance(parser);
    expect(parser, ":");
    if (take(parser, "integer")) {
        bytes = parse_integer(parser);
    } else {
        take_name(parser, name);
        type = find_type(parser, name, false);
        bytes = type != NULL ? type->bytes : 0;
    }
    if (bytes == 0)
        fail(parser, "an enumeration of a type whose size is not known");
    expect(parser, "{");
    while (parser->kind != TOKEN_END && !next_is(parser, "}"))
        advance(parser);
    expect(parser, "}");
    return bytes;
}

/* Its size. A struct that is written out in another one is not known: there is no recursion. */
static uint32_t parse_type(struct parser *parser)
{
    const struct txtap_ctf_type *type;
    char name[TXTAP_CTF_NAME_BYTES];
    bool is_struct = take(parser, "struct");

    if (!is_struct && take(parser, "integer"))
        return parse_integer(parser);
    if (!is_struct && take(parser, "enum"))
        return parse_enum(parser);
    take_name(parser, name);
    type = find_type(parser, name, is_struct);
    if (type == NULL) {
        fail(parser, "a type whose size is not known");
        return 0;
    }
    return type->bytes;
}

/* How many of it there are: 1 if it is no array. */
static uint32_t parse_length(struct parser *parser)
{
    uint32_t length = 1;

    while (take(parser, "[")) {
        length *= expect_number(parser, 4096);
        if (length > TXTAP_CTF_RECORD_MAX)
            fail(parser, "an array that is too long");
        expect(parser, "]");
    }
    return parser->failed ? 0 : length;
}

/* From its brace on. */
static uint32_t parse_struct(struct parser *parser, struct txtap_ctf_type *type)
{
    expect(parser, "{");
    while (!parser->failed && !next_is(parser, "}")) {
        char name[TXTAP_CTF_NAME_BYTES];
        bool is_integer = !next_is(parser, "struct");
        uint64_t bytes;

        bytes = parse_type(parser);
        take_name(parser, name);
        if (strcmp(name, "id") == 0) { /* a number: neither a struct nor an array, which may be empty */
            type->id_at = type->bytes;
            type->id_bytes = is_integer && !next_is(parser, "[") ? (uint32_t)bytes : 0;
        }
        bytes *= parse_length(parser);
        expect(parser, ";");
        if (type->bytes + bytes > TXTAP_CTF_RECORD_MAX)
            fail(parser, "a struct that is too large");
        else
            type->bytes += (uint32_t)bytes;
    }
    expect(parser, "}");
    return type->bytes;
}

/* ---- statements ---- */

static void parse_typealias(struct parser *parser)
{
    struct txtap_ctf_type type = {.bytes = 0};

    if (take(parser, "enum")) {
        type.bytes = parse_enum(parser);
    } else {
        expect(parser, "integer");
        type.bytes = parse_integer(parser);
    }
    expect(parser, ":=");
    take_name(parser, type.name);
    expect(parser, ";");
    add_type(parser, type);
}

static void parse_named_struct(struct parser *parser)
{
    struct txtap_ctf_type type = {.is_struct = true};

    take_name(parser, type.name);
    (void)parse_struct(parser, &type);
    expect(parser, ";");
    add_type(parser, type);
}

static void parse_trace(struct parser *parser)
{
    expect(parser, "{");
    while (!parser->failed && !next_is(parser, "}")) {
        if (next_is(parser, "packet.header"))
            fail_at_next(parser, "the stream has packets, whose records cannot be told apart here");
        if (take(parser, "byte_order")) {
            expect(parser, "=");
            parser->layout->big_endian = next_is(parser, "be");
        }
        while (parser->kind != TOKEN_END && !next_is(parser, ";") && !next_is(parser, "{"))
            advance(parser);
        if (next_is(parser, "{"))
            fail(parser, "a block within the trace's");
        expect(parser, ";");
    }
    expect(parser, "}");
    expect(parser, ";");
}

static void parse_stream(struct parser *parser)
{
    expect(parser, "{");
    while (!parser->failed && !next_is(parser, "}")) {
        if (take(parser, "event.header")) {
            expect(parser, ":=");
            expect(parser, "struct");
            take_name(parser, parser->header_type);
        } else if (take(parser, "id")) {
            expect(parser, "=");
            advance(parser);
        } else {
            fail_at_next(parser, "the stream has packets, or a context, whose records cannot be told apart here");
        }
        expect(parser, ";");
    }
    expect(parser, "}");
    expect(parser, ";");
}

static void add_event(struct parser *parser, struct txtap_ctf_event event)
{
    struct txtap_ctf_layout *layout = parser->layout;
    size_t at = layout->event_count;

    if (parser->failed)
        return;
    while (at > 0 && layout->events[at - 1].id > event.id)
        at--;
    if (at > 0 && layout->events[at - 1].id == event.id) {
        fail(parser, "an event's id is there twice");
        return;
    }
    if (layout->event_count == TXTAP_CTF_EVENTS_MAX) {
        fail(parser, "more events than there is room for");
        return;
    }
    memmove(&layout->events[at + 1], &layout->events[at], (layout->event_count - at) * sizeof event);
    layout->events[at] = event;
    layout->event_count++;
}

static void parse_event(struct parser *parser)
{
    struct txtap_ctf_event event = {0};
    struct txtap_ctf_type fields = {.bytes = 0};
    bool has_id = false;

    expect(parser, "{");
    while (!parser->failed && !next_is(parser, "}")) {
        if (take(parser, "id")) {
            expect(parser, "=");
            event.id = expect_number(parser, UINT32_MAX);
            has_id = true;
        } else if (take(parser, "fields")) {
            expect(parser, ":=");
            expect(parser, "struct");
            event.bytes = parse_struct(parser, &fields);
        } else if (take(parser, "name") || take(parser, "stream_id") || take(parser, "loglevel")) {
            expect(parser, "=");
            advance(parser);
        } else {
            fail_at_next(parser, "a part of an event that is not known");
        }
        expect(parser, ";");
    }
    expect(parser, "}");
    expect(parser, ";");
    if (!has_id)
        fail(parser, "an event without an id");
    add_event(parser, event);
}

static void parse_statement(struct parser *parser)
{
    if (take(parser, "typealias"))
        parse_typealias(parser);
    else if (take(parser, "struct"))
        parse_named_struct(parser);
    else if (take(parser, "trace"))
        parse_trace(parser);
    else if (take(parser, "stream"))
        parse_stream(parser);
    else if (take(parser, "event"))
        parse_event(parser);
    else if (!take(parser, ";"))
        fail_at_next(parser, "a statement that is not known");
}

static void take_header(struct parser *parser)
{
    struct txtap_ctf_layout *layout = parser->layout;
    const struct txtap_ctf_type *header = find_type(parser, parser->header_type, true);

    if (header == NULL || header->id_bytes == 0 || header->id_bytes > 4 || header->bytes > TXTAP_CTF_HEADER_MAX) {
        fail(parser, "no event header with an id of 1 to 4 bytes");
        return;
    }
    layout->header_bytes = header->bytes;
    layout->id_at = header->id_at;
    layout->id_bytes = header->id_bytes;
    if (layout->event_count == 0)
        fail(parser, "no event");
}

enum txtap_status txtap_ctf_layout_parse(struct txtap_ctf_layout *layout, const char *text, size_t length)
{
    struct parser parser = {.layout = layout, .at = text, .end = text + length, .line = 1};

    memset(layout, 0, sizeof *layout);
    if (length > TXTAP_CTF_METADATA_MAX)
        fail(&parser, "too large");
    advance(&parser);
    while (parser.kind != TOKEN_END)
        parse_statement(&parser);
    if (!parser.failed)
        take_header(&parser);
    return parser.failed ? TXTAP_ERROR_FORMAT : TXTAP_OK;
}

/* ---- records ---- */

static const struct txtap_ctf_event *find_event(const struct txtap_ctf_layout *layout, uint32_t id)
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

static uint32_t id_of(const struct txtap_ctf_layout *layout, const uint8_t *header)
{
    uint32_t id = 0;

    for (uint32_t i = 0; i < layout->id_bytes; i++)
        id = id << 8 | header[layout->id_at + (layout->big_endian ? i : layout->id_bytes - 1 - i)];
    return id;
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

    counter->id = id_of(layout, counter->header);
    event = find_event(layout, counter->id);
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
