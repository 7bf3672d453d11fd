/* SPDX-License-Identifier: MIT */
/* An ST-Link as a memory source. */
#include "probe/stlink/stlink_source.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probe/source_base.h"
#include "probe/stlink/stlink_plan.h"

#define TRIES         4    /* of an exchange in which an answer was wrong, or the wire was disturbed */
#define LOW_SUPPLY_MV 1500 /* below it a target does not run */

struct stlink_source {
    struct error error; /* must be first: source_base.h */
    struct stlink_link link;
    struct stlink_pipe pipe;
    unsigned khz, timeout_ms;
    uint8_t port;
    char name[96], serial[40], node[64], gone[64], otherwise[64];
};

/* ---- failures ---- */

static bool is_unplugged(const struct stlink_source *source, enum stlink_result result)
{
    return result == STLINK_GONE || (source->node[0] != '\0' && access(source->node, F_OK) != 0);
}

static enum txtap_status fail_of_probe(struct stlink_source *source, enum stlink_result result)
{
    const char *name = source->name;

    switch (result) {
    case STLINK_TIMEOUT:
        return failure(&source->error, ERROR_TIMEOUT, "%s does not answer within %u ms\nplug it in again", name,
                       source->timeout_ms);
    case STLINK_STALLED:
        return failure(&source->error, ERROR_PROTOCOL, "%s refuses commands\n%s", name, source->otherwise);
    case STLINK_CONFUSED:
        return failure(&source->error, ERROR_PROTOCOL, "%s gives answers that do not match its commands\n%s", name,
                       source->otherwise);
    case STLINK_BUSY:
        return failure(&source->error, ERROR_TARGET, "another program kept %s busy for %u ms\nis a download running?",
                       name, source->timeout_ms);
    case STLINK_REFUSED:
        return failure(&source->error, ERROR_UNSAFE, "txtap made a command for %s that it must not send", name);
    case STLINK_INTERRUPTED:
        return failure(&source->error, ERROR_INTERRUPTED, "%s: interrupted", name);
    default:
        return failure(&source->error, TXTAP_ERROR_SYSTEM, "%s cannot be used any more\nplug it in again", name);
    }
}

static enum txtap_status fail_silent(struct stlink_source *source)
{
    const struct stlink_link *link = &source->link;

    if (link->other_mode)
        return failure(&source->error, ERROR_TARGET,
                       "%s is used by another program, but not for debugging\nstart the debugger, or end the program",
                       source->name);
    if (link->others > 0)
        return failure(&source->error, ERROR_TARGET,
                       "no target answers on SWD\nthe debugger that shares the probe has to connect again");
    if (link->millivolts > 0 && link->millivolts < LOW_SUPPLY_MV)
        return failure(&source->error, ERROR_TARGET,
                       "no target answers on SWD: its supply is %u mV\ncheck the power of the target",
                       link->millivolts);
    return failure(&source->error, ERROR_TARGET,
                   "no target answers on SWD\ncheck power and wiring, or give a lower --speed");
}

static enum txtap_status fail(struct stlink_source *source, enum stlink_result result)
{
    if (is_unplugged(source, result))
        return failure(&source->error, ERROR_CLOSED, "%s%s%s %s", source->name, source->serial[0] != '\0' ? " " : "",
                       source->serial, source->gone);
    switch (result) {
    case STLINK_WAIT:
        return failure(&source->error, ERROR_TARGET, "the target's access port stays busy\ncheck power and wiring");
    case STLINK_SILENT:
        return fail_silent(source);
    case STLINK_PARITY:
        return failure(&source->error, ERROR_TARGET,
                       "SWD is disturbed (wrong parity)\ncheck the wiring, or give a lower --speed");
    case STLINK_FAULT:
        return failure(&source->error, ERROR_TARGET, "the debug port reports an error\ncheck power and wiring");
    case STLINK_BAD_PORT:
        return failure(&source->error, ERROR_TARGET, "access port %u of the target cannot be opened\nis --chip right?",
                       source->port);
    default:
        return fail_of_probe(source, result);
    }
}

