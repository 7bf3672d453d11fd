/* SPDX-License-Identifier: MIT */
/* Words, numbers and signs of TSDL; skips blanks, line ends and comments. Knows no statement. */
#include "file/ctf_layout_tokens.h"

#include <stdio.h>
#include <string.h>

#include "base/digits.h"

void ctf_fail(struct ctf_parser *parser, const char *what)
{
    struct txtap_ctf_layout *layout = parser->layout;

    if (!parser->failed) {
        layout->error_line = parser->taken_line > 0 ? parser->taken_line : 1;
        snprintf(layout->complaint, sizeof layout->complaint, "%s", what);
    }
    parser->failed = true;
    parser->kind = CTF_TOKEN_END;
    parser->at = parser->end;
}

void ctf_fail_at_next(struct ctf_parser *parser, const char *what)
{
    parser->taken_line = parser->token_line;
    ctf_fail(parser, what);
}

static bool is_word_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

/* Blanks, line ends and comments. */
static void skip_blanks(struct ctf_parser *parser)
{
    while (parser->at < parser->end) {
        bool two = parser->end - parser->at > 1;

        if (two && parser->at[0] == '/' && parser->at[1] == '/') {
            while (parser->at < parser->end && *parser->at != '\n')
                parser->at++;
        } else if (two && parser->at[0] == '/' && parser->at[1] == '*') {
            for (parser->at += 2; parser->end - parser->at > 1 && !(parser->at[0] == '*' && parser->at[1] == '/');)
                parser->line += *parser->at++ == '\n';
            parser->at += parser->end - parser->at > 1 ? 2 : parser->end - parser->at;
        } else if (*parser->at == ' ' || (*parser->at >= '\t' && *parser->at <= '\r')) {
            parser->line += *parser->at++ == '\n';
        } else {
            return;
        }
    }
}

static void take_quoted(struct ctf_parser *parser)
{
    size_t length = 0;

    parser->kind = CTF_TOKEN_QUOTED;
    parser->text[0] = '\0';
    for (parser->at++; parser->at < parser->end && *parser->at != '"' && *parser->at != '\n'; parser->at++)
        if (length < CTF_TOKEN_BYTES - 1)
            parser->quoted[length++] = *parser->at;
    parser->quoted[length] = '\0';
    if (parser->at == parser->end || *parser->at != '"')
        ctf_fail(parser, "a quote that is not closed");
    else
        parser->at++;
}

void ctf_advance(struct ctf_parser *parser)
{
    size_t length = 0;

    parser->taken_line = parser->token_line;
    skip_blanks(parser);
    parser->token_line = parser->line;
    if (parser->at == parser->end) {
        parser->kind = CTF_TOKEN_END;
        return;
    }
    if (*parser->at == '"') {
        take_quoted(parser);
        return;
    }
    while (parser->at < parser->end && is_word_byte(*parser->at) && length < CTF_TOKEN_BYTES)
        parser->text[length++] = *parser->at++;
    if (length == CTF_TOKEN_BYTES) {
        ctf_fail(parser, "a word that is too long");
        return;
    }
    parser->kind = CTF_TOKEN_WORD;
    if (length == 0) {
        parser->kind = CTF_TOKEN_SIGN;
        parser->text[length++] = *parser->at++;
        if (parser->text[0] == ':' && parser->at < parser->end && *parser->at == '=')
            parser->text[length++] = *parser->at++;
    }
    parser->text[length] = '\0';
    if (parser->kind == CTF_TOKEN_WORD && parser->text[0] >= '0' && parser->text[0] <= '9') {
        parser->kind = CTF_TOKEN_NUMBER;
        if (!digits_number(parser->text, length, &parser->number))
            ctf_fail(parser, "not a number, or too large");
    }
}

bool ctf_next_is(const struct ctf_parser *parser, const char *text)
{
    return parser->kind != CTF_TOKEN_END && strcmp(parser->text, text) == 0;
}

bool ctf_take(struct ctf_parser *parser, const char *text)
{
    if (!ctf_next_is(parser, text))
        return false;
    ctf_advance(parser);
    return true;
}

void ctf_expect(struct ctf_parser *parser, const char *text)
{
    char what[TXTAP_CTF_COMPLAINT_MAX];

    if (ctf_take(parser, text) || parser->failed)
        return;
    snprintf(what, sizeof what, "'%s' is missing", text);
    ctf_fail(parser, what);
}

uint32_t ctf_expect_number(struct ctf_parser *parser, uint32_t max)
{
    uint32_t number = parser->number;

    if (parser->kind != CTF_TOKEN_NUMBER || parser->number > max) {
        ctf_fail(parser, "a number is missing, or too large");
        return 0;
    }
    ctf_advance(parser);
    return number;
}

void ctf_take_name(struct ctf_parser *parser, char name[static TXTAP_CTF_NAME_BYTES])
{
    const size_t length = strlen(parser->text);

    name[0] = '\0';
    if (parser->kind != CTF_TOKEN_WORD || length >= TXTAP_CTF_NAME_BYTES) {
        ctf_fail(parser, "a name is missing, or too long");
        return;
    }
    memcpy(name, parser->text, length + 1);
    ctf_advance(parser);
}
