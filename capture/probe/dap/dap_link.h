/* SPDX-License-Identifier: MIT */
/* Sends commands to a CMSIS-DAP probe, and matches each answer to its command. One or several commands may be under
 * way. This module knows the probe, but not the target. Each command must pass dap_is_permitted() before it is sent. */
#ifndef TXTAP_CAPTURE_PROBE_DAP_DAP_LINK_H
#define TXTAP_CAPTURE_PROBE_DAP_DAP_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "probe/dap/dap_command.h"
#include "probe/dap/dap_pipe.h"

/* ---- commands under way, and patience ---- */

/*
 * The number of commands under way to a probe, and the timeout of an answer. Pure: it knows no clock.
 *
 * Commands under way: as many as the probe can queue, as long as the answers in the self-test and since then are
 * complete and in order. After a wrong answer only one command at a time is under way until a pause is over. Then the
 * next self-test follows. The pause is a number of good answers, and doubles if the probe fails again soon. So a probe
 * that cannot queue commands is rarely tested, and a probe that was only disturbed is fast again within a second.
 *
 * Patience: four times the longest recent answer time. So a lost answer costs little time, and a slow probe has enough
 * time.
 */

#define DAP_FLIGHT_PAUSE     1000   /* first length of a pause, in good answers; it doubles */
#define DAP_FLIGHT_PAUSE_MAX 256000 /* longest pause, in good answers: some minutes */
/* number of pauses: a wrong answer before this time doubles the pause, and a later wrong answer resets it */
#define DAP_FLIGHT_SOON 4

struct dap_flight {
    unsigned now, most; /* numbers of commands; `most` is the limit of the probe's queue, or txtap's limit */
    uint32_t good;      /* answers in a row since `now` changed or an answer was wrong */
    uint32_t pause;
};

/* Begins with one command at a time. If `most` is above 1, the self-test is due at once. */
void dap_flight_init(struct dap_flight *flight, unsigned most);

/* Notes a right answer. */
void dap_flight_good(struct dap_flight *flight);

/* Returns true if the self-test is due; dap_flight_begin() then allows as many commands as possible. */
bool dap_flight_is_due(const struct dap_flight *flight);
void dap_flight_begin(struct dap_flight *flight);

/* Notes that an answer did not belong to its command. */
void dap_flight_fall_back(struct dap_flight *flight);

#define DAP_PATIENCE_MS_MIN 50 /* least timeout, because the host or the bus may be busy for a moment */

struct dap_patience {
    uint64_t longest_us; /* longest answer time, which decreases slowly with each answer; 0: no answer yet */
};

/* Returns the timeout: at least DAP_PATIENCE_MS_MIN and at most most_ms. Before the first answer, it is most_ms. */
unsigned dap_patience_ms(const struct dap_patience *patience, unsigned most_ms);

/* Notes an answer that took `us` microseconds. */
void dap_patience_answered(struct dap_patience *patience, uint64_t us);

/* Notes that no answer arrived within `ms`: the timeout of the next answer is four times as long. */
void dap_patience_ended(struct dap_patience *patience, unsigned ms);

#define DAP_FIRMWARE_BYTES 24

struct dap_link {
    struct dap_pipe pipe;
    unsigned timeout_ms;          /* longest wait for one answer */
    struct dap_patience patience; /* used for transfers, which are repeated often */
    size_t packet_bytes;          /* packet size in use: at most the endpoints' size */
    struct dap_flight flight;
    unsigned khz;                      /* 0: the probe refused to set its clock, and uses its own */
    char firmware[DAP_FIRMWARE_BYTES]; /* version of its protocol, as the probe reports it; or "" */
    uint8_t last_command;              /* number of the command that was sent last */
    size_t last_requests;              /* number of requests of this command; 0: not a transfer */
    uint8_t answer[DAP_ANSWER_BYTES_MAX];
    struct dap_packet packets[DAP_IN_FLIGHT_MAX];
    struct dap_packet next; /* packet of a row that waits for a separating transfer */
};

/* Asks the probe about itself, and prepares it for SWD. The caller owns the pipe. DAP_CONFUSED: not a CMSIS-DAP probe
 * with SWD. */
enum dap_result dap_link_open(struct dap_link *link, struct dap_pipe pipe, unsigned khz, unsigned timeout_ms);

/*
 * Does one DAP_Transfer or DAP_TransferBlock. *words points into link->answer; words may be NULL if none are returned.
 */
enum dap_result dap_link_transfer(struct dap_link *link, const struct dap_packet *packet, const uint8_t **words);

/* Does a command that returns a status. *done may be false on success: the probe cannot do the command. */
enum dap_result dap_link_do(struct dap_link *link, const struct dap_packet *packet, bool *done);

/* Packets to send in a row, with link->flight.now commands under way. */
struct dap_row {
    void *self;
    bool (*next)(void *self, struct dap_packet *packet); /* false: no more packets */
    enum dap_result (*take)(void *self, const struct dap_packet *packet, const uint8_t *bytes, size_t length);
};

/* Sends the packets of a row, and takes the answers. Returns the first failure. If the target caused this failure, all
 * answers were received. For other failures see dap_out_of_step(). */
enum dap_result dap_link_row(struct dap_link *link, const struct dap_row *row);

/*
 * Gets in step again. First gives up the commands under way. Then sends a command that is otherwise never under way,
 * and skips all answers before the answer to this command. If `confused` is true, only one command at a time is sent
 * from then until the next self-test.
 */
enum dap_result dap_link_step(struct dap_link *link, bool confused);

/*
 * Does the self-test if it is due: sends as many commands as the probe can queue, and checks that the answers are
 * complete and in order. If they are, this number of commands is used from then on. The debug port must answer; the
 * test reads only its DPIDR.
 */
enum dap_result dap_link_self_test(struct dap_link *link);

#endif
