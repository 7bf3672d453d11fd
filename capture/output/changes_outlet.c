/* SPDX-License-Identifier: MIT */
/*
 * The outlet of formats that show what threads do: perfetto, vcd. They get all events, choose themselves which ones
 * they show, and need the events of other kernels translated.
 */
#include "output/changes_outlet.h"

#include <stdio.h>
#include <stdlib.h>

#define THREADS_MAX 1024 /* whose changes an export shows */
#define OBJECTS_MAX 4096
#define NAMES_MAX   4096 /* of threads that bytes of CTF may have */

/* ---- opening ---- */

static enum txtap_status give_memory(struct changes_outlet *outlet, const struct outlet_config *config,
                                     struct error *error)
{
    const struct txtap_change_limits limits = {.threads = THREADS_MAX, .objects = OBJECTS_MAX};
    struct txtap_exporter *exporter = &outlet->printer.exporter;

    outlet->memory = malloc(txtap_exporter_changes_bytes(config->format, &limits));
    if (outlet->memory == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "out of memory for --format %s", config->format->name);
    exporter->changes =
        (struct txtap_exporter_changes){.memory = outlet->memory, .limits = limits, .filter = config->view.filter};
    return TXTAP_OK;
}

static enum txtap_status open_translation(struct changes_outlet *outlet, const struct outlet_items *items,
                                          struct error *error)
{
    outlet->translation.next = (struct txtap_sink){overflow_take, &outlet->printer.overflow};
    if (!items->bytes)
        return items->definitions != NULL ? translation_from_logger(&outlet->translation, error) : TXTAP_OK;
    outlet->names_memory = calloc(NAMES_MAX, sizeof *outlet->names_memory);
    if (outlet->names_memory == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the names of threads");
    txtap_registry_init(&outlet->names, outlet->names_memory, NAMES_MAX);
    return translation_from_ctf(&outlet->translation, items->ctf_metadata, &outlet->names, error);
}

static void release(struct changes_outlet *outlet)
{
    translation_free(&outlet->translation);
    free(outlet->names_memory);
    free(outlet->memory);
    free(outlet->path);
    free(outlet);
}

enum txtap_status changes_outlet_open(void **self, const struct outlet_config *config, struct error *error)
{
    struct changes_outlet *outlet = calloc(1, sizeof *outlet);
    enum txtap_status status;

    if (outlet == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the output");
    outlet->items = config->items;
    status = printer_open(&outlet->printer, config, error);
    if (status != TXTAP_OK) {
        release(outlet);
        return status;
    }
    status = give_memory(outlet, config, error);
    if (status == TXTAP_OK)
        status = open_translation(outlet, &config->items, error);
    if (status != TXTAP_OK) {
        (void)printer_close(&outlet->printer, status, NULL, &(struct outlet_counts){0}, error);
        release(outlet);
        return status;
    }
    if (!(config->view.tick_hz > 0) && !config->quiet)
        fprintf(stderr, "txtap: --format %s: 1 tick is shown as 1 us: --hz says how long it is\n",
                config->format->name);
    *self = outlet;
    return TXTAP_OK;
}

/* ---- between ---- */

static enum txtap_status take(void *self, const struct txtap_item *item)
{
    struct changes_outlet *outlet = self;
    struct txtap_item filled = *item;

    if (item->kind == TXTAP_ITEM_GAP && outlet->items.bytes)
        fprintf(stderr, "txtap: %s\n", outlet->items.gap_means);
    if (item->kind == TXTAP_ITEM_BYTES && outlet->items.filled_once)
        filled.bytes.length = translation_filled(&outlet->translation, item->bytes.at, item->bytes.length);
    return translation_take(&outlet->translation, &filled);
}

struct txtap_sink changes_outlet_sink(void *self)
{
    struct changes_outlet *outlet = self;
    bool translates = outlet->items.bytes || outlet->items.definitions != NULL;

    return translates ? (struct txtap_sink){take, outlet} : outlet->translation.next;
}

enum txtap_status changes_outlet_begin(void *self, const struct txtap_header *header,
                                       const struct txtap_registry *registry)
{
    struct changes_outlet *outlet = self;

    return printer_begin(&outlet->printer, header, outlet->items.bytes ? &outlet->names : registry);
}

enum txtap_status changes_outlet_flush(void *self, bool *written)
{
    struct changes_outlet *outlet = self;

    return printer_flush(&outlet->printer, written);
}

static enum txtap_status reopen(void *self, struct error *error)
{
    struct changes_outlet *outlet = self;

    return printer_reopen(&outlet->printer, error);
}

void changes_outlet_count(const void *self, struct outlet_counts *counts)
{
    const struct changes_outlet *outlet = self;

    printer_count(&outlet->printer, counts);
    if (outlet->translation.ctf != NULL)
        counts->records = outlet->translation.ctf->ctf.seq;
}

/* ---- closing ---- */

enum txtap_status changes_outlet_close(void *self, enum txtap_status earlier, const struct txtap_event_maker *maker,
                                       struct outlet_counts *counts, struct error *error)
{
    struct changes_outlet *outlet = self;
    enum txtap_status status = earlier;

    if (status >= TXTAP_OK) { /* writes what the translation held back */
        enum txtap_status ended = translation_end(&outlet->translation);

        status = ended == TXTAP_OK ? status : ended;
    }
    changes_outlet_count(outlet, counts);
    status = printer_close(&outlet->printer, status, maker, counts, error);
    release(outlet);
    return status;
}

static bool takes(const struct outlet_config *config)
{
    return config->format->change != NULL;
}

extern const struct outlet_kind outlet_changes;
const struct outlet_kind outlet_changes = {
    .takes = takes,
    .open = changes_outlet_open,
    .sink = changes_outlet_sink,
    .begin = changes_outlet_begin,
    .flush = changes_outlet_flush,
    .reopen = reopen,
    .count = changes_outlet_count,
    .close = changes_outlet_close,
};
