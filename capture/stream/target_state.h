/* SPDX-License-Identifier: MIT */
/*
 * What the firmware's variables and the server say of the target, beside its trace buffer, and what follows from a
 * series of such states: was it reset, does it record elsewhere, does other firmware run? Asks nobody: states and times
 * are given.
 */
#ifndef TXTAP_CAPTURE_STREAM_TARGET_STATE_H
#define TXTAP_CAPTURE_STREAM_TARGET_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "probe/core_state.h"

struct target_state {
    bool silent;     /* set by the caller: nothing was written since the last check */
    bool wants_core; /* set by the caller: false leaves core out */
    enum core_state core;
    bool enabled;        /* the firmware records events */
    bool moved;          /* it records them into another buffer now */
    bool flashed;        /* checked only if silent: the ELF file has changed, and its trace buffer is elsewhere */
    bool flashed_surely; /* and the target runs the new code */
    bool has_uptime;
    uint32_t uptime; /* a count that only grows between two resets, evenly but for sleep: the kernel's ticks */
};

/* What a core that does not run means for the events; NULL for one that runs, or whose state is unknown. */
const char *core_state_text(enum core_state core);

/* A state was read at some moment from from_us to to_us. The host may have been busy in between. */
struct target_window {
    uint64_t from_us, to_us;
};

/* All zero: no state was noted yet. */
struct target_history {
    bool known;                                 /* a count of the uptime was noted */
    uint32_t first, last;                       /* the first count and the last one */
    struct target_window first_read, last_read; /* when these counts were read */
    uint64_t moving_us;                         /* since when the firmware records elsewhere; 0: it does not */
};

/* The next count. A count that is below the last begins a new record. */
void target_history_note_uptime(struct target_history *history, const struct target_state *target,
                                const struct target_window *read);

/* Notes since when the firmware has recorded elsewhere. */
void target_history_note_place(struct target_history *history, const struct target_state *target,
                               const struct target_window *read);

enum uptime_verdict { UPTIME_SAME, UPTIME_RESET, UPTIME_UNKNOWN };

/* Is this state of the same life of the target as those noted, or was the target reset? */
enum uptime_verdict target_history_judge(const struct target_history *history, const struct target_state *target,
                                         const struct target_window *read);

/* Why the trace buffer has to be located again; NULL: it has not. */
const char *target_history_reason_to_locate(const struct target_history *history, const struct target_state *target,
                                            const struct target_window *read, uint64_t now_us);

#endif
