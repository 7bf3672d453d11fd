/* SPDX-License-Identifier: MIT */
#include "ring/states/run_states.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STATES_MAX 8000000u

static double seconds_max(void)
{
    const char *text = getenv("TXTAP_SECONDS");

    return text ? strtod(text, NULL) : 300.0;
}

static bool is_meant(struct states_name configuration, const char *name)
{
    size_t length = strlen(name);

    if (length > 0 && name[length - 1] == '.')
        return !configuration.by_hand && strncmp(configuration.name, name, length) == 0;
    return strcmp(configuration.name, name) == 0;
}

static uint32_t first_state(const struct search *search, uint32_t state)
{
    while (search->set.parents[state] != STATE_NONE)
        state = search->set.parents[state];
    return state;
}

static void print_violation(const struct states_model *model, const char *name, const struct violation *violation)
{
    struct search *search = model->search;

    printf("%s: %s (%" PRIu64 " times)\n", name, violation->what, violation->times);
    model->print_first(search, state_at(&search->set, first_state(search, violation->state)));
    search_explain(search, model->expand, violation);
}

static bool run(const struct states_model *model, unsigned configuration, bool first_only)
{
    const char *name = model->name(configuration).name;
    struct search *search = model->search;
    bool good;

    search_init(search, model->state_bytes(configuration), STATES_MAX, seconds_max());
    model->begin(search, configuration);
    search_run(search, model->expand, first_only);
    good = !search->gave_up && search->set.count > 0 && search->violation_count == 0;
    printf("%s: %s%s, %" PRIu32 " states, %" PRIu32 " exchanges deep, ", name,
           search->gave_up ? "NOT CLOSED: " : "closed", search->gave_up ? search->gave_up : "", search->set.count,
           search->depth);
    model->print_figures(search);
    printf(", %u kinds of violations, %.1f s\n", search->violation_count, search->seconds);
    for (unsigned i = 0; i < search->violation_count; i++)
        print_violation(model, name, &search->violations[i]);
    fflush(stdout);
    search_free(search);
    return good;
}

int states_main(const struct states_model *model, int argc, char **argv)
{
    bool good = true, first_only = getenv("TXTAP_FIRST") != NULL;

    for (unsigned i = 0; argc < 2 && i < model->count; i++)
        printf("%s%s\n", model->name(i).name, model->name(i).by_hand ? " (by hand)" : "");
    for (int i = 1; i < argc; i++) {
        unsigned meant = 0;

        for (unsigned k = 0; k < model->count; k++)
            if (is_meant(model->name(k), argv[i])) {
                good = run(model, k, first_only) && good;
                meant++;
            }
        if (meant == 0) {
            fprintf(stderr, "%s: there is no configuration '%s'; without a name it lists them\n", model->program,
                    argv[i]);
            return 2;
        }
    }
    return good ? 0 : 1;
}
