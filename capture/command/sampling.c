/* SPDX-License-Identifier: MIT */
/* Opens the guests and the logs of a command. */
#include "command/sampling.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/runtime.h"
#include "locate/txtb.h"
#include "output/report.h"

/* ---- variables ---- */

static bool permits(void *self, uint32_t address, uint32_t bytes)
{
    const struct sampling *sampling = self;
    const struct attachment *attachment = sampling->attachment;
    const struct locate_wish *wished = &attachment->config.ring.wished;
    const struct locate_request request = {.elf = attachment->elf, .ram = wished->ram, .ram_count = wished->ram_count};

    return locate_permits(&request, address, bytes);
}

static bool is_other_firmware(const struct attachment *attachment)
{
    return attachment->elf != NULL && attachment->firmware.firmware == FIRMWARE_OTHER;
}

static void note_elf(struct sampling *sampling)
{
    sampling->elf = sampling->attachment->elf;
    sampling->symbols = sampling->elf != NULL ? elf_symbols_checksum(sampling->elf) : 0;
}

static void complain(const struct sampling *sampling, const char *what)
{
    if (!sampling->quiet)
        fprintf(stderr, "txtap: --watch: %s\n", what);
}

/* Finds the variables again, if the ELF file has changed. */
static enum variables_renewed renew(void *self, struct variable *variables)
{
    struct sampling *sampling = self;
    const struct elf_file *elf = sampling->attachment->elf;
    struct error error = {0};

    if (is_other_firmware(sampling->attachment)) {
        complain(sampling, "the target runs other firmware: variables are not read");
        return VARIABLES_UNKNOWN;
    }
    if (elf == NULL || (elf == sampling->elf && elf_symbols_checksum(elf) == sampling->symbols))
        return VARIABLES_SAME;
    if (variables_find(variables, sampling->requests, elf, &error) != TXTAP_OK) {
        complain(sampling, error.what);
        return VARIABLES_UNKNOWN;
    }
    note_elf(sampling);
    return VARIABLES_FOUND;
}

static enum txtap_status open_variables(struct sampling *sampling, struct error *error)
{
    static struct variable found[VARIABLES_MAX];
    const struct attachment *attachment = sampling->attachment;
    enum txtap_status status;

    if (is_other_firmware(attachment))
        return failure(
            error, TXTAP_ERROR_USAGE,
            "--watch: %.100s is not the firmware that the target runs\nflash it, or give the ELF file of the "
            "running firmware",
            elf_path(attachment->elf));
    status = variables_find(found, sampling->requests, attachment->elf, error);
    if (status == TXTAP_OK)
        status = variable_guest_open(&sampling->variables, sampling->requests, found,
                                     (struct variable_guest_memory){permits, renew, sampling},
                                     &sampling->guests.channels, now_us(), error);
    variables_free(found, VARIABLES_MAX);
    if (status != TXTAP_OK)
        return status;
    note_elf(sampling);
    guests_add(&sampling->guests, (struct guest){&variable_guest_ops, &sampling->variables});
    return TXTAP_OK;
}

/* ---- the program counter ---- */

static enum txtap_status open_pc(struct sampling *sampling, double hz, struct error *error)
{
    struct txtap_channels *channels = &sampling->guests.channels;
    const struct attachment *attachment = sampling->attachment;
    const struct txtap_channel *channel;
    enum txtap_status status = pc_reader_check(attachment->source, error);

    if (status != TXTAP_OK)
        return status;
    channel = txtap_channels_add(channels, &(struct txtap_channel){.number = (uint32_t)channels->count,
                                                                   .kind = TXTAP_CHANNEL_PC,
                                                                   .form = TXTAP_FORM_ADDRESS,
                                                                   .name = "pc"});
    if (channel == NULL)
        return failure(error, TXTAP_ERROR_USAGE, "--pc: a variable of --watch has this name, or there are too many");
    pc_guest_init(&sampling->pc, is_other_firmware(attachment) ? NULL : attachment->elf, channel, hz, now_us());
    guests_add(&sampling->guests, pc_guest_of(&sampling->pc));
    return TXTAP_OK;
}

static enum txtap_status open_logs(struct sampling *sampling, const struct options *options, struct error *error)
{
    const struct samples_options *samples = &options->samples;

