/* SPDX-License-Identifier: MIT */
/* The table of probes. */
#include "attach/probe.h"

#define TIMEOUT_MS 3000

/* The first that is wanted; the last one always is. */
static const struct probe_kind *const kinds[] = {&probe_image, &probe_gdb, &probe_openocd};

enum txtap_status probe_open(struct probe *probe, const struct target_options *options, struct error *error)
{
    const struct probe_kind *const *kind = kinds;
    struct txtap_source source;
    enum txtap_status status;

    while (!(*kind)->is_wanted(options))
        kind++;
    status = (*kind)->open(options, TIMEOUT_MS, &probe->self, &source, error);
    if (status != TXTAP_OK)
        return status;
    probe->kind = *kind;
    probe->source = counting_source_of(&probe->counting, source);
    return TXTAP_OK;
}

void probe_close(struct probe *probe)
{
    if (probe->kind == NULL)
        return;
    probe->kind->close(probe->self);
    probe->kind = NULL;
    probe->source = (struct txtap_source){NULL, NULL};
}
