/* SPDX-License-Identifier: MIT */
/* An emulated ST-Link as a pipe, without USB and without a server. A chosen command can go wrong in any way. */
#ifndef TXTAP_TESTS_STLINK_PROBE_H
#define TXTAP_TESTS_STLINK_PROBE_H

#include "probe/stlink/stlink_pipe.h"

#define STLINK_PROBE_START 0x20000000u
#define STLINK_PROBE_BYTES 32768u
#define STLINK_PROBE_CORE  0xE000ED00u /* CPUID, and DHCSR and DEMCR in core[] */

/* What can be wrong with a command. */
enum stlink_trouble {
    NO_TROUBLE,
    /* Faults from which txtap must recover by itself. */
    LOST,      /* the answer never arrives */
    LATE,      /* the answer arrives after the host has stopped waiting */
    VERY_LATE, /* the answer arrives after the host has reset the pipe */
    HALTED,    /* the answer never arrives, and the endpoint halts */
    CUT,       /* only half of the answer arrives */
    INVERTED,  /* the status is inverted */
    WAITS,     /* the target acknowledges with WAIT */
    WRONG_PARITY,
    NOBODY, /* no target answers */
    RECOVERABLE_END,
    /* Faults that may end in an error. */
    FAULTS = RECOVERABLE_END,
    PORT_SHUT, /* the access port is not open */
    UNPLUGGED, /* this answer and all further answers are lost */
    USELESS,   /* the host can no longer use the device */
    STLINK_TROUBLES
};

/* The model of the probe, and how its target differs from the usual target. */
struct stlink_probe_kind {
    unsigned major, jtag;
    uint8_t port;        /* the access port of the memory */
    unsigned millivolts; /* 0: 3300 */
    bool served;         /* the probe is behind a server, so other programs may use it */
};

struct stlink_probe {
    struct stlink_probe_kind kind;
    uint8_t memory[STLINK_PROBE_BYTES];
    uint32_t dhcsr[2]; /* value of the first read, and of later reads */
    uint32_t demcr;
    unsigned others; /* other programs that use the probe */
    uint8_t mode;
    bool opened[256], silent; /* silent: the target does not answer */
    uint8_t status;           /* of the last read */
    uint32_t status_address;
    uint8_t list[STLINK_DATA_BYTES_MAX];
    uint32_t list_steps;
    enum stlink_trouble trouble;
    unsigned trouble_at, trouble_count; /* number of the first faulty command, and how many commands are faulty */
    unsigned commands, reads_of_dhcsr;
    unsigned seen[256];  /* debug commands by their second byte */
    unsigned first[256]; /* all commands by their first byte */
    unsigned wrong;      /* commands that the probe does not have, or that are not allowed now */
    uint64_t paused_us;
    unsigned pauses;
    bool halted, closed;
    unsigned stale_resets; /* resets after which the stale answer still arrives */
    bool stale;            /* an answer waits that nobody wanted */
    uint8_t stale_answer[STLINK_ANSWER_BYTES_MAX];
    size_t stale_bytes;
};

struct stlink_pipe stlink_probe_init(struct stlink_probe *probe, const struct stlink_probe_kind *kind);

#endif