    if (samples->log_count > 0 && !sampling->attachment->live)
        return failure(error, TXTAP_ERROR_USAGE, "--log is for a running target, not for a file\nleave out --log");
    return logs_open(&sampling->logs, samples->logs, samples->log_count, now_us, options->quiet,
                     &sampling->guests.channels, error);
}

/* ---- all ---- */

enum txtap_status sampling_open(struct sampling *sampling, const struct options *options, struct attachment *attachment,
                                struct error *error)
{
    enum txtap_status status = TXTAP_OK;

    memset(sampling, 0, sizeof *sampling);
    sampling->attachment = attachment;
    sampling->requests = &options->variables;
    sampling->quiet = options->quiet;
    if ((options->variables.count > 0 || options->pc_hz > 0) && !attachment->live)
        return failure(error, TXTAP_ERROR_USAGE, "--%s reads a running target, not a file\nleave out --%s",
                       options->pc_hz > 0 ? "pc" : "watch", options->pc_hz > 0 ? "pc" : "watch");
    if (options->variables.count > 0)
        status = open_variables(sampling, error);
    if (status == TXTAP_OK && options->pc_hz > 0)
        status = open_pc(sampling, options->pc_hz, error);
    if (status == TXTAP_OK)
        status = open_logs(sampling, options, error);
    if (status == TXTAP_OK && sampling->guests.channels.count > 0)
        attachment->guests = &sampling->guests;
    return status;
}

void sampling_close(struct sampling *sampling)
{
    logs_close(&sampling->logs);
    sample_queue_clear(&sampling->guests.queue);
}

static void print_variable(const struct read_variable *read, double seconds)
{
    double rate = seconds > 0 ? (double)read->samples / seconds : 0;

    fprintf(stderr, "txtap:   %s: %" PRIu64 " sample%s, %.4g/s of %.4g/s", read->channel->name, read->samples,
            plural(read->samples), rate, 1e6 / (double)read->period_us);
    if (read->torn > 0)
        fprintf(stderr, ", %" PRIu64 " changed during the read", read->torn);
    if (read->unreadable > 0)
        fprintf(stderr, ", %" PRIu64 " unreadable", read->unreadable);
    fprintf(stderr, "%s\n", read->usable ? "" : ", not in the running firmware");
}

static void print_pc(const struct pc_guest *pc)
{
    double seconds = (double)(pc->end_us - pc->begin_us) / 1e6;

    fprintf(stderr, "txtap: %" PRIu64 " sample%s of the program counter, %.4g/s of %.4g/s", pc->samples,
            plural(pc->samples), seconds > 0 ? (double)pc->samples / seconds : 0, 1e6 / pc->period_us);
    if (pc->reader.invalid > 0)
        fprintf(stderr, ", %" PRIu64 " invalid because the sampling was off", pc->reader.invalid);
    fputc('\n', stderr);
}

void sampling_summary(const struct sampling *sampling)
{
    const struct guests *guests = &sampling->guests;
    double seconds = (double)(sampling->variables.end_us - sampling->variables.begin_us) / 1e6;
    uint64_t samples = 0;

    if (sampling->quiet)
        return;
    if (sampling->pc.channel != NULL)
        print_pc(&sampling->pc);
    if (sampling->variables.count == 0) {
        if (guests->queue.dropped > 0)
            fprintf(stderr, "txtap: %" PRIu64 " sample%s dropped: too many arrived at once\n", guests->queue.dropped,
                    plural(guests->queue.dropped));
        return;
    }
    for (size_t i = 0; i < sampling->variables.count; i++)
        samples += sampling->variables.at[i].samples;
    fprintf(stderr,
            "txtap: %" PRIu64 " sample%s of %zu variable%s in %" PRIu64 " exchange%s with %" PRIu64 " bytes, %" PRIu64
            " postponed for the ring",
            samples, plural(samples), sampling->variables.count, plural(sampling->variables.count), guests->exchanges,
            plural(guests->exchanges), guests->bytes, guests->postponed);
    if (guests->queue.dropped > 0)
        fprintf(stderr, ", %" PRIu64 " dropped", guests->queue.dropped);
    fputc('\n', stderr);
    for (size_t i = 0; i < sampling->variables.count; i++)
        print_variable(&sampling->variables.at[i], seconds);
}
