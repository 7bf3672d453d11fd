/* SPDX-License-Identifier: MIT */
/*
 * Values of variables: smallest, largest, mean and last sample, and the share of time in each state. The figures
 * describe the samples: between two samples a variable may have had any value. So they have no bounds, and gaps between
 * events do not change them.
 */
#include "analysis/values.h"

#include <string.h>

#include "analysis/analyses.h"

#define VARIABLES_MAX    TXTAP_CHANNELS_MAX
#define STATES_MAX       512u /* words of all channels */
#define STATE_NAME_BYTES (TXTAP_CHANNEL_NAME_BYTES + TXTAP_CHANNEL_WORD_BYTES)

struct variable {
    char name[TXTAP_CHANNEL_NAME_BYTES];
    uint32_t number; /* of the channel */
    uint64_t n;
    double min, max, sum, last;
    struct txtap_place min_at, max_at, last_at;
    bool is_valid;        /* the last sample was valid */
    uint64_t known;       /* ticks between two samples of which the first was valid */
    uint32_t state;       /* index of the state of the last sample; NONE: no state */
    uint32_t states;      /* index of the first state */
    uint32_t state_count; /* number of states; 0: the channel has no words, or they did not fit */
};

/* A word of a channel, and the time for which samples had it. */
struct state {
    char name[STATE_NAME_BYTES]; /* "mode:RUNNING" */
    int64_t number;
    uint64_t ticks, n;
};

struct values {
    struct base base;
    struct variable *variables; /* in the order of their first samples */
    struct state *states;
    uint32_t count, state_count;
};

static void layout(void *state, struct arena *arena, const struct txtap_analysis_limits *limits)
{
    struct values *values = state;

    (void)limits;
    values->variables = arena_take(arena, VARIABLES_MAX, sizeof(*values->variables));
    values->states = arena_take(arena, STATES_MAX, sizeof(*values->states));
}

static void open(void *state, struct model *model)
{
    (void)state;
    (void)model;
}

static void copy(char *to, size_t size, const char *from)
{
    size_t length = strlen(from);

    length = length < size ? length : size - 1;
    memcpy(to, from, length);
    to[length] = '\0';
}

/* Adds the states of a channel with words. */
static void add_states(struct values *values, struct variable *variable, const struct txtap_channel *channel)
{
    variable->state = NONE;
    variable->states = values->state_count;
    if (channel->form != TXTAP_FORM_STATE || channel->word_count > STATES_MAX - values->state_count) {
        values->base.left_out += channel->form == TXTAP_FORM_STATE;
        return;
    }
    for (uint32_t i = 0; i < channel->word_count; i++) {
        struct state *state = &values->states[values->state_count++];
        size_t length = strlen(channel->name);

        memcpy(state->name, channel->name, length);
        state->name[length++] = ':';
        copy(state->name + length, sizeof(state->name) - length, channel->words[i].text);
        state->number = channel->words[i].number;
    }
    variable->state_count = channel->word_count;
}

static struct variable *variable_of(struct values *values, const struct txtap_channel *channel)
{
    struct variable *variable;

    for (uint32_t i = 0; i < values->count; i++)
        if (values->variables[i].number == channel->number)
            return &values->variables[i];
    if (values->count == VARIABLES_MAX)
        return NULL;
    variable = &values->variables[values->count++];
    variable->number = channel->number;
    copy(variable->name, sizeof(variable->name), channel->name);
    add_states(values, variable, channel);
    return variable;
}

static uint32_t state_of(const struct values *values, const struct variable *variable, int64_t number)
{
    for (uint32_t i = variable->states; i < variable->states + variable->state_count; i++)
        if (values->states[i].number == number)
            return i;
    return NONE;
}

