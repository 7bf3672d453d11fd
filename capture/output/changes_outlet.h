/* SPDX-License-Identifier: MIT */
/* The members of the outlet of changes, for a kind that adds to it. */
#ifndef TXTAP_CAPTURE_OUTPUT_CHANGES_OUTLET_H
#define TXTAP_CAPTURE_OUTPUT_CHANGES_OUTLET_H

#include "output/printer.h"
#include "output/translation.h"

struct changes_outlet {
    struct printer printer;
    struct outlet_items items;
    char *path;                        /* of the printer's file, freed with the outlet; NULL: the config has it */
    void *memory;                      /* of the exporter's changes */
    struct translation translation;    /* in front of the printer, for the items of other kernels */
    struct txtap_registry names;       /* found in bytes of CTF */
    struct txtap_object *names_memory; /* NULL: no bytes come */
};

enum txtap_status changes_outlet_open(void **self, const struct outlet_config *config, struct error *error);
struct txtap_sink changes_outlet_sink(void *self);
enum txtap_status changes_outlet_begin(void *self, const struct txtap_header *header,
                                       const struct txtap_registry *registry);
enum txtap_status changes_outlet_flush(void *self, bool *written);
void changes_outlet_count(const void *self, struct outlet_counts *counts);
enum txtap_status changes_outlet_close(void *self, enum txtap_status earlier, const struct txtap_event_maker *maker,
                                       struct outlet_counts *counts, struct error *error);

#endif
