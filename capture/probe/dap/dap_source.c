/* SPDX-License-Identifier: MIT */
/* A CMSIS-DAP probe as a memory source. */
#include "probe/dap/dap_source.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "probe/source_base.h"

/* a probe answers in milliseconds; after this time txtap stops waiting and gets in step again */
#define ANSWER_MS_MAX 1000

struct dap_source {
    struct error error; /* must be first: source_base.h */
    struct dap_pipe pipe;
    struct dap_link link;
    struct adi adi;
    unsigned timeout_ms;
    char name[48], serial[40], node[64];
};

/* ---- failures ---- */

static bool is_unplugged(const struct dap_source *source, enum dap_result result)
{
    return result == DAP_GONE || (result != DAP_OK && source->node[0] != '\0' && access(source->node, F_OK) != 0);
}

static enum txtap_status fail_of_probe(struct dap_source *source, enum dap_result result)
{
    const char *name = source->name;

    switch (result) {
    case DAP_TIMEOUT:
        return failure(&source->error, ERROR_TIMEOUT, "%s does not answer within %u ms\nplug it in again", name,
                       source->timeout_ms);
    case DAP_STALLED:
        return failure(&source->error, ERROR_PROTOCOL, "%s refuses commands\nread through OpenOCD instead: --openocd",
                       name);
    case DAP_CONFUSED:
        return failure(&source->error, ERROR_PROTOCOL,
                       "%s gives answers that do not match its commands\nread through OpenOCD instead: --openocd",
                       name);
    case DAP_REFUSED:
        return failure(&source->error, ERROR_UNSAFE, "txtap made a command for %s that it must not send", name);
    case DAP_INTERRUPTED:
        return failure(&source->error, ERROR_INTERRUPTED, "%s: interrupted", name);
    default:
        return failure(&source->error, TXTAP_ERROR_SYSTEM, "%s cannot be used any more\nplug it in again", name);
    }
}

static enum txtap_status fail_at_obstacle(struct dap_source *source)
{
    const struct adi *adi = &source->adi;

    switch (adi->obstacle) {
    case ADI_NEWER_PORT:
        return failure(&source->error, ERROR_TARGET,
                       "the target's debug port is %s (DPIDR 0x%08" PRIx32 "), and txtap itself drives ADIv5 only\n"
                       "read through OpenOCD, which has to know the chip: --chip NAME, or --openocd ARGS",
                       adi_port_version(adi->dpidr) == 3 ? "ADIv6" : "newer than ADIv6", adi->dpidr);
    case ADI_OTHER_PORT:
        return failure(&source->error, ERROR_TARGET,
                       "the wrong debug port answers on SWD (DPIDR 0x%08" PRIx32 ")\nis --chip right?", adi->dpidr);
    case ADI_NO_POWER:
        return failure(&source->error, ERROR_TARGET,
                       "the target's debug port has no power\ncheck power and wiring, or try OpenOCD: --openocd");
    case ADI_CLOSED_ACCESS_PORT:
        return failure(&source->error, ERROR_TARGET, "access port %u of the target is closed\nthe chip may be locked",
                       adi->access_port);
    default: /* ADI_NO_ACCESS_PORT */
        break;
    }
    if (adi->chosen)
        return failure(&source->error, ERROR_TARGET, "access port %u of the target is not one for memory\n%s",
                       adi->access_port, adi->target.has_access_port ? "is --chip right?" : "is it the same target?");
    return failure(&source->error, ERROR_TARGET,
                   "the target has no AHB access port\nit may be locked, or not a Cortex-M: --chip, or --openocd");
}

static enum txtap_status fail(struct dap_source *source, enum dap_result result)
{
    if (is_unplugged(source, result))
        return failure(&source->error, ERROR_CLOSED, "%s%s%s was unplugged: plug it in again", source->name,
                       source->serial[0] != '\0' ? " " : "", source->serial);
    if (source->adi.obstacle != ADI_NONE)
        return fail_at_obstacle(source);
    switch (result) {
    case DAP_WAIT:
        return failure(&source->error, ERROR_TARGET, "the target's access port stays busy\ncheck power and wiring");
    case DAP_SILENT:
        return failure(&source->error, ERROR_TARGET,
                       "no target answers on SWD\ncheck power and wiring, or give --chip or a lower --speed");
    case DAP_PARITY:
        return failure(&source->error, ERROR_TARGET,
                       "SWD is disturbed (wrong parity)\ncheck the wiring, or give a lower --speed");
    case DAP_FAULT:
        return failure(&source->error, ERROR_TARGET, "the debug port reports an error\ncheck power and wiring");
    default:
        return fail_of_probe(source, result);
    }
}

