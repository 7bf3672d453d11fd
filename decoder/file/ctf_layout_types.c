/* SPDX-License-Identifier: MIT */
/* How large the types of metadata are, and what fields of them say. */
#include "file/ctf_layout_types.h"

#include <string.h>

const struct txtap_ctf_type *ctf_find_type(const struct ctf_parser *parser, const char *name, bool is_struct)
{
    const struct txtap_ctf_layout *layout = parser->layout;

    for (size_t i = 0; i < layout->type_count; i++)
        if (layout->types[i].is_struct == is_struct && strcmp(layout->types[i].name, name) == 0)
            return &layout->types[i];
    return NULL;
}

void ctf_add_type(struct ctf_parser *parser, struct txtap_ctf_type type)
{
    struct txtap_ctf_layout *layout = parser->layout;

    if (parser->failed)
        return;
    if (layout->type_count == TXTAP_CTF_TYPES_MAX)
        ctf_fail(parser, "more types than there is room for");
    else
        layout->types[layout->type_count++] = type;
}

/* What an attribute says that decides how a number is shown. */
static void note_attribute(struct ctf_parser *parser, bool is_signed, bool is_encoding, enum txtap_ctf_kind *kind)
{
    if (is_encoding && !ctf_next_is(parser, "none"))
        *kind = TXTAP_CTF_TEXT;
    if (is_signed && *kind != TXTAP_CTF_TEXT &&
        (ctf_next_is(parser, "true") || (parser->kind == CTF_TOKEN_NUMBER && parser->number == 1)))
        *kind = TXTAP_CTF_SIGNED;
    ctf_advance(parser);
}

struct ctf_element ctf_parse_integer(struct ctf_parser *parser)
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

struct ctf_element ctf_parse_enum(struct ctf_parser *parser)
{
    const struct txtap_ctf_type *type;
    char name[TXTAP_CTF_NAME_BYTES];
    struct ctf_element element = {0, TXTAP_CTF_UNSIGNED};

    if (parser->kind == CTF_TOKEN_WORD)
        ctf_advance(parser);
    ctf_expect(parser, ":");
    if (ctf_take(parser, "integer")) {
        element = ctf_parse_integer(parser);
    } else {
        ctf_take_name(parser, name);
        type = ctf_find_type(parser, name, false);
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

/* A struct that is written out in another one is not known: there is no recursion. */
static struct ctf_element parse_type(struct ctf_parser *parser)
{
    const struct txtap_ctf_type *type;
    char name[TXTAP_CTF_NAME_BYTES];
    bool is_struct = ctf_take(parser, "struct");

    if (!is_struct && ctf_take(parser, "integer"))
        return ctf_parse_integer(parser);
    if (!is_struct && ctf_take(parser, "enum"))
        return ctf_parse_enum(parser);
    ctf_take_name(parser, name);
    type = ctf_find_type(parser, name, is_struct);
    if (type == NULL) {
        ctf_fail(parser, "a type whose size is not known");
        return (struct ctf_element){0, TXTAP_CTF_OTHER};
    }
    return (struct ctf_element){type->bytes, type->kind};
}

/* How many of it there are: 1 if it is no array. */
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

/* What is asked for later of some members. name: of the member, of bytes bytes; is_number: neither a struct nor an
 * array, which may be empty. */
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

uint32_t ctf_parse_struct(struct ctf_parser *parser, struct txtap_ctf_type *type, bool of_event)
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
