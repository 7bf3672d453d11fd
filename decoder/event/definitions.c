/* SPDX-License-Identifier: MIT */
/*
 * Definitions of user events: the store, and the loop over the lines of a file. This file recognises the two formats,
 * and parses the lines of TraceX's .trxc. definitions_own.c parses the lines of txtap's own format.
 */
#include "txtap/definitions.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "event/definitions.h"
#include "txtap/inner/user_value.h"

void txtap_definitions_init(struct txtap_definitions *definitions, struct txtap_definitions_memory memory)
{
    memset(definitions, 0, sizeof(*definitions));
    definitions->memory = memory;
    if (definitions->memory.event_capacity > UINT16_MAX)
        definitions->memory.event_capacity = UINT16_MAX;
}

enum txtap_status complain(struct parser *parser, enum txtap_status status, const char *what, struct cursor token)
{
    char shown[40];
    size_t length = 0;

    while (length < token.left && length < sizeof(shown) - 1) {
        char byte = token.at[length];

        shown[length++] = byte >= 0x20 && byte < 0x7F ? byte : '?';
    }
    shown[length] = '\0';
    parser->problem->line = parser->line;
    (void)snprintf(parser->problem->text, sizeof(parser->problem->text), length > 0 ? "%s: '%s'" : "%s", what, shown);
    return status;
}

/* ---- tokens ---- */

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r';
}

void skip_blanks(struct cursor *cursor)
{
    while (cursor->left > 0 && is_blank(*cursor->at))
        cursor->at++, cursor->left--;
}

struct cursor trim(struct cursor token)
{
    skip_blanks(&token);
    while (token.left > 0 && is_blank(token.at[token.left - 1]))
        token.left--;
    return token;
}

bool take_byte(struct cursor *cursor, char byte)
{
    if (cursor->left == 0 || *cursor->at != byte)
        return false;
    cursor->at++, cursor->left--;
    return true;
}

static bool is_word_byte(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') || byte == '_';
}

struct cursor take_run(struct cursor *cursor, const char *more)
{
    struct cursor run = {cursor->at, 0};

    while (cursor->left > 0 &&
           (is_word_byte(*cursor->at) || (*cursor->at != '\0' && strchr(more, *cursor->at) != NULL)))
        cursor->at++, cursor->left--, run.left++;
    return run;
}

/*
 * Takes all bytes before the separator, and skips the separator. If there is no separator, takes all remaining bytes.
 */
static struct cursor take_until(struct cursor *cursor, char separator)
{
    const char *end = cursor->left > 0 ? memchr(cursor->at, separator, cursor->left) : NULL;
    struct cursor before = {cursor->at, end != NULL ? (size_t)(end - cursor->at) : cursor->left};
    size_t taken = before.left + (end != NULL);

    cursor->at += taken;
    cursor->left -= taken;
    return before;
}

bool token_is(struct cursor token, const char *text)
{
    return token.left == strlen(text) && memcmp(token.at, text, token.left) == 0;
}

bool token_number(struct cursor token, bool negative, uint32_t *number)
{
    bool minus = negative && take_byte(&token, '-');

    if (!digits_number(token.at, token.left, number) || (minus && *number > 0x80000000u))
        return false;
    *number = minus ? 0u - *number : *number;
    return true;
}

bool token_is_clean(struct cursor token, size_t length_max)
{
    if (token.left > length_max)
        return false;
    while (token.left > 0) {
        char character[5] = "";
        size_t length;

        memcpy(character, token.at, token.left < 4 ? token.left : 4);
        length = utf8_length(character);
        if (length == 0 || (length == 1 && ((unsigned char)*character < 0x20 || *character == 0x7F)))
            return false;
        if (length == 2 && (unsigned char)character[0] == 0xC2 && (unsigned char)character[1] < 0xA0)
            return false; /* a C1 control character, which some terminals obey */
        if (*character == '"' || *character == '\\')
            return false;
        token.at += length, token.left -= length;
    }
    return true;
}

/* ---- store ---- */

enum txtap_status keep_string(struct parser *parser, struct cursor token, const char **text)
{
    struct txtap_definitions *definitions = parser->definitions;
    char *copy;

