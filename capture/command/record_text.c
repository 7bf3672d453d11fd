/* SPDX-License-Identifier: MIT */
/* Describes a recording before a command makes it, and prints its summary at the end. */
#include <inttypes.h>
#include <stdio.h>

#include "command/run_loop.h"
#include "output/output.h"
#include "output/report.h"
#include "txtap/version.h"

enum txtap_status record_describe(struct identity *identity, const struct options *options,
                                  const struct attachment *attachment, struct error *error)
{
    enum txtap_status status;

    attach_identity(attachment, identity);
    identity_add_about(identity, "txtap", TXTAP_VERSION);
    status = identity_add_files(identity, options->filter.definitions, options->filter.definitions_count, error);
    for (size_t i = 0; i < identity->text_count && status == TXTAP_OK && !options->quiet; i++)
        if (identity->texts[i].length > TXTAP_RECORDING_MEANING_MAX)
            fprintf(stderr, "txtap: definitions of %zu bytes are too large for the recording: at most %u bytes\n",
                    identity->texts[i].length, TXTAP_RECORDING_MEANING_MAX);
    return status;
}

/* Returns true if the recording has overwritten its first files. */
static bool is_ring(const struct record_config *config, uint32_t files)
{
    return config->file_bytes > 0 && config->file_count > 0 && files > config->file_count;
}

void record_summary(const struct recording *recording, const char *store)
{
    const struct record_config *config = &recording->setup.config;
    const bool is_place = config->path != NULL && block_disk_has_prefix(config->path);
    const char *name = is_place                           ? recording->file.disk.name /* without a password */
                       : store != NULL                    ? store
                       : output_is_standard(config->path) ? "standard output"
                                                          : config->path;

    fprintf(stderr, "txtap: %s: %" PRIu64 " event%s in %" PRIu32 " file%s, %" PRIu64 " bytes", name,
            recording->file.disk.events, plural(recording->file.disk.events), recording->file.disk.files,
            plural(recording->file.disk.files), recording->file.disk.total_bytes);
    if (is_ring(config, recording->file.disk.files))
        fprintf(stderr, ", of which the last %" PRIu32 " files are kept", config->file_count);
    if (config->trigger_count + config->value_trigger_count > 0 || config->is_fired)
        fprintf(stderr, ", %" PRIu64 " trigger%s", recording->around.triggers, plural(recording->around.triggers));
    if (recording->around.short_histories > 0)
        fprintf(stderr, ", %" PRIu64 " of them with less history than requested: at most %u events are kept",
                recording->around.short_histories, HISTORY_ITEMS);
    fputc('\n', stderr);
    if (recording->overflow.events > 0)
        fprintf(stderr, "txtap: %s was not written fast enough: %" PRIu64 " event%s lost: use a larger --buffer\n",
                name, recording->overflow.events, plural(recording->overflow.events));
}
