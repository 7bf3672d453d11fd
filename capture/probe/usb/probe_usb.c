/* SPDX-License-Identifier: MIT */
/* A probe on USB. txtap drives it directly if that is possible, else through an OpenOCD that it starts. */
#include <stdlib.h>
#include <string.h>

#include "base/option_values.h"
#include "probe/usb/probe_dap.h"
#include "probe/usb/probe_stlink.h"
#include "probe/openocd/probe_openocd_child.h"
#include "probe/usb/usb_bus.h"
#include "probe/usb/usb_probe.h"
#include "probe/usb/usb_openocd.h"

#define KHZ_MAX 100000

_Static_assert(PROBE_DEVICE_BYTES >= USB_KEY_BYTES, "a probe's key has room in struct probe_device");

enum {
    KEY_PROBE = 950,
    KEY_CHIP,
    KEY_SPEED,
};

static const struct argp_option rows[] = {
    {"probe", KEY_PROBE, "SERIAL|NAME|usb:PORT", OPTION_ARG_OPTIONAL,
     "read through this USB probe, or the probe at a port such as usb:1-4.2, or the only one: directly, or through an "
     "OpenOCD that txtap starts",
     0},
    {"chip", KEY_CHIP, "NAME", 0,
     "the chip on a USB probe, if txtap's configuration does not fit: rp2040, ..., or OpenOCD's target/NAME.cfg", 0},
    {"speed", KEY_SPEED, "KHZ", 0, "the clock of SWD or JTAG of a USB probe (default 4000)", 0},
    {0},
};

static bool is_file_name(const char *name)
{
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+./";

    return name[0] != '\0' && name[0] != '/' && strstr(name, "..") == NULL && name[strspn(name, allowed)] == '\0' &&
           strlen(name) < 80;
}

