/* SPDX-License-Identifier: MIT */
/* Opens the probe and finds the ring. Waits for the ring if the user wants this. Finds the ring again after the target
 * was away. Does not read events. */
#include "attach/attach.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "attach/firmware_identity.h"
#include "base/runtime.h"
#include "probe/source_base.h"

#define WAIT_RETRY_US 250000
#define CORE_CLOCK    "SystemCoreClock"

static enum txtap_status open_source(void *self, struct error *error)
{
    struct attachment *attachment = self;
    enum txtap_status status = probe_open(&attachment->probe, &attachment->config.probe, error);

    if (status == TXTAP_OK) {
        attachment->source = attachment->probe.source;
        attachment->live = attachment->probe.kind->live;
    }
    return status;
}

static void close_source(void *self)
{
    struct attachment *attachment = self;

    probe_close(&attachment->probe);
    attachment->source = (struct txtap_source){NULL, NULL};
}

static bool trusts_symbols(const struct attachment *attachment)
{
    return attachment->elf != NULL && attachment->firmware.firmware != FIRMWARE_OTHER;
}

/* Finds the name of the variable at an address. Some rings need this, because their events do not contain names. */
static bool name_at(void *self, uint32_t address, char *name, size_t name_bytes)
{
    const struct attachment *attachment = self;

    return trusts_symbols(attachment) && elf_symbol_at(attachment->elf, address, name, name_bytes);
}

/* Finds the ring. If `lists` is true and there are several rings, prints them on standard error. */
static enum txtap_status find_ring(struct attachment *attachment, bool lists, struct error *error)
{
    const struct probe *probe = &attachment->probe;
    struct memory_region memory;
    struct ring_request request = {
        .config = &attachment->config.ring,
        .source = attachment->source,
        .elf = attachment->elf,
        .other_firmware = attachment->firmware.firmware == FIRMWARE_OTHER,
        .lists = lists,
    };

    if (probe->kind != NULL && probe->kind->region != NULL) {
        memory = probe->kind->region(probe->self);
        request.memory = &memory;
    }
    return attachment->ring->locate(&request, &attachment->place, error);
}

/* ---- the ELF file ---- */

static enum txtap_status open_elf(struct attachment *attachment, struct error *error)
{
    enum txtap_status status = elf_open(&attachment->elf, attachment->config.elf, error);

    if (status == TXTAP_ERROR_FORMAT && trace_file_is_trace(attachment->config.elf))
        return failure(error, TXTAP_ERROR_USAGE,
                       "%.120s: this is a trace, not firmware\n'txtap decode %.90s' prints it", attachment->config.elf,
                       attachment->config.elf);
    /* The exit code of TRUNCATED means that no trace buffer was found, which is wrong here: see status_exit_code(). */
    return status == TXTAP_ERROR_TRUNCATED ? TXTAP_ERROR_FORMAT : status;
}

/* Sets the error if the target runs other firmware. then: text that precedes the hint, with its punctuation; or "". */
static enum txtap_status other_firmware(const struct attachment *attachment, const char *then, struct error *error)
{
    return failure(error, ERROR_NOT_FOUND,
                   "%.80s is not the firmware that the target runs (flash at 0x%08" PRIx32
                   " differs)\n%sflash it, or give the ELF file of the running firmware",
                   elf_path(attachment->elf), attachment->firmware.where, then);
}

/*
 * Decides whether the ring can be used, although the target runs other firmware than the ELF file's. A header that was
 * found can be used, because its contents were checked. A ring that is known only from symbols cannot be used. found:
 * status of the search. is_new: the firmware was not known to be different before.
 */
static enum txtap_status judge_other_firmware(const struct attachment *attachment, enum txtap_status found, bool is_new,
                                              struct error *error)
{
    const struct locate_wish *wished = &attachment->config.ring.wished;
    bool by_symbols = attachment->ring->by_symbols;
    struct error warning;
    char text[ERROR_TEXT_BYTES];