/* ---- reading ---- */

/* Reads one part of a plan. STLINK_FAULT: *fault is the address. */
static enum stlink_result read_part(struct stlink_source *source, const struct stlink_plan *plan,
                                    const struct stlink_part *part, uint32_t *fault)
{
    const struct txtap_read *read = &plan->reads[part->first];
    uint8_t words[4 * STLINK_LIST_WORDS];
    struct stlink_command list;
    enum stlink_result result;
    size_t failed;

    if (part->pieces == 0)
        return stlink_link_read(&source->link, read->address + part->offset, part->length, read->buffer + part->offset,
                                fault);
    stlink_plan_list(plan, part, source->port, &list);
    result = stlink_link_list(&source->link, &list, part->words, words, &failed);
    if (result == STLINK_OK)
        stlink_plan_take(plan, part, words);
    *fault = stlink_plan_address(plan, part, failed);
    return result;
}

static enum stlink_result read_once(struct stlink_source *source, const struct txtap_read *reads, size_t count,
                                    uint32_t *fault)
{
    struct stlink_link *link = &source->link;
    enum stlink_result result = STLINK_OK;
    struct stlink_plan plan;
    struct stlink_part part;

    if (!link->ready)
        result = stlink_link_connect(link, source->khz, source->port);
    if (result != STLINK_OK)
        return result == STLINK_FAULT ? STLINK_SILENT : result;
    stlink_plan_init(&plan, reads, count,
                     link->version.abilities & STLINK_RUNS_LISTS ? stlink_plan_short_bytes(link->khz) : 0);
    while (result == STLINK_OK && stlink_plan_next(&plan, &part))
        result = read_part(source, &plan, &part, fault);
    return result;
}

/* Returns true if the exchange may be repeated after this failure: gets in step, or connects again. */
static bool recovers(struct stlink_source *source, enum stlink_result *result, unsigned *silent)
{
    if (stlink_out_of_step(*result)) {
        enum stlink_result step = stlink_link_step(&source->link);

        if (step != STLINK_OK)
            *result = step;
        return step == STLINK_OK;
    }
    if (*result == STLINK_SILENT) {
        source->link.ready = false; /* the next exchange connects again */
        return (*silent)++ == 0;
    }
    return *result == STLINK_PARITY;
}

static enum stlink_result read_all(struct stlink_source *source, const struct txtap_read *reads, size_t count,
                                   uint32_t *fault)
{
    enum stlink_result result;
    unsigned turn = 0, silent = 0;

    do
        result = read_once(source, reads, count, fault);
    while (result != STLINK_OK && ++turn < TRIES && recovers(source, &result, &silent));
    return result;
}

static enum txtap_status source_read(void *self, const struct txtap_read *reads, size_t count)
{
    struct stlink_source *source = self;
    uint32_t bytes = 0, fault = 0;
    enum stlink_result result;
    enum txtap_status status = source_check_reads(stlink_source_of(source).ops, reads, count, &bytes,
                                                  (error_clear(&source->error), &source->error));

    if (status != TXTAP_OK || bytes == 0)
        return status;
    result = read_all(source, reads, count, &fault);
    if (result == STLINK_OK)
        return TXTAP_OK;
    if (result == STLINK_FAULT)
        return failure(&source->error, ERROR_FAULT,
                       "memory at 0x%08" PRIx32 " cannot be read: bus fault\nis there memory?", fault);
    return fail(source, result);
}

static void source_close(void *self)
{
    struct stlink_source *source = self;

    source->link.timeout_ms = STLINK_BRIEF_MS;
    if (source->link.pipe.ops != NULL && source->link.entered &&
        source->pipe.ops->reset(source->pipe.self) == STLINK_OK)
        stlink_link_disconnect(&source->link);
    source->pipe.ops->close(source->pipe.self);
    free(source);
}

struct txtap_source stlink_source_of(struct stlink_source *source)
{
    static const struct txtap_source_ops ops = {
        .name = "st-link",
        .read_bytes_max = STLINK_SOURCE_BYTES_MAX,
        .reads_max = STLINK_SOURCE_READS_MAX,
        .read = source_read,
        .error_text = source_error_text,
        .hint_text = source_hint_text,
        .close = source_close,
    };

