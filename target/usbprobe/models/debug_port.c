/* SPDX-License-Identifier: MIT */
/* A debug port with one MEM-AP. */
#include "debug_port.h"
#include "bits.h"

#include <string.h>

enum { DP_IDR_ABORT = 0x0, DP_CONTROL = 0x4, DP_SELECT_RESEND = 0x8, DP_READ_BUFFER = 0xC };
enum {
    AP_CSW = 0x00,
    AP_TAR = 0x04,
    AP_DATA = 0x0C,
    AP_BANKED = 0x10,
    AP_BANKED_LAST = 0x1C,
    AP_BASE = 0xF8,
    AP_IDR = 0xFC
};

#define DP_IDR_VALUE      0x2BA01477u /* SW-DP of an STM32F4 */
#define DP_IDR_MULTIDROP  0x0BC12477u /* multidrop SW-DP of an RP2040 */
#define AP_IDR_VALUE      0x24770011u /* AHB-AP of an STM32F4 */
#define AP_BASE_VALUE     0xE00FF003u
#define CONTROL_WRITABLE  0x50000F1Du
#define POWER_REQUESTS    0x50000000u /* CDBGPWRUPREQ, CSYSPWRUPREQ; their acknowledges are one bit higher */
#define DEBUG_POWER       0x10000000u
#define STICKY_ERROR      0x20u
#define ABORT_CLEAR_ERROR 0x04u
#define CSW_ENABLED       0x40u
#define CSW_INCREMENT     0x30u
#define CSW_PACKED        0x20u
#define WRAPS             4096u
#define BLOCK_WORDS       256
#define BANK_DLPIDR       3
#define INSTANCE          0xF0000000u
#define SWD_PROTOCOL_2    1u

void debug_port_init(struct debug_port *port, const struct debug_target *target)
{
    *port = (struct debug_port){.target = *target, .csw = CSW_ENABLED | 2};
}

void debug_port_line_reset(struct debug_port *port)
{
    port->state = PORT_RESET;
    port->selected = port->target.select == 0;
    port->select = 0;
    port->target.connect(port->target.self);
}

void debug_port_select_target(struct debug_port *port, uint32_t value)
{
    if (port->state == PORT_RESET)
        port->selected = port->target.select == 0 || value == port->target.select;
}

/* Notes a failed access through the AP. A bus fault sets the sticky error; a fault of the wire does not. */
static enum swd_ack note_fault(struct debug_port *port, enum swd_ack ack)
{
    if (ack == SWD_FAULT)
        port->sticky_error = true;
    return ack;
}

/* Returns a mask with the address bits that change when TAR increments. */
static uint32_t wrap_mask(const struct debug_port *port)
{
    return (port->target.wraps ? port->target.wraps : WRAPS) - 1;
}

static void advance(struct debug_port *port, uint32_t bytes)
{
    uint32_t mask = wrap_mask(port);
    if (port->csw & CSW_INCREMENT)
        port->tar = (port->tar & ~mask) | ((port->tar + bytes) & mask);
}

/* Makes one access of the size that CSW sets. In *value, the bytes are in the lanes that the address selects. */
static enum swd_ack access_lanes(struct debug_port *port, unsigned width, uint32_t *value, bool write_it)
{
    const struct debug_target *target = &port->target;
    uint32_t shift = 8 * (port->tar & 3), mask = (width == 4 ? UINT32_MAX : (1u << 8 * width) - 1) << shift;
    uint8_t bytes[4];
    put_u32(bytes, *value >> shift);
    enum swd_ack ack = write_it ? target->write(target->self, port->tar, width, width, bytes)
                                : target->read(target->self, port->tar, width, width, bytes);
    if (ack != SWD_OK)
        return ack;
    if (!write_it)
        *value = (*value & ~mask) | (get_u32(bytes) << shift & mask);
    advance(port, width);
    return SWD_OK;
}

