/* SPDX-License-Identifier: MIT */
/*
 * ring_states [NAME]...: visits every state of the configurations with these names, or lists all there are. Fails if
 * one has a violation it should not have, or cannot be closed: if not all its states were visited.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exploration.h"

#define STATES_MAX 8000000u

static double seconds_max(void)
{
    const char *text = getenv("TXTAP_SECONDS");

    return text ? strtod(text, NULL) : 300.0;
}

static uint32_t first_state(const struct search *search, uint32_t state)
{
    while (search->set.parents[state] != STATE_NONE)
        state = search->set.parents[state];
    return state;
}

static void tell_violation(struct exploration *x, const struct violation *violation)
{
    printf("%s: %s (%" PRIu64 " times)\n", x->configuration->name, violation->what, violation->times);
    tell_attach(x, state_at(&x->search.set, first_state(&x->search, violation->state)));
    search_explain(&x->search, explore, violation);
}

static bool run(const struct configuration *configuration, bool first_only)
{
    static struct exploration x;
    const struct search *search = &x.search;
    bool good;

    memset(&x, 0, sizeof x);
    x.configuration = configuration;
    search_init(&x.search, sizeof(struct state), STATES_MAX, seconds_max());
    explore_attaches(&x);
    search_run(&x.search, explore, first_only);
    good = !search->gave_up && search->set.count > 0 && search->violation_count == 0;
    printf("%s: %s%s, %" PRIu32 " states, %" PRIu32 " exchanges deep, %" PRIu64 " plans, %" PRIu64
           " interleavings, %" PRIu64 " too far ahead, %u kinds of violations, %.1f s\n",
           configuration->name, search->gave_up ? "NOT CLOSED: " : "closed", search->gave_up ? search->gave_up : "",
           search->set.count, search->depth, x.exchanges, x.interleavings, x.pruned, search->violation_count,
           search->seconds);
    for (unsigned i = 0; i < search->violation_count; i++)
        tell_violation(&x, &search->violations[i]);
    fflush(stdout);
    search_free(&x.search);
    return good;
}

int main(int argc, char **argv)
{
    bool good = true, first_only = getenv("TXTAP_FIRST") != NULL;

    for (unsigned i = 0; argc < 2 && i < configuration_count; i++)
        printf("%s%s\n", configurations[i].name, configurations[i].by_hand ? " (by hand)" : "");
    for (int i = 1; i < argc; i++) {
        unsigned meant = 0;

        for (unsigned k = 0; k < configuration_count; k++)
            if (configuration_is_meant(&configurations[k], argv[i])) {
                good = run(&configurations[k], first_only) && good;
                meant++;
            }
        if (meant == 0) {
            fprintf(stderr, "ring_states: there is no configuration '%s'; without a name it lists them\n", argv[i]);
            return 2;
        }
    }
    return good ? 0 : 1;
}
