/* SPDX-License-Identifier: MIT */
/* Parses the command line, runs the command, and turns its status into the exit code. */
#include "attach/attach.h"
#include "base/files.h"
#include "base/runtime.h"
#include "command/commands.h"
#include "command/run_loop.h"
#include "options/begin.h"
#include "options/command_line.h"
#include "options/options.h"
#include "output/name_check.h"
#include "output/output.h"
#include "output/report.h"

static bool writes_standard_output(const struct options *options)
{
    return options->command->only_shows || output_is_standard(options->output) ||
           (options->stats_json != NULL && output_is_standard(options->stats_json));
}

int main(int argc, char **argv)
{
    struct options options;
    struct error error;
    enum txtap_status status;

    if (!standard_files_begin()) {
        failure(&error, TXTAP_ERROR_SYSTEM,
                "a standard file is closed, and /dev/null or /dev/full cannot be opened in its place");
        report_error(&error);
        return EXIT_FAILED;
    }
    runtime_init(); /* must precede the parsing of options that read files, which may be pipes */
    options_parse(&options, argc, argv, commands);
    status = writes_standard_output(&options) ? standard_output_check(&error) : TXTAP_OK;
    if (status == TXTAP_OK)
        status = options_check_files_and_names(&options, &error);
    if (status != TXTAP_OK) {
        report_error(&error);
        return status_exit_code(status);
    }
    return options.command->run ? options.command->run(&options)
                                : run_attached(&options, options.target.elf, options.command->run_attached);
}
