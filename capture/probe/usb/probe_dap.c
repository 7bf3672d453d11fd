/* SPDX-License-Identifier: MIT */
/* A CMSIS-DAP probe or a J-Link that txtap drives directly. */
#include "probe/usb/probe_dap.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/text_maker.h"
#include "probe/chip.h"
#include "probe/dap/dap_source.h"
#include "probe/hid/dap_hid.h"
#include "probe/jlink/jlink_pipe.h"
#include "probe/usb/dap_usb.h"
#include "txtap/inner/escape.h"

#define NAME_BYTES 60

struct dap_probe {
    struct dap_source *source;
    const char *core; /* the core's name in the chip's row; NULL without --chip */
    bool is_jlink;
    char name[NAME_BYTES]; /* printable name of the probe */
};

/* ---- choosing the target ---- */

/* Returns false for a chip without a row, because OpenOCD's file for it may contain necessary settings. Returns false
 * also if the user names a core without its chip. */
bool probe_dap_fits(const struct usb_identity *identity, const struct probe_options *options)
{
    const struct chip *chip = options->usb.chip != NULL ? chip_find(options->usb.chip) : NULL;

    if (options->usb.through_openocd || options->child.program != NULL || !usb_is_direct(identity) ||
        usb_is_stlink(identity))
        return false;
    if (options->usb.chip == NULL)
        return options->openocd.target == NULL;
    return chip != NULL && (chip->reach == CHIP_ANY_PORT || chip->reach == CHIP_MULTIDROP);
}

static enum txtap_status choose_target(const struct probe_options *options, struct adi_target *target,
                                       const char **name, struct error *error)
{
    const struct chip_core *core = NULL;
    enum txtap_status status = chip_core_find(options->usb.chip, options->openocd.target, &core, error);

    *target = (struct adi_target){.has_access_port = false};
    *name = NULL;
    if (status != TXTAP_OK || core == NULL)
        return status;
    *name = core->target;
    target->has_access_port = core->access_port[0] != '\0';
    target->access_port = (uint8_t)strtoul(core->access_port, NULL, 0);
    target->target_select = core->target_select;
    return TXTAP_OK;
}

/* ---- the row ---- */

static void close_probe(void *self)
{
    struct dap_probe *probe = self;
    struct txtap_source source = dap_source_of(probe->source);

    source.ops->close(source.self);
    free(probe);
}

static enum txtap_status open_pipe(struct dap_pipe *pipe, const struct usb_probe *usb, struct error *error)
{
    const struct usb_identity *identity = &usb->identity;
    const struct dap_hid_settings hid = {usb_device_name(identity), usb->node, identity->vendor, identity->product};
    enum txtap_status status;

    if (identity->dap == USB_DAP_HID)
        return dap_hid_open(pipe, &hid, error);
    status = dap_usb_open(pipe, usb, error);
    return status == TXTAP_OK && identity->is_jlink ? jlink_pipe_open(pipe, *pipe, error) : status;
}

enum txtap_status probe_dap_open(const struct usb_probe *usb, const struct probe_options *options, unsigned timeout_ms,
                                 void **self, struct txtap_source *source, struct error *error)
{
    struct dap_settings settings = {.name = usb_device_name(&usb->identity),
                                    .serial = usb->identity.serial,
                                    .node = usb->node,
                                    .khz = options->usb.khz};
    struct dap_probe *probe;
    struct dap_pipe pipe;
    const char *core_name;
    enum txtap_status status = choose_target(options, &settings.target, &core_name, error);

    if (status != TXTAP_OK)
        return status;
    probe = calloc(1, sizeof *probe);
    if (probe == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "out of memory");
    probe->core = core_name;
    txtap_escape_terminal(probe->name, sizeof probe->name, settings.name);
    probe->is_jlink = usb->identity.is_jlink;
    status = open_pipe(&pipe, usb, error);
    if (status == TXTAP_OK)
        status = dap_source_open(&probe->source, pipe, &settings, timeout_ms, error);
    if (status != TXTAP_OK) {
        free(probe);
        return status;
    }
    *self = probe;
    *source = dap_source_of(probe->source);
    return TXTAP_OK;
}

static void describe(void *self, const struct probe_options *options, char out[static PROBE_TEXT_BYTES])
{
    const struct dap_probe *probe = self;
    unsigned port = dap_source_adi(probe->source)->access_port;

    (void)options;
    if (probe->core != NULL)
        snprintf(out, PROBE_TEXT_BYTES, "%s, directly through %s", probe->core, probe->name);
    else
        snprintf(out, PROBE_TEXT_BYTES, "access port %u, directly through %s", port, probe->name);
}

static void print(void *self, const struct probe_options *options)
{
    static const char *const states[] = {[CORE_UNKNOWN] = "unknown",
                                         [CORE_RUNS] = "running",
                                         [CORE_HALTED] = "halted",
                                         [CORE_IN_RESET] = "reset",
                                         [CORE_LOCKED_UP] = "locked up"};
    const struct dap_probe *probe = self;
    const struct adi *adi = dap_source_adi(probe->source);
    char clock[32] = "its own speed";

    (void)options;
    if (adi->link->khz > 0)
        snprintf(clock, sizeof clock, "%u kHz", adi->link->khz);
    if (probe->is_jlink)
        text_row("adapter", "%s, firmware %s, driven directly, SWD at %s", probe->name, adi->link->firmware, clock);
    else
        text_row("adapter", "%s, CMSIS-DAP %s, driven directly, SWD at %s, %u packet%s of %zu bytes in flight",
                 probe->name, adi->link->firmware, clock, adi->link->flight.now, adi->link->flight.now == 1 ? "" : "s",
                 adi->link->packet_bytes);
    text_row("target", "DPIDR 0x%08x, access port %u with IDR 0x%08x, core %s", (unsigned)adi->dpidr, adi->access_port,
             (unsigned)adi->idr, states[dap_source_core(probe->source)]);
    if (dap_source_no_cycles(probe->source))
        text_row("cycles", "DWT->CYCCNT does not count, because DEMCR.TRCENA is not set");
}

static enum core_state core(void *self)
{
    const struct dap_probe *probe = self;

    return dap_source_core(probe->source);
}

const struct probe_kind probe_dap = {
    .live = true,
    .close = close_probe,
    .describe = describe,
    .print = print,
    .core = core,
};
