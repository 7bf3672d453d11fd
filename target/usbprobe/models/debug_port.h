/* SPDX-License-Identifier: MIT */
/*
 * A serial wire debug port with one MEM-AP, as a debugger drives it register by register. Implements ADIv5 (ARM IHI
 * 0031): selection, sticky error, transfer address. Knows nothing of USB.
 */
#ifndef USBPROBE_DEBUG_PORT_H
#define USBPROBE_DEBUG_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The acknowledge on the wire; the values are CMSIS-DAP's. */
enum swd_ack { SWD_OK = 1, SWD_WAIT = 2, SWD_FAULT = 4, SWD_SILENT = 7, SWD_PARITY = 8 };

/* The target of the debug port. */
struct debug_target {
    void *self;
    /*
     * Reads `length` bytes as accesses of `width` (1, 2 or 4), which divides address and length. SWD_FAULT: a bus
     * fault.
     */
    enum swd_ack (*read)(void *self, uint32_t address, unsigned width, size_t length, uint8_t *bytes);
    enum swd_ack (*write)(void *self, uint32_t address, unsigned width, size_t length, const uint8_t *bytes);
    void (*connect)(void *self);                /* enters SWD */
    void (*drive_reset)(void *self, bool high); /* drives the nRST pin */
    unsigned access_port;                       /* number of the target's MEM-AP, 0 to 255 */
    uint32_t wraps;  /* range in which the address increments, a power of 2; 0: 4096, as on Cortex-M3, M4, M7 */
    uint32_t select; /* the target's TARGETSEL value on a wire with several targets; 0: the only target */
    uint32_t dpidr;  /* DPIDR; 0: an STM32F4's, or with `select` an RP2040's. All other registers are ADIv5 */
    uint32_t idr;    /* IDR of its access port; 0: an STM32F4's */
    bool no_power;   /* requests for power are not acknowledged */
};

struct debug_port {
    struct debug_target target;
    enum { PORT_SILENT, PORT_RESET, PORT_OPEN } state; /* silent until a line reset, open after DPIDR has been read */
    bool selected;                                     /* selected by TARGETSEL, after a line reset */
    bool sticky_error;
    uint32_t select, control, last_read;
    uint32_t csw, tar;         /* registers of the MEM-AP */
    unsigned writes_elsewhere; /* number of writes to access ports that do not exist */
};

/* Bits of a register number, as in a request on the wire and in CMSIS-DAP. */
enum { PORT_AP = 1, PORT_READ = 2, PORT_ADDRESS = 0x0C };

#define PORT_DATA (PORT_AP | 0x0C) /* DRW */

void debug_port_init(struct debug_port *port, const struct debug_target *target);

/* Resets the line, by at least 50 clocks with the data line high. */
void debug_port_line_reset(struct debug_port *port);

/* Writes TARGETSEL; no target acknowledges that. */
void debug_port_select_target(struct debug_port *port, uint32_t value);

/* Read and write one register. Reading an AP register returns its value at once: the probe implements posted reads. */
enum swd_ack debug_port_read(struct debug_port *port, unsigned reg, uint32_t *value);
enum swd_ack debug_port_write(struct debug_port *port, unsigned reg, uint32_t value);

/* Reads DRW `count` times, with as few accesses to the target as possible. *done: number of reads before the first
 * answer other than SWD_OK. A failed access returns no words. */
enum swd_ack debug_port_read_data(struct debug_port *port, uint32_t *values, size_t count, size_t *done);

#endif