/* ---- reading ---- */

static enum txtap_status source_read(void *self, const struct txtap_read *reads, size_t count)
{
    struct dap_source *source = self;
    enum dap_result result;
    size_t failed;
    uint32_t bytes = 0;
    enum txtap_status status = source_check_reads(dap_source_of(source).ops, reads, count, &bytes,
                                                  (error_clear(&source->error), &source->error));

    if (status != TXTAP_OK || bytes == 0)
        return status;
    result = adi_read(&source->adi, reads, count, &failed);
    if (result == DAP_OK)
        return TXTAP_OK;
    if (result == DAP_FAULT)
        return failure(&source->error, ERROR_FAULT,
                       "%" PRIu32 " bytes at 0x%08" PRIx32 " cannot be read: bus fault\nis there memory?",
                       reads[failed].length, reads[failed].address);
    return fail(source, result);
}

static void source_close(void *self)
{
    struct dap_source *source = self;

    source->link.timeout_ms = DAP_BRIEF_MS;
    if (source->link.pipe.ops != NULL && source->pipe.ops->reset(source->pipe.self) == DAP_OK)
        adi_disconnect(&source->adi);
    source->pipe.ops->close(source->pipe.self);
    free(source);
}

struct txtap_source dap_source_of(struct dap_source *source)
{
    static const struct txtap_source_ops ops = {
        .name = "cmsis-dap",
        .read_bytes_max = DAP_READ_BYTES_MAX,
        .reads_max = DAP_READS_MAX,
        .read = source_read,
        .error_text = source_error_text,
        .hint_text = source_hint_text,
        .close = source_close,
    };

    return (struct txtap_source){.ops = &ops, .self = source};
}

/* ---- opening ---- */

static enum txtap_status connect(struct dap_source *source, const struct dap_settings *settings)
{
    unsigned khz = settings->khz > 0 ? settings->khz : DAP_KHZ;
    enum dap_result result;

    adi_init(&source->adi, &source->link, &settings->target);
    result = dap_link_open(&source->link, source->pipe, khz, source->timeout_ms);
    if (result == DAP_CONFUSED)
        return failure(&source->error, ERROR_PROTOCOL,
                       "%s does not answer as a probe with SWD does\nread through OpenOCD instead: --openocd",
                       source->name);
    if (result == DAP_OK)
        result = adi_connect(&source->adi);
    return result == DAP_OK ? TXTAP_OK : fail(source, result);
}

enum txtap_status dap_source_open(struct dap_source **out, struct dap_pipe pipe, const struct dap_settings *settings,
                                  unsigned timeout_ms, struct error *error)
{
    struct dap_source *source = calloc(1, sizeof *source);
    enum txtap_status status;

    if (source == NULL) {
        pipe.ops->close(pipe.self);
        return failure(error, TXTAP_ERROR_SYSTEM, "out of memory");
    }
    source->pipe = pipe;
    source->timeout_ms = timeout_ms < ANSWER_MS_MAX ? timeout_ms : ANSWER_MS_MAX;
    snprintf(source->name, sizeof source->name, "%s", settings->name);
    snprintf(source->serial, sizeof source->serial, "%s", settings->serial);
    snprintf(source->node, sizeof source->node, "%s", settings->node);
    status = connect(source, settings);
    if (status != TXTAP_OK) {
        *error = source->error;
        source_close(source);
        return status;
    }
    *out = source;
    return TXTAP_OK;
}

/* ---- information ---- */

const struct adi *dap_source_adi(const struct dap_source *source)
{
    return &source->adi;
}

enum core_state dap_source_core(struct dap_source *source)
{
    return core_state_read(dap_source_of(source));
}

bool dap_source_no_cycles(struct dap_source *source)
{
    return core_has_no_cycles(dap_source_of(source));
}