    if (token.left >= definitions->memory.string_capacity - definitions->string_bytes)
        return complain(parser, TXTAP_ERROR_SPACE, "too much text in all definitions", token);
    copy = definitions->memory.strings + definitions->string_bytes;
    memcpy(copy, token.at, token.left);
    copy[token.left] = '\0';
    definitions->string_bytes += token.left + 1;
    *text = copy;
    return TXTAP_OK;
}

enum txtap_status start_event(struct parser *parser, uint16_t id, const char *name, struct txtap_definition **started)
{
    struct txtap_definitions *definitions = parser->definitions;
    struct txtap_definition *event;

    if (definitions->event_count == definitions->memory.event_capacity)
        return complain(parser, TXTAP_ERROR_SPACE, "too many events", (struct cursor){"", 0});
    event = &definitions->memory.events[definitions->event_count];
    memset(event, 0, sizeof(*event));
    event->info.id = id;
    event->info.component = TXTAP_COMPONENT_USER;
    event->info.symbol = "";
    event->info.name = name;
    event->info.definition = event;
    for (size_t i = 0; i < 4; i++)
        event->info.field[i] = (struct txtap_field_info){TXTAP_FIELD_NONE, "", NULL};
    *started = event;
    return TXTAP_OK;
}

void commit_event(struct parser *parser)
{
    struct txtap_definitions *definitions = parser->definitions;
    uint16_t id = definitions->memory.events[definitions->event_count].info.id;

    definitions->by_id[id] = (uint16_t)++definitions->event_count;
}

const char *const word_labels[4] = {"info1", "info2", "info3", "info4"};

/*
 * Returns the label with which a word is shown. If the definition does not name the word, the word is shown only if it
 * is not 0.
 */
static const char *shown_label(const struct txtap_definition *definition, size_t i)
{
    return definition->info.field[i].kind == TXTAP_FIELD_NONE ? word_labels[i] : definition->info.field[i].label;
}

bool label_is_unique(const struct txtap_definition *definition, size_t word)
{
    for (size_t i = 0; i < 4; i++) {
        if (i != word && strcmp(shown_label(definition, i), shown_label(definition, word)) == 0)
            return false;
    }
    return true;
}

const struct txtap_definition *txtap_definitions_find(const struct txtap_definitions *definitions, uint32_t id)
{
    if (id > UINT16_MAX || definitions->by_id[id] == 0)
        return NULL;
    return &definitions->memory.events[definitions->by_id[id] - 1];
}

const struct txtap_event_info *txtap_definitions_event(const struct txtap_definitions *definitions, uint32_t id,
                                                       unsigned profile)
{
    const struct txtap_definition *definition = definitions != NULL ? txtap_definitions_find(definitions, id) : NULL;
    const struct txtap_event_info *row;

    if (definition != NULL && !definition->weak)
        return &definition->info;
    row = txtap_event_find(id, profile);
    if (definition != NULL && (row == NULL || row->component == TXTAP_COMPONENT_USER))
        return &definition->info;
    return row;
}

/* ---- values of counters ---- */

const struct txtap_definition_part *txtap_definition_part_of(const struct txtap_definition *definition, unsigned word)
{
    for (size_t i = 0; i < definition->part_count; i++)
        if (definition->part[i].word == word)
            return &definition->part[i];
    return NULL;
}

#define SIGN_BIT 0x80000000u

uint32_t txtap_value_key(enum txtap_value_form form, uint32_t word)
{
    if (form == TXTAP_VALUE_UNSIGNED)
        return word;
    return form == TXTAP_VALUE_FLOAT && (word & SIGN_BIT) != 0 ? ~word : word ^ SIGN_BIT;
}

uint32_t txtap_value_word(enum txtap_value_form form, uint32_t key)
{
    if (form == TXTAP_VALUE_UNSIGNED)
        return key;
    return form == TXTAP_VALUE_FLOAT && (key & SIGN_BIT) == 0 ? ~key : key ^ SIGN_BIT;
}

/* ---- lines ---- */

