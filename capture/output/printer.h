/* SPDX-License-Identifier: MIT */
/* What the outlets of events share: an exporter that writes to a file while the file has room. */
#ifndef TXTAP_CAPTURE_OUTPUT_PRINTER_H
#define TXTAP_CAPTURE_OUTPUT_PRINTER_H

#include "output/event_view.h"
#include "output/gzip.h"
#include "output/output.h"

struct printer {
    struct output output;
    struct txtap_exporter exporter;
    struct txtap_exporter_memory memory;
    struct event_view view;   /* its choice comes before */
    struct overflow overflow; /* for a reader that is too slow; before the limit and the exporter */
    size_t resume_room;       /* bytes that must be free again before more is written after an overflow */
    struct gzip *gzip;        /* between exporter and output; NULL: nothing is compressed */
    uint8_t *kept;            /* entries, for a copy of a whole buffer; or NULL */
};

/* Opens the file at config->path. After success printer_close() is due. On failure error is one line. */
enum txtap_status printer_open(struct printer *printer, const struct outlet_config *config, struct error *error);

/* The members of struct outlet_kind, but for a printer that its caller has; self: a struct printer. */
enum txtap_status printer_begin(void *self, const struct txtap_header *header, const struct txtap_registry *registry);
enum txtap_status printer_flush(void *self, bool *written);
enum txtap_status printer_reopen(void *self, struct error *error);
void printer_count(const void *self, struct outlet_counts *counts);
enum txtap_status printer_close(void *self, enum txtap_status earlier, const struct txtap_event_maker *maker,
                                struct outlet_counts *counts, struct error *error);

#endif
