/* SPDX-License-Identifier: MIT */
/* What a command says about the recording that it wrote. */
#include "command/record_summary.h"

#include <inttypes.h>
#include <stdio.h>

#include "output/output.h"
#include "output/report.h"

/* Were the first files overwritten? */
static bool is_ring(const struct record_options *options, uint32_t files)
{
    return options->file_bytes > 0 && options->file_count > 0 && files > options->file_count;
}

void record_summary(const struct options *options, const struct recording *recording)
{
    const char *name = output_is_standard(options->output) ? "standard output" : options->output;

    if (options->quiet)
        return;
    fprintf(stderr, "txtap: %s: %" PRIu64 " event%s in %" PRIu32 " file%s, %" PRIu64 " bytes", name,
            recording->file.disk.events, plural(recording->file.disk.events), recording->file.disk.files,
            plural(recording->file.disk.files), recording->file.disk.total_bytes);
    if (is_ring(&options->record, recording->file.disk.files))
        fprintf(stderr, ", of which the last %" PRIu32 " files are kept", options->record.file_count);
    if (record_has_triggers(&options->record))
        fprintf(stderr, ", %" PRIu64 " trigger%s", recording->triggers, plural(recording->triggers));
    if (recording->short_histories > 0)
        fprintf(stderr, ", %" PRIu64 " of them with less before than asked for: only %u events are kept",
                recording->short_histories, HISTORY_ITEMS);
    fputc('\n', stderr);
    if (recording->overflow.events > 0)
        fprintf(stderr,
                "txtap: %s was not written fast enough: %" PRIu64 " event%s lost: a larger --buffer lasts longer\n",
                name, recording->overflow.events, plural(recording->overflow.events));
}
