/* SPDX-License-Identifier: MIT */
/* Opens what takes the items: a printer, files for TraceX, or a writer of CTF. */
#include "command/outlet.h"

#include <stdlib.h>

#include "output/report.h"
#include "ring/ring_kind.h"

#define OBJECTS_MAX 4096 /* threads that a trace in CTF may name */

/* ---- other kernels' events ---- */

static enum txtap_status open_names(struct outlet *outlet, struct error *error)
{
    outlet->objects = calloc(OBJECTS_MAX, sizeof *outlet->objects);
    if (outlet->objects == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the names of threads");
    txtap_registry_init(&outlet->names, outlet->objects, OBJECTS_MAX);
    return TXTAP_OK;
}

/* Behind an open printer. */
static enum txtap_status open_translation(struct outlet *outlet, const struct options *options, struct error *error)
{
    enum txtap_status status;

    outlet->translation = (struct translation){.next = printer_sink(&outlet->printer)};
    outlet->translates = false;
    outlet->objects = NULL;
    outlet->records = 0;
    if (outlet->printer.exporter.ops->change == NULL)
        return TXTAP_OK;
    outlet->translates = options->ring.kind->bytes || options->ring.definitions != NULL;
    if (!options->ring.kind->bytes)
        return outlet->translates ? translation_from_logger(&outlet->translation, error) : TXTAP_OK;
    status = open_names(outlet, error);
    return status == TXTAP_OK
               ? translation_from_ctf(&outlet->translation, options->ring.ctf_metadata, &outlet->names, error)
               : status;
}

static enum txtap_status take_translated(void *self, const struct txtap_item *item)
{
    struct outlet *outlet = self;

    if (item->kind == TXTAP_ITEM_GAP && outlet->options->ring.kind->bytes)
        fprintf(stderr, "txtap: %s\n", outlet->options->ring.kind->gap_means);
    return translation_take(&outlet->translation, item);
}

/* What it held back. */
static enum txtap_status close_translation(struct outlet *outlet, enum txtap_status status)
{
    if (outlet->translates && status >= TXTAP_OK) {
        enum txtap_status ended = translation_end(&outlet->translation);

        status = ended == TXTAP_OK ? status : ended;
    }
    if (outlet->translation.ctf != NULL)
        outlet->records = outlet->translation.ctf->ctf.seq;
    return status;
}

static void free_translation(struct outlet *outlet)
{
    translation_free(&outlet->translation);
    free(outlet->objects);
    outlet->objects = NULL;
}

/* ---- outlets ---- */

static enum txtap_status open_printer(struct outlet *outlet, const struct options *options, struct error *error)
{
    enum txtap_status status = printer_open(&outlet->printer, options, error);

    if (status != TXTAP_OK)
        return status;
    status = open_translation(outlet, options, error);
    if (status == TXTAP_OK)
        return TXTAP_OK;
    free_translation(outlet);
    return printer_close(&outlet->printer, status, error);
}

enum txtap_status outlet_open(struct outlet *outlet, const struct options *options, struct error *error)
{
    enum txtap_status status;

    outlet->options = options;
    outlet->bytes = options->ring.kind->bytes && txtap_exporter_find(options->format)->change == NULL;
    outlet->for_tracex = !outlet->bytes && txtap_exporter_find(options->format)->whole_buffer;
    if (outlet->bytes)
        return ctf_writer_open(&outlet->ctf, options, options->ring.kind->gap_means, error);
    if (!outlet->for_tracex)
        return open_printer(outlet, options, error);
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
    if (outlet->bytes)
        return (struct txtap_sink){ctf_writer_take, &outlet->ctf};
    return outlet->translates ? (struct txtap_sink){take_translated, outlet} : printer_sink(&outlet->printer);
}

enum txtap_status outlet_begin(struct outlet *outlet, const struct txtap_header *header,
                               const struct txtap_registry *registry)
{
    if (outlet->for_tracex)
        trx_files_begin(&outlet->trx, header, registry);
    if (outlet->bytes)
        return TXTAP_OK;
    return printer_begin(&outlet->printer, header, outlet->objects != NULL ? &outlet->names : registry);
}

enum txtap_status outlet_close(struct outlet *outlet, enum txtap_status status, const struct txtap_event_maker *maker,
                               struct error *error)
{
    if (outlet->bytes)
        return ctf_writer_close(&outlet->ctf, status, error);
    status = close_translation(outlet, status);
    if (outlet->for_tracex)
        status = trx_files_close(&outlet->trx, status, error);
    status = printer_close(&outlet->printer, status, error);
    free_translation(outlet);
    if (maker != NULL)
        printer_warn(&outlet->printer, outlet->options, maker);
    if (status >= TXTAP_OK && outlet->for_tracex && !outlet->options->quiet)
        report_without_names(outlet->trx.several);
    return status;
}

uint64_t outlet_records(const struct outlet *outlet)
{
    if (outlet->bytes)
        return outlet->ctf.records;
    return outlet->translation.ctf != NULL ? outlet->translation.ctf->ctf.seq : outlet->records;
}
