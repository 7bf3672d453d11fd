/* SPDX-License-Identifier: MIT */
/* The state of a board, as far as its recorder has reported it, and its forms: a table, JSON, and OpenMetrics. Pure. */
#ifndef TXTAP_CAPTURE_LAB_BOARD_STATE_H
#define TXTAP_CAPTURE_LAB_BOARD_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define BOARD_MESSAGE_BYTES 256
#define BOARD_SILENT_US     10000000 /* a board without a new event for this time is silent */

enum board_work {
    BOARD_STARTING,  /* the recorder runs, and has not reached the target yet */
    BOARD_RECORDING, /* events arrive */
    BOARD_SILENT,    /* the target can be read, but writes no events */
    BOARD_AWAY,      /* the target cannot be read, or has no trace buffer; the recorder tries again */
    BOARD_PAUSED,    /* the recorder has ended, and will be started again */
    BOARD_ENDING,    /* the recorder was asked to end */
};

/* Counts of a recorder, as in --stats-json; or their sums over several recorders. */
struct board_counts {
    uint64_t events, lost, resets, checks, faults;
};

struct board_state {
    const char *name, *store; /* borrowed */
    enum board_work work;
    uint64_t since_us;        /* since when `work` has this value: microseconds since 1970 */
    uint64_t event_us;        /* when the number of events last grew: microseconds since 1970; 0: not yet */
    uint64_t quiet_us;        /* since when no event has come: the last event, or the first report; 0: no report yet */
    double rate;              /* events per second, from the last two reports */
    double seconds;           /* duration of the present recorder at its last report */
    struct board_counts past; /* sums of the recorders that have ended */
    struct board_counts now;  /* of the present recorder */
    bool lost_exact;          /* the number of lost events is exact */
    uint64_t restarts;        /* how often the recorder was started again */
    bool ended;               /* a recorder has ended: exit_code and signal are valid */
    int exit_code, signal;    /* of the last recorder that ended; signal 0: it ended by itself */
    char message[BOARD_MESSAGE_BYTES]; /* the recorder's last message, printable; "": no message */
};

/* Returns a word: "recording", ... */
const char *board_work_text(enum board_work work);

/* Returns the sums over all recorders. */
struct board_counts board_sums(const struct board_state *state);

/*
 * Takes a line of --stats-json at the time unix_us. Returns false if the line is no such line. Other lines are
 * messages.
 */
bool board_take_line(struct board_state *state, const char *line, uint64_t unix_us);

/* Notes that the recorder of the state has ended, with a status of waitpid(). */
void board_take_end(struct board_state *state, int status, uint64_t unix_us);

/* Sets the state of the board, and the time of its begin. */
void board_set_work(struct board_state *state, enum board_work work, uint64_t unix_us);

/* Writes a table of 80 columns. now_us: microseconds since 1970. */
void boards_put_table(FILE *out, const struct board_state *const *boards, size_t count, uint64_t now_us);

/* Writes a JSON object and a line feed. store: the folder of the lab. */
void boards_put_json(FILE *out, const char *store, const struct board_state *const *boards, size_t count);

/* Writes OpenMetrics text, with its end "# EOF". */
void boards_put_metrics(FILE *out, const struct board_state *const *boards, size_t count);

#endif
