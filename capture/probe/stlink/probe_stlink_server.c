/* SPDX-License-Identifier: MIT */
/* An ST-Link that other programs use at the same time, through ST's stlink-server. */
#include <stdio.h>
#include <string.h>

#include "base/option_values.h"
#include "base/tcp.h"
#include "probe/stlink/stlink_kind.h"
#include "probe/stlink/stlink_server.h"

enum { KEY_SERVER = 960 };

static const struct argp_option rows[] = {
    {"stlink-server", KEY_SERVER, "[HOST:]PORT[/SERIAL]", OPTION_ARG_OPTIONAL,
     "read through ST's stlink-server (default 127.0.0.1:7184), which shares an ST-Link with a debugger", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct probe_options *options = state->input;
    char *slash = text != NULL ? strrchr(text, '/') : NULL;

    if (key != KEY_SERVER)
        return ARGP_ERR_UNKNOWN;
    probe_choose(&probe_stlink_server, state);
    options->stlink.serial = slash != NULL ? slash + 1 : NULL;
    if (slash != NULL)
        *slash = '\0';
    if (text != NULL && *text != '\0')
        option_host_port(state, "--stlink-server", text, &options->stlink.host, &options->stlink.port);
    return 0;
}

static void check(struct probe_options *options, const struct argp_state *state)
{
    if (options->openocd.given)
        option_error(state, "--tcl and --stlink-server exclude each other: which server runs?");
    if (!stlink_kind_fits(options))
        option_error(state,
                     options->usb.chip != NULL
                         ? "--chip: an ST-Link does not reach this chip, or txtap does not know it: read through "
                           "OpenOCD instead"
                         : "--target needs --chip, which names the chip with this core");
}

static const char *host_of(const struct probe_options *options)
{
    return options->stlink.host != NULL ? options->stlink.host : "127.0.0.1";
}

static const char *port_of(const struct probe_options *options)
{
    return options->stlink.port != NULL ? options->stlink.port : STLINK_SERVER_PORT;
}

static enum txtap_status connect_to(struct stream *stream, const struct probe_options *options, const char *name,
                                    unsigned timeout_ms, struct error *error)
{
    struct error cause;
    enum txtap_status status =
        stream_connect(stream, host_of(options), port_of(options), stream_deadline(timeout_ms), &cause);

    if (status == TXTAP_OK)
        return status;
    return failure(error, status, "no %s: %.80s\nstart stlink-server, or let your IDE share its ST-Link", name,
                   cause.what);
}

static enum txtap_status open_probe(const struct probe_options *options, unsigned timeout_ms,
                                    struct probe_device *device, void **self, struct txtap_source *source,
                                    struct error *error)
{
    char name[STLINK_KIND_NAME_BYTES], probe[STLINK_KIND_NAME_BYTES + 16];
    struct stlink_server_settings server = {name, options->stlink.serial, timeout_ms};
    struct stlink_settings settings = {.name = probe,
                                       .node = "",
                                       .gone = "is gone: stlink-server ended, or the ST-Link was unplugged",
                                       .otherwise = "is it really an ST-Link?"};
    struct stlink_device found;
    struct stlink_kind *kind;
    struct stlink_pipe pipe;
    struct stream stream;
    enum txtap_status status;

    snprintf(name, sizeof name, "stlink-server at %.64s:%.8s", host_of(options), port_of(options));
    snprintf(probe, sizeof probe, "the ST-Link of %s", name);
    if (device->key[0] != '\0')
        server.serial = device->key;
    status = connect_to(&stream, options, name, timeout_ms, error);
    if (status == TXTAP_OK)
        status = stlink_server_open(&pipe, stream, &server, &found, error);
    if (status != TXTAP_OK)
        return status;
    settings.serial = found.serial;
    status = stlink_kind_open(&kind, pipe, &settings, options, timeout_ms, error);
    if (status != TXTAP_OK)
        return status;
    snprintf(device->key, sizeof device->key, "%s", found.serial);
    *self = kind;
    *source = stlink_source_of(kind->source);
    return TXTAP_OK;
}

const struct probe_kind probe_stlink_server = {
    .name = "stlink-server",
    .options = {rows, parse, NULL, NULL, NULL, NULL, NULL},
    .live = true,
    .check = check,
    .open = open_probe,
    .close = stlink_kind_close,
    .describe = stlink_kind_describe,
    .print = stlink_kind_print,
    .announce = stlink_kind_announce,
    .core = stlink_kind_core,
    .way = {"stlink-server", "ST's stlink-server at 127.0.0.1:7184, which shares an ST-Link with a debugger",
            "no other way is there", NULL},
};
