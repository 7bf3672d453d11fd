/* SPDX-License-Identifier: MIT */
/*
 * Where the items of a ring, or of a recording, go: lines, files for TraceX, or CTF traces. What other kernels record
 * is translated for a format that shows what events mean.
 */
#ifndef TXTAP_CAPTURE_COMMAND_OUTLET_H
#define TXTAP_CAPTURE_COMMAND_OUTLET_H

#include "output/ctf_writer.h"
#include "output/printer.h"
#include "output/translation.h"
#include "output/trx_files.h"

struct outlet {
    const struct options *options;
    bool bytes;      /* the items are bytes: to CTF traces. Else they go through the printer, */
    bool for_tracex; /* and from there to files for TraceX */
    struct printer printer;
    struct trx_files trx;
    struct ctf_writer ctf;
    struct translation translation; /* in front of the printer */
    bool translates;                /* it is used: */
    struct txtap_registry names;    /* that it finds in CTF */
    struct txtap_object *objects;   /* their memory; NULL: they come with the ring */
    uint64_t records;               /* of CTF, so far */
};

/* Opens what the options name. On failure error is one line and nothing stays open. The outlet is not moved then. */
enum txtap_status outlet_open(struct outlet *outlet, const struct options *options, struct error *error);

struct txtap_sink outlet_sink(struct outlet *outlet);

/* As printer_begin(). NULL for both: the items are bytes of a file. */
enum txtap_status outlet_begin(struct outlet *outlet, const struct txtap_header *header,
                               const struct txtap_registry *registry);

/*
 * Writes what is left, closes, and warns of what is odd; maker: that gave the events their time. Returns status if it
 * is a failure, else how closing went; error says why, unless it is set already. Counts are kept.
 */
enum txtap_status outlet_close(struct outlet *outlet, enum txtap_status status, const struct txtap_event_maker *maker,
                               struct error *error);

/* How many records of CTF came. */
uint64_t outlet_records(const struct outlet *outlet);

#endif