    if (found == TXTAP_OK && !by_symbols) {
        (void)other_firmware(attachment, "its symbols are not used; ", &warning);
        if (is_new && !attachment->config.quiet)
            fprintf(stderr, "txtap: %s\n", error_text(&warning, text));
        return found;
    }
    if (found == TXTAP_OK || ((found == ERROR_NOT_FOUND || found == ERROR_NOT_ENABLED || found == ERROR_FAULT) &&
                              !wished->scan && !wished->has_address))
        return other_firmware(attachment, by_symbols ? "" : "search with --scan, ", error);
    return found;
}

/* Checks the firmware, then finds the ring. The check comes first, because the search uses addresses in the ELF file.
 */
static enum txtap_status check_and_find(struct attachment *attachment, bool lists, struct error *error)
{
    bool was_other = attachment->firmware.firmware == FIRMWARE_OTHER;
    enum txtap_status status;

    attachment->recording = true;
    if (attachment->live && attachment->elf != NULL) {
        status = firmware_check(attachment->source, attachment->elf, &attachment->firmware);
        if (status != TXTAP_OK)
            return memory_failure(attachment->source, status, NULL, error);
    }
    if (attachment->only_memory)
        return trusts_symbols(attachment) ? TXTAP_OK : other_firmware(attachment, "", error);
    status = find_ring(attachment, lists, error);
    return attachment->firmware.firmware == FIRMWARE_OTHER ? judge_other_firmware(attachment, status, !was_other, error)
                                                           : status;
}

/* ---- attaching ---- */

bool attach_may_pass(enum txtap_status status)
{
    return status == ERROR_UNREACHABLE || status == ERROR_CLOSED || status == ERROR_TIMEOUT || status == ERROR_TARGET ||
           status == ERROR_NOT_FOUND || status == ERROR_NOT_ENABLED;
}

static enum txtap_status renew_elf(struct attachment *attachment, struct error *error);

static enum txtap_status try_attach(struct attachment *attachment, struct error *error)
{
    enum txtap_status status = open_source(attachment, error);

    if (status == TXTAP_OK && attachment->only_memory && elf_has_changed(attachment->elf))
        status = renew_elf(attachment, error);
    if (status == TXTAP_OK)
        status = check_and_find(attachment, true, error);
    if (status != TXTAP_OK)
        close_source(attachment);
    return status;
}

/* Repeats the attempt to attach until it succeeds, until Ctrl-C, or until the time limit. status, error: result of the
 * first attempt. */
static enum txtap_status wait_for(struct attachment *attachment, enum txtap_status status, struct error *error)
{
    double seconds = attachment->config.wait_seconds;
    uint64_t begin = now_us();
    enum txtap_status reported = TXTAP_OK;

    while (attach_may_pass(status)) {
        double left_us = seconds * 1e6 - (double)(now_us() - begin);
        const struct error cause = *error;
        char text[ERROR_TEXT_BYTES];

        if (seconds > 0 && left_us <= 0)
            return failure(error, status, "gave up after %g s: %s\n%s", seconds, cause.what, cause.hint);
        if (status != reported && !attachment->config.quiet)
            fprintf(stderr, "txtap: waiting: %s\n", error_text(&cause, text));
        reported = status;
        if (!sleep_us(seconds > 0 && left_us < WAIT_RETRY_US ? (uint64_t)left_us + 1 : WAIT_RETRY_US))
            break; /* Ctrl-C */
        status = try_attach(attachment, error);
    }
    return status;
}

static void begin(struct attachment *attachment, const struct attach_config *config)
{
    memset(attachment, 0, sizeof *attachment);
    attachment->config = *config;
    attachment->ring = config->ring.kind;
    if (attachment->ring != NULL)
        attachment->place.reader =
            (struct reader_place){.ops = attachment->ring->reader, .name_at = name_at, .self = attachment};
}

