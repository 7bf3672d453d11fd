/* SPDX-License-Identifier: MIT */
/* What the parts of the definitions parser share: a cursor over a line, the store of strings, and how to complain. */
#ifndef TXTAP_DECODER_EVENT_DEFINITIONS_H
#define TXTAP_DECODER_EVENT_DEFINITIONS_H

#include "txtap/definitions.h"

/* What is left of a line, or of a piece of it. */
struct cursor {
    const char *at;
    size_t left;
};

struct parser {
    struct txtap_definitions *definitions;
    struct txtap_definitions_problem *problem;
    size_t line;
};

/* Says what is wrong with the line: returns status. what: ours; token: from the file, shown as far as it is ASCII. */
enum txtap_status complain(struct parser *parser, enum txtap_status status, const char *what, struct cursor token);

void skip_blanks(struct cursor *cursor);

/* The token without blanks at its ends. */
struct cursor trimmed(struct cursor token);

/* True and moves on if the cursor stands at that byte. */
bool take_byte(struct cursor *cursor, char byte);

/* What of it is letters, digits and '_', and the bytes of more. */
struct cursor take_run(struct cursor *cursor, const char *more);

bool token_is(struct cursor token, const char *text);

/* All of token as a number, decimal or hexadecimal with 0x, a minus sign in front if negative. False if it is none. */
bool token_number(struct cursor token, bool negative, uint32_t *number);

/* True if an exporter may write it as it is: see struct txtap_definition. */
bool token_is_clean(struct cursor token, size_t length_max);

/* A copy of it in the store: *text. */
enum txtap_status keep_string(struct parser *parser, struct cursor token, const char **text);

/* A new event without fields. It counts once it is committed; until then another start takes its place. */
enum txtap_status start_event(struct parser *parser, uint16_t id, const char *name, struct txtap_definition **started);

/* The one before with that id is not found any more. */
void commit_event(struct parser *parser);

/* False if another word has the same label: that would be one key twice in a JSON object. */
bool label_is_unique(const struct txtap_definition *definition, size_t word);

/* The text of an event line, quotes removed: fills definition's text and parts. */
enum txtap_status parse_text(struct parser *parser, struct cursor text, struct txtap_definition *definition);

/* A line of a .trxc between Start and End. _FORMAT: it is no definition. */
enum txtap_status parse_trxc_line(struct parser *parser, struct cursor line);

/* A line of txtap's own format. */
enum txtap_status parse_own_line(struct parser *parser, struct cursor line);

#endif
