/* SPDX-License-Identifier: MIT */
/*
 * Parses the lines in txtap's own definitions format: enum, flags, event, slice, counter, interrupt, vector,
 * function, interrupts. The text in an event line contains fields in braces.
 */
#include "event/definitions.h"

#include <string.h>

/* ---- words in quotes ---- */

/* Takes a text in quotes. The text itself cannot contain a quote. */
static enum txtap_status take_quoted(struct parser *parser, struct cursor *line, struct cursor *quoted)
{
    const char *end;

    if (!take_byte(line, '"'))
        return complain(parser, TXTAP_ERROR_FORMAT, "expected a text in quotes", *line);
    end = line->left > 0 ? memchr(line->at, '"', line->left) : NULL;
    if (end == NULL)
        return complain(parser, TXTAP_ERROR_FORMAT, "the quote is not closed", *line);
    *quoted = (struct cursor){line->at, (size_t)(end - line->at)};
    line->at = end + 1;
    line->left -= quoted->left + 1;
    return TXTAP_OK;
}

/* Like keep_string(), but accepts only a name: 1 to 63 bytes that need no escaping. */
static enum txtap_status keep_clean(struct parser *parser, struct cursor token, const char **text)
{
    if (token.left == 0)
        return complain(parser, TXTAP_ERROR_FORMAT, "a name is empty", token);
    if (!token_is_clean(token, TXTAP_DEFINITION_NAME_MAX))
        return complain(parser, TXTAP_ERROR_FORMAT,
                        "a name is longer than 63 bytes, not UTF-8, or has a control "
                        "character or backslash",
                        token);
    return keep_string(parser, token, text);
}

/* ---- the text of an event ---- */

