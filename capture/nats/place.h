/* SPDX-License-Identifier: MIT */
/*
 * A place on NATS servers: "nats://[USER:PASSWORD@|TOKEN@]HOST[:PORT][,HOST[:PORT]...]/SUBJECT", or "tls://...". A
 * subject consists of tokens of letters, digits, '_' and '-', with '.' between them. This module does not connect.
 */
#ifndef TXTAP_CAPTURE_NATS_PLACE_H
#define TXTAP_CAPTURE_NATS_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/failure.h"

#define NATS_SERVERS_MAX  8
#define NATS_SERVER_BYTES 320 /* bytes of a server's URL, with its NUL */
#define NATS_SUBJECT_MAX  128 /* longest subject, in bytes */
#define NATS_TEXT_BYTES   256

#define NATS_SINCE "?since_us=" /* after a subject: begin with the file of this time, in microseconds since 1970 */
/* The server stores a message later than its events were written. So a reader of a time begins with the messages that
 * were stored this time before. */
#define NATS_EARLIER_US 1000000

struct nats_place {
    bool tls;                                          /* the connection must be encrypted */
    char servers[NATS_SERVERS_MAX][NATS_SERVER_BYTES]; /* URLs, which may contain a password or a token */
    size_t count;
    char subject[NATS_SUBJECT_MAX + 1];
    char text[NATS_TEXT_BYTES]; /* "nats://HOST/SUBJECT" for messages: the first host, without a password */
};

/* How txtap proves who it is, and whom it trusts. NULL: not given. */
struct nats_access {
    const char *user, *password, *token;
    const char *creds;      /* a file with a user's JWT and key */
    const char *ca;         /* a file with the certificates to trust; NULL: the certificates of the system */
    const char *cert, *key; /* files with the certificate of txtap and its key */
};

/* Limits of a stream that a publisher makes. 0: the default, which is 7 days, 10 GiB and 1 copy. */
struct stream_limits {
    uint64_t seconds, bytes;
    unsigned copies;
};

/* Returns true if the name begins with "nats://" or "tls://". */
bool nats_is_place(const char *name);

/* Returns true if the text is a subject without '*' and '>'. */
bool nats_is_subject(const char *text);

/* Returns true if the subject of the place contains '*' or '>': the place may have several boards. */
bool nats_is_pattern(const char *name);

/* Parses the name. TXTAP_ERROR_USAGE: error has the invalid part, without a password, and the next step. */
enum txtap_status nats_place_parse(struct nats_place *place, const char *name, struct error *error);

/* The same for a pattern: the last tokens of the subject may be '*' (any token), and the last may be '>' (any tokens).
 * place->subject is then the pattern; a missing subject is the pattern ">". *fixed: bytes of the subject before the
 * first token that is '*' or '>'. */
enum txtap_status nats_pattern_parse(struct nats_place *place, const char *name, size_t *fixed, struct error *error);

/* Returns the place of a subject on the servers of `place`, which the caller frees; NULL: no memory. place: a valid
 * name. since_us: 0: without a time. */
char *nats_place_of(const char *place, const char *subject, uint64_t since_us);

/* Returns the name as messages and files may show it: a place as in struct nats_place, without password and time; other
 * names unchanged. The result is `name`, or text. */
const char *nats_shown_name(char text[static NATS_TEXT_BYTES], const char *name);

/* Returns the access that the environment gives, in the variables of the program "nats": NATS_USER, NATS_PASSWORD,
 * NATS_TOKEN, NATS_CREDS, NATS_CA, NATS_CERT and NATS_KEY. Empty variables are not given. */
struct nats_access nats_access_of_environment(void);

#endif
