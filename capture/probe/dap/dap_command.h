/* SPDX-License-Identifier: MIT */
/* Makes the bytes of each command to a CMSIS-DAP probe, and parses the answers. Pure. No function makes a write to DRW,
 * or to a register that dap_permitted.def does not list. Source: ARM, CMSIS-DAP 2.1, "Commands". */
#ifndef TXTAP_CAPTURE_PROBE_DAP_DAP_COMMAND_H
#define TXTAP_CAPTURE_PROBE_DAP_DAP_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/dap/dap_permitted.h"
#include "probe/dap/dap_pipe.h"

/* The first byte of a command, and of its answer. */
enum dap_number {
    DAP_DO_INFO = 0x00,
    DAP_DO_CONNECT = 0x02,
    DAP_DO_DISCONNECT = 0x03,
    DAP_DO_TRANSFER_CONFIGURE = 0x04,
    DAP_DO_TRANSFER = 0x05,
    DAP_DO_TRANSFER_BLOCK = 0x06,
    DAP_DO_WRITE_ABORT = 0x08,
    DAP_DO_SWJ_CLOCK = 0x11,
    DAP_DO_SWJ_SEQUENCE = 0x12,
    DAP_DO_SWD_CONFIGURE = 0x13,
    DAP_DO_SWD_SEQUENCE = 0x1D
};

/* A command, and the numbers that its answer must match. */
struct dap_packet {
    uint8_t bytes[DAP_PACKET_BYTES_MAX];
    size_t length;
    size_t requests; /* number of requests in DAP_Transfer or DAP_TransferBlock */
    size_t words;    /* number of words that these requests return */
    bool separates;  /* dap_link.c sends it only to tell two other transfers apart */
};

enum dap_info { DAP_FIRMWARE = 0x04, DAP_CAPABILITIES = 0xF0, DAP_PACKET_COUNT = 0xFE, DAP_PACKET_SIZE = 0xFF };

void dap_make_info(struct dap_packet *packet, enum dap_info what);
void dap_make_connect(struct dap_packet *packet);
void dap_make_disconnect(struct dap_packet *packet);
void dap_make_clock(struct dap_packet *packet, uint32_t hz);
void dap_make_transfer_configure(struct dap_packet *packet, uint16_t wait_retries);
void dap_make_swd_configure(struct dap_packet *packet);
void dap_make_sequence(struct dap_packet *packet, enum dap_sequence which);
void dap_make_target_select(struct dap_packet *packet, uint32_t value);
/* Clears the error bits of the debug port. If `hangs` is true, also aborts an access to which the target answers
 * WAIT. */
void dap_make_abort(struct dap_packet *packet, bool hangs);

/* ---- transfers: begin, then add requests in order ---- */

enum dap_bank { DAP_BANK_CONTROL = 0x00, DAP_BANK_IDENTITY = 0xF0 };
enum dap_register { DAP_DPIDR = 0x02, DAP_CTRL_STAT = 0x06, DAP_CSW_NOW = 0x03, DAP_TAR_NOW = 0x07, DAP_DATA = 0x0F };

#define DAP_TRANSFERS_MAX 255 /* requests in one packet */

void dap_make_transfer(struct dap_packet *packet);
void dap_add_read(struct dap_packet *packet, enum dap_register what, size_t count);
void dap_add_power(struct dap_packet *packet, uint32_t requests); /* 0 to DAP_POWER */
void dap_add_select(struct dap_packet *packet, uint8_t access_port, enum dap_bank bank);
void dap_add_select_link(struct dap_packet *packet); /* selects bank 3 of the debug port: DLPIDR instead of CTRL/STAT */
void dap_add_csw(struct dap_packet *packet);
void dap_add_tar(struct dap_packet *packet, uint32_t address);

/* Reads DRW `count` times. */
void dap_make_block(struct dap_packet *packet, uint16_t count);

/* ---- answers ---- */

/* Returns the length without padding of a padded answer that belongs to this packet. If the bytes do not belong to the
 * packet, the functions below notice it. */
size_t dap_unpadded(const struct dap_packet *packet, const uint8_t *bytes, size_t length);

/* Takes the answer to a transfer. DAP_OK: *words points to packet->words little-endian words inside `bytes`.
 * DAP_CONFUSED: the bytes are not the answer to this packet. */
enum dap_result dap_take_transfer(const struct dap_packet *packet, const uint8_t *bytes, size_t length,
                                  const uint8_t **words);
/* Gets the payload of an answer to DAP_Info. DAP_CONFUSED: the bytes are not such an answer. */
enum dap_result dap_take_info(const uint8_t *bytes, size_t length, const uint8_t **payload, size_t *payload_bytes);
/* Parses the answer to a command that returns a status. *done: the probe did the command. */
enum dap_result dap_take_status(const struct dap_packet *packet, const uint8_t *bytes, size_t length, bool *done);

uint32_t dap_word(const uint8_t bytes[4]);

#endif
