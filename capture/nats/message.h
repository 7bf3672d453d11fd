/* SPDX-License-Identifier: MIT */
/*
 * The mark of a message, in its header "Txtap", and the order of the messages of a subject. Both know only bytes and
 * numbers. A mark is "1 SESSION NUMBER HEAD KIND":
 *
 *   1        version
 *   SESSION  16 hexadecimal digits: the recorder that made the message
 *   NUMBER   number of the message on its subject, from 1
 *   HEAD     the stream's sequence number of the newest stored message that begins a file; 0: none before this message
 *   KIND     "h": the message begins a file; "b": it continues the file
 */
#ifndef TXTAP_CAPTURE_NATS_MESSAGE_H
#define TXTAP_CAPTURE_NATS_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NATS_MARK_HEADER   "Txtap"
#define NATS_MARK_BYTES    72                  /* bytes of a mark as text, with its NUL */
#define NATS_MESSAGE_BYTES (UINT32_C(1) << 18) /* longest payload */

struct nats_mark {
    uint64_t session, number, head;
    bool begins; /* the message begins a file */
};

/* Parses a mark. False: it is not a mark of this version; *mark is undefined. */
bool nats_mark_parse(struct nats_mark *mark, const char *text);
void nats_mark_text(char text[NATS_MARK_BYTES], const struct nats_mark *mark);

/* ---- the order of the messages that a reader gets ---- */

/* {0}: no message yet. */
struct nats_order {
    bool begun;               /* a message was taken */
    bool broken;              /* messages are missing: all messages are skipped until one begins a file */
    uint64_t session, number; /* of the last message in order */
    uint64_t before;          /* number of messages on the subject before the first message that came */
    uint64_t missing;         /* messages that never came, after the first message */
    uint64_t skipped;         /* messages that came, but cannot be read without messages that are missing */
    uint64_t foreign;         /* messages that no recorder of txtap has made */
};

enum nats_verdict {
    NATS_TAKE,   /* the next bytes of the file */
    NATS_BEGINS, /* the first bytes of the next file */
    NATS_SKIP,   /* nothing to read in it */
};

/* Judges the next message of the subject. text: its mark; NULL: it has no mark. length: bytes of its payload. */
enum nats_verdict nats_order_take(struct nats_order *order, const char *text, size_t length);

#endif
