/* SPDX-License-Identifier: MIT */
/* Collects the values of samples and of counter lines. */
#include "txtap/inner/top_values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "top/screen.h"
#include "txtap/inner/user_value.h"

/* ---- order of values ---- */

static enum txtap_value_form form_of(const struct txtap_definition *definition)
{
    const struct txtap_definition_part *part = txtap_definition_part_of(definition, definition->row.word);

    if (part != NULL && part->field.kind == TXTAP_FIELD_FLOAT)
        return TXTAP_VALUE_FLOAT;
    return part != NULL && part->field.kind == TXTAP_FIELD_SIGNED ? TXTAP_VALUE_SIGNED : TXTAP_VALUE_UNSIGNED;
}

/* Returns true if the value has a place in the order of its kind. NaN has none, and neither have states. */
static bool is_ordered(const struct txtap_top_watched *watched, uint64_t value)
{
    if (watched->definition != NULL)
        return form_of(watched->definition) != TXTAP_VALUE_FLOAT || (value & 0x7fffffff) <= 0x7f800000;
    if (watched->channel->form == TXTAP_FORM_STATE)
        return false;
    return watched->channel->form != TXTAP_FORM_FLOAT ||
           !isnan(txtap_sample_number(&(struct txtap_sample){.channel = watched->channel, .bits = value}));
}

static bool is_less(const struct txtap_top_watched *watched, uint64_t a, uint64_t b)
{
    const struct txtap_sample first = {.channel = watched->channel, .bits = a},
                              second = {.channel = watched->channel, .bits = b};

    if (watched->definition != NULL)
        return txtap_value_key(form_of(watched->definition), (uint32_t)a) <
               txtap_value_key(form_of(watched->definition), (uint32_t)b);
    if (watched->channel->form == TXTAP_FORM_FLOAT)
        return txtap_sample_number(&first) < txtap_sample_number(&second);
    return watched->channel->form == TXTAP_FORM_SIGNED ? (int64_t)a < (int64_t)b : a < b;
}

/* ---- taking ---- */

_Static_assert(TXTAP_TOP_VALUES >= TXTAP_CHANNELS_MAX + TXTAP_DEFINITION_ROWS_MAX, "all values have room");

/* Returns the entry of a channel or of a counter line, new or known; NULL: the stream has more channels than allowed.
 */
static struct txtap_top_watched *find(struct txtap_top_values *values, const struct txtap_channel *channel,
                                      const struct txtap_definition *definition)
{
    struct txtap_top_watched *watched;

    for (watched = values->at; watched < values->at + values->count; watched++)
        if (channel != NULL ? watched->channel == channel
                            : watched->definition != NULL && watched->definition->row.number == definition->row.number)
            return watched;
    if (values->count == TXTAP_TOP_VALUES)
        return NULL;
    values->count++;
    *watched = (struct txtap_top_watched){.channel = channel, .definition = definition};
    return watched;
}

static void add(struct txtap_top_watched *watched, uint64_t value)
{
    watched->n++;
    watched->last = value;
    if (!is_ordered(watched, value))
        return;
    if (!watched->has_range || is_less(watched, value, watched->least))
        watched->least = value;
    if (!watched->has_range || is_less(watched, watched->most, value))
        watched->most = value;
    watched->has_range = true;
}

static void see_time(struct txtap_top_values *values, uint64_t ticks)
{
    if (!values->any)
        values->begin_ticks = values->ticks = ticks;
    values->any = true;
    if (ticks > values->ticks)
        values->ticks = ticks;
}

static void take_sample(struct txtap_top_values *values, const struct txtap_sample *sample)
{
    struct txtap_top_watched *watched;

    see_time(values, sample->ticks);
    watched = sample->channel->kind == TXTAP_CHANNEL_VALUE ? find(values, sample->channel, NULL) : NULL;
    if (watched == NULL)
        return;
    watched->state = sample->state;
    if (sample->state == TXTAP_SAMPLE_VALID)
        add(watched, sample->bits);
}

static void take_event(struct txtap_top_values *values, const struct txtap_definitions *definitions,
                       const struct txtap_event *event)
{
    const struct txtap_event_info *info;
    struct txtap_top_watched *watched;

    see_time(values, event->ticks);
    info = definitions != NULL ? txtap_definitions_event(definitions, event->id, 0) : NULL;
    if (info == NULL || info->definition == NULL || info->definition->row.role != TXTAP_DEFINITION_COUNTER)
        return;
    watched = find(values, NULL, info->definition);
    if (watched == NULL)
        return;
    watched->definition = info->definition;
    add(watched, event->info[info->definition->row.word]);
}

void txtap_top_values_take(struct txtap_top_values *values, const struct txtap_definitions *definitions,
                           const struct txtap_item *item)
{
    if (item->kind == TXTAP_ITEM_SAMPLE)
        take_sample(values, &item->sample);
    else if (item->kind == TXTAP_ITEM_EVENT)
        take_event(values, definitions, &item->event);
}

void txtap_top_values_reset(struct txtap_top_values *values)
{
    values->any = false;
    for (size_t i = 0; i < values->count; i++) {
        values->at[i].n = 0;
        values->at[i].has_range = false;
    }
}

void txtap_top_values_forget(struct txtap_top_values *values)
{
    values->count = 0;
    values->any = false;
}

/* ---- looking ---- */

static void write_value(const struct txtap_top_watched *watched, uint64_t value, const struct txtap_registry *names,
                        char out[static TXTAP_TOP_NAME_BYTES])
{
    static const struct txtap_registry none;
    const struct txtap_sample sample = {.channel = watched->channel, .bits = value, .text = ""};
    char text[TXTAP_VALUE_TEXT_BYTES];

    if (watched->definition != NULL) {
        (void)txtap_value_text(names != NULL ? names : &none, watched->definition, watched->definition->row.word,
                               (uint32_t)value, text);
    } else {
        (void)txtap_sample_value_text(&sample, text);
        if (watched->channel->unit[0] != '\0')
            strcat(strcat(text, " "), watched->channel->unit);
    }
    screen_name(out, TXTAP_TOP_NAME_BYTES, text);
}

void txtap_top_values_look(const struct txtap_top_values *values, const struct txtap_registry *names,
                           struct txtap_top_state *state)
{
    double seconds = state->tick_hz > 0 ? (double)(values->ticks - values->begin_ticks) / state->tick_hz : 0;

    state->value_count = values->count;
    for (size_t i = 0; i < values->count; i++) {
        const struct txtap_top_watched *watched = &values->at[i];
        struct txtap_top_value *out = &state->values[i];

        *out = (struct txtap_top_value){.n = watched->n, .rate = TXTAP_TOP_UNKNOWN};
        screen_name(out->name, sizeof out->name,
                    watched->channel != NULL ? watched->channel->name : watched->definition->row.name);
        if (watched->state == TXTAP_SAMPLE_UNREADABLE)
            snprintf(out->now, sizeof out->now, "unreadable");
        else
            write_value(watched, watched->last, names, out->now);
        if (watched->has_range) {
            write_value(watched, watched->least, names, out->least);
            write_value(watched, watched->most, names, out->most);
        }
        if (values->any && seconds > 0)
            out->rate = (double)watched->n / seconds;
    }
}
