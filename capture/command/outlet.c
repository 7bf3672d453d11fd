/* SPDX-License-Identifier: MIT */
/* Opens what takes the items: a printer, files for TraceX, or a writer of CTF. */
#include "command/outlet.h"

#include "output/report.h"
#include "ring/ring_kind.h"

enum txtap_status outlet_open(struct outlet *outlet, const struct options *options, struct error *error)
{
    enum txtap_status status;

    outlet->options = options;
    outlet->bytes = options->ring.kind->bytes;
    outlet->for_tracex = !outlet->bytes && txtap_exporter_find(options->format)->whole_buffer;
    if (outlet->bytes)
        return ctf_writer_open(&outlet->ctf, options, options->ring.kind->gap_means, error);
    if (!outlet->for_tracex)
        return printer_open(&outlet->printer, options, error);
    status = trx_files_open(&outlet->trx, options->output, options->force, error);
    if (status != TXTAP_OK)
        return status;
    status = printer_open_before(&outlet->printer, options, (struct txtap_sink){trx_files_take, &outlet->trx}, error);
    if (status != TXTAP_OK)
        trx_files_free(&outlet->trx);
    return status;
}

struct txtap_sink outlet_sink(struct outlet *outlet)
{
    return outlet->bytes ? (struct txtap_sink){ctf_writer_take, &outlet->ctf} : printer_sink(&outlet->printer);
}

enum txtap_status outlet_begin(struct outlet *outlet, const struct txtap_header *header,
                               const struct txtap_registry *registry)
{
    if (outlet->for_tracex)
        trx_files_begin(&outlet->trx, header, registry);
    return outlet->bytes ? TXTAP_OK : printer_begin(&outlet->printer, header, registry);
}

enum txtap_status outlet_close(struct outlet *outlet, enum txtap_status status, const struct txtap_event_maker *maker,
                               struct error *error)
{
    if (outlet->bytes)
        return ctf_writer_close(&outlet->ctf, status, error);
    if (outlet->for_tracex)
        status = trx_files_close(&outlet->trx, status, error);
    status = printer_close(&outlet->printer, status, error);
    printer_warn(&outlet->printer, outlet->options, maker);
    if (status >= TXTAP_OK && outlet->for_tracex && !outlet->options->quiet)
        report_without_names(outlet->trx.several);
    return status;
}
