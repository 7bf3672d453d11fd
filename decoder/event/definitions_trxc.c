/* SPDX-License-Identifier: MIT */
/* Lines of TraceX's .trxc. Ignores abbreviation and colours. */
#include <string.h>

#include "base/utf8.h"
#include "event/definitions.h"

#define FIELDS_MIN  13
#define FIELD_NAME  1
#define FIELD_LABEL 9 /* the first of four */

/* TraceX accepts any bytes in a name: those that a string may not have become '?'. */
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

/* TraceX shows all values as 0x%08X, and accepts the same label twice. */
static enum txtap_status fill_fields(struct parser *parser, const struct cursor labels[4],
                                     struct txtap_definition *definition)
{
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
    /* The new label of one word may be the old label of another: that one is renamed in a later round. */
    for (size_t i = 0; i < 4 * 4; i++) {
        if (!label_is_unique(definition, i % 4) && definition->info.field[i % 4].kind != TXTAP_FIELD_NONE)
            definition->info.field[i % 4].label = word_labels[i % 4];
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
            return complain(parser, TXTAP_ERROR_FORMAT, "fewer than 13 fields", trim(whole));
        fields[i] = trim(take_until(&line, ','));
    }
    if (!token_number(fields[0], false, &id) || id > UINT16_MAX)
        return complain(parser, TXTAP_ERROR_FORMAT, "not an event number (0 to 65535)", fields[0]);
    if (fields[FIELD_NAME].left == 0)
        return complain(parser, TXTAP_ERROR_FORMAT, "the event has no name", trim(whole));
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
