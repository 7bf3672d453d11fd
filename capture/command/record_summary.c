/* SPDX-License-Identifier: MIT */
/* What a command says about the recording that it wrote. */
#include "command/record_summary.h"

#include <inttypes.h>
#include <stdio.h>

#include "output/output.h"
#include "output/report.h"

/* Were the first files overwritten? */
static bool is_ring(const struct record_config *config, uint32_t files)
{
    return config->file_bytes > 0 && config->file_count > 0 && files > config->file_count;
}

void record_summary(const struct recording *recording)
{
    const struct record_config *config = &recording->setup.config;
    const char *name = output_is_standard(config->path) ? "standard output" : config->path;

    fprintf(stderr, "txtap: %s: %" PRIu64 " event%s in %" PRIu32 " file%s, %" PRIu64 " bytes", name,
            recording->file.disk.events, plural(recording->file.disk.events), recording->file.disk.files,
            plural(recording->file.disk.files), recording->file.disk.total_bytes);
    if (is_ring(config, recording->file.disk.files))
        fprintf(stderr, ", of which the last %" PRIu32 " files are kept", config->file_count);
    if (config->trigger_count > 0 || config->is_fired)
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
