/* SPDX-License-Identifier: MIT */
/* What txtap info says of every ring, and of those that are not ThreadX's. */
#ifndef TXTAP_CAPTURE_COMMAND_INFO_H
#define TXTAP_CAPTURE_COMMAND_INFO_H

#include "attach/attach.h"
#include "options/options.h"
#include "output/report.h"
#include "stream/session.h"

#define INFO_MEASURE_SECONDS 1.0

/* Who answers: a server, or an image. */

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

/*
 * The same for the event logger's ring, in words of a ring of so many; buffer has room for all of these. Of events it
 * knows nothing: how long one is, what is written says.
 */
enum txtap_status info_measure_words(struct session *session, const struct txtap_logger_place *place, uint8_t *buffer,
                                     double *bytes_per_second, char error[static ERROR_TEXT_BYTES]);

/* What info has measured, of any ring. Negative: not known. */
struct info_figures {
    double event_rate, byte_rate; /* what the target writes, per second */
    double ring_seconds;
    double probe_bytes, probe_events; /* per second */
    double headroom;
    double objects;
    bool exact; /* false: the rates are the least they can be */
    enum { INFO_LAPS_UNKNOWN, INFO_LAPS_UNCOUNTED, INFO_LAPS_COUNTED } laps;
};

/* The members that --stats-json has beside what all commands have. */
void info_figures_json(char text[static REPORT_MORE_BYTES], const struct info_figures *figures);

/* A table of the objects, with what each was created with; nothing if there is none. */
void info_print_objects(const struct txtap_registry *registry);

/* The whole command, for a ring that the options name. */
int info_ring(const struct options *options);

#endif