static enum txtap_status open_and_attach(struct attachment *attachment, struct error *error)
{
    const struct attach_config *config = &attachment->config;
    enum txtap_status status = TXTAP_OK;

    if (config->elf)
        status = open_elf(attachment, error);
    if (status != TXTAP_OK)
        return status;
    status = try_attach(attachment, error);
    if (config->wait)
        status = wait_for(attachment, status, error);
    if (status != TXTAP_OK) {
        attach_close(attachment);
        return status;
    }
    if (attachment->probe.kind->announce != NULL && !config->quiet)
        attachment->probe.kind->announce(attachment->probe.self, &config->probe);
    attachment->announced = true;
    return status;
}

enum txtap_status attach(const struct attach_config *config, struct attachment *attachment, struct error *error)
{
    begin(attachment, config);
    return open_and_attach(attachment, error);
}

enum txtap_status attach_memory(const struct attach_config *config, struct attachment *attachment, struct error *error)
{
    begin(attachment, config);
    attachment->only_memory = true;
    return open_and_attach(attachment, error);
}

enum txtap_status attach_retry(struct attachment *attachment, struct error *error)
{
    close_source(attachment);
    return try_attach(attachment, error);
}

enum txtap_status attach_again(struct attachment *attachment, struct error *error)
{
    return wait_for(attachment, attach_retry(attachment, error), error);
}

enum txtap_status attach_check(struct attachment *attachment, struct error *error)
{
    return check_and_find(attachment, false, error);
}

enum txtap_status attach_file(const struct attach_config *config, const struct trace_file_request *request,
                              struct attachment *attachment, struct memory_file *memory, struct error *error)
{
    enum txtap_status status = memory_file_open(memory, request, error);

    begin(attachment, config);
    if (status != TXTAP_OK)
        return status;
    attachment->source = file_memory_source(&memory->memory);
    attachment->file = true;
    if (!config->quiet)
        trace_file_report_memory(&memory->file);
    status = open_elf(attachment, error);
    if (status == TXTAP_OK)
        status = find_ring(attachment, false, error);
    if (status != TXTAP_OK)
        attach_close(attachment);
    return status;
}

/* ---- reattaching ---- */

/* Compares the target with an ELF file. Returns true if the result is `firmware`; false if the check itself fails. */
static bool runs(const struct attachment *attachment, const struct elf_file *elf, enum firmware firmware)
{
    struct firmware_check check;

    return firmware_check(attachment->source, elf, &check) == TXTAP_OK && check.firmware == firmware;
}

/* Call this function if the ELF file has changed. Returns true if the target may run the new file's firmware, and the
 * new symbols show the ring at another address. *sure: the target's code shows that it runs the new firmware. Does not
 * change the attachment. */
static bool is_flashed_elsewhere(struct attachment *attachment, bool *sure)
{
    struct attachment other = *attachment;
    struct error error;
    bool found;

    if (open_elf(&other, &error) != TXTAP_OK)
        return false; /* the linker may still be writing the file */
    *sure = runs(&other, other.elf, FIRMWARE_SAME) && runs(&other, attachment->elf, FIRMWARE_OTHER);
    found = !runs(&other, other.elf, FIRMWARE_OTHER) && find_ring(&other, false, &error) == TXTAP_OK &&
            other.place.address != attachment->place.address;
    elf_close(other.elf);
    return found;
}

/* Opens the changed ELF file. Keeps the old file if the target still runs the old firmware. */
static enum txtap_status renew_elf(struct attachment *attachment, struct error *error)
{
    struct elf_file *new;

    if (elf_open(&new, attachment->config.elf, error) != TXTAP_OK)
        return ERROR_NOT_FOUND; /* the linker may still be writing the file */
    if (runs(attachment, new, FIRMWARE_OTHER) && runs(attachment, attachment->elf, FIRMWARE_SAME)) {
        elf_close(new);
        return TXTAP_OK;
    }
    elf_close(attachment->elf);
    attachment->elf = new;
    return TXTAP_OK;
}