/* Carries out an access to DRW. This is one access to memory; with packed transfers, as many as fit into a word. */
static enum swd_ack access_data(struct debug_port *port, uint32_t *value, bool write_it)
{
    unsigned width = 1u << (port->csw & 3);
    enum swd_ack ack;
    if (width > 4 || port->tar % width)
        return SWD_FAULT;
    do
        ack = access_lanes(port, width, value, write_it);
    while (ack == SWD_OK && (port->csw & CSW_INCREMENT) == CSW_PACKED && port->tar % 4);
    return ack;
}

/* Accesses BD0 to BD3: the four words around TAR. */
static enum swd_ack access_banked(struct debug_port *port, unsigned address, uint32_t *value, bool write_it)
{
    const struct debug_target *target = &port->target;
    uint32_t at = (port->tar & ~0xFu) + (address & 0xC);
    uint8_t bytes[4];
    put_u32(bytes, *value);
    enum swd_ack ack =
        write_it ? target->write(target->self, at, 4, 4, bytes) : target->read(target->self, at, 4, 4, bytes);
    if (ack == SWD_OK && !write_it)
        *value = get_u32(bytes);
    return ack;
}

static enum swd_ack read_ap(struct debug_port *port, unsigned address, uint32_t *value)
{
    *value = 0;
    if (port->select >> 24 != port->target.access_port) /* no such AP: its registers read as zero */
        return SWD_OK;
    switch (address) {
    case AP_CSW:
        *value = port->csw;
        return SWD_OK;
    case AP_TAR:
        *value = port->tar;
        return SWD_OK;
    case AP_DATA:
        return access_data(port, value, false);
    case AP_BASE:
        *value = AP_BASE_VALUE;
        return SWD_OK;
    case AP_IDR:
        *value = port->target.idr ? port->target.idr : AP_IDR_VALUE;
        return SWD_OK;
    default:
        break;
    }
    return address < AP_BANKED || address > AP_BANKED_LAST ? SWD_OK : access_banked(port, address, value, false);
}

static enum swd_ack write_ap(struct debug_port *port, unsigned address, uint32_t value)
{
    if (port->select >> 24 != port->target.access_port) {
        port->writes_elsewhere++;
        return SWD_OK;
    }
    if (address == AP_CSW)
        port->csw = (value & ~0xC0u) | CSW_ENABLED;
    else if (address == AP_TAR)
        port->tar = value;
    else if (address == AP_DATA)
        return access_data(port, &value, true);
    else if (address >= AP_BANKED && address <= AP_BANKED_LAST)
        return access_banked(port, address, &value, true);
    return SWD_OK;
}

static uint32_t power_acknowledges(const struct debug_port *port)
{
    return port->target.no_power ? 0 : (port->control & POWER_REQUESTS) << 1;
}

static bool has_power(const struct debug_port *port)
{
    return (power_acknowledges(port) & DEBUG_POWER << 1) != 0;
}

static uint32_t read_dp(struct debug_port *port, unsigned address)
{
    switch (address) {
    case DP_IDR_ABORT:
        return port->target.dpidr ? port->target.dpidr : port->target.select ? DP_IDR_MULTIDROP : DP_IDR_VALUE;
    case DP_CONTROL:
        if (port->target.select && (port->select & 0xF) == BANK_DLPIDR)
            return (port->target.select & INSTANCE) | SWD_PROTOCOL_2;
        return port->control | power_acknowledges(port) | (port->sticky_error ? STICKY_ERROR : 0);
    default: /* RESEND, RDBUFF */
        return port->last_read;
    }
}

static void write_dp(struct debug_port *port, unsigned address, uint32_t value)
{
    if (address == DP_IDR_ABORT)
        port->sticky_error = port->sticky_error && !(value & ABORT_CLEAR_ERROR);
    else if (address == DP_CONTROL && (port->select & 0xF) == 0)
        port->control = value & CONTROL_WRITABLE;
    else if (address == DP_SELECT_RESEND)
        port->select = value;
}

