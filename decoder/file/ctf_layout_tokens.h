/* SPDX-License-Identifier: MIT */
/* Part of ctf_layout: the metadata's text as tokens. */
#ifndef TXTAP_DECODER_FILE_CTF_LAYOUT_TOKENS_H
#define TXTAP_DECODER_FILE_CTF_LAYOUT_TOKENS_H

#include "txtap/inner/ctf_layout.h"

#define CTF_TOKEN_BYTES 64

enum ctf_token_kind { CTF_TOKEN_END, CTF_TOKEN_WORD, CTF_TOKEN_NUMBER, CTF_TOKEN_SIGN, CTF_TOKEN_QUOTED };

struct ctf_parser {
    struct txtap_ctf_layout *layout;
    const char *at, *end;
    size_t line, token_line, taken_line; /* of the text so far, of the next token, of the token before it */
    enum ctf_token_kind kind;            /* of the next token */
    char text[CTF_TOKEN_BYTES];          /* "" of a QUOTED one: no other token is meant by it */
    char quoted[CTF_TOKEN_BYTES];        /* of a QUOTED one, cut if it is longer */
    uint32_t number;
    bool failed;
    char header_type[TXTAP_CTF_NAME_BYTES];
};

/* Only the first failure counts. After it the text is at its end. */
void ctf_fail(struct ctf_parser *parser, const char *what);

/* The same, for a fault in the next token. */
void ctf_fail_at_next(struct ctf_parser *parser, const char *what);

/* Reads the next token. */
void ctf_advance(struct ctf_parser *parser);

bool ctf_next_is(const struct ctf_parser *parser, const char *text);

/* True, and on to the next token, if this one is text. */
bool ctf_take(struct ctf_parser *parser, const char *text);

/* These three take a token of their kind, or fail. */
void ctf_expect(struct ctf_parser *parser, const char *text);
uint32_t ctf_expect_number(struct ctf_parser *parser, uint32_t max);
void ctf_take_name(struct ctf_parser *parser, char name[static TXTAP_CTF_NAME_BYTES]);

#endif
