/* SPDX-License-Identifier: MIT */
/* Parses the text of a user event, with its fields in braces. */
#include <string.h>

#include "event/definitions.h"

static const struct kind {
    const char *name;
    enum txtap_field_kind kind;
} kinds[] = {
    {"u", TXTAP_FIELD_NUMBER},
    {"d", TXTAP_FIELD_SIGNED},
    {"x", TXTAP_FIELD_HEX},
    {"f", TXTAP_FIELD_FLOAT},
    {"addr", TXTAP_FIELD_ADDRESS},
    {"object", TXTAP_FIELD_OBJECT},
    {"wait", TXTAP_FIELD_WAIT},
    {"ipv4", TXTAP_FIELD_IPV4},
    {"state", TXTAP_FIELD_THREAD_STATE},
    {"tx_status", TXTAP_FIELD_TX_STATUS},
    {"fx_status", TXTAP_FIELD_FX_STATUS},
    {"nx_status", TXTAP_FIELD_NX_STATUS},
    {"ux_status", TXTAP_FIELD_UX_STATUS},
    {"enum", TXTAP_FIELD_ENUM},
    {"flags", TXTAP_FIELD_FLAGS},
};

/* "/1000": 3 decimals. */
static enum txtap_status parse_decimals(struct parser *parser, struct cursor *inside,
                                        struct txtap_definition_part *part)
{
    struct cursor divisor = take_run(inside, "");
    size_t zeros = divisor.left > 0 ? divisor.left - 1 : 0;

    if (part->field.kind != TXTAP_FIELD_NUMBER && part->field.kind != TXTAP_FIELD_SIGNED)
        return complain(parser, TXTAP_ERROR_FORMAT, "only u and d can be divided", divisor);
    if (zeros < 1 || zeros > 9 || memcmp(divisor.at, "1000000000", divisor.left) != 0)
        return complain(parser, TXTAP_ERROR_FORMAT, "expected 10, 100, ... 1000000000 behind the '/'", divisor);
    part->format.decimals = (uint8_t)zeros;
    return TXTAP_OK;
}

/* The name behind "enum" or "flags". */
static enum txtap_status parse_list_name(struct parser *parser, struct cursor *inside,
                                         struct txtap_definition_part *part)
{
    const struct txtap_definitions *definitions = parser->definitions;
    struct cursor name;

    skip_blanks(inside);
    name = take_run(inside, "");
    for (size_t i = 0; i < definitions->list_count; i++) {
        const struct txtap_word_list *list = &definitions->lists[i];

        if (!token_is(name, list->name) || list->flags != (part->field.kind == TXTAP_FIELD_FLAGS))
            continue;
        part->format.words = definitions->memory.words + list->first;
        part->format.word_count = list->count;
        return TXTAP_OK;
    }
    return complain(parser, TXTAP_ERROR_FORMAT, "no line above defines this enumeration", name);
}

static enum txtap_status parse_kind(struct parser *parser, struct cursor *inside, struct txtap_definition_part *part)
{
    struct cursor name = take_run(inside, "");

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (!token_is(name, kinds[i].name))
            continue;
        part->field.kind = kinds[i].kind;
        if (part->field.kind == TXTAP_FIELD_ENUM || part->field.kind == TXTAP_FIELD_FLAGS)
            return parse_list_name(parser, inside, part);
        return take_byte(inside, '/') ? parse_decimals(parser, inside, part) : TXTAP_OK;
    }
    return complain(parser, TXTAP_ERROR_FORMAT, "not a kind of value", name.left > 0 ? name : *inside);
}

static enum txtap_status parse_label(struct parser *parser, struct cursor *inside, struct txtap_definition_part *part)
{
    struct cursor label = take_run(inside, ".-");

    if (label.left == 0 || label.left > TXTAP_DEFINITION_NAME_MAX)
        return complain(parser, TXTAP_ERROR_FORMAT, "a label has 1 to 63 letters, digits, or _ . -", label);
    return keep_string(parser, label, &part->field.label);
}

