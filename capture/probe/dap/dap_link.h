/* SPDX-License-Identifier: MIT */
/*
 * Commands to a CMSIS-DAP probe and their answers, in step: one after the other, or with several under way. Knows the
 * probe and nothing of the target. Everything that is sent passes dap_is_permitted().
 */
#ifndef TXTAP_CAPTURE_PROBE_DAP_DAP_LINK_H
#define TXTAP_CAPTURE_PROBE_DAP_DAP_LINK_H

#include <stdbool.h>

#include "probe/dap/dap_command.h"
#include "probe/dap/dap_pace.h"
#include "probe/dap/dap_pipe.h"

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

/* One command. On success its answer is in link->answer, and *length says how long it is. */
enum dap_result dap_link_ask(struct dap_link *link, const struct dap_packet *packet, size_t *length);

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
