/* SPDX-License-Identifier: MIT */
/* ring_states [NAME]...: explores every state of the ring reader. */
#include <inttypes.h>
#include <stdio.h>

#include "ring/states/exploration.h"
#include "ring/states/run_states.h"

static struct states_name name(unsigned configuration)
{
    return (struct states_name){configurations[configuration].name, configurations[configuration].by_hand};
}

static size_t state_bytes(unsigned configuration)
{
    (void)configuration;
    return sizeof(struct state);
}

static void print_figures(const struct search *search)
{
    const struct exploration *x = (const struct exploration *)search;

    printf("%" PRIu64 " plans, %" PRIu64 " interleavings, %" PRIu64 " too far ahead", x->exchanges, x->interleavings,
           x->pruned);
}

int main(int argc, char **argv)
{
    static struct exploration x;
    const struct states_model model = {
        .program = "ring_states",
        .count = configuration_count,
        .name = name,
        .state_bytes = state_bytes,
        .search = &x.search,
        .begin = explore_attaches,
        .expand = explore,
        .print_first = print_attach,
        .print_figures = print_figures,
    };

    return states_main(&model, argc, argv);
}
