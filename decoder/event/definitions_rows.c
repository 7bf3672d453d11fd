/* SPDX-License-Identifier: MIT */
/* Lines that say what events are in a timeline: the two ends of a slice, or the value of a counter. */
#include "event/definitions.h"

/* An event that a line above defines and that is in no row yet. */
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

/* The name, which ends the line. */
static enum txtap_status take_name(struct parser *parser, struct cursor *line, struct txtap_definition_row *row)
{
    struct cursor quoted;
    enum txtap_status status;

    skip_blanks(line);
    status = take_quoted(parser, line, &quoted);
    skip_blanks(line);
    if (status == TXTAP_OK && line->left > 0)
        status = complain(parser, TXTAP_ERROR_FORMAT, "more than a name", *line);
    if (status == TXTAP_OK && parser->definitions->row_count == TXTAP_DEFINITION_ROWS_MAX)
        status = complain(parser, TXTAP_ERROR_SPACE, "too many slices and counters", quoted);
    if (status == TXTAP_OK)
        status = keep_clean(parser, quoted, &row->name);
    if (status == TXTAP_OK)
        row->number = (uint16_t)parser->definitions->row_count++;
    return status;
}

enum txtap_status parse_slice(struct parser *parser, struct cursor line)
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

enum txtap_status parse_counter(struct parser *parser, struct cursor line)
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