/* Returns SWD_FAULT if the AP cannot be reached: without power, or while the sticky error is set. */
static enum swd_ack check_ap(struct debug_port *port)
{
    if (!has_power(port))
        port->sticky_error = true;
    return port->sticky_error ? SWD_FAULT : SWD_OK;
}

static unsigned ap_address(const struct debug_port *port, unsigned reg)
{
    return (port->select & 0xF0) | (reg & PORT_ADDRESS);
}

enum swd_ack debug_port_read(struct debug_port *port, unsigned reg, uint32_t *value)
{
    unsigned address = reg & PORT_ADDRESS;
    bool identifies = !(reg & PORT_AP) && address == DP_IDR_ABORT;
    if (port->state == PORT_SILENT || (port->state == PORT_RESET && !(identifies && port->selected)))
        return SWD_SILENT;
    if (!(reg & PORT_AP)) {
        if (port->sticky_error && (address == DP_SELECT_RESEND || address == DP_READ_BUFFER))
            return SWD_FAULT;
        port->state = PORT_OPEN;
        *value = read_dp(port, address);
        return SWD_OK;
    }
    enum swd_ack ack = check_ap(port);
    if (ack == SWD_OK)
        ack = note_fault(port, read_ap(port, ap_address(port, reg), value));
    if (ack == SWD_OK)
        port->last_read = *value;
    return ack;
}

enum swd_ack debug_port_write(struct debug_port *port, unsigned reg, uint32_t value)
{
    unsigned address = reg & PORT_ADDRESS;
    if (port->state != PORT_OPEN)
        return SWD_SILENT;
    if (!(reg & PORT_AP)) {
        if (port->sticky_error && address != DP_IDR_ABORT)
            return SWD_FAULT;
        write_dp(port, address, value);
        return SWD_OK;
    }
    enum swd_ack ack = check_ap(port);
    return ack == SWD_OK ? note_fault(port, write_ap(port, ap_address(port, reg), value)) : ack;
}

/* Returns how many of the next `count` reads of DRW one access to consecutive words can replace; 0: no read. */
static size_t block_words(const struct debug_port *port, size_t count)
{
    size_t until_wrap = (wrap_mask(port) + 1 - (port->tar & wrap_mask(port))) / 4;
    if (port->select >> 24 != port->target.access_port || ap_address(port, PORT_DATA) != AP_DATA ||
        (port->csw & 7) != 2 || !(port->csw & CSW_INCREMENT) || port->tar % 4)
        return 0;
    return count < until_wrap ? count : until_wrap;
}

static enum swd_ack read_block(struct debug_port *port, uint32_t *values, size_t words)
{
    uint8_t bytes[4 * BLOCK_WORDS];
    enum swd_ack ack = note_fault(port, port->target.read(port->target.self, port->tar, 4, 4 * words, bytes));
    if (ack != SWD_OK)
        return ack;
    for (size_t i = 0; i < words; i++)
        values[i] = get_u32(bytes + 4 * i);
    port->last_read = values[words - 1];
    advance(port, (uint32_t)(4 * words));
    return SWD_OK;
}

enum swd_ack debug_port_read_data(struct debug_port *port, uint32_t *values, size_t count, size_t *done)
{
    enum swd_ack ack = SWD_OK;
    for (*done = 0; *done < count && ack == SWD_OK;) {
        bool open = port->state == PORT_OPEN && !port->sticky_error && has_power(port);
        size_t words = open ? block_words(port, count - *done) : 0;
        if (words > 1) {
            ack = read_block(port, values + *done, words);
        } else {
            words = 1;
            ack = debug_port_read(port, PORT_DATA | PORT_READ, &values[*done]);
        }
        if (ack == SWD_OK)
            *done += words;
    }
    return ack;
}
