/* SPDX-License-Identifier: MIT */
/*
 * Keeps the figures of a trace beside it: ".NAME.txtap-report" is a report in JSON. It is used only if the trace, the
 * version of txtap and the options of the analysis are the same. It is ignored if it is damaged, a symbolic link, or a
 * file of another user.
 */
#ifndef TXTAP_CAPTURE_COMMAND_REPORT_REPORT_CACHE_H
#define TXTAP_CAPTURE_COMMAND_REPORT_REPORT_CACHE_H

#include "command/report/report_read.h"

struct report_cache {
    char *path; /* of the hidden file; owned; NULL: the trace cannot be kept */
    char *key;  /* the beginning of the hidden file: identifies the trace, the version and the options; owned */
};

/* Describes a trace. If it is not a regular file, or there is no memory, nothing is kept. The caller closes *cache. */
void report_cache_open(struct report_cache *cache, const char *trace, const struct options *options);
void report_cache_close(struct report_cache *cache);

/* Reads the kept figures. Returns false if no figures were kept. trace: name of the trace, borrowed. */
bool report_cache_read(const struct report_cache *cache, const char *trace, struct report_reading *reading);

/* Keeps the figures, unless the trace has changed since report_cache_open(), or may still be written: its end is
 * missing, and it has changed within REPORT_CACHE_REST_S seconds. On failure error has the cause. */
#define REPORT_CACHE_REST_S 60
enum txtap_status report_cache_write(const struct report_cache *cache, const char *trace, const struct options *options,
                                     const struct report_reading *reading, struct error *error);

/* Counts traces whose figures were kept. {0}: no trace yet. */
struct report_kept {
    size_t count;
    bool said; /* a note said that figures cannot be kept */
};

/* Reads the kept figures, or else analyses the trace with report_read() and keeps its figures. */
enum txtap_status report_read_kept(struct report_kept *kept, const char *path, const struct options *options,
                                   struct report_reading *reading, struct error *error);

#endif
