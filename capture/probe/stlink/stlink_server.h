/* SPDX-License-Identifier: MIT */
/*
 * A client of ST's stlink-server, which lets several programs use one ST-Link: a debugger and txtap, for example. Its
 * frames carry the 16 bytes of a command. Source: OpenOCD after 0.12.0, src/jtag/drivers/stlink_usb.c; tried on no real
 * server.
 */
#ifndef TXTAP_CAPTURE_PROBE_STLINK_STLINK_SERVER_H
#define TXTAP_CAPTURE_PROBE_STLINK_STLINK_SERVER_H

#include "base/failure.h"
#include "base/tcp.h"
#include "probe/stlink/stlink_pipe.h"

#define STLINK_SERVER_PORT  "7184"
#define STLINK_SERIAL_BYTES 33

/* An ST-Link of the server. */
struct stlink_device {
    uint32_t id;
    uint16_t vendor, product;
    char serial[STLINK_SERIAL_BYTES]; /* printable; "": not known */
    bool exclusive;                   /* a program uses it, and shares it with no other program */
};

struct stlink_server_settings {
    const char *name;   /* of the server, for messages: "stlink-server at 127.0.0.1:7184" */
    const char *serial; /* the ST-Link with this serial number; NULL or "": the only ST-Link */
    unsigned timeout_ms;
};

/*
 * Opens an ST-Link of the server. Takes ownership of the connection, even on failure. The caller closes the pipe with
 * its close(). On failure error is one line. ERROR_PROTOCOL: this is not an stlink-server. ERROR_UNREACHABLE: the
 * server has no such ST-Link. TXTAP_ERROR_USAGE: it has several. ERROR_TARGET: the ST-Link cannot be opened now.
 * ERROR_TIMEOUT, ERROR_CLOSED, ERROR_INTERRUPTED, TXTAP_ERROR_SYSTEM: as in tcp.h.
 */
enum txtap_status stlink_server_open(struct stlink_pipe *pipe, struct stream stream,
                                     const struct stlink_server_settings *settings, struct stlink_device *device,
                                     struct error *error);

#endif
