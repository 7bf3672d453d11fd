/* SPDX-License-Identifier: MIT */
/* Internal to the parser of definitions: a cursor over a line, the store of strings, and error messages. */
#ifndef TXTAP_DECODER_EVENT_DEFINITIONS_H
#define TXTAP_DECODER_EVENT_DEFINITIONS_H

#include "txtap/definitions.h"

/* The part of a line, or of a token, that was not taken yet. */
struct cursor {
    const char *at;
    size_t left;
};

struct parser {
    struct txtap_definitions *definitions;
    struct txtap_definitions_problem *problem;
    size_t line;
};

/*
 * Sets the problem, and returns status. what: the message. token: the text in the file that the message quotes; bytes
 * that are not printable ASCII become '?'.
 */
enum txtap_status complain(struct parser *parser, enum txtap_status status, const char *what, struct cursor token);

void skip_blanks(struct cursor *cursor);

/* Returns the token without blanks at its ends. */
struct cursor trim(struct cursor token);

/* If the next byte is equal to byte, skips this byte and returns true. */
bool take_byte(struct cursor *cursor, char byte);

/* Takes a run of letters, digits, '_', and bytes that are in more. */
struct cursor take_run(struct cursor *cursor, const char *more);

bool token_is(struct cursor token, const char *text);

/*
 * Parses all of token as a decimal or 0x hexadecimal number. negative: the number may have a minus sign. Returns false
 * if token is not a number.
 */
bool token_number(struct cursor token, bool negative, uint32_t *number);

/*
 * Returns true if the token has at most length_max bytes, and exporters may write it unescaped: see struct
 * txtap_definition.
 */
bool token_is_clean(struct cursor token, size_t length_max);

/* Copies the token into the store, and sets *text to the copy. */
enum txtap_status keep_string(struct parser *parser, struct cursor token, const char **text);

/* Adds a function, or replaces its name. name: a string in the store. */
enum txtap_status add_function(struct parser *parser, uint32_t address, const char *name);

/*
 * Starts an event without fields. The event takes effect with commit_event(). Another start_event() before that
 * replaces the started event.
 */
enum txtap_status start_event(struct parser *parser, uint16_t id, const char *name, struct txtap_definition **started);

/* Makes the started event the definition of its id. */
void commit_event(struct parser *parser);

/* Default labels, for words that a definition does not name. */
extern const char *const word_labels[4];

/* Returns true if no other word has the same label. With equal labels, a JSON object would contain a key twice. */
bool label_is_unique(const struct txtap_definition *definition, size_t word);

/* Parses a line of txtap's own format. */
enum txtap_status parse_own_line(struct parser *parser, struct cursor line);

#endif
