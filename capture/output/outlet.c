/* SPDX-License-Identifier: MIT */
/* The table of outlet kinds, and the calls through it. */
#include "output/outlet.h"

#include <stddef.h>

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
    if (status == TXTAP_OK)
        outlet->kind = kind;
    return status;
}

struct txtap_sink outlet_sink(const struct outlet *outlet)
{
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
    return status;
}
