/* SPDX-License-Identifier: MIT */
/*
 * Takes the samples of a recording. The thread or interrupt of a sample is known if the events show that it ran during
 * the whole time in which the sample was taken. Otherwise the thread that was read with the sample is used.
 *
 * An event's changes come later than the event, because later events show what ran after it. So samples wait until the
 * changes after them are known.
 */
#include <stdlib.h>

#include "command/profile/profile_parts.h"
#include "file/recording_reader.h"
#include "output/report.h"
#include "output/translation.h"
#include "txtap/inner/change.h"
#include "txtap/recording.h"

#define OBJECTS_MAX 65536u
#define THREADS_MAX 1024u /* of the model; further threads are unknown */
#define WAITING_MAX 65536u

/* A sample whose context is not known yet. */
struct waiting {
    uint64_t from_ticks, to_ticks;
    uint32_t pc, thread;
    bool asleep;
};

struct playback {
    struct profile_work *work;
    const struct options *options;
    struct recording_reader reader;
    struct txtap_object *objects;
    struct txtap_registry registry;
    struct txtap_recording_player player;
    struct txtap_channels channels;
    void *model_memory;
    struct txtap_changes *changes;
    uint32_t generation; /* of the registry when its names were taken */
    bool learnt;

    /* The contexts: `context` has run since since_ticks. */
    uint32_t context;
    uint64_t since_ticks, first_us, last_us, unreadable;
    struct waiting *waiting; /* a ring of WAITING_MAX samples */
    size_t first, count;
};

/* ---- contexts ---- */

/* Counts the first waiting sample. */
static void count_first(struct playback *playback, uint32_t context)
{
    const struct waiting *sample = &playback->waiting[playback->first];

    if (context == TXTAP_PROFILE_UNKNOWN && sample->thread != 0)
        context = sample->thread;
    txtap_profile_add(&playback->work->profile, sample->pc, sample->asleep ? TXTAP_PROFILE_ASLEEP : context);
    playback->first = (playback->first + 1) % WAITING_MAX;
    playback->count--;
}

/* Counts the waiting samples that were taken before `ticks`, up to which playback->context is known to run. */
static void count_until(struct playback *playback, uint64_t ticks)
{
    while (playback->count > 0) {
        const struct waiting *sample = &playback->waiting[playback->first];

        if (sample->to_ticks >= ticks && sample->from_ticks >= ticks)
            return;
        count_first(playback, sample->from_ticks >= playback->since_ticks && sample->to_ticks < ticks
                                  ? playback->context
                                  : TXTAP_PROFILE_UNKNOWN);
    }
}

static uint32_t context_of(const struct txtap_change_run *run)
{
    switch (run->what) {
    case TXTAP_RUNNING_THREAD:
        return run->thread.address != 0 ? run->thread.address : TXTAP_PROFILE_UNKNOWN;
    case TXTAP_RUNNING_IDLE:
    case TXTAP_RUNNING_INIT:
        return TXTAP_PROFILE_NO_THREAD;
    default:
        return TXTAP_PROFILE_UNKNOWN;
    }
}

static void set_context(struct playback *playback, uint32_t context, uint64_t ticks)
{
    count_until(playback, ticks);
    playback->context = context;
    playback->since_ticks = ticks;
}

static enum txtap_status take_change(void *self, const struct txtap_change *change)
{
    struct playback *playback = self;

    switch (change->kind) {
    case TXTAP_CHANGE_RUN:
        set_context(playback, context_of(&change->run), change->ticks);
        break;
    case TXTAP_CHANGE_ISR_ENTER:
        set_context(playback, TXTAP_PROFILE_INTERRUPT(change->isr.number), change->ticks);
        break;
    case TXTAP_CHANGE_GAP:
        set_context(playback, TXTAP_PROFILE_UNKNOWN, change->ticks);
        break;
    default:
        break;
    }
    return TXTAP_OK;
}

/* ---- items ---- */

static void learn(struct playback *playback)
{
    if (playback->learnt && playback->generation == playback->registry.generation)
        return;
    playback->learnt = true;
    playback->generation = playback->registry.generation;
    txtap_changes_objects(playback->changes, &playback->registry);
    for (size_t i = 0; i < playback->registry.count; i++)
        if (playback->registry.objects[i].type == TXTAP_OBJECT_THREAD)
            profile_names_add(&playback->work->names, playback->registry.objects[i].pointer,
                              playback->registry.objects[i].name);
}

