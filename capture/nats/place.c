/* SPDX-License-Identifier: MIT */
/* Parses the name of a place. No message contains the part before '@', which may be a password. */
#include "nats/place.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUBJECT_CHARACTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"
#define PORT_MAX           65535

static const char nats_prefix[] = "nats://", tls_prefix[] = "tls://";

static const char *after_prefix(const char *name)
{
    if (strncmp(name, nats_prefix, sizeof nats_prefix - 1) == 0)
        return name + sizeof nats_prefix - 1;
    return strncmp(name, tls_prefix, sizeof tls_prefix - 1) == 0 ? name + sizeof tls_prefix - 1 : NULL;
}

bool nats_is_place(const char *name)
{
    return after_prefix(name) != NULL;
}

bool nats_is_pattern(const char *name)
{
    return nats_is_place(name) && strpbrk(strrchr(name, '/'), "*>") != NULL;
}

/* Checks a subject. *fixed: bytes before the first token that is a wildcard; without a wildcard all bytes. */
static enum txtap_status check_subject(const char *subject, size_t *fixed, struct error *error)
{
    size_t length = strlen(subject);

    *fixed = length;
    if (length == 0 || strchr(subject, '@') != NULL) /* '@': this is a part of a password, which must not be shown */
        return failure(error, TXTAP_ERROR_USAGE,
                       "the name of a NATS place needs a subject\ngive nats://HOST/SUBJECT, such as "
                       "nats://127.0.0.1/lab.b1");
    if (length > NATS_SUBJECT_MAX)
        return failure(error, TXTAP_ERROR_USAGE, "a NATS subject of %zu bytes\ngive a subject of at most %d", length,
                       NATS_SUBJECT_MAX);
    for (const char *token = subject;; token++) {
        size_t valid = strspn(token, SUBJECT_CHARACTERS);

        if (valid == 0 && *token == '*') /* after a wildcard, all tokens are wildcards */
            *fixed = (size_t)(token - subject) < *fixed ? (size_t)(token - subject) : *fixed;
        else if (valid == 0 && strcmp(token, ">") == 0)
            *fixed = (size_t)(token - subject) < *fixed ? (size_t)(token - subject) : *fixed;
        else if (valid == 0 || *fixed < length)
            break;
        token += valid > 0 ? valid : 1;
        if (*token == '\0')
            return TXTAP_OK;
        if (*token != '.')
            break;
    }
    return failure(
        error, TXTAP_ERROR_USAGE,
        "'%.120s' is no NATS subject\na subject has letters, digits, '_' and '-', and '.' between its parts, "
        "such as lab.b1; only the last parts may be '*' or '>'",
        subject);
}

bool nats_is_subject(const char *text)
{
    struct error unused = {0};
    size_t fixed;

    return check_subject(text, &fixed, &unused) == TXTAP_OK && text[fixed] == '\0';
}

/* Checks HOST or HOST:PORT, where HOST may be an IPv6 address in brackets. */
static bool is_host(const char *text, size_t length)
{
    const char *end = text + length, *colon;
    size_t name;

    if (length > 0 && text[0] == '[') {
        const char *close = memchr(text, ']', length);

        if (close == NULL || strspn(text + 1, "0123456789abcdefABCDEF:.%") != (size_t)(close - text) - 1)
            return false;
        colon = close + 1;
    } else {
        name = strspn(text, SUBJECT_CHARACTERS ".");
        colon = text + (name < length ? name : length);
        if (colon == text)
            return false;
    }
    if (colon == end)
        return true;
    if (*colon != ':' || end - colon < 2 || end - colon > 6 ||
        strspn(colon + 1, "0123456789") < (size_t)(end - colon) - 1)
        return false;
    return atoi(colon + 1) > 0 && atoi(colon + 1) <= PORT_MAX;
}

static enum txtap_status add_server(struct nats_place *place, const char *user, size_t user_length, const char *host,
                                    size_t length, struct error *error)
{
    int written;

    if (place->count == NATS_SERVERS_MAX)
        return failure(error, TXTAP_ERROR_USAGE,
                       "more than %d NATS servers\ngive fewer: txtap learns the others of a "
                       "cluster",
                       NATS_SERVERS_MAX);
    if (!is_host(host, length))
        return failure(error, TXTAP_ERROR_USAGE,
                       "'%.*s' is no NATS server\ngive HOST or HOST:PORT, as in nats://127.0.0.1:4222/lab.b1",
                       length < 80 ? (int)length : 80, host);
    written = snprintf(place->servers[place->count], NATS_SERVER_BYTES, "%s%.*s%.*s",
                       place->tls ? tls_prefix : nats_prefix, (int)user_length, user, (int)length, host);
    if (written >= NATS_SERVER_BYTES)
        return failure(error, TXTAP_ERROR_USAGE, "the name of a NATS server is too long\ngive at most %d bytes",
                       NATS_SERVER_BYTES - 1);
    if (place->count++ == 0)
        snprintf(place->text, sizeof place->text, "%s%.*s/%s", place->tls ? tls_prefix : nats_prefix,
                 length < 100 ? (int)length : 100, host, place->subject);
    return TXTAP_OK;
}

