/* SPDX-License-Identifier: MIT */
/* The table of outlet kinds, and the calls through it. */
#include "output/outlet.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#include "output/report.h"

extern const struct outlet_kind outlet_ctf_bytes, outlet_trx, outlet_directory, outlet_changes, outlet_lines;

static const struct outlet_kind *const kinds[] = {&outlet_ctf_bytes, &outlet_trx, &outlet_directory, &outlet_changes,
                                                  &outlet_lines};

static const struct outlet_kind *kind_for(const struct outlet_config *config)
{
    size_t i = 0;

    while (!kinds[i]->takes(config)) /* the last kind accepts every configuration */
        i++;
    return kinds[i];
}

enum txtap_status outlet_open(struct outlet *outlet, const struct outlet_config *config, struct error *error)
{
    const struct outlet_kind *kind = kind_for(config);
    enum txtap_status status;

    *outlet = (struct outlet){.kind = NULL};
    status = kind->open(&outlet->self, config, error);
    if (status != TXTAP_OK)
        return status;
    outlet->kind = kind;
    outlet->quiet = config->quiet;
    if (kind->lacks_samples || config->items.bytes || config->format->sample == NULL)
        outlet->lacks_samples = config->format->name;
    return TXTAP_OK;
}

/* Takes an item for an outlet that cannot show samples. */
static enum txtap_status take_without_samples(void *self, const struct txtap_item *item)
{
    struct outlet *outlet = self;

    if (item->kind != TXTAP_ITEM_SAMPLE)
        return txtap_sink_take(outlet->kind->sink(outlet->self), item);
    outlet->samples_left_out++;
    return TXTAP_OK;
}

struct txtap_sink outlet_sink(struct outlet *outlet)
{
    if (outlet->lacks_samples != NULL)
        return (struct txtap_sink){take_without_samples, outlet};
    return outlet->kind->sink(outlet->self);
}

enum txtap_status outlet_begin(struct outlet *outlet, const struct txtap_header *header,
                               const struct txtap_registry *registry)
{
    return outlet->kind->begin(outlet->self, header, registry);
}

enum txtap_status outlet_flush(struct outlet *outlet, bool *written)
{
    *written = true;
    return outlet->kind->flush != NULL ? outlet->kind->flush(outlet->self, written) : TXTAP_OK;
}

enum txtap_status outlet_reopen(struct outlet *outlet, struct error *error)
{
    return outlet->kind->reopen != NULL ? outlet->kind->reopen(outlet->self, error) : TXTAP_OK;
}

const struct outlet_counts *outlet_count(struct outlet *outlet)
{
    if (outlet->kind != NULL)
        outlet->kind->count(outlet->self, &outlet->counts);
    return &outlet->counts;
}

enum txtap_status outlet_close(struct outlet *outlet, enum txtap_status status, const struct txtap_event_maker *maker,
                               struct error *error)
{
    status = outlet->kind->close(outlet->self, status, maker, &outlet->counts, error);
    outlet->kind = NULL;
    if (outlet->samples_left_out > 0 && !outlet->quiet)
        fprintf(stderr, "txtap: --format %s has no place for samples: %" PRIu64 " sample%s left out\n",
                outlet->lacks_samples, outlet->samples_left_out, plural(outlet->samples_left_out));
    return status;
}