static void take_sample(struct playback *playback, const struct txtap_sample *sample)
{
    const struct profile_options *range = &playback->options->profile;

    if (sample->channel->kind != TXTAP_CHANNEL_PC || sample->ticks < range->from_ticks ||
        sample->ticks > range->to_ticks)
        return;
    if (sample->state == TXTAP_SAMPLE_UNREADABLE) {
        playback->unreadable++;
        return;
    }
    if (playback->first_us == 0)
        playback->first_us = sample->unix_us;
    playback->last_us = sample->unix_us > playback->last_us ? sample->unix_us : playback->last_us;
    if (playback->count == WAITING_MAX)
        count_first(playback, TXTAP_PROFILE_UNKNOWN);
    playback->waiting[(playback->first + playback->count++) % WAITING_MAX] =
        (struct waiting){.from_ticks = sample->from_ticks,
                         .to_ticks = sample->to_ticks,
                         .pc = (uint32_t)sample->bits,
                         .thread = sample->thread,
                         .asleep = sample->state == TXTAP_SAMPLE_ASLEEP};
}

static enum txtap_status take_item(void *self, const struct txtap_item *item)
{
    struct playback *playback = self;

    if (item->kind == TXTAP_ITEM_SAMPLE) {
        take_sample(playback, &item->sample);
        return TXTAP_OK;
    }
    if (item->kind == TXTAP_ITEM_EVENT)
        learn(playback);
    return txtap_changes_take(playback->changes, item);
}

/* ---- the recording ---- */

static enum txtap_status play(struct playback *playback, struct error *error)
{
    struct translation translation = {.next = {take_item, playback}};
    struct txtap_recording_item block;
    enum txtap_status status;

    while ((status = recording_reader_next(&playback->reader, &block, error)) == TXTAP_OK) {
        if (block.type == TXTAP_RECORDING_DEFINITIONS)
            status = translation_from_logger(&translation, error);
        if (status == TXTAP_OK)
            status =
                txtap_recording_play(&playback->player, &block, (struct txtap_sink){translation_take, &translation});
        if (status != TXTAP_OK)
            break;
    }
    if (status < TXTAP_OK)
        return status;
    (void)txtap_changes_end(playback->changes);
    count_until(playback, UINT64_MAX);
    playback->work->profile.duration_us = (double)(playback->last_us - playback->first_us);
    return TXTAP_OK;
}

static bool allocate(struct playback *playback)
{
    const struct txtap_change_limits limits = {.threads = THREADS_MAX, .objects = THREADS_MAX};

    playback->objects = calloc(OBJECTS_MAX, sizeof *playback->objects);
    playback->waiting = malloc(WAITING_MAX * sizeof *playback->waiting);
    playback->model_memory = malloc(txtap_changes_bytes(&limits));
    if (playback->objects == NULL || playback->waiting == NULL || playback->model_memory == NULL)
        return false;
    txtap_registry_init(&playback->registry, playback->objects, OBJECTS_MAX);
    txtap_recording_player_init(&playback->player, &playback->registry);
    playback->player.channels = &playback->channels;
    playback->changes =
        txtap_changes_open(playback->model_memory, &limits, (struct txtap_change_sink){take_change, playback});
    playback->context = TXTAP_PROFILE_UNKNOWN;
    return true;
}

enum txtap_status profile_recording(struct profile_work *work, const struct options *options, struct input *input,
                                    struct error *error)
{
    static struct playback playback;
    enum txtap_status status = TXTAP_OK;

    playback.work = work;
    playback.options = options;
    if (!allocate(&playback))
        status = failure(error, TXTAP_ERROR_SYSTEM, "%.160s: no memory to read it", input->name);
    if (status == TXTAP_OK)
        status = recording_reader_open(&playback.reader, input, error);
    if (status == TXTAP_OK) {
        status = play(&playback, error);
        recording_reader_close(&playback.reader);
        if (!options->quiet)
            report_notes(&playback.reader.notes);
    }
    free(playback.objects);
    free(playback.waiting);
    free(playback.model_memory);
    if (status == TXTAP_OK && work->profile.samples == 0)
        return failure(error, TXTAP_ERROR_FORMAT,
                       "%.120s: contains no samples of the program counter%s\nrecord with 'txtap record --pc'",
                       input->name,
                       options->profile.from != NULL || options->profile.to != NULL ? " in this time" : "");
    return status;
}
