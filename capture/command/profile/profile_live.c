/* SPDX-License-Identifier: MIT */
/*
 * Takes samples from a running target. The samples of an exchange follow each other within microseconds to
 * milliseconds. A pause of random length after each exchange spreads the samples, and keeps them from following a
 * period of the firmware.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "attach/attach.h"
#include "base/runtime.h"
#include "command/profile/profile_parts.h"
#include "probe/core_state.h"
#include "probe/source_base.h"
#include "profile/pc_reader.h"

#define PAUSE_US_MAX  1000u    /* the mean pause is half of it */
#define SILENCE_US    2000000u /* without valid samples for this time, the sampling is off */
#define CHECK_SAMPLES 500u     /* --within is checked after this number of samples */

struct live {
    const struct options *options;
    struct attachment *attachment;
    struct profile_work *work;
    struct pc_reader reader;
    uint64_t begin_us, deadline_us, valid_us; /* valid_us: time of the last valid sample */
    uint64_t random;                          /* state of next_random() */
    uint64_t checked;                         /* samples at the last check of --within */
    bool certain;                             /* the shares are certain enough for --within */
};

/* Returns a number from 0 to below - 1 (xorshift64*). */
static uint32_t next_random(struct live *live, uint32_t below)
{
    live->random ^= live->random >> 12;
    live->random ^= live->random << 25;
    live->random ^= live->random >> 27;
    return (uint32_t)((live->random * UINT64_C(2685821657736338717)) >> 33) % below;
}

static bool is_finished(struct live *live)
{
    const struct profile_options *wanted = &live->options->profile;
    const struct txtap_profile *profile = &live->work->profile;

    if (wanted->within > 0 && profile->samples >= live->checked + CHECK_SAMPLES) {
        live->checked = profile->samples;
        live->certain = txtap_profile_uncertainty(profile) <= wanted->within;
    }
    return live->certain || stop_requested() || now_us() >= live->deadline_us ||
           (wanted->samples > 0 && profile->samples >= wanted->samples);
}

/* Reads once, and counts the samples. */
static enum txtap_status read_samples(struct live *live, struct error *error)
{
    const struct txtap_source source = live->attachment->source;
    struct txtap_profile *profile = &live->work->profile;
    uint64_t left = live->options->profile.samples > 0 ? live->options->profile.samples - profile->samples : UINT64_MAX;
    struct txtap_read reads[PC_READS_MAX];
    struct pc_sample samples[PC_SAMPLES_MAX];
    size_t count = pc_reader_plan(&live->reader, left < PC_SAMPLES_MAX ? (size_t)left : PC_SAMPLES_MAX, reads,
                                  source.ops->reads_max < PC_READS_MAX ? source.ops->reads_max : PC_READS_MAX,
                                  source.ops->read_bytes_max);
    enum txtap_status status = source.ops->read(source.self, reads, count);

    if (status != TXTAP_OK)
        return memory_failure(source, status, NULL, error);
    count = pc_reader_take(&live->reader, samples);
    for (size_t i = 0; i < count; i++)
        txtap_profile_add(profile, samples[i].pc, samples[i].context);
    if (count > 0)
        live->valid_us = now_us();
    else if (now_us() - live->valid_us > SILENCE_US)
        return pc_reader_check(source, error);
    return TXTAP_OK;
}

/* Says why there are no samples, and attaches again. */
static enum txtap_status recover(struct live *live, struct error *error)
{
    char text[ERROR_TEXT_BYTES];
    enum txtap_status status;

    if (!live->options->quiet)
        fprintf(stderr, "txtap: %s; txtap attaches again\n", error_text(error, text));
    error_clear(error);
    status = attach_again(live->attachment, error);
    live->valid_us = now_us();
    if (status == TXTAP_OK && elf_has_changed(live->work->elf))
        return failure(error, TXTAP_ERROR_FORMAT,
                       "%.160s has changed: samples of two firmwares do not belong together\nprofile again",
                       live->options->target.elf);
    return status;
}

static enum txtap_status sample(struct live *live, struct error *error)
{
    enum txtap_status status = TXTAP_OK;

    while (status == TXTAP_OK && !is_finished(live)) {
        status = read_samples(live, error);
        if (status != TXTAP_OK && attach_may_pass(status) && live->options->target.wait)
            status = recover(live, error);
        if (status == TXTAP_OK)
            (void)sleep_us(next_random(live, PAUSE_US_MAX));
    }
    if (status == ERROR_INTERRUPTED) {
        error_clear(error);
        status = TXTAP_OK;
    }
    return status;
}

/* Says what the user may not expect of the samples. */
static void advise(const struct live *live)
{
    const struct txtap_profile *profile = &live->work->profile;
    bool slept = profile->samples > 0 && profile->asleep == profile->samples;

    if (live->options->quiet)
        return;
    if (slept && core_state_read(live->attachment->source) == CORE_HALTED)
        fprintf(stderr, "txtap: the core is halted, which reads like sleep: let it run\n");
    else if (slept)
        fprintf(stderr, "txtap: the core slept in all samples\n");
    if (live->reader.invalid > 0)
        fprintf(stderr, "txtap: %" PRIu64 " samples are invalid: the sampling was off, perhaps after a reset\n",
                live->reader.invalid);
    if (!code_map_has_lines(live->work->names.map))
        fprintf(stderr, "txtap: %s: no debug information: compile with -g to see lines and inlined functions\n",
                live->options->target.elf);
}

static enum txtap_status run(struct live *live, struct error *error)
{
    struct profile_work *work = live->work;
    enum txtap_status status = pc_reader_check(live->attachment->source, error);

    if (status != TXTAP_OK)
        return status;
    pc_reader_init(&live->reader, work->elf);
    profile_names_read(&work->names, work->elf, live->attachment->source);
    live->begin_us = live->valid_us = now_us();
    live->random = live->begin_us | 1;
    live->deadline_us = UINT64_MAX;
    if (live->options->seconds > 0)
        live->deadline_us = live->begin_us + (uint64_t)(live->options->seconds * 1e6);
    status = sample(live, error);
    work->profile.duration_us = (double)(now_us() - live->begin_us);
    if (status == TXTAP_OK) {
        profile_names_read(&work->names, work->elf, live->attachment->source); /* threads may be new */
        advise(live);
    }
    return status;
}

enum txtap_status profile_target(struct profile_work *work, const struct options *options, struct error *error)
{
    static struct attachment attachment;
    struct live live = {.options = options, .attachment = &attachment, .work = work};
    enum txtap_status status = attach_memory(&options->target, &attachment, error);

    if (status != TXTAP_OK)
        return status;
    status = run(&live, error);
    attach_close(&attachment);
    return status;
}
