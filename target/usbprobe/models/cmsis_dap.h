/* SPDX-License-Identifier: MIT */
/*
 * A CMSIS-DAP probe: each transfer is one command and gets one answer. It drives a debug port. Version 1 (a HID device)
 * pads each answer to a whole report, with bytes of earlier answers. SWD only: no JTAG, no SWO, no time stamps. Source:
 * ARM's CMSIS-DAP 2.1.0 documentation of its commands.
 */
#ifndef USBPROBE_CMSIS_DAP_H
#define USBPROBE_CMSIS_DAP_H

#include "debug_port.h"
#include "usb_probe.h"

#define CMSIS_DAP_PACKET_MAX 1024

struct cmsis_dap {
    const struct usb_identity *identity;
    struct debug_port port;
    size_t packet_bytes; /* length of the longest command and of the longest answer */
    unsigned packets_max;
    uint16_t wait_retries, match_retries;
    uint32_t match_mask;
    unsigned ones; /* number of clocks in a row with the data line high */
    bool reset_high;
    uint8_t report[CMSIS_DAP_PACKET_MAX]; /* the latest report of version 1 */
    uint64_t commands[256];               /* number of commands so far, by command number */
    uint64_t requests[256];               /* number of transfers by request, as in DAP_Transfer; a block counts once */
};

/* Writes the counts so far: "00:4 02:1 05:7 | 02:1 0f:99". Each pair is a number and its count: first the commands,
 * then the requests. Drops counts that do not fit. */
void cmsis_dap_list(const struct cmsis_dap *dap, char *text, size_t text_bytes);

/*
 * Returns a model of the probe. packet_bytes is 64 to CMSIS_DAP_PACKET_MAX, packets_max 1 to USB_ANSWERS_MAX. The model
 * stalls at a transfer longer than a packet. It answers an unknown command, and a command that ends too early, with the
 * byte 0xFF. If a list ends too early, its complete steps are carried out. Transfers whose answer does not fit into a
 * packet are refused as a protocol error.
 */
struct probe_model cmsis_dap_init(struct cmsis_dap *dap, const struct usb_identity *identity,
                                  const struct debug_target *target, size_t packet_bytes, unsigned packets_max);

/* The unread part of a command, and the free part of its answer; used by the files of this model. */
struct dap_reader {
    const uint8_t *at;
    size_t left;
    bool too_short; /* the command ended before a field that was read */
};
struct dap_writer {
    uint8_t *at;
    size_t left;
};

uint8_t dap_take_u8(struct dap_reader *reader);
uint16_t dap_take_u16(struct dap_reader *reader);
uint32_t dap_take_u32(struct dap_reader *reader);
void dap_put_u8(struct dap_writer *writer, unsigned value);
void dap_put_u32(struct dap_writer *writer, uint32_t value);

/* Carry out DAP_Transfer and DAP_TransferBlock, from the byte after the command's number. */
void dap_transfer(struct cmsis_dap *dap, struct dap_reader *reader, struct dap_writer *writer);
void dap_transfer_block(struct cmsis_dap *dap, struct dap_reader *reader, struct dap_writer *writer);

#endif
