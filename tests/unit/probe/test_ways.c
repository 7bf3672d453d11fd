/* SPDX-License-Identifier: MIT */
/* The choice of a way to the target, if no option names a connection: the order, the reason, and the error. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "base/failure.h"
#include "probe/probe.h"

/* The result of a row: the status, the error's status, and the error's text. */
struct result {
    enum txtap_status status, cause;
    const char *what;
};

static struct result direct, started, server;
static unsigned opened_started;

static void close_source(void *self)
{
    (void)self;
}

static enum txtap_status open_as(const struct result *result, struct txtap_source *source, struct error *error)
{
    static const struct txtap_source_ops ops = {.name = "test", .close = close_source};

    *source = (struct txtap_source){&ops, NULL};
    if (result->status != TXTAP_OK)
        failure(error, result->cause, "%s\nhint", result->what);
    return result->status;
}

#define OPEN_PARAMETERS                                                                                                \
    const struct probe_options *options, unsigned timeout_ms, struct probe_device *device, void **self,                \
        struct txtap_source *source, struct error *error

static enum txtap_status open_direct(OPEN_PARAMETERS)
{
    (void)options, (void)timeout_ms, (void)device, (void)self;
    return open_as(&direct, source, error);
}

static enum txtap_status open_started(OPEN_PARAMETERS)
{
    (void)options, (void)timeout_ms, (void)device, (void)self;
    opened_started++;
    return open_as(&started, source, error);
}

static enum txtap_status open_server(OPEN_PARAMETERS)
{
    (void)options, (void)timeout_ms, (void)device, (void)self;
    return open_as(&server, source, error);
}

static void describe(void *self, const struct probe_options *options, char out[static PROBE_TEXT_BYTES])
{
    (void)self, (void)options;
    snprintf(out, PROBE_TEXT_BYTES, "it");
}

static const struct probe_kind usb = {.name = "probe"};
static const struct probe_kind rows[] = {
    {.open = open_direct, .describe = describe, .way = {"direct", "", "is free", &usb}},
    {.open = open_started, .describe = describe, .way = {"started", "", "is free", &usb}},
    {.open = open_server, .describe = describe, .way = {"server", "", "no probe", NULL}},
};
static const struct probe_kind *const ways[] = {&rows[0], &rows[1], &rows[2]};
static const struct probe_options options = {.any = true, .openocd = {.host = "127.0.0.1", .port = "6666"}};

static const struct result opens = {TXTAP_OK, TXTAP_OK, ""};
static const struct result no_device = {ERROR_NOT_FOUND, ERROR_NOT_FOUND, "no probe is there"};
static const struct result no_usb = {ERROR_NOT_FOUND, TXTAP_ERROR_SYSTEM, "no libusb"};
static const struct result busy = {ERROR_NOT_FOUND, ERROR_TARGET, "the probe is in use"};
static const struct result broken = {ERROR_TARGET, ERROR_TARGET, "no target answers"};
static const struct result no_server = {ERROR_UNREACHABLE, ERROR_UNREACHABLE, "no server at 127.0.0.1:6666"};

static enum txtap_status open_ways(struct probe *probe, struct error *error)
{
    return probe_open_best(probe, ways, sizeof ways / sizeof *ways, &options, error);
}

static void opens_as(const char *description)
{
    struct probe probe = {0};
    struct error error = {0};
    char line[PROBE_LINE_BYTES];

    cr_assert_eq(open_ways(&probe, &error), TXTAP_OK);
    probe_describe(&probe, &options, line);
    cr_assert_str_eq(line, description);
    probe_close(&probe);
}

static void fails(enum txtap_status result, const char *what)
{
    struct probe probe = {0};
    struct error error = {0};

    cr_assert_eq(open_ways(&probe, &error), result);
    cr_assert_str_eq(error.what, what);
}

Test(ways, the_first_way_that_is_there_is_taken)
{
    direct = opens, started = opens, server = opens;
    opens_as("it (--way=direct: is free)");
    direct = no_device;
    opens_as("it (--way=started: is free)");
    started = no_device;
    opens_as("it (--way=server: no probe)");
}

Test(ways, the_reason_names_a_probe_that_cannot_be_used)
{
    direct = started = busy, server = opens;
    opens_as("it (--way=server: the probe is in use)");
}

Test(ways, a_probe_that_fails_is_tried_in_one_way_and_does_not_hide_a_server)
{
    direct = broken, started = opens, server = opens;
    opens_as("it (--way=server: no target answers)");
    cr_assert_eq(opened_started, 0);
    server = no_server;
    fails(ERROR_TARGET, "no target answers");
}

Test(ways, the_same_way_is_taken_again)
{
    struct probe probe = {0};
    struct error error = {0};

    direct = busy, started = busy, server = opens;
    cr_assert_eq(open_ways(&probe, &error), TXTAP_OK);
    probe_close(&probe);
    direct = opens, server = no_server;
    cr_assert_eq(probe_open(&probe, &options, &error), ERROR_UNREACHABLE);
}

Test(ways, an_error_names_both_causes_if_no_probe_is_there)
{
    direct = started = no_device, server = no_server;
    fails(ERROR_UNREACHABLE, "no probe is there, and no OpenOCD answers at 127.0.0.1:6666");
}

Test(ways, an_error_does_not_name_usb_if_it_cannot_be_read)
{
    direct = started = no_usb, server = no_server;
    fails(ERROR_UNREACHABLE, "no server at 127.0.0.1:6666");
}

Test(ways, an_error_names_a_probe_that_cannot_be_used)
{
    direct = started = busy, server = no_server;
    fails(ERROR_TARGET, "the probe is in use");
}
