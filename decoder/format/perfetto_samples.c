/* SPDX-License-Identifier: MIT */
/*
 * Samples in a file for Perfetto. Each channel has a track: a graph of numbers, slices of states, or an instant for
 * each line of a log and each program counter. Samples have their own times, so they do not move the times of events.
 */
#include <math.h>
#include <stdio.h>

#include "format/perfetto.h"

/* Returns true if the channel is shown as a graph. */
static bool is_graph(const struct txtap_channel *channel)
{
    return channel->kind == TXTAP_CHANNEL_VALUE && channel->form != TXTAP_FORM_STATE;
}

static enum txtap_status describe(struct txtap_exporter *self, const struct txtap_channel *channel, uint64_t track)
{
    struct perfetto *perfetto = self->changes.state;
    struct perfetto_channel *row = &perfetto->channels[channel->number];
    enum txtap_status status = TXTAP_OK;

    if (row->described)
        return TXTAP_OK;
    row->described = true;
    if (!perfetto->samples_described)
        status = perfetto_describe(self, TRACK_SAMPLES, "Samples", NULL);
    perfetto->samples_described = true;
    if (status != TXTAP_OK)
        return status;
    return perfetto_describe_child(self, track, channel->name, is_graph(channel) ? channel->unit : NULL, TRACK_SAMPLES);
}

/* Writes a number. A graph cannot show that a value is unreadable, or that it is not a number. */
static enum txtap_status write_number(struct txtap_exporter *self, const struct txtap_sample *sample, uint64_t track,
                                      uint64_t ns)
{
    double number = txtap_sample_number(sample);

    if (sample->state != TXTAP_SAMPLE_VALID || !isfinite(number))
        return TXTAP_OK;
    if (sample->channel->form == TXTAP_FORM_SIGNED || (sample->channel->form != TXTAP_FORM_FLOAT && number < 0x1p63))
        return perfetto_counter(self, track, ns, sample->bits);
    return perfetto_counter_double(self, track, ns, number);
}

/* Begins a slice if the state is another state than before. */
static enum txtap_status write_state(struct txtap_exporter *self, const struct txtap_sample *sample, uint64_t track,
                                     uint64_t ns)
{
    struct perfetto *perfetto = self->changes.state;
    struct perfetto_channel *row = &perfetto->channels[sample->channel->number];
    char value[TXTAP_SAMPLE_VALUE_BYTES];
    enum txtap_status status = TXTAP_OK;
    uint64_t text;

    (void)txtap_sample_value_text(sample, value);
    text = perfetto_text(self, INTERNED_EVENT, sample->state == TXTAP_SAMPLE_UNREADABLE ? "unreadable" : value);
    if (row->begun && row->text == text)
        return TXTAP_OK;
    if (row->begun)
        status = perfetto_track_event(self, TRACK_END, track, ns, 0);
    row->begun = true;
    row->text = text;
    return status == TXTAP_OK ? perfetto_track_event(self, TRACK_BEGIN, track, ns, text) : status;
}

/* Writes a line of a log, or a program counter with the name of the thread. */
static enum txtap_status write_instant(struct txtap_exporter *self, const struct txtap_sample *sample, uint64_t track,
                                       uint64_t ns)
{
    const char *thread = sample->thread != 0 ? txtap_registry_name(self->registry, sample->thread) : "";
    char value[TXTAP_SAMPLE_VALUE_BYTES], text[TXTAP_SAMPLE_VALUE_BYTES + TXTAP_OBJECT_NAME_BYTES + 8];

    if (sample->channel->kind == TXTAP_CHANNEL_LOG)
        return perfetto_track_event(self, TRACK_INSTANT, track, ns, perfetto_text(self, INTERNED_EVENT, sample->text));
    (void)txtap_sample_value_text(sample, value);
    snprintf(text, sizeof text, "%s%s%s", value, thread[0] != '\0' ? " in " : "", thread);
    return perfetto_track_event(self, TRACK_INSTANT, track, ns, perfetto_text(self, INTERNED_EVENT, text));
}

enum txtap_status perfetto_sample(struct txtap_exporter *self, const struct txtap_sample *sample)
{
    struct perfetto *perfetto = self->changes.state;
    uint64_t track = track_of(ROW_CHANNEL, sample->channel->number), ns = perfetto_ns(self, sample->ticks);
    enum txtap_status status = describe(self, sample->channel, track);

    if (status != TXTAP_OK)
        return status;
    if (ns > perfetto->samples_ns)
        perfetto->samples_ns = ns;
    if (is_graph(sample->channel))
        return write_number(self, sample, track, ns);
    if (sample->channel->kind == TXTAP_CHANNEL_VALUE)
        return write_state(self, sample, track, ns);
    return write_instant(self, sample, track, ns);
}

enum txtap_status perfetto_stop_samples(struct txtap_exporter *self, uint64_t ns)
{
    struct perfetto *perfetto = self->changes.state;
    enum txtap_status status = TXTAP_OK;

    if (ns < perfetto->samples_ns)
        ns = perfetto->samples_ns;
    for (uint32_t i = 0; i < TXTAP_CHANNELS_MAX && status == TXTAP_OK; i++) {
        if (perfetto->channels[i].begun)
            status = perfetto_track_event(self, TRACK_END, track_of(ROW_CHANNEL, i), ns, 0);
        perfetto->channels[i].begun = false;
    }
    return status;
}
