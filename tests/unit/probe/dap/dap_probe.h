/* SPDX-License-Identifier: MIT */
/* An emulated CMSIS-DAP probe as a pipe, without USB: its n-th answer can go wrong in any way. */
#ifndef TXTAP_TESTS_DAP_PROBE_H
#define TXTAP_TESTS_DAP_PROBE_H

#include "cmsis_dap.h"
#include "usbprobe/fake_target.h"
#include "probe/dap/dap_pipe.h"

/* What happens to an answer. */
enum dap_trouble {
    NO_TROUBLE,
    /* txtap must get over these by itself */
    LOST,      /* it never comes */
    LATE,      /* it comes when nobody waits for it any more */
    HALTED_IN, /* it is lost, and the endpoint halts */
    CUT,       /* half of it comes */
    INVERTED,  /* its first byte is wrong */
    TWICE,     /* it comes again in front of the next one */
    MERGED,    /* the next one comes with it */
    REPLACED,  /* the one before comes instead of it */
    SWD_WAITS, /* instead of data: the target's answers */
    SWD_PARITY_ERROR,
    RECOVERABLE_END,
    /* these may end in an error */
    SWD_FAULTS = RECOVERABLE_END,
    SWD_NOBODY,
    UNPLUGGED, /* and so are all further ones */
    USELESS,   /* the host cannot use the device any more */
    DAP_TROUBLES
};

struct dap_probe {
    struct fake_target target;
    struct cmsis_dap dap;
    struct usb_probe probe;
    enum dap_trouble trouble;
    unsigned trouble_at, trouble_count; /* the first answer that is hit, and how many */
    unsigned answers, commands;         /* so far */
    unsigned places;                    /* for answers under way */
    unsigned under_way_max;
    uint64_t now_us;    /* the pipe's clock */
    uint64_t answer_us; /* what an answer takes, from when it is waited for */
    uint64_t due_us;    /* when the next one comes; 0: nobody has waited for it */
    unsigned waiting;   /* commands that the probe has no room for */
    struct {
        uint8_t bytes[DAP_PACKET_BYTES_MAX];
        size_t length;
    } commands_waiting[DAP_IN_FLIGHT_MAX];
    bool halted, closed;
    bool again; /* the last one comes once more */
    uint8_t last[DAP_ANSWER_BYTES_MAX];
    size_t last_bytes;
    unsigned seen[256];    /* commands, by number */
    unsigned requests[16]; /* of DAP_Transfer, by register and direction */
};

/* A probe with packets of that size, that queues so many, in front of a target as described in target, or NULL. */
struct dap_pipe dap_probe_init(struct dap_probe *probe, size_t packet_bytes, unsigned packets,
                               const struct debug_target *target);

#endif