    return (struct txtap_source){.ops = &ops, .self = source};
}

/* ---- opening ---- */

static enum stlink_result identify(struct stlink_source *source)
{
    enum stlink_result result = STLINK_CONFUSED;

    for (unsigned turn = 0; turn < TRIES && stlink_out_of_step(result); turn++)
        result = stlink_link_open(&source->link, source->pipe, source->timeout_ms);
    return result;
}

static enum txtap_status check_version(struct stlink_source *source)
{
    const struct stlink_version *version = &source->link.version;

    if (version->least != NULL)
        return failure(&source->error, ERROR_PROTOCOL,
                       "the firmware %s of %s is too old: txtap needs %s\nupdate it with ST's tools, or %s",
                       version->text, source->name, version->least, source->otherwise);
    if (source->port != 0 && !(version->abilities & STLINK_CHOOSES_PORT))
        return failure(&source->error, ERROR_PROTOCOL,
                       "the firmware %s of %s reaches only access port 0: port %u needs V2J32\n"
                       "update it with ST's tools, or %s",
                       version->text, source->name, source->port, source->otherwise);
    return TXTAP_OK;
}

static enum txtap_status connect(struct stlink_source *source)
{
    enum stlink_result result = identify(source);
    unsigned silent = 0;

    if (result == STLINK_CONFUSED)
        return failure(&source->error, ERROR_PROTOCOL, "%s does not answer as an ST-Link does\n%s", source->name,
                       source->otherwise);
    if (result != STLINK_OK)
        return fail(source, result);
    if (check_version(source) != TXTAP_OK)
        return source->error.status;
    for (unsigned turn = 0; turn < TRIES; turn++) {
        result = stlink_link_connect(&source->link, source->khz, source->port);
        if (result == STLINK_OK || !recovers(source, &result, &silent))
            break;
    }
    return result == STLINK_OK ? TXTAP_OK : fail(source, result);
}

enum txtap_status stlink_source_open(struct stlink_source **out, struct stlink_pipe pipe,
                                     const struct stlink_settings *settings, unsigned timeout_ms, struct error *error)
{
    struct stlink_source *source = calloc(1, sizeof *source);
    enum txtap_status status;

    if (source == NULL) {
        pipe.ops->close(pipe.self);
        return failure(error, TXTAP_ERROR_SYSTEM, "out of memory");
    }
    source->pipe = pipe;
    source->timeout_ms = timeout_ms;
    source->port = settings->port;
    source->khz = settings->khz > 0 ? settings->khz : STLINK_KHZ;
    snprintf(source->name, sizeof source->name, "%s", settings->name);
    snprintf(source->serial, sizeof source->serial, "%s", settings->serial);
    snprintf(source->node, sizeof source->node, "%s", settings->node);
    snprintf(source->gone, sizeof source->gone, "%s",
             settings->gone != NULL ? settings->gone : "was unplugged: plug it in again");
    snprintf(source->otherwise, sizeof source->otherwise, "%s", settings->otherwise);
    status = connect(source);
    if (status != TXTAP_OK) {
        *error = source->error;
        source_close(source);
        return status;
    }
    *out = source;
    return TXTAP_OK;
}

/* ---- information ---- */

const struct stlink_link *stlink_source_link(const struct stlink_source *source)
{
    return &source->link;
}

static bool is_shared(struct stlink_source *source)
{
    unsigned others = source->link.others;

    return source->pipe.ops->others != NULL &&
           (source->pipe.ops->others(source->pipe.self, &others, source->timeout_ms) != STLINK_OK || others > 0);
}

enum core_state stlink_source_core(struct stlink_source *source)
{
    return is_shared(source) ? CORE_UNKNOWN : core_state_read(stlink_source_of(source));
}

bool stlink_source_no_cycles(struct stlink_source *source)
{
    return core_has_no_cycles(stlink_source_of(source));
}
