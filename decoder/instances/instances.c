/* SPDX-License-Identifier: MIT */
/* Finds the figure of each sample. The address of the samples identifies the figure. A table keeps the result, so that
 * the figures are searched only for the first sample of each figure. */
#include "txtap/inner/instances.h"

#include <string.h>

#include "analysis/analyses.h"

#define UNWANTED  UINT32_MAX
#define SLOTS_MAX (TXTAP_INSTANCE_SLOTS / 4 * 3) /* keeps the table fast */

const char *txtap_instance_kind_name(enum txtap_instance_kind kind)
{
    static const char *const names[] = {"complete", "cut", "open"};

    return names[kind];
}

bool txtap_instances_exist(enum txtap_figure_id id)
{
    static const enum txtap_figure_id ids[] = {
        TXTAP_FIGURE_RESPONSE,     TXTAP_FIGURE_RUN,          TXTAP_FIGURE_RESPONSE_READY,
        TXTAP_FIGURE_WAKE,         TXTAP_FIGURE_READY,        TXTAP_FIGURE_RESPONSE_INTERRUPTED,
        TXTAP_FIGURE_BLOCK,        TXTAP_FIGURE_WAITS,        TXTAP_FIGURE_RESPONSE_MUTEX,
        TXTAP_FIGURE_HOLD,         TXTAP_FIGURE_WAIT,         TXTAP_FIGURE_TURNS,
        TXTAP_FIGURE_ISR,          TXTAP_FIGURE_ISR_SELF,     TXTAP_FIGURE_ISR_INTERVAL,
        TXTAP_FIGURE_PATH,         TXTAP_FIGURE_FIRST_RUN,    TXTAP_FIGURE_WAKE_BY,
        TXTAP_FIGURE_PERIOD,       TXTAP_FIGURE_PERIOD_ERROR, TXTAP_FIGURE_DISPATCH_PERIOD,
        TXTAP_FIGURE_TIMEOUT_WAIT, TXTAP_FIGURE_WAITS_FOR,    TXTAP_FIGURE_LIFETIME,
        TXTAP_FIGURE_LIFE,         TXTAP_FIGURE_BETWEEN,
    };

    for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++)
        if (ids[i] == id)
            return true;
    return false;
}

/* Returns the slot of the samples, or the free slot for them. */
static struct txtap_instance_slot *slot_of(struct txtap_instances *instances, const struct spread *samples)
{
    uint64_t hash = (uint64_t)(uintptr_t)samples * 0x9E3779B97F4A7C15u;
    uint32_t at = (uint32_t)(hash >> 40) % TXTAP_INSTANCE_SLOTS;

    while (instances->slots[at].samples != NULL && instances->slots[at].samples != samples)
        at = (at + 1) % TXTAP_INSTANCE_SLOTS;
    return &instances->slots[at];
}

/* Fills the free slot. Returns false if no figure lists the samples, or if the table is full. */
static bool add(struct txtap_instances *instances, struct txtap_instance_slot *slot, const struct spread *samples)
{
    struct txtap_figure figure;

    if (instances->slot_count == SLOTS_MAX || !analysis_figure_of(instances->analysis, samples, &figure))
        return false;
    instances->slot_count++;
    slot->samples = samples;
    slot->series = UNWANTED;
    if (instances->sink.open(instances->sink.self, instances->series_count, &figure))
        slot->series = instances->series_count++;
    return true;
}

static void fill_parts(struct txtap_instance *instance, const uint64_t *spent)
{
    instance->has_parts = true;
    instance->parts[TXTAP_INSTANCE_RUN] = spent[ACCOUNT_RUNNING];
    instance->parts[TXTAP_INSTANCE_READY] = spent[ACCOUNT_READY];
    instance->parts[TXTAP_INSTANCE_INTERRUPTED] = spent[ACCOUNT_INTERRUPTED];
    instance->parts[TXTAP_INSTANCE_UNKNOWN] = spent[ACCOUNT_UNKNOWN];
    for (unsigned i = ACCOUNT_BLOCKED; i < ACCOUNTS; i++)
        instance->parts[TXTAP_INSTANCE_BLOCKED] += spent[i];
}

static void take_sample(void *self, const struct sample *sample)
{
    struct txtap_instances *instances = self;
    struct txtap_instance_slot *slot = slot_of(instances, sample->spread);
    struct txtap_instance instance = {.kind = sample->kind,
                                      .vague = sample->vague,
                                      .value = sample->value,
                                      .start = sample->start.ticks,
                                      .start_seq = sample->start.seq,
                                      .end = sample->end.ticks,
                                      .seq = sample->end.seq};

    if (slot->samples == NULL && !add(instances, slot, sample->spread)) {
        instances->left_out++;
        return;
    }
    if (slot->series == UNWANTED)
        return;
    instance.series = slot->series;
    if (sample->spent != NULL)
        fill_parts(&instance, sample->spent);
    instances->sink.take(instances->sink.self, &instance);
}

void txtap_instances_open(struct txtap_instances *instances, struct txtap_analysis *analysis,
                          struct txtap_instance_sink sink)
{
    *instances = (struct txtap_instances){.analysis = analysis, .sink = sink};
    analysis_samples(analysis, (struct sample_sink){take_sample, instances});
}