static enum txtap_status port_find(void *self, struct poller_place *place, struct error *error)
{
    struct attachment *attachment = self;
    enum txtap_status status = TXTAP_OK;

    if (attachment->elf != NULL && elf_has_changed(attachment->elf))
        status = renew_elf(attachment, error);
    if (status == TXTAP_OK)
        status = check_and_find(attachment, false, error);
    if (status == TXTAP_OK)
        *place = attach_place(attachment);
    return status;
}

/* ---- the state of a target, from the server and the firmware's variables ---- */

/* A variable of the firmware. */
struct variable {
    bool there;
    uint32_t address;
    uint8_t bytes[4];
};

static struct variable variable_of(const struct elf_file *elf, const char *name)
{
    struct variable variable = {.there = false};
    struct elf_symbol symbol;

    if (name != NULL && elf_symbol_find(elf, name, &symbol) == TXTAP_OK && symbol.address % 4 == 0)
        variable = (struct variable){.there = true, .address = symbol.address};
    return variable;
}

/* Returns the firmware's uptime variable. The ring kind lists possible names; the first name in the ELF file counts. */
static struct variable uptime_of(const struct attachment *attachment)
{
    struct variable variable = {.there = false};

    for (const char *const *name = attachment->ring->uptime_symbols; *name != NULL && !variable.there; name++)
        variable = variable_of(attachment->elf, *name);
    return variable;
}

static enum txtap_status read_variables(const struct attachment *attachment, struct variable *const variables[],
                                        size_t count, struct error *error)
{
    struct txtap_read reads[3];
    size_t used = 0;
    enum txtap_status status;

    for (size_t i = 0; i < count; i++)
        if (variables[i]->there)
            reads[used++] = (struct txtap_read){variables[i]->address, 4, variables[i]->bytes};
    if (used == 0)
        return TXTAP_OK;
    status = attachment->source.ops->read(attachment->source.self, reads, used);
    return status == TXTAP_OK ? status : memory_failure(attachment->source, status, NULL, error);
}

/* Returns whether the trace is on. recording: value of the firmware's variable. When this value becomes false, checks
 * the firmware: if other firmware runs, the value means nothing, and the function returns true. */
static bool is_recording(struct attachment *attachment, bool recording)
{
    if (!recording && attachment->recording)
        (void)firmware_check(attachment->source, attachment->elf, &attachment->firmware);
    attachment->recording = recording || attachment->firmware.firmware == FIRMWARE_OTHER;
    return attachment->recording;
}

/*
 * Reads the firmware's variables in one exchange, and sets the state from the variables. The target must run the ELF
 * file's firmware. If the trace was switched off, checks the firmware again. On failure error is one line.
 */
static enum txtap_status check_variables(struct attachment *attachment, struct target_state *target,
                                         struct error *error)
{
    struct variable header, current, uptime;
    enum txtap_endian endian;
    enum txtap_status status;

    endian = elf_endian(attachment->elf);
    header = (struct variable){.there = attachment->place.pointer != 0, .address = attachment->place.pointer};
    current = variable_of(attachment->elf, attachment->ring->enabled_symbol);
    uptime = uptime_of(attachment);
    status = read_variables(attachment, (struct variable *const[]){&header, &current, &uptime}, 3, error);
    if (status != TXTAP_OK)
        return status;
    if (current.there)
        target->enabled = is_recording(attachment, memory_word(current.bytes, endian) != 0);
    if (attachment->firmware.firmware == FIRMWARE_OTHER)
        return TXTAP_OK;
    if (header.there) {
        uint32_t pointer = memory_word(header.bytes, endian);

        target->moved = pointer != 0 && pointer != attachment->place.address;
    }
    target->has_uptime = uptime.there;
    if (uptime.there)
        target->uptime = memory_word(uptime.bytes, endian);
    return TXTAP_OK;
}

