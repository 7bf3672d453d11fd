/* SPDX-License-Identifier: MIT */
/*
 * The state of the target apart from its trace buffer, from the firmware's variables and the server. Judges a series of
 * such states: was the target reset, does it record into another buffer, does other firmware run? It does no I/O: the
 * caller gives states and times.
 */
#ifndef TXTAP_CAPTURE_STREAM_TARGET_STATE_H
#define TXTAP_CAPTURE_STREAM_TARGET_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "probe/core_state.h"

struct target_state {
    bool silent;     /* set by the caller: nothing was written since the last check */
    bool wants_core; /* set by the caller; false: do not read `core` */
    enum core_state core;
    bool enabled;        /* the firmware records events */
    bool moved;          /* the firmware now records into another buffer */
    bool flashed;        /* the ELF file has changed and moved its trace buffer; checked only if `silent` is true */
    bool flashed_surely; /* `flashed` is true, and the target runs the new code */
    bool has_uptime;
    /* the kernel's ticks: a count that only grows between two resets, and grows evenly except in sleep */
    uint32_t uptime;
};

/* Says why a core that does not run writes no events. NULL: the core runs, or its state is unknown. */
const char *core_state_text(enum core_state core);

/* A read happened at some moment between from_us and to_us. The window may be wide, because the host may have been
 * busy. */
struct target_window {
    uint64_t from_us, to_us;
};

/* All zero: no state noted yet. */
struct target_history {
    bool known;                                 /* `first` and `last` are valid */
    uint32_t first, last;                       /* the first and the last count of the uptime */
    struct target_window first_read, last_read; /* when these two counts were read */
    uint64_t moving_us; /* since when the firmware has used another buffer; 0: it uses the same buffer */
};

/* Notes the next count. If it is below the last count, the history begins again with it. */
void target_history_note_uptime(struct target_history *history, const struct target_state *target,
                                const struct target_window *read);

/* Notes since when the firmware has recorded into another buffer. */
void target_history_note_place(struct target_history *history, const struct target_state *target,
                               const struct target_window *read);

enum uptime_verdict { UPTIME_SAME, UPTIME_RESET, UPTIME_UNKNOWN };

/* Judges whether the target has run without a reset since the noted states. */
enum uptime_verdict target_history_judge(const struct target_history *history, const struct target_state *target,
                                         const struct target_window *read);

/* Returns the reason why the trace buffer must be located again; NULL: no reason. */
const char *target_history_reason_to_locate(const struct target_history *history, const struct target_state *target,
                                            const struct target_window *read, uint64_t now_us);

#endif