/* Chooses a USB probe for --chip and --speed. They are also for an ST-Link of a server. */
static void imply(struct probe_options *options, struct argp_state *state)
{
    const char *other = options->kind == &probe_openocd && options->openocd.given ? "tcl" : options->kind->name;

    if (options->kind == &probe_stlink_server)
        return;
    if (options->kind != &probe_usb && other != NULL)
        option_error(state, "--%s is for a probe on USB, not for --%s", options->usb.chip ? "chip" : "speed", other);
    probe_choose(&probe_usb, state);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct probe_options *options = state->input;

    switch (key) {
    case KEY_PROBE:
        probe_choose(&probe_usb, state);
        if (text != NULL && strncmp(text, USB_PATH_PREFIX, strlen(USB_PATH_PREFIX)) == 0 && !usb_path_is_valid(text))
            option_error(state, "--probe: '%s' is not a port such as usb:1-4.2", text);
        options->usb.wanted = text;
        return 0;
    case KEY_CHIP:
        if (!is_file_name(text))
            option_error(state, "--chip: '%s' is not the name of a file in OpenOCD's folder target", text);
        options->usb.chip = text;
        return 0;
    case KEY_SPEED:
        options->usb.khz = (unsigned)option_number(state, "--speed", text, 1, KHZ_MAX);
        return 0;
    case ARGP_KEY_END:
        if (options->usb.chip || options->usb.khz > 0)
            imply(options, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void check(struct probe_options *options, const struct argp_state *state)
{
    if (options->openocd.given)
        option_error(state, "--tcl and --probe exclude each other: does an OpenOCD run already?");
}

/* ---- choosing between the rows ---- */

enum usb_manner { USB_EITHER, USB_DIRECT, USB_STARTED };

struct usb_way {
    const struct probe_kind *kind;
    void *self;
    struct txtap_source source;
};

static enum txtap_status open_openocd(struct usb_way *way, const struct usb_list *list, const struct usb_probe *probe,
                                      const struct probe_options *options, unsigned timeout_ms, struct error *error)
{
    struct usb_target target = {options->usb.chip, options->openocd.target, options->usb.khz,
                                usb_needs_port(list, probe) ? probe->port : NULL};
    struct child_purpose purpose = {usb_device_name(&probe->identity), probe->identity.serial, probe->node};
    struct openocd_arguments arguments;
    enum txtap_status status =
        usb_openocd_arguments(&arguments, probe_child_program(options), &probe->identity, &target, error);

    if (status != TXTAP_OK)
        return status;
    way->kind = &probe_openocd_child;
    return probe_child_open(&arguments, &purpose, options, timeout_ms, &way->self, &way->source, error);
}

static enum txtap_status open_direct(struct usb_way *way, const struct usb_probe *probe,
                                     const struct probe_options *options, unsigned timeout_ms, struct error *error)
{
    if (probe_dap_fits(&probe->identity, options)) {
        way->kind = &probe_dap;
        return probe_dap_open(probe, options, timeout_ms, &way->self, &way->source, error);
    }
    way->kind = &probe_stlink;
    return probe_stlink_open(probe, options, timeout_ms, &way->self, &way->source, error);
}

/* Chooses a probe, then a function that opens it. A probe that cannot be chosen is ERROR_NOT_FOUND for a way that txtap
 * only tries. */
static enum txtap_status open_chosen(const struct usb_list *list, const struct probe_options *options,
                                     unsigned timeout_ms, struct probe_device *device, struct usb_way *way,
                                     enum usb_manner manner, struct error *error)
{
    const struct usb_probe *probe;
    enum txtap_status status = usb_choose(list, device->key, options->usb.wanted, &probe, error);
    bool is_direct;

    if (status != TXTAP_OK)
        return options->any ? ERROR_NOT_FOUND : status;
    is_direct = (probe_dap_fits(&probe->identity, options) || probe_stlink_fits(&probe->identity, options)) &&
                manner != USB_STARTED;
    if (manner == USB_DIRECT && !is_direct)
        return failure(error, ERROR_NOT_FOUND, "txtap cannot drive %.60s without OpenOCD here\nuse --probe",
                       usb_device_name(&probe->identity));
    status = is_direct ? open_direct(way, probe, options, timeout_ms, error)
                       : open_openocd(way, list, probe, options, timeout_ms, error);
    if (status == TXTAP_OK)
        usb_choice_key(probe, options->usb.wanted, device->key);
    return status;
}

/* Does not report that USB cannot be read if the user did not ask for a probe. */
static enum txtap_status open_usb(const struct probe_options *options, unsigned timeout_ms, struct probe_device *device,
                                  enum usb_manner manner, void **self, struct txtap_source *source, struct error *error)
{
    struct usb_list list;
    struct usb_way *way;
    enum txtap_status status = usb_list_read(&list, error);

    if (status != TXTAP_OK)
        return options->any ? ERROR_NOT_FOUND : status;
    way = calloc(1, sizeof *way);
    status = way != NULL ? open_chosen(&list, options, timeout_ms, device, way, manner, error)
                         : failure(error, TXTAP_ERROR_SYSTEM, "out of memory");
    usb_list_free(&list);
    if (status == TXTAP_OK) {
        *self = way;
        *source = way->source;
        return status;
    }
    free(way);
    return status == ERROR_NOT_FOUND && !options->any ? error->status = ERROR_UNREACHABLE : status;
}

static enum txtap_status open_probe(const struct probe_options *options, unsigned timeout_ms,
                                    struct probe_device *device, void **self, struct txtap_source *source,
                                    struct error *error)
{
    return open_usb(options, timeout_ms, device, USB_EITHER, self, source, error);
}

static enum txtap_status open_probe_directly(const struct probe_options *options, unsigned timeout_ms,
                                             struct probe_device *device, void **self, struct txtap_source *source,
                                             struct error *error)
{
    return open_usb(options, timeout_ms, device, USB_DIRECT, self, source, error);
}

static enum txtap_status open_probe_by_openocd(const struct probe_options *options, unsigned timeout_ms,
                                               struct probe_device *device, void **self, struct txtap_source *source,
                                               struct error *error)
{
    return open_usb(options, timeout_ms, device, USB_STARTED, self, source, error);
}

static void close_way(void *self)
{
    struct usb_way *way = self;

    if (way->kind->close != NULL)
        way->kind->close(way->self);
    else
        way->source.ops->close(way->source.self);
    free(way);
}

static void describe(void *self, const struct probe_options *options, char out[static PROBE_TEXT_BYTES])
{
    const struct usb_way *way = self;

    way->kind->describe(way->self, options, out);
}

static void print(void *self, const struct probe_options *options)
{
    const struct usb_way *way = self;

    way->kind->print(way->self, options);
}

static void announce(void *self, const struct probe_options *options)
{
    const struct usb_way *way = self;

    if (way->kind->announce != NULL)
        way->kind->announce(way->self, options);
}

static enum core_state core(void *self)
{
    const struct usb_way *way = self;

    return way->kind->core(way->self);
}

#define COMMON                                                                                                         \
    .live = true, .close = close_way, .describe = describe, .print = print, .announce = announce, .core = core

const struct probe_kind probe_usb = {
    COMMON, .name = "probe", .options = {rows, parse, NULL, NULL, NULL, NULL, NULL}, .check = check, .open = open_probe,
};

const struct probe_kind probe_usb_direct = {
    COMMON,
    .open = open_probe_directly,
    .way = {"direct", "a probe on USB that txtap drives itself, without OpenOCD and without any write",
            "the only probe on USB, and it needs no OpenOCD", &probe_usb},
};

const struct probe_kind probe_usb_openocd = {
    COMMON,
    .open = open_probe_by_openocd,
    .way = {"start-openocd", "a probe on USB, through an OpenOCD that txtap starts and ends", "the only probe on USB",
            &probe_usb},
};
