/* SPDX-License-Identifier: MIT */
/* An emulated CMSIS-DAP probe as a pipe, without USB. A chosen answer can go wrong in any way. */
#ifndef TXTAP_TESTS_DAP_PROBE_H
#define TXTAP_TESTS_DAP_PROBE_H

#include "cmsis_dap.h"
#include "jlink_front.h"
#include "usbprobe/fake_target.h"
#include "probe/dap/dap_pipe.h"

/* What can be wrong with an answer. */
enum dap_trouble {
    NO_TROUBLE,
    /* Faults from which txtap must recover by itself. */
    LOST,      /* the answer never arrives */
    LATE,      /* the answer arrives after the host has stopped waiting */
    HALTED_IN, /* the answer never arrives, and the endpoint halts */
    CUT,       /* only half of the answer arrives */
    INVERTED,  /* the first byte is wrong */
    TWICE,     /* the answer arrives again before the next answer */
    MERGED,    /* the next answer arrives together with this answer */
    REPLACED,  /* the previous answer arrives instead of this answer */
    SWD_WAITS, /* the target acknowledges with WAIT instead of sending data */
    SWD_PARITY_ERROR,
    RECOVERABLE_END,
    /* Faults that may end in an error. */
    SWD_FAULTS = RECOVERABLE_END,
    SWD_NOBODY,
    UNPLUGGED, /* the probe is unplugged: this answer and all further answers are lost */
    USELESS,   /* the host can no longer use the device */
    DAP_TROUBLES
};

struct dap_probe {
    struct fake_target target;
    struct cmsis_dap dap;
    struct jlink_front jlink; /* instead of `dap`: see dap_probe_init_jlink() */
    bool is_jlink;
    struct usb_probe probe;
    enum dap_trouble trouble;
    unsigned trouble_at, trouble_count; /* number of the first faulty answer, and how many answers are faulty */
    unsigned answers, commands;         /* number of answers and commands so far */
    unsigned places;                    /* number of answers that may be pending */
    unsigned under_way_max;
    uint64_t now_us;    /* the pipe's clock */
    uint64_t answer_us; /* time from the host's wait until the answer arrives */
    uint64_t due_us;    /* arrival time of the next answer; 0: the host does not wait for it yet */
    unsigned waiting;   /* number of commands that must wait because the probe has no room */
    struct {
        uint8_t bytes[DAP_SEND_BYTES_MAX];
        size_t length;
    } commands_waiting[DAP_IN_FLIGHT_MAX];
    bool halted, closed;
    bool again; /* the last answer arrives again */
    uint8_t last[DAP_ANSWER_BYTES_MAX];
    size_t last_bytes;
    unsigned seen[256];    /* for each command number: how many such commands were sent */
    unsigned requests[16]; /* for each register and direction: number of requests in DAP_Transfer */
};

/*
 * Returns a probe that accepts packets of packet_bytes, and queues up to `packets` of them. target: its target; NULL:
 * the usual target.
 */
struct dap_pipe dap_probe_init(struct dap_probe *probe, size_t packet_bytes, unsigned packets,
                               const struct debug_target *target);

/* Returns the same probe of version 1, with reports of packet_bytes. */
struct dap_pipe dap_probe_init_v1(struct dap_probe *probe, size_t packet_bytes, unsigned packets,
                                  const struct debug_target *target);

/* Returns the bulk endpoints of an emulated J-Link. The troubles SWD_WAITS to SWD_NOBODY have no effect on it. */
struct dap_pipe dap_probe_init_jlink(struct dap_probe *probe, const struct debug_target *target);

#endif