/* Takes the servers from the part of the name before the slash. */
static enum txtap_status take_servers(struct nats_place *place, const char *rest, const char *slash,
                                      struct error *error)
{
    const char *at = NULL, *host;
    enum txtap_status status = TXTAP_OK;

    for (const char *c = rest; c < slash; c++)
        at = *c == '@' ? c : at;
    host = at != NULL ? at + 1 : rest;
    for (const char *end; status == TXTAP_OK; host = end + 1) {
        end = memchr(host, ',', (size_t)(slash - host));
        end = end != NULL ? end : slash;
        status = add_server(place, rest, at != NULL ? (size_t)(at + 1 - rest) : 0, host, (size_t)(end - host), error);
        if (end == slash)
            break;
    }
    return status;
}

enum txtap_status nats_pattern_parse(struct nats_place *place, const char *name, size_t *fixed, struct error *error)
{
    const char *rest = after_prefix(name), *slash = rest != NULL ? strrchr(rest, '/') : NULL, *subject;
    enum txtap_status status;

    *place = (struct nats_place){.tls = strncmp(name, tls_prefix, sizeof tls_prefix - 1) == 0};
    if (rest == NULL)
        return failure(error, TXTAP_ERROR_USAGE, "not the name of a NATS place\ngive nats://HOST/SUBJECT");
    subject = slash == NULL ? "" : slash[1] == '\0' ? ">" : slash + 1;
    status = check_subject(subject, fixed, error);
    if (status != TXTAP_OK)
        return status;
    snprintf(place->subject, sizeof place->subject, "%s", subject);
    return take_servers(place, rest, slash, error);
}

enum txtap_status nats_place_parse(struct nats_place *place, const char *name, struct error *error)
{
    size_t fixed, length = strlen(name);
    enum txtap_status status = nats_pattern_parse(place, name, &fixed, error);

    if (status != TXTAP_OK)
        return status;
    if (name[length - 1] == '/')
        return check_subject("", &fixed, error);
    if (place->subject[fixed] != '\0')
        return failure(error, TXTAP_ERROR_USAGE,
                       "'%.120s' may be several boards\ngive the subject of a board, such as lab.b1: 'txtap top "
                       "%.120s' shows all boards",
                       place->subject, place->text);
    return TXTAP_OK;
}

char *nats_place_of(const char *place, const char *subject, uint64_t since_us)
{
    const int servers = (int)(strrchr(place, '/') + 1 - place);
    char since[sizeof NATS_SINCE + 20] = "", *name;

    if (since_us > 0)
        snprintf(since, sizeof since, NATS_SINCE "%" PRIu64, since_us);
    return asprintf(&name, "%.*s%s%s", servers, place, subject, since) < 0 ? NULL : name;
}

const char *nats_shown_name(char text[static NATS_TEXT_BYTES], const char *name)
{
    const char *slash = strrchr(name, '/'), *since = slash != NULL ? strstr(slash, NATS_SINCE) : NULL;
    struct error unused = {0};
    struct nats_place place;
    bool is_valid;
    size_t fixed;
    char *whole;

    if (!nats_is_place(name))
        return name;
    whole = strndup(name, since != NULL ? (size_t)(since - name) : strlen(name));
    is_valid = whole != NULL && nats_pattern_parse(&place, whole, &fixed, &unused) == TXTAP_OK;
    snprintf(text, NATS_TEXT_BYTES, "%s", is_valid ? place.text : "a NATS server");
    free(whole);
    return text;
}

static const char *variable(const char *name)
{
    const char *text = getenv(name);

    return text != NULL && *text != '\0' ? text : NULL;
}

struct nats_access nats_access_of_environment(void)
{
    return (struct nats_access){
        .user = variable("NATS_USER"),
        .password = variable("NATS_PASSWORD"),
        .token = variable("NATS_TOKEN"),
        .creds = variable("NATS_CREDS"),
        .ca = variable("NATS_CA"),
        .cert = variable("NATS_CERT"),
        .key = variable("NATS_KEY"),
    };
}
