/* SPDX-License-Identifier: MIT */
/* Lines of TraceX's .trxc. Abbreviation and colours are TraceX's affair and not looked at. */
#include <string.h>

#include "base/utf8.h"
#include "event/definitions.h"

#define FIELDS_MIN  13
#define FIELD_NAME  1
#define FIELD_LABEL 9 /* the first of four */

static struct cursor take_field(struct cursor *line)
{
    const char *comma = line->left > 0 ? memchr(line->at, ',', line->left) : NULL;
    struct cursor field = {line->at, comma != NULL ? (size_t)(comma - line->at) : line->left};
    size_t taken = field.left + (comma != NULL);

    line->at += taken;
    line->left -= taken;
    return trimmed(field);
}

/* Names come from a program that took anything: what may not stand in a string becomes a '?'. */
static enum txtap_status keep_cleaned(struct parser *parser, struct cursor token, bool label, const char **text)
{
    char clean[TXTAP_DEFINITION_NAME_MAX];
    struct cursor cleaned = {clean, 0};

    while (token.left > 0) {
        char character[5] = "";
        size_t length;

        memcpy(character, token.at, token.left < 4 ? token.left : 4);
        length = utf8_length(character);
        if (length == 0 || !token_is_clean((struct cursor){character, length}, 4)) {
            *character = '?';
            length = 1;
        }
        if (label && (*character == ' ' || *character == '='))
            *character = '_';
        if (cleaned.left + length > sizeof(clean))
            break;
        memcpy(clean + cleaned.left, character, length);
        cleaned.left += length;
        token.at += length, token.left -= length;
    }
    return keep_string(parser, cleaned, text);
}

/* TraceX shows all values as 0x%08X, and takes the same label twice. */
static enum txtap_status fill_fields(struct parser *parser, const struct cursor labels[4],
                                     struct txtap_definition *definition)
{
    static const char *const numbered[] = {"info1", "info2", "info3", "info4"};

    for (size_t i = 0; i < 4; i++) {
        const char *label;
        enum txtap_status status;

        if (labels[i].left == 0)
            continue;
        status = keep_cleaned(parser, labels[i], true, &label);
        if (status != TXTAP_OK)
            return status;
        definition->info.field[i] = (struct txtap_field_info){TXTAP_FIELD_ADDRESS, label, NULL};
    }
    /* A number put in may be what another word is called: that one gets its own number in a later round. */
    for (size_t i = 0; i < 4 * 4; i++) {
        if (!label_is_unique(definition, i % 4) && definition->info.field[i % 4].kind != TXTAP_FIELD_NONE)
            definition->info.field[i % 4].label = numbered[i % 4];
    }
    return TXTAP_OK;
}

enum txtap_status parse_trxc_line(struct parser *parser, struct cursor line)
{
    struct cursor whole = line, fields[FIELDS_MIN];
    struct txtap_definition *definition;
    enum txtap_status status;
    const char *name;
    uint32_t id;

    for (size_t i = 0; i < FIELDS_MIN; i++) {
        if (i > 0 && line.left == 0 && line.at[-1] != ',')
            return complain(parser, TXTAP_ERROR_FORMAT, "fewer than 13 fields", trimmed(whole));
        fields[i] = take_field(&line);
    }
    if (!token_number(fields[0], false, &id) || id > UINT16_MAX)
        return complain(parser, TXTAP_ERROR_FORMAT, "not an event number (0 to 65535)", fields[0]);
    if (fields[FIELD_NAME].left == 0)
        return complain(parser, TXTAP_ERROR_FORMAT, "the event has no name", trimmed(whole));
    status = keep_cleaned(parser, fields[FIELD_NAME], false, &name);
    if (status == TXTAP_OK)
        status = start_event(parser, (uint16_t)id, name, &definition);
    if (status == TXTAP_OK)
        status = fill_fields(parser, &fields[FIELD_LABEL], definition);
    if (status != TXTAP_OK)
        return status;
    definition->weak = true;
    commit_event(parser);
    return TXTAP_OK;
}
