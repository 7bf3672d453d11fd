/* SPDX-License-Identifier: MIT */
/* Where events are lost in a file for Perfetto, and where it ends: nothing goes on, and "(lost events)" has the cores.
 */
#include <inttypes.h>
#include <stdio.h>

#include "format/perfetto.h"

/* All that goes on ends. */
static enum txtap_status stop_all(struct txtap_exporter *self, uint64_t ns)
{
    struct perfetto *perfetto = self->changes.state;
    enum txtap_status status = TXTAP_OK;

    for (uint32_t i = 0; i < self->changes.limits.threads && status == TXTAP_OK; i++)
        status = perfetto_stop_thread(self, i, ns);
    for (uint32_t i = 0; i < TXTAP_CORES_MAX; i++)
        for (; perfetto->cores[i].depth > 0 && status == TXTAP_OK; perfetto->cores[i].depth--)
            status = perfetto_track_event(self, TRACK_END, track_of(ROW_INTERRUPTS, i), ns, 0);
    return status == TXTAP_OK ? perfetto_stop_defined(self, ns) : status;
}

/* What runs on each core is not known, or is known again. */
static enum txtap_status write_lost(struct txtap_exporter *self, enum task_state state, uint64_t ns)
{
    struct perfetto *perfetto = self->changes.state;
    enum txtap_status status = TXTAP_OK;

    for (uint32_t i = 0; i < TXTAP_CORES_MAX && status == TXTAP_OK; i++) {
        if (!perfetto->cores[i].seen)
            continue;
        status = perfetto_describe_lost(self, i);
        if (status == TXTAP_OK)
            status = perfetto_task(self, ns, TASK_LOST + i, state, i, 0);
    }
    return status;
}

enum txtap_status perfetto_gap(struct txtap_exporter *self, const struct txtap_change *change)
{
    struct perfetto *perfetto = self->changes.state;
    enum txtap_status status = perfetto_write_held(self);
    uint64_t ns = perfetto_advance(self, change->ticks);

    if (status == TXTAP_OK)
        status = stop_all(self, ns);
    if (status == TXTAP_OK)
        status = write_lost(self, TASK_RUNNING, ns);
    perfetto->in_gap = true;
    perfetto->gap_ns = ns;
    return status;
}

static enum txtap_status write_gap(struct txtap_exporter *self, const struct txtap_change_gap *gap, uint64_t ns)
{
    const struct perfetto *perfetto = self->changes.state;
    enum txtap_status status;
    uint64_t text;
    char name[64];

    if (gap->lost == 0) /* a reset, or the firmware recorded none for a while */
        snprintf(name, sizeof name, "events may be missing");
    else
        snprintf(name, sizeof name, "%s%" PRIu64 " event%s lost", gap->exact ? "" : "at least ", gap->lost,
                 gap->lost == 1 ? "" : "s");
    text = perfetto_text(self, INTERNED_EVENT, name);
    if (!perfetto->in_gap)
        return perfetto_track_event(self, TRACK_INSTANT, TRACK_LOST, ns, text);
    status = perfetto_track_event(self, TRACK_BEGIN, TRACK_LOST, perfetto->gap_ns, text);
    return status == TXTAP_OK ? perfetto_track_event(self, TRACK_END, TRACK_LOST, ns, 0) : status;
}

enum txtap_status perfetto_gap_end(struct txtap_exporter *self, const struct txtap_change *change)
{
    struct perfetto *perfetto = self->changes.state;
    enum txtap_status status = perfetto_write_held(self);
    uint64_t ns = perfetto_advance(self, change->ticks);

    if (status == TXTAP_OK)
        status = write_gap(self, &change->gap, ns);
    if (status == TXTAP_OK && perfetto->in_gap)
        status = write_lost(self, TASK_SLEEPS, ns);
    perfetto->in_gap = false;
    return status;
}

/* Names may arrive behind the last event of a thread. */
static enum txtap_status name_all(struct txtap_exporter *self, uint64_t seq)
{
    struct perfetto *perfetto = self->changes.state;
    enum txtap_status status = TXTAP_OK;

    for (uint32_t i = 0; i < self->changes.limits.threads && status == TXTAP_OK; i++)
        if (perfetto->threads[i].name.written)
            status = perfetto_describe_thread(
                self, (struct txtap_change_party){i, perfetto->threads[i].address, TXTAP_OBJECT_THREAD}, seq);
    return status;
}

enum txtap_status perfetto_trace_end(struct txtap_exporter *self, const struct txtap_change *change)
{
    enum txtap_status status = perfetto_write_held(self);

    if (status == TXTAP_OK)
        status = name_all(self, change->seq);
    return status == TXTAP_OK ? stop_all(self, perfetto_advance(self, change->ticks)) : status;
}
