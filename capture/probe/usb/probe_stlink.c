/* SPDX-License-Identifier: MIT */
/* An ST-Link that txtap drives directly. */
#include "probe/usb/probe_stlink.h"

#include "probe/stlink/stlink_kind.h"
#include "probe/usb/stlink_usb.h"

bool probe_stlink_fits(const struct usb_identity *identity, const struct probe_options *options)
{
    return !options->usb.through_openocd && options->child.program == NULL && usb_is_stlink(identity) &&
           stlink_kind_fits(options);
}

enum txtap_status probe_stlink_open(const struct usb_probe *probe, const struct probe_options *options,
                                    unsigned timeout_ms, void **self, struct txtap_source *source, struct error *error)
{
    struct stlink_settings settings = {.name = usb_device_name(&probe->identity),
                                       .serial = probe->identity.serial,
                                       .node = probe->node,
                                       .otherwise = "read through OpenOCD instead: --openocd"};
    struct stlink_kind *kind;
    struct stlink_pipe pipe;
    enum txtap_status status = stlink_usb_open(&pipe, probe, error);

    if (status == TXTAP_OK)
        status = stlink_kind_open(&kind, pipe, &settings, options, timeout_ms, error);
    if (status != TXTAP_OK)
        return status;
    *self = kind;
    *source = stlink_source_of(kind->source);
    return TXTAP_OK;
}

const struct probe_kind probe_stlink = {
    .live = true,
    .close = stlink_kind_close,
    .describe = stlink_kind_describe,
    .print = stlink_kind_print,
    .announce = stlink_kind_announce,
    .core = stlink_kind_core,
};
