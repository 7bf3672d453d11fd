/* SPDX-License-Identifier: MIT */
/* Shared by the files of the definitions parser: a cursor over a line, the store of strings, error messages. */
#ifndef TXTAP_DECODER_EVENT_DEFINITIONS_H
#define TXTAP_DECODER_EVENT_DEFINITIONS_H

#include "txtap/definitions.h"

/* The rest of a line or of a part of it. */
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
 * Sets the problem and returns status. what: a text of txtap. token: from the file; bytes that are not ASCII become
 * '?'.
 */
enum txtap_status complain(struct parser *parser, enum txtap_status status, const char *what, struct cursor token);

void skip_blanks(struct cursor *cursor);

/* Returns the token without blanks at its ends. */
struct cursor trim(struct cursor token);

/* Skips the next byte and returns true, if it is equal to byte. */
bool take_byte(struct cursor *cursor, char byte);

/* Takes letters, digits, '_', and the bytes listed in more. */
struct cursor take_run(struct cursor *cursor, const char *more);

bool token_is(struct cursor token, const char *text);

/* Parses all of token as a decimal or 0x hexadecimal number. negative: a minus sign is allowed. False: not a number. */
bool token_number(struct cursor token, bool negative, uint32_t *number);

/* Returns true if an exporter may write the token unescaped: see struct txtap_definition. */
bool token_is_clean(struct cursor token, size_t length_max);

/* Copies the token into the store, and sets *text to the copy. */
enum txtap_status keep_string(struct parser *parser, struct cursor token, const char **text);

/*
 * Starts an event without fields. The event takes effect when it is committed. Until then, another start replaces it.
 */
enum txtap_status start_event(struct parser *parser, uint16_t id, const char *name, struct txtap_definition **started);

/* Makes the started event the definition of its id. */
void commit_event(struct parser *parser);

/* The labels of words that a definition does not name. */
extern const char *const word_labels[4];

/* Returns false if another word has the same label, because a JSON object would then have a key twice. */
bool label_is_unique(const struct txtap_definition *definition, size_t word);

/* Parses a line of txtap's own format. */
enum txtap_status parse_own_line(struct parser *parser, struct cursor line);

#endif
