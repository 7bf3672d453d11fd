/* SPDX-License-Identifier: MIT */
/* What txtap info says of every ring, and of those that are not ThreadX's. */
#ifndef TXTAP_CAPTURE_INFO_H
#define TXTAP_CAPTURE_INFO_H

#include "attach.h"
#include "options.h"
#include "session.h"

#define INFO_MEASURE_SECONDS 1.0

/* Who answers: a server, or an image. */
void info_print_server(const struct options *options, const struct attachment *attachment);

/* Why nothing is written, if anything is known of that. */
void info_print_silence(struct attachment *attachment);

/* Bytes per second of reads of so many bytes there, 4 KiB at most. */
enum txtap_status info_measure_probe(struct session *session, uint32_t address, uint32_t bytes,
                                     double *bytes_per_second, char error[static ERROR_TEXT_BYTES]);

/*
 * What a session on this ring reads at full speed, of entries alone: bytes per second, and events, which is the rate up
 * to which none are lost.
 */
enum txtap_status info_measure_follow(struct session *session, double *bytes_per_second, double *events_per_second,
                                      char error[static ERROR_TEXT_BYTES]);

/* A table of the objects, with what each was created with; nothing if there is none. */
void info_print_objects(const struct txtap_registry *registry);

/* The whole command, for a ring that the options name. */
int info_ring(const struct options *options);

#endif