/* inside: what is between the braces. */
static enum txtap_status parse_part(struct parser *parser, struct cursor inside, struct txtap_definition_part *part)
{
    struct cursor whole = inside;
    enum txtap_status status = TXTAP_OK;

    if (inside.left == 0 || *inside.at < '0' || *inside.at > '3')
        return complain(parser, TXTAP_ERROR_FORMAT, "a field begins with its word, 0 to 3", whole);
    part->word = (uint8_t)(*inside.at - '0');
    inside.at++, inside.left--;
    part->field.kind = TXTAP_FIELD_NUMBER;
    part->field.label = word_labels[part->word];
    part->format.unit = "";
    if (take_byte(&inside, '='))
        status = parse_label(parser, &inside, part);
    if (status == TXTAP_OK && take_byte(&inside, ':'))
        status = parse_kind(parser, &inside, part);
    if (status != TXTAP_OK || inside.left == 0)
        return status;
    if (!take_byte(&inside, ' ') || inside.left > TXTAP_DEFINITION_NAME_MAX)
        return complain(parser, TXTAP_ERROR_FORMAT, "expected WORD=LABEL:KIND UNIT", whole);
    return keep_string(parser, trim(inside), &part->format.unit);
}

/* Only kinds that need more than the number have a format. */
static void use_format(struct txtap_definition_part *part)
{
    bool listed = part->field.kind == TXTAP_FIELD_ENUM || part->field.kind == TXTAP_FIELD_FLAGS;

    part->field.format = listed || part->format.decimals > 0 ? &part->format : NULL;
}

static enum txtap_status add_part(struct parser *parser, struct cursor inside, size_t at,
                                  struct txtap_definition *definition)
{
    struct txtap_definition_part *part = &definition->part[definition->part_count];
    enum txtap_status status;

    if (definition->part_count == TXTAP_DEFINITION_PARTS_MAX)
        return complain(parser, TXTAP_ERROR_FORMAT, "more than 8 fields in a text", inside);
    status = parse_part(parser, inside, part);
    if (status != TXTAP_OK)
        return status;
    part->at = (uint16_t)at;
    use_format(part);
    definition->part_count++;
    if (definition->info.field[part->word].kind == TXTAP_FIELD_NONE)
        definition->info.field[part->word] = part->field;
    return TXTAP_OK;
}

enum txtap_status parse_text(struct parser *parser, struct cursor text, struct txtap_definition *definition)
{
    char plain[TXTAP_DEFINITION_TEXT_MAX];
    struct cursor whole = text, kept = {plain, 0};
    enum txtap_status status = TXTAP_OK;

    if (!token_is_clean(text, TXTAP_DEFINITION_TEXT_MAX))
        return complain(parser, TXTAP_ERROR_FORMAT,
                        "a text is longer than 255 bytes, not UTF-8, or has a control character or backslash", text);
    while (status == TXTAP_OK && text.left > 0) {
        char byte = *text.at;
        const char *end;

        text.at++, text.left--;
        if ((byte != '{' && byte != '}') || take_byte(&text, byte)) {
            plain[kept.left++] = byte;
            continue;
        }
        end = text.left > 0 ? memchr(text.at, '}', text.left) : NULL;
        if (byte == '}' || end == NULL)
            return complain(parser, TXTAP_ERROR_FORMAT, "a brace without its other: {{ and }} stand for braces", whole);
        status = add_part(parser, (struct cursor){text.at, (size_t)(end - text.at)}, kept.left, definition);
        text.left -= (size_t)(end - text.at) + 1;
        text.at = end + 1;
    }
    for (size_t i = 0; i < 4 && status == TXTAP_OK; i++) {
        if (!label_is_unique(definition, i))
            return complain(parser, TXTAP_ERROR_FORMAT, "two words have the same label", whole);
    }
    return status == TXTAP_OK ? keep_string(parser, kept, &definition->text) : status;
}
