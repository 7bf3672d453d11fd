/* SPDX-License-Identifier: MIT */
/* Makes the stream of a subject, with limits. Never changes a stream that exists. */
#ifndef TXTAP_CAPTURE_NATS_STREAM_H
#define TXTAP_CAPTURE_NATS_STREAM_H

#include "nats/connection.h"

#define STREAM_TEXT_BYTES 512

/*
 * Makes a stream for all subjects with the first part of the place's subject. name: its name. text: a sentence about
 * the stream and its limits. If the server has less storage, the stream keeps less. ERROR_UNREACHABLE: the server
 * refuses; error has the cause.
 */
enum txtap_status stream_make(const struct nats_connection *connection, const struct nats_place *place,
                              const struct stream_limits *limits, char name[NATS_STREAM_BYTES],
                              char text[static STREAM_TEXT_BYTES], struct error *error);

/* Compares the limits of the user with the limits of an existing stream. text: a sentence if they differ, or cannot be
 * compared; "": no difference. */
void stream_compare(const struct nats_connection *connection, const struct nats_place *place,
                    const struct stream_limits *limits, const char *name, char text[static STREAM_TEXT_BYTES]);

#endif
