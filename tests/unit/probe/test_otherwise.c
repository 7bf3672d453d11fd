/* SPDX-License-Identifier: MIT */
/* The error of probe_open() if no server listens, and the other kind of probe fails, too. */
#include <criterion/criterion.h>

#include "base/failure.h"
#include "probe/probe.h"

static enum txtap_status usb_status, usb_cause;

static enum txtap_status open_server(const struct probe_options *options, unsigned timeout_ms,
                                     struct probe_device *device, void **self, struct txtap_source *source,
                                     struct error *error)
{
    (void)options, (void)timeout_ms, (void)device, (void)self, (void)source;
    return failure(error, ERROR_UNREACHABLE, "no server at 127.0.0.1:6666\nstart OpenOCD");
}

static enum txtap_status open_usb(const struct probe_options *options, unsigned timeout_ms, struct probe_device *device,
                                  void **self, struct txtap_source *source, struct error *error)
{
    (void)options, (void)timeout_ms, (void)device, (void)self, (void)source;
    failure(error, usb_cause, "no probe is there\nplug it in");
    return usb_status;
}

static const struct probe_kind usb = {.open = open_usb};
static const struct probe_kind server = {.open = open_server, .otherwise = &usb};

static void fails(enum txtap_status status, enum txtap_status cause, enum txtap_status result, const char *what)
{
    const struct probe_options options = {.kind = &server, .openocd = {.host = "127.0.0.1", .port = "6666"}};
    struct probe probe = {0};
    struct error error = {0};

    usb_status = status;
    usb_cause = cause;
    cr_assert_eq(probe_open(&probe, &options, &error), result);
    cr_assert_str_eq(error.what, what);
}

Test(otherwise, names_both_causes_if_no_probe_is_there)
{
    fails(ERROR_NOT_FOUND, ERROR_NOT_FOUND, ERROR_UNREACHABLE,
          "no probe is there, and no OpenOCD answers at 127.0.0.1:6666");
}

Test(otherwise, says_nothing_about_usb_if_it_cannot_be_read)
{
    fails(ERROR_NOT_FOUND, TXTAP_ERROR_SYSTEM, ERROR_UNREACHABLE, "no server at 127.0.0.1:6666");
}

Test(otherwise, reports_a_probe_that_cannot_be_opened)
{
    fails(ERROR_TARGET, ERROR_TARGET, ERROR_TARGET, "no probe is there");
}
