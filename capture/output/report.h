/* SPDX-License-Identifier: MIT */
/* Messages of a command: errors and the summary on standard error, and statistics as JSON. */
#ifndef TXTAP_CAPTURE_OUTPUT_REPORT_H
#define TXTAP_CAPTURE_OUTPUT_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/failure.h"
#include "file/reading_notes.h"
#include "stream/stream_stats.h"

/* Prints a line for each note on standard error. */
void report_notes(const struct reading_notes *notes);

/* "" for 1, else "s". */
static inline const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

#define REPORT_LOST_BYTES   48
#define REPORT_DOUBTS_BYTES 320

/* Writes "3 lost", "at least 3 lost", or words if the number is unknown. */
void report_lost(char text[static REPORT_LOST_BYTES], const struct stream_stats *stats);

/* Writes estimates of the rate and of the loss, and the reasons why more events may be lost. Writes "" if everything is
 * certain. per_second: the least rate, or 0 if it is not known. */
void report_doubts(char text[static REPORT_DOUBTS_BYTES], const struct stream_stats *stats, double per_second);

/* Prints a line with the events, the time, the rate and the loss, and a second line if there are doubts. details: also
 * prints a line with the bytes read, the polls, the gaps and the rate of the time stamps. */
void report_summary(const struct stream_stats *stats, double seconds, bool details);

/* Prints how many addresses have no name in a file for TraceX; prints nothing if the number is 0. */
void report_without_names(uint32_t addresses);

/*
 * Writes the statistics of a command to a file, as one JSON object. Does nothing if `path` is NULL. more: additional
 * members of this command, each after a comma, or "". False: the file could not be written; the cause was printed on
 * standard error.
 */
#define REPORT_MORE_BYTES 384
bool report_stats_json(const char *path, const char *command, const struct stream_stats *stats, double seconds,
                       const char *more);

#endif
