/* SPDX-License-Identifier: MIT */
/* The target of an ST-Link, and the lines that describe both. */
#include "probe/stlink/stlink_kind.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text_maker.h"
#include "probe/chip.h"
#include "txtap/inner/escape.h"

bool stlink_kind_fits(const struct probe_options *options)
{
    const struct chip *chip = options->usb.chip != NULL ? chip_find(options->usb.chip) : NULL;

    if (options->usb.chip == NULL)
        return options->openocd.target == NULL;
    return chip != NULL && chip->reach == CHIP_ANY_PORT;
}

enum txtap_status stlink_kind_open(struct stlink_kind **out, struct stlink_pipe pipe, struct stlink_settings *settings,
                                   const struct probe_options *options, unsigned timeout_ms, struct error *error)
{
    struct stlink_kind *kind = calloc(1, sizeof *kind);
    const struct chip_core *core = NULL;
    enum txtap_status status = kind != NULL ? chip_core_find(options->usb.chip, options->openocd.target, &core, error)
                                            : failure(error, TXTAP_ERROR_SYSTEM, "out of memory");

    if (status != TXTAP_OK) {
        pipe.ops->close(pipe.self);
        free(kind);
        return status;
    }
    settings->khz = options->usb.khz;
    settings->port = core != NULL ? (uint8_t)strtoul(core->access_port, NULL, 0) : 0;
    kind->core = core != NULL ? core->target : NULL;
    txtap_escape_terminal(kind->name, sizeof kind->name, settings->name);
    status = stlink_source_open(&kind->source, pipe, settings, timeout_ms, error);
    if (status == TXTAP_OK)
        *out = kind;
    else
        free(kind);
    return status;
}

void stlink_kind_close(void *self)
{
    struct stlink_kind *kind = self;
    struct txtap_source source = stlink_source_of(kind->source);

    source.ops->close(source.self);
    free(kind);
}

void stlink_kind_describe(void *self, const struct probe_options *options, char out[static PROBE_TEXT_BYTES])
{
    const struct stlink_kind *kind = self;
    const struct stlink_link *link = stlink_source_link(kind->source);
    const char *shared = link->others > 0 ? ", which another program uses, too" : "";
    char port[24];

    (void)options;
    snprintf(port, sizeof port, "access port %u", link->port);
    snprintf(out, PROBE_TEXT_BYTES, "%.40s, directly through %.84s%s", kind->core != NULL ? kind->core : port,
             kind->name, shared);
}

static const char *clock_text(const struct stlink_link *link, char text[static 40])
{
    if (link->others > 0)
        return "the clock of the program that shares it";
    if (link->khz == 0)
        return "its own clock";
    snprintf(text, 40, "%u kHz", link->khz);
    return text;
}

void stlink_kind_print(void *self, const struct probe_options *options)
{
    static const char *const states[] = {[CORE_UNKNOWN] = "unknown",
                                         [CORE_RUNS] = "running",
                                         [CORE_HALTED] = "halted",
                                         [CORE_IN_RESET] = "reset",
                                         [CORE_LOCKED_UP] = "locked up"};
    const struct stlink_kind *kind = self;
    const struct stlink_link *link = stlink_source_link(kind->source);
    char clock[40];

    (void)options;
    text_row("adapter", "%s, firmware %s, driven directly, SWD at %s%s", kind->name, link->version.text,
             clock_text(link, clock), link->others > 0 ? ": nothing was entered or set" : "");
    if (link->millivolts > 0)
        text_row("supply", "%u.%02u V at the target", link->millivolts / 1000, link->millivolts % 1000 / 10);
    if (link->dpidr != 0)
        text_row("target", "DPIDR 0x%08" PRIx32 ", access port %u, core %s", link->dpidr, link->port,
                 states[stlink_source_core(kind->source)]);
    else
        text_row("target", "access port %u, core %s", link->port, states[stlink_source_core(kind->source)]);
    if (stlink_source_no_cycles(kind->source))
        text_row("cycles", "DWT->CYCCNT does not count, because DEMCR.TRCENA is not set");
}

void stlink_kind_announce(void *self, const struct probe_options *options)
{
    const struct stlink_kind *kind = self;

    if (stlink_source_link(kind->source)->others > 0 && options->usb.khz > 0)
        fprintf(stderr, "txtap: --speed has no effect: another program uses %s, and has set its clock\n", kind->name);
}

enum core_state stlink_kind_core(void *self)
{
    const struct stlink_kind *kind = self;

    return stlink_source_core(kind->source);
}
