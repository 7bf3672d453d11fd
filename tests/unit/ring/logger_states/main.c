/* SPDX-License-Identifier: MIT */
/* logger_states [NAME]...: every state of the reader of the event logger's ring. */
#include "ring/states/run_states.h"
#include "ring/logger_states/exploration.h"

static struct states_name name(unsigned configuration)
{
    return (struct states_name){configurations[configuration].name, configurations[configuration].by_hand};
}

static size_t bytes(unsigned configuration)
{
    return state_bytes(&configurations[configuration]);
}

int main(int argc, char **argv)
{
    static struct exploration x;
    const struct states_model model = {
        .program = "logger_states",
        .count = configuration_count,
        .name = name,
        .state_bytes = bytes,
        .search = &x.search,
        .begin = explore_attaches,
        .expand = explore,
        .print_first = print_attach,
        .print_figures = print_figures,
    };
    int status = states_main(&model, argc, argv);

    paths_free(&x.paths);
    return status;
}
