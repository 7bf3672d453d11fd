/* SPDX-License-Identifier: MIT */
#include "attach.h"
#include "commands.h"
#include "name_check.h"
#include "options.h"
#include "report.h"
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
    char error[ERROR_TEXT_BYTES];
    enum txtap_status status;

    options_parse(&options, argc, argv, commands);
    world_init();
    status = name_check_events(&options, error);
    if (status != TXTAP_OK) {
        report_error(error);
        return attach_exit_code(status);
    }
    return options.command->run(&options);
}
