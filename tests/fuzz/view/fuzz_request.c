/* SPDX-License-Identifier: MIT */
/*
 * Parses any texts as a browser's request. The input is a byte of flags, then method, path, Host and Origin, each of
 * which ends with a NUL. A byte 1 is replaced by the token, a byte 2 by the server's address. If the request is not
 * refused, it must follow the rules in docs/man/txtap-view.1.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "fuzz.h"
#include "view/request.h"

#define TOKEN   "00112233445566778899aabbccddeeff"
#define ADDRESS "127.0.0.1"
#define TEXT    2048

enum { FLAG_ANY = 1, FLAG_PORT_80 = 2, FLAG_NO_HOST = 4, FLAG_NO_ORIGIN = 8, FLAG_TWO_ORIGINS = 16 };

static const char *next_text(const uint8_t **at, const uint8_t *end, char text[static TEXT])
{
    size_t used = 0;

    for (; *at < end && **at != '\0' && used < TEXT - sizeof TOKEN; (*at)++)
        if (**at == 1 || **at == 2)
            used += (size_t)sprintf(text + used, "%s", **at == 1 ? TOKEN : ADDRESS);
        else
            text[used++] = (char)**at;
    text[used] = '\0';
    *at += *at < end;
    return text;
}

static bool is_digits(const char *host)
{
    return *host != '\0' && host[strspn(host, "0123456789abcdefABCDEF.:[]")] == '\0';
}

static void check_host(const struct request_rules *rules, const char *host)
{
    char name[TEXT], *colon;

    REQUIRE(host != NULL);
    snprintf(name, sizeof name, "%s", host);
    colon = strrchr(name, ':');
    if (colon != NULL && strcmp(colon + 1, rules->port == 80 ? "80" : "8080") == 0)
        *colon = '\0';
    else
        REQUIRE(rules->port == 80);
    REQUIRE(strcasecmp(name, "localhost") == 0 || strcmp(name, ADDRESS) == 0 || strcmp(name, "[::1]") == 0 ||
            strcmp(name, rules->address) == 0 || (rules->any_address && is_digits(name)));
}

static void check_answer(const struct request_rules *rules, const struct request *request, enum request_answer answer)
{
    const char *place = request->path + sizeof TOKEN + 1;

    if (answer == REQUEST_FORBIDDEN)
        return;
    check_host(rules, request->host);
    if (request->has_origin) {
        REQUIRE(request->origin != NULL && strncasecmp(request->origin, "http://", 7) == 0);
        REQUIRE(strcasecmp(request->origin + 7, request->host) == 0);
    }
    REQUIRE(strncmp(request->path, "/" TOKEN "/", sizeof TOKEN + 1) == 0);
    if (answer == REQUEST_PAGE)
        REQUIRE(*place == '\0');
    if (answer == REQUEST_METHOD)
        REQUIRE(strcmp(request->method, "GET") != 0 && strcmp(request->method, "HEAD") != 0);
    else
        REQUIRE(strcmp(request->method, "GET") == 0 || strcmp(request->method, "HEAD") == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static char texts[4][TEXT];
    struct request_rules rules = {.token = TOKEN, .port = 8080};
    const uint8_t *at = bytes + 1, *end = bytes + length;
    struct request request;

    if (length == 0)
        return 0;
    rules.any_address = (*bytes & FLAG_ANY) != 0;
    strcpy(rules.address, rules.any_address ? "0.0.0.0" : ADDRESS);
    if (*bytes & FLAG_PORT_80)
        rules.port = 80;
    request.method = next_text(&at, end, texts[0]);
    request.path = next_text(&at, end, texts[1]);
    request.host = next_text(&at, end, texts[2]);
    request.origin = next_text(&at, end, texts[3]);
    request.has_origin = (*bytes & FLAG_NO_ORIGIN) == 0;
    if (*bytes & FLAG_NO_HOST)
        request.host = NULL;
    if (*bytes & (FLAG_NO_ORIGIN | FLAG_TWO_ORIGINS))
        request.origin = NULL;
    check_answer(&rules, &request, request_judge(&rules, &request));
    return 0;
}