/* Asks the probe for the core's state. CORE_UNKNOWN: the probe cannot tell without stopping the core. */
static enum core_state core_of(const struct attachment *attachment)
{
    const struct probe *probe = &attachment->probe;

    return probe->kind->core != NULL ? probe->kind->core(probe->self) : CORE_UNKNOWN;
}

const char *attach_silence(struct attachment *attachment)
{
    const struct event_stream_ports ports = attach_ports(attachment);
    struct target_state target = {.wants_core = true};
    struct error unused;

    if (ports.check(ports.self, &target, &unused) != TXTAP_OK)
        return NULL;
    if (!target.enabled)
        return attachment->ring->off_means;
    return core_state_text(target.core);
}

/* Sets the target's state. If the target runs other firmware, uses only the probe's answer, and not the symbols. */
static enum txtap_status port_check(void *self, struct target_state *target, struct error *error)
{
    struct attachment *attachment = self;
    bool silent = target->silent, wants_core = target->wants_core;

    *target = (struct target_state){.enabled = true};
    if (wants_core)
        target->core = core_of(attachment);
    if (attachment->elf == NULL)
        return TXTAP_OK;
    if (silent && elf_has_changed(attachment->elf))
        target->flashed = is_flashed_elsewhere(attachment, &target->flashed_surely);
    return attachment->firmware.firmware == FIRMWARE_OTHER ? TXTAP_OK : check_variables(attachment, target, error);
}

/* ---- the firmware ---- */

void attach_identity(const struct attachment *attachment, struct identity *identity)
{
    if (trusts_symbols(attachment))
        firmware_identity(identity, attachment->elf);
}

/* Returns the variable of CMSIS. It may be a constant in flash. */
static struct variable core_clock_of(const struct attachment *attachment)
{
    struct variable clock = {.there = false};
    struct elf_symbol symbol;

    if (trusts_symbols(attachment))
        clock = variable_of(attachment->elf, CORE_CLOCK);
    if (clock.there && elf_symbol_find(attachment->elf, CORE_CLOCK, &symbol) == TXTAP_OK && !symbol.in_ram)
        clock.there = elf_bytes(attachment->elf, clock.address, sizeof clock.bytes) != NULL;
    return clock;
}

bool attach_has_core_clock(const struct attachment *attachment)
{
    return core_clock_of(attachment).there;
}

double attach_core_clock(const struct attachment *attachment)
{
    struct variable clock = core_clock_of(attachment);
    struct error unused = {0};

    if (!clock.there || read_variables(attachment, (struct variable *const[]){&clock}, 1, &unused) != TXTAP_OK)
        return 0;
    return memory_word(clock.bytes, elf_endian(attachment->elf));
}

struct event_stream_ports attach_ports(struct attachment *attachment)
{
    return (struct event_stream_ports){open_source, port_find, port_check, close_source, attachment};
}

struct poller_place attach_place(const struct attachment *attachment)
{
    struct poller_place place = attachment->place;

    place.source = attachment->source;
    place.at_rest = !attachment->live;
    if (!trusts_symbols(attachment))
        place.pointer = place.search_start = 0;
    return place;
}

void attach_account(const struct attachment *attachment, struct stream_stats *stats)
{
    if (!attachment->live)
        return;
    stats->requests = attachment->probe.counting.requests;
    stats->bytes_read = attachment->probe.counting.bytes;
}

void attach_close(struct attachment *attachment)
{
    if (attachment->announced && !attachment->config.quiet && attachment->probe.kind != NULL &&
        attachment->probe.kind->report != NULL)
        attachment->probe.kind->report(attachment->probe.self);
    if (attachment->file)
        attachment->source.ops->close(attachment->source.self);
    close_source(attachment);
    elf_close(attachment->elf);
    attachment->elf = NULL;
}
