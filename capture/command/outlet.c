/* SPDX-License-Identifier: MIT */
/* Where the items of a ring go. */
#include "command/outlet.h"

#include <inttypes.h>
#include <stdio.h>

#include "ring/ring_kind.h"

enum txtap_status outlet_open(struct outlet *outlet, const struct options *options, struct error *error)
{
    outlet->options = options;
    outlet->bytes = options->ring.kind->bytes;
    if (outlet->bytes)
        return ctf_writer_open(&outlet->ctf, options, options->ring.kind->gap_means, error);
    return recording_trx_open_printer(&outlet->trx, &outlet->printer, options, error);
}

struct txtap_sink outlet_sink(struct outlet *outlet)
{
    return outlet->bytes ? ctf_writer_sink(&outlet->ctf) : printer_sink(&outlet->printer);
}

enum txtap_status outlet_begin(struct outlet *outlet, const struct txtap_header *header,
                               const struct txtap_registry *registry)
{
    return outlet->bytes ? TXTAP_OK : printer_begin(&outlet->printer, header, registry);
}

/* A file for TraceX says itself what failed. */
static void say_failure(const struct outlet *outlet, enum txtap_status status, struct error *error)
{
    if (status < TXTAP_OK && !error_is_set(error))
        *error = outlet->trx.error;
}

enum txtap_status outlet_close(struct outlet *outlet, enum txtap_status status, const struct txtap_event_maker *maker,
                               struct error *error)
{
    if (outlet->bytes)
        return ctf_writer_close(&outlet->ctf, status, error);
    say_failure(outlet, status, error);
    status = printer_close(&outlet->printer, status, error);
    say_failure(outlet, status, error);
    printer_warn(&outlet->printer, outlet->options, maker);
    if (status >= TXTAP_OK && outlet->trx.several > 0 && !outlet->options->quiet)
        fprintf(stderr,
                "txtap: %" PRIu32
                " address%s without a name: TraceX takes one name for all events of a file, and none is "
                "certain for all of them\n",
                outlet->trx.several, outlet->trx.several == 1 ? "" : "es");
    recording_trx_free(&outlet->trx);
    return status;
}