static struct cursor take_line(struct cursor *file)
{
    return take_until(file, '\n');
}

static void skip_byte_order_mark(struct cursor *file)
{
    if (file->left >= 3 && memcmp(file->at, "\xEF\xBB\xBF", 3) == 0)
        file->at += 3, file->left -= 3;
}

/*
 * Returns true if the line is equal to text, as TraceX requires. A carriage return at the end of the line (Windows) is
 * ignored.
 */
static bool line_is(struct cursor line, const char *text)
{
    if (line.left > 0 && line.at[line.left - 1] == '\r')
        line.left--;
    return token_is(line, text);
}

/*
 * If the file has a Start line, skips all lines up to this line and the line itself, and returns true. Otherwise
 * returns false.
 */
static bool find_start(struct cursor *file, size_t *line)
{
    struct cursor ahead = *file;

    for (size_t number = 1; ahead.left > 0; number++) {
        if (!line_is(take_line(&ahead), "Start"))
            continue;
        *file = ahead;
        *line = number;
        return true;
    }
    return false;
}

/* ---- lines of TraceX's .trxc; abbreviation and colours are ignored ---- */

#define FIELDS_MIN  13
#define FIELD_NAME  1
#define FIELD_LABEL 9 /* the first of four labels */

/*
 * Stores a name or label. TraceX accepts any bytes in names and labels. Bytes that are invalid in a string of a
 * definition become '?'.
 */
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

/* Fills the four fields. TraceX shows all values as 0x%08X, and allows equal labels. */
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
    /* Renaming one word may make its label equal to the label of another word. So the loop makes four rounds. */
    for (size_t i = 0; i < 4 * 4; i++) {
        if (!label_is_unique(definition, i % 4) && definition->info.field[i % 4].kind != TXTAP_FIELD_NONE)
            definition->info.field[i % 4].label = word_labels[i % 4];
    }
    return TXTAP_OK;
}

/* Parses a line between Start and End in a .trxc. TXTAP_ERROR_FORMAT: the line is not a definition. */
static enum txtap_status parse_trxc_line(struct parser *parser, struct cursor line)
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

/* Skips invalid lines, as TraceX does. Fails only if no line is valid. */
static enum txtap_status parse_trxc(struct parser *parser, struct cursor file)
{
    struct txtap_definitions_problem first = {0};
    size_t good = 0;

    while (file.left > 0) {
        struct cursor line = take_line(&file);
        enum txtap_status status;

        parser->line++;
        if (line_is(line, "End"))
            break;
        if (trim(line).left == 0)
            continue;
        status = parse_trxc_line(parser, line);
        good += status == TXTAP_OK;
        if (status == TXTAP_ERROR_SPACE)
            return status;
        if (status != TXTAP_OK && first.skipped++ == 0) {
            size_t skipped = first.skipped;

            first = *parser->problem;
            first.skipped = skipped;
        }
    }
    *parser->problem = first;
    return good == 0 && first.skipped > 0 ? TXTAP_ERROR_FORMAT : TXTAP_OK;
}

static enum txtap_status parse_own(struct parser *parser, struct cursor file)
{
    while (file.left > 0) {
        struct cursor line = trim(take_line(&file));
        enum txtap_status status;

        parser->line++;
        if (line.left == 0 || *line.at == '#')
            continue;
        if (line.left > TXTAP_DEFINITION_LINE_MAX)
            return complain(parser, TXTAP_ERROR_FORMAT, "the line is too long", line);
        status = parse_own_line(parser, line);
        if (status != TXTAP_OK)
            return status;
    }
    return TXTAP_OK;
}

enum txtap_status txtap_definitions_parse(struct txtap_definitions *definitions, const char *bytes, size_t length,
                                          struct txtap_definitions_problem *problem)
{
    struct parser parser = {definitions, problem, 0};
    struct cursor file = {bytes, length};

    memset(problem, 0, sizeof(*problem));
    if (length == 0)
        return TXTAP_OK;
    skip_byte_order_mark(&file);
    if (find_start(&file, &parser.line))
        return parse_trxc(&parser, file);
    return parse_own(&parser, file);
}
