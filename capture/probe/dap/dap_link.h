/* SPDX-License-Identifier: MIT */
/*
 * Commands to a CMSIS-DAP probe and their answers, in step: one after the other, or with several under way. Knows the
 * probe and nothing of the target. Everything that is sent passes dap_is_permitted().
 */
#ifndef TXTAP_CAPTURE_PROBE_DAP_DAP_LINK_H
#define TXTAP_CAPTURE_PROBE_DAP_DAP_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "probe/dap/dap_command.h"
#include "probe/dap/dap_pipe.h"

/* ---- how many are under way, and how long an answer may take ---- */

/*
 * How many commands to a probe are under way, and how long to wait for an answer. Pure: knows no clock.
 *
 * Commands under way: as many as it queues, while a self-test and each answer since
 * show them whole and in order; else one, and a pause of good answers until the next self-test. The pause gets longer
 * each time that the probe falls back soon, so that one which cannot queue commands is hardly ever tried, and one that
 * was disturbed is fast again in a second.
 *
 * Patience: four times as long as the longest of the latest answers took, so that a lost one costs little, and a slow
 * probe is not given up.
 */

#define DAP_FLIGHT_PAUSE     1000   /* answers; doubles */
#define DAP_FLIGHT_PAUSE_MAX 256000 /* minutes */
#define DAP_FLIGHT_SOON      4      /* pauses: falling back after more good answers begins with the first pause */

struct dap_flight {
    unsigned now, most; /* commands; most: that the probe queues, or txtap */
    uint32_t good;      /* answers in a row, since `now` changed or one was wrong */
    uint32_t pause;
};

/* One at a time, and at once due for a self-test if most is above 1. */
void dap_flight_init(struct dap_flight *flight, unsigned most);

/* An answer was right. */
void dap_flight_good(struct dap_flight *flight);

/* The self-test is to be made: dap_flight_begin() sends as many as possible. */
bool dap_flight_is_due(const struct dap_flight *flight);
void dap_flight_begin(struct dap_flight *flight);

/* An answer was not one to its command. */
void dap_flight_fall_back(struct dap_flight *flight);

#define DAP_PATIENCE_MS_MIN 50 /* a host, or the bus, may be busy with something else for a moment */

struct dap_patience {
    uint64_t longest_us; /* it sinks with each answer; 0: none has come yet */
};

/* At least DAP_PATIENCE_MS_MIN, and at most most_ms, which it is until the first answer has come. */
unsigned dap_patience_ms(const struct dap_patience *patience, unsigned most_ms);

/* An answer came, after that time. */
void dap_patience_answered(struct dap_patience *patience, uint64_t us);

/* None came in that time: the next one gets four times as long. */
void dap_patience_ended(struct dap_patience *patience, unsigned ms);

#define DAP_FIRMWARE_BYTES 24

struct dap_link {
    struct dap_pipe pipe;
    unsigned timeout_ms;          /* of one answer, at most */
    struct dap_patience patience; /* with transfers: commands that are given again and again */
    size_t packet_bytes;          /* that are used: of the endpoints, or less */
    struct dap_flight flight;
    unsigned khz;                      /* 0: the probe refused the clock, and uses its own */
    char firmware[DAP_FIRMWARE_BYTES]; /* the version of its protocol, as it says; or "" */
    uint8_t answer[DAP_ANSWER_BYTES_MAX];
    struct dap_packet packets[DAP_IN_FLIGHT_MAX];
};

/* The pipe stays the caller's. Asks the probe about itself, and prepares it for SWD. DAP_CONFUSED: it is no CMSIS-DAP
 * probe that has SWD. */
enum dap_result dap_link_open(struct dap_link *link, struct dap_pipe pipe, unsigned khz, unsigned timeout_ms);

/* One DAP_Transfer or DAP_TransferBlock. words may be NULL if it returns none; they stand in link->answer. */
enum dap_result dap_link_transfer(struct dap_link *link, const struct dap_packet *packet, const uint8_t **words);

/* A command that returns a status. *done may be false on success: the probe cannot. */
enum dap_result dap_link_do(struct dap_link *link, const struct dap_packet *packet, bool *done);

/* What is sent in a row, with link->flight.now commands under way. */
struct dap_row {
    void *self;
    bool (*next)(void *self, struct dap_packet *packet); /* false: all is sent */
    enum dap_result (*take)(void *self, const struct dap_packet *packet, const uint8_t *bytes, size_t length);
};

/* The first failure. After one of the target's all answers have been fetched; after others dap_out_of_step() tells. */
enum dap_result dap_link_row(struct dap_link *link, const struct dap_row *row);

/*
 * Gets in step again: gives up what is under way, and skips old answers up to that to a command which is never under
 * way else. One command is under way at a time from then on, if confused: until the next self-test.
 */
enum dap_result dap_link_step(struct dap_link *link, bool confused);

/* If it is due: whether answers come whole and in order with as many commands under way as the probe says. If so that
 * is what is done. The debug port must answer; only its DPIDR is read. */
enum dap_result dap_link_self_test(struct dap_link *link);

#endif
