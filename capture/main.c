/* SPDX-License-Identifier: MIT */
#include "commands.h"
#include "options.h"
#include "world.h"

static const struct command commands[] = {
    {"tail", "follow the events of a running target until Ctrl-C", command_tail},
    {"record", "write the events of a running target to files, without end", command_record},
    {"snapshot", "write a consistent copy of the trace buffer, which TraceX opens", command_snapshot},
    {"info", "show the trace buffer: header, objects, event rate, headroom", command_info},
    {"decode", "print the events of a trace file", command_decode},
    {0},
};

int main(int argc, char **argv)
{
    struct options options;

    options_parse(&options, argc, argv, commands);
    world_init();
    return options.command->run(&options);
}