/* Adds the time since the last sample to the state of that sample. */
static void end_state(struct values *values, struct variable *variable, uint64_t ticks)
{
    uint64_t since = variable->last_at.ticks, passed = ticks > since ? ticks - since : 0;

    if (!variable->is_valid)
        return;
    variable->known += passed;
    if (variable->state != NONE)
        values->states[variable->state].ticks += passed;
}

static void take_number(struct variable *variable, double number, struct txtap_place at)
{
    if (variable->n == 0 || number < variable->min) {
        variable->min = number;
        variable->min_at = at;
    }
    if (variable->n == 0 || number > variable->max) {
        variable->max = number;
        variable->max_at = at;
    }
    variable->sum += number;
    variable->last = number;
    variable->n++;
}

void values_take(void *state, const struct txtap_sample *sample)
{
    struct values *values = state;
    const struct txtap_place at = {true, sample->seq, sample->ticks};
    double number = txtap_sample_number(sample);
    struct variable *variable;

    if (sample->channel->kind != TXTAP_CHANNEL_VALUE)
        return;
    variable = variable_of(values, sample->channel);
    if (variable == NULL) {
        values->base.left_out++;
        return;
    }
    end_state(values, variable, sample->ticks);
    variable->is_valid = sample->state == TXTAP_SAMPLE_VALID && number == number; /* not for a NaN */
    variable->last_at = at;
    variable->state = NONE;
    if (!variable->is_valid)
        return;
    take_number(variable, number, at);
    variable->state = state_of(values, variable, (int64_t)sample->bits);
    if (variable->state != NONE)
        values->states[variable->state].n++;
}

static struct txtap_subject subject_of(const struct variable *variable, const char *name)
{
    struct txtap_subject subject = list_number(TXTAP_SUBJECT_VARIABLE, variable->number);

    subject.name = name;
    return subject;
}

/* Lists the share of time in each state. Without two samples, lists the share of samples. */
static void list_states(const struct values *values, const struct variable *variable, struct list *list)
{
    for (uint32_t i = variable->states; i < variable->states + variable->state_count; i++) {
        const struct state *state = &values->states[i];
        double share = variable->known > 0 ? (double)state->ticks / (double)variable->known
                                           : (double)state->n / (double)variable->n;

        /* A state between two samples at the same tick has no time, but was seen. */
        if (state->n > 0 && state->ticks == 0 && variable->known > 0)
            share = 1 / (double)variable->known;
        list_number_exact(list,
                          (struct heading){.id = TXTAP_FIGURE_STATE, .subject = subject_of(variable, state->name)},
                          TXTAP_UNIT_PERCENT, 100 * share);
    }
}

static void figures(const void *state, struct list *list)
{
    const struct values *values = state;

    for (uint32_t i = 0; i < values->count; i++) {
        const struct variable *variable = &values->variables[i];
        const struct txtap_subject subject = subject_of(variable, variable->name);

        if (variable->n == 0)
            continue;
        list_values(list, (struct heading){.id = TXTAP_FIGURE_VALUE, .subject = subject},
                    &(struct value_range){variable->n, variable->min, variable->max, variable->sum, variable->min_at,
                                          variable->max_at});
        list_between(list, (struct heading){.id = TXTAP_FIGURE_LAST_VALUE, .subject = subject}, TXTAP_UNIT_NUMBER,
                     (struct txtap_measure){true, variable->last, variable->last, variable->last}, variable->last_at);
        list_states(values, variable, list);
    }
}

static const struct check_name names[] = {
    FIGURE(VALUE, "value", CHECK_NUMBER, VALUE, VARIABLE),
    FIGURE(LAST_VALUE, "last_value", CHECK_NUMBER, VALUE, VARIABLE),
    FIGURE(STATE, "state", CHECK_SHARE, VALUE, VARIABLE),
    {0},
};

const struct analysis_row values_analysis = {
    .section = {"values", "of variables, in samples"},
    .names = names,
    .any_kernel = true,
    .state_bytes = sizeof(struct values),
    .layout = layout,
    .open = open,
    .figures = figures,
};
