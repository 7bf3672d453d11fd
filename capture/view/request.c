/* SPDX-License-Identifier: MIT */
/*
 * Blocks two ways in which another page could read the trace. First, a page of another origin may send requests, so it
 * must not be able to guess the token. Second, an attacker may point his page's host name at this machine after the
 * page was loaded (DNS rebinding); the page then has our origin. So the host must be localhost or a numeric address,
 * which nobody can redirect.
 */
#include "view/request.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define AUTHORITY_BYTES (REQUEST_HOST_BYTES + 8) /* host, ':', port */

static bool is_authority(const char *text, const char *host, uint16_t port)
{
    char expected[AUTHORITY_BYTES];

    snprintf(expected, sizeof expected, "%s:%u", host, (unsigned)port);
    if (strcasecmp(text, expected) == 0)
        return true;
    return port == 80 && strcasecmp(text, host) == 0; /* browsers omit the default port */
}

/* Reports whether `text` is a numeric address, which no name server can change: 192.168.1.2:8080, [fe80::1]:8080. */
static bool is_numeric(const char *text, uint16_t port)
{
    bool six = *text == '[';
    size_t length = six ? strcspn(text, "]") + 1 : strcspn(text, ":");
    char host[REQUEST_HOST_BYTES];

    if (length >= sizeof host || length > strlen(text))
        return false;
    memcpy(host, text, length);
    host[length] = '\0';
    if (six ? strspn(host, "[0123456789abcdefABCDEF:.") != length - 1 : strspn(host, "0123456789.") != length)
        return false;
    return length > 0 && is_authority(text, host, port);
}

static bool is_own_host(const struct request_rules *rules, const char *text)
{
    if (text == NULL)
        return false;
    return is_authority(text, rules->address, rules->port) || is_authority(text, "localhost", rules->port) ||
           is_authority(text, "127.0.0.1", rules->port) || is_authority(text, "[::1]", rules->port) ||
           (rules->any_address && is_numeric(text, rules->port));
}

/* Returns true only for pages of the host that the request names. */
static bool is_own_origin(const struct request *request)
{
    static const char scheme[] = "http://";

    if (!request->has_origin)
        return true;
    return request->origin != NULL && strncasecmp(request->origin, scheme, sizeof scheme - 1) == 0 &&
           strcasecmp(request->origin + sizeof scheme - 1, request->host) == 0;
}

/* Takes the same time for every wrong token, so the time reveals nothing. */
static bool has_token(const struct request_rules *rules, const char *path)
{
    size_t length = REQUEST_TOKEN_BYTES - 1;
    unsigned differ = 0;

    if (path == NULL || strlen(path) < length + 2 || path[0] != '/' || path[length + 1] != '/')
        return false;
    for (size_t i = 0; i < length; i++)
        differ |= (unsigned char)rules->token[i] ^ (unsigned char)path[i + 1];
    return differ == 0;
}

enum request_answer request_judge(const struct request_rules *rules, const struct request *request)
{
    static const struct {
        const char *name;
        enum request_answer answer;
    } places[] = {{"", REQUEST_PAGE}, {"stream", REQUEST_STREAM}, {"data", REQUEST_STREAM}, {"state", REQUEST_STATE}};
    const char *place;

    if (!is_own_host(rules, request->host) || !is_own_origin(request) || !has_token(rules, request->path))
        return REQUEST_FORBIDDEN;
    place = request->path + REQUEST_TOKEN_BYTES + 1;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (strcmp(place, places[i].name) == 0)
            return strcmp(request->method, "GET") == 0 || strcmp(request->method, "HEAD") == 0 ? places[i].answer
                                                                                               : REQUEST_METHOD;
    return REQUEST_FORBIDDEN;
}