static const struct kind {
    const char *name;
    enum txtap_field_kind kind;
} kinds[] = {
    {"u", TXTAP_FIELD_NUMBER},
    {"d", TXTAP_FIELD_SIGNED},
    {"x", TXTAP_FIELD_HEX},
    {"f", TXTAP_FIELD_FLOAT},
    {"addr", TXTAP_FIELD_ADDRESS},
    {"function", TXTAP_FIELD_FUNCTION},
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

/* Parses a divisor: "/1000" means 3 decimal places. */
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

/* Takes the name after "enum" or "flags". */
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

/* Parses a field. inside: the text between the field's braces. */
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

/* Sets the field's format, if the field is an enum or flags or has decimal places. */
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

/* Parses the text of an event line, and fills the definition's text and parts. text: without quotes. */
static enum txtap_status parse_text(struct parser *parser, struct cursor text, struct txtap_definition *definition)
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

/* ---- rows of a timeline: begin and end of a slice, or the value of a counter ---- */

/*
 * Takes the id of an event. An earlier line must define the event, and the event must not be in a slice or counter yet.
 */
static enum txtap_status take_event(struct parser *parser, struct cursor *line, struct txtap_definition **event)
{
    struct txtap_definitions *definitions = parser->definitions;
    struct cursor number;
    uint32_t id;

    skip_blanks(line);
    number = take_run(line, "");
    if (!token_number(number, false, &id) || id > UINT16_MAX)
        return complain(parser, TXTAP_ERROR_FORMAT, "expected an event number (0 to 65535)",
                        number.left > 0 ? number : *line);
    if (definitions->by_id[id] == 0)
        return complain(parser, TXTAP_ERROR_FORMAT, "no line above defines this event", number);
    *event = &definitions->memory.events[definitions->by_id[id] - 1];
    if ((*event)->row.role != TXTAP_DEFINITION_PLAIN)
        return complain(parser, TXTAP_ERROR_FORMAT, "this event is in a slice or a counter already", number);
    return TXTAP_OK;
}

/* Takes a text in quotes that ends the line. */
static enum txtap_status take_last_quoted(struct parser *parser, struct cursor *line, struct cursor *quoted)
{
    enum txtap_status status;

    skip_blanks(line);
    status = take_quoted(parser, line, quoted);
    skip_blanks(line);
    if (status == TXTAP_OK && line->left > 0)
        status = complain(parser, TXTAP_ERROR_FORMAT, "more than a name", *line);
    return status;
}

/* Takes the name, which is the last part of a line. */
static enum txtap_status take_name(struct parser *parser, struct cursor *line, struct txtap_definition_row *row)
{
    struct cursor quoted;
    enum txtap_status status = take_last_quoted(parser, line, &quoted);

    if (status == TXTAP_OK && parser->definitions->row_count == TXTAP_DEFINITION_ROWS_MAX)
        status = complain(parser, TXTAP_ERROR_SPACE, "too many slices and counters", quoted);
    if (status == TXTAP_OK)
        status = keep_clean(parser, quoted, &row->name);
    if (status == TXTAP_OK)
        row->number = (uint16_t)parser->definitions->row_count++;
    return status;
}

static enum txtap_status parse_slice(struct parser *parser, struct cursor line)
{
    struct cursor whole = line;
    struct txtap_definition *begin = NULL, *end = NULL;
    struct txtap_definition_row row = {.role = TXTAP_DEFINITION_BEGIN};
    enum txtap_status status = take_event(parser, &line, &begin);

    if (status == TXTAP_OK)
        status = take_event(parser, &line, &end);
    if (status == TXTAP_OK && begin == end)
        status = complain(parser, TXTAP_ERROR_FORMAT, "an event cannot end what it begins", whole);
    if (status == TXTAP_OK)
        status = take_name(parser, &line, &row);
    if (status != TXTAP_OK)
        return status;
    begin->row = end->row = row;
    end->row.role = TXTAP_DEFINITION_END;
    return TXTAP_OK;
}

/* Parses the part of a line after the word "counter". */
static enum txtap_status parse_counter(struct parser *parser, struct cursor line)
{
    struct txtap_definition *event;
    struct txtap_definition_row row = {.role = TXTAP_DEFINITION_COUNTER};
    enum txtap_status status = take_event(parser, &line, &event);
    struct cursor number;
    uint32_t word = 0;

    skip_blanks(&line);
    number = take_run(&line, "");
    if (status == TXTAP_OK && (!token_number(number, false, &word) || word > 3))
        status = complain(parser, TXTAP_ERROR_FORMAT, "expected a word, 0 to 3", number.left > 0 ? number : line);
    row.word = (uint8_t)word;
    if (status == TXTAP_OK)
        status = take_name(parser, &line, &row);
    if (status == TXTAP_OK)
        event->row = row;
    return status;
}

/* ---- interrupts ---- */

/* Parses the rest of a line after the word "interrupt". A later line for the same number replaces the name. */
static enum txtap_status parse_interrupt(struct parser *parser, struct cursor line)
{
    struct txtap_definitions *definitions = parser->definitions;
    struct cursor token = take_run(&line, "-"), quoted = {"", 0};
    uint32_t number = 0;
    enum txtap_status status;
    const char *name = "";
    size_t at = 0;

    if (!token_number(token, true, &number))
        return complain(parser, TXTAP_ERROR_FORMAT, "expected the number of an interrupt",
                        token.left > 0 ? token : line);
    status = take_last_quoted(parser, &line, &quoted);
    if (status == TXTAP_OK)
        status = keep_clean(parser, quoted, &name);
    while (at < definitions->interrupt_count && definitions->interrupts[at].number != number)
        at++;
    if (status == TXTAP_OK && at == TXTAP_DEFINITION_INTERRUPTS_MAX)
        status = complain(parser, TXTAP_ERROR_SPACE, "too many interrupts", quoted);
    if (status != TXTAP_OK)
        return status;
    definitions->interrupts[at] = (struct txtap_word){number, name};
    definitions->interrupt_count += at == definitions->interrupt_count;
    return TXTAP_OK;
}

/* Parses the rest of a line after the word "vector". */
static enum txtap_status parse_vector(struct parser *parser, struct cursor line)
{
    struct cursor token = take_run(&line, ""), quoted = {"", 0};
    uint32_t number = 0;
    enum txtap_status status;
    const char *name = "";

    if (!token_number(token, false, &number) || number >= TXTAP_DEFINITION_VECTORS_MAX)
        return complain(parser, TXTAP_ERROR_FORMAT, "expected the number of an exception (0 to 511)",
                        token.left > 0 ? token : line);
    status = take_last_quoted(parser, &line, &quoted);
    if (status == TXTAP_OK)
        status = keep_clean(parser, quoted, &name);
    if (status == TXTAP_OK)
        parser->definitions->vectors[number] = name;
    return status;
}

/* Parses the rest of a line after the word "function". A later line for the same address replaces the name. */
static enum txtap_status parse_function(struct parser *parser, struct cursor line)
{
    struct cursor token = take_run(&line, ""), quoted = {"", 0};
    uint32_t address = 0;
    enum txtap_status status;
    const char *name = "";

    if (!token_number(token, false, &address))
        return complain(parser, TXTAP_ERROR_FORMAT, "expected the address of a function",
                        token.left > 0 ? token : line);
    status = take_last_quoted(parser, &line, &quoted);
    if (status == TXTAP_OK)
        status = keep_clean(parser, quoted, &name);
    return status == TXTAP_OK ? add_function(parser, address, name) : status;
}

/* Parses the rest of a line after the word "interrupts". */
static enum txtap_status parse_numbers(struct parser *parser, struct cursor line)
{
    struct cursor word = take_run(&line, "");

    skip_blanks(&line);
    if (line.left > 0 || (!token_is(word, "exception") && !token_is(word, "irq")))
        return complain(parser, TXTAP_ERROR_FORMAT, "expected exception or irq", line.left > 0 ? line : word);
    parser->definitions->numbers = token_is(word, "irq") ? TXTAP_INTERRUPTS_IRQ : TXTAP_INTERRUPTS_EXCEPTION;
    return TXTAP_OK;
}

/* ---- lines ---- */

/* Parses NUMBER=WORD. */
static enum txtap_status parse_word(struct parser *parser, struct cursor *line)
{
    struct txtap_definitions *definitions = parser->definitions;
    struct cursor number = take_run(line, "-"), word;
    enum txtap_status status = TXTAP_OK;
    struct txtap_word *added;

    if (definitions->word_count == definitions->memory.word_capacity)
        return complain(parser, TXTAP_ERROR_SPACE, "too many words in all enumerations", number);
    added = &definitions->memory.words[definitions->word_count];
    if (!token_number(number, true, &added->number))
        return complain(parser, TXTAP_ERROR_FORMAT, "expected NUMBER=WORD", number.left > 0 ? number : *line);
    if (!take_byte(line, '='))
        return complain(parser, TXTAP_ERROR_FORMAT, "expected a '=' and a word behind the number", number);
    if (line->left > 0 && *line->at == '"')
        status = take_quoted(parser, line, &word);
    else
        word = take_run(line, ".+-/");
    if (status == TXTAP_OK)
        status = keep_clean(parser, word, &added->word);
    definitions->word_count += status == TXTAP_OK;
    return status;
}

static bool list_exists(const struct txtap_definitions *definitions, struct cursor name)
{
    for (size_t i = 0; i < definitions->list_count; i++) {
        if (token_is(name, definitions->lists[i].name))
            return true;
    }
    return false;
}

/* Returns true if all words of a flags line together fit into a line of output, because all bits may be set at once. */
static bool fits_a_line(const struct txtap_definitions *definitions, const struct txtap_word_list *list)
{
    size_t bytes = 0;

    for (size_t i = 0; i < list->count; i++)
        bytes += strlen(definitions->memory.words[list->first + i].word) + 1;
    return bytes <= TXTAP_DEFINITION_FLAGS_MAX;
}

static enum txtap_status parse_list(struct parser *parser, struct cursor line, bool flags)
{
    struct txtap_definitions *definitions = parser->definitions;
    struct txtap_word_list *list = &definitions->lists[definitions->list_count];
    struct cursor name = take_run(&line, "");
    enum txtap_status status;

    if (name.left == 0 || (*name.at >= '0' && *name.at <= '9'))
        return complain(parser, TXTAP_ERROR_FORMAT, "expected a name of letters, digits and _",
                        name.left > 0 ? name : line);
    if (list_exists(definitions, name))
        return complain(parser, TXTAP_ERROR_FORMAT, "this name is taken", name);
    if (definitions->list_count == TXTAP_DEFINITION_LISTS_MAX)
        return complain(parser, TXTAP_ERROR_SPACE, "too many enumerations", name);
    *list = (struct txtap_word_list){NULL, definitions->word_count, 0, flags};
    status = keep_clean(parser, name, &list->name);
    for (skip_blanks(&line); status == TXTAP_OK && line.left > 0; skip_blanks(&line))
        status = parse_word(parser, &line);
    list->count = definitions->word_count - list->first;
    if (status == TXTAP_OK && list->count == 0)
        status = complain(parser, TXTAP_ERROR_FORMAT, "no NUMBER=WORD behind the name", name);
    if (status == TXTAP_OK && flags && !fits_a_line(definitions, list))
        status =
            complain(parser, TXTAP_ERROR_FORMAT, "the words of the flags are longer than 320 bytes together", name);
    if (status == TXTAP_OK)
        definitions->list_count++;
    else
        definitions->word_count = list->first;
    return status;
}

static enum txtap_status parse_enum(struct parser *parser, struct cursor line)
{
    return parse_list(parser, line, false);
}

static enum txtap_status parse_flags(struct parser *parser, struct cursor line)
{
    return parse_list(parser, line, true);
}

/* Makes an event without a text show all four words, as an undefined user event does. */
static void show_all_words(struct txtap_definition *definition)
{
    for (size_t i = 0; i < 4; i++)
        definition->info.field[i] = (struct txtap_field_info){TXTAP_FIELD_HEX, word_labels[i], NULL};
}

static enum txtap_status parse_event(struct parser *parser, struct cursor line)
{
    struct cursor number = take_run(&line, ""), quoted = {"", 0};
    struct txtap_definition *definition;
    enum txtap_status status;
    const char *name = "";
    uint32_t id;

    if (!token_number(number, false, &id) || id > UINT16_MAX)
        return complain(parser, TXTAP_ERROR_FORMAT, "expected an event number (0 to 65535)",
                        number.left > 0 ? number : line);
    skip_blanks(&line);
    status = take_quoted(parser, &line, &quoted);
    if (status == TXTAP_OK)
        status = keep_clean(parser, quoted, &name);
    if (status == TXTAP_OK)
        status = start_event(parser, (uint16_t)id, name, &definition);
    if (status != TXTAP_OK)
        return status;
    skip_blanks(&line);
    if (line.left == 0) {
        show_all_words(definition);
    } else {
        status = take_quoted(parser, &line, &quoted);
        if (status == TXTAP_OK)
            status = parse_text(parser, quoted, definition);
    }
    skip_blanks(&line);
    if (status == TXTAP_OK && line.left > 0)
        status = complain(parser, TXTAP_ERROR_FORMAT, "more than a name and a text", line);
    if (status == TXTAP_OK)
        commit_event(parser);
    return status;
}

enum txtap_status parse_own_line(struct parser *parser, struct cursor line)
{
    static const struct {
        const char *keyword;
        enum txtap_status (*parse)(struct parser *parser, struct cursor line);
    } kinds_of_lines[] = {
        {"event", parse_event},   {"enum", parse_enum},          {"flags", parse_flags},
        {"slice", parse_slice},   {"counter", parse_counter},    {"interrupt", parse_interrupt},
        {"vector", parse_vector}, {"interrupts", parse_numbers}, {"function", parse_function},
    };
    struct cursor whole = line, keyword = take_run(&line, "");

    skip_blanks(&line);
    for (size_t i = 0; i < sizeof(kinds_of_lines) / sizeof(kinds_of_lines[0]); i++) {
        if (token_is(keyword, kinds_of_lines[i].keyword))
            return kinds_of_lines[i].parse(parser, line);
    }
    return complain(parser, TXTAP_ERROR_FORMAT,
                    "expected event, enum, flags, slice, counter, interrupt, interrupts, vector or function",
                    keyword.left > 0 ? keyword : whole);
}
