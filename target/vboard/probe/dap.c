/* SPDX-License-Identifier: MIT */
/* The commands that address debug port and access port. */
#include "dap.h"
#include "bits.h"

#include <string.h>

#define PORT_DEBUG 0xFFFFu

enum { DP_IDR = 0x0, DP_CTRL_STAT = 0x4, DP_SELECT = 0x8 };
enum {
    AP_CSW = 0x00,
    AP_TAR = 0x04,
    AP_DRW = 0x0C,
    AP_BANKED = 0x10,
    AP_BANKED_LAST = 0x1C,
    AP_BASE = 0xF8,
    AP_IDR = 0xFC
};
enum { MISC_ADDRESS = 1, MISC_WRITE = 2, MISC_READ = 3, MISC_AP = 5 };

#define AHB_AP_IDR  0x24770011u
#define ROM_TABLE   0xE00FF003u
#define CSW_DEFAULT 0x23000040u
/* Only the lower 12 bits of the address increment. No register has this number: OpenOCD derives it from the CPUID of a
 * Cortex-M3 or M4. */
#define TAR_WRAPS     0xFFFu
#define POWER_REQUEST 0x50000000u /* CDBGPWRUPREQ, CSYSPWRUPREQ; their acknowledges are one bit higher */

/* Makes an access of the size that CSW selects, at TAR, which is incremented if CSW says so. */
static bool through_data_register(struct stlink *link, uint32_t *value, bool write_it)
{
    unsigned width = 1u << (link->ap_csw & 3);
    uint32_t shift = 8 * (link->ap_tar & 3);
    uint8_t bytes[4] = {0};
    if (width > 4 || link->ap_tar % width)
        return false;
    put_u32(bytes, *value >> shift);
    bool done = write_it ? board_write(link->board, link->ap_tar, width, width, false, bytes)
                         : board_read(link->board, link->ap_tar, width, width, false, bytes);
    if (!write_it)
        *value = get_u32(bytes) << shift;
    if (done && (link->ap_csw & 0x30))
        link->ap_tar = (link->ap_tar & ~TAR_WRAPS) | ((link->ap_tar + width) & TAR_WRAPS);
    return done;
}

static uint32_t read_debug_port(const struct stlink *link, unsigned address)
{
    switch (address & 0xF) {
    case DP_IDR:
        return DAP_IDCODE;
    case DP_CTRL_STAT:
        return link->dap_control | (link->dap_control & POWER_REQUEST) << 1;
    case DP_SELECT:
        return link->dap_select;
    default:
        return 0;
    }
}

static bool read_access_port(struct stlink *link, unsigned address, uint32_t *value)
{
    uint8_t word[4];
    switch (address) {
    case AP_CSW:
        *value = link->ap_csw;
        return true;
    case AP_TAR:
        *value = link->ap_tar;
        return true;
    case AP_DRW:
        return through_data_register(link, value, false);
    case AP_BASE:
        *value = ROM_TABLE;
        return true;
    case AP_IDR:
        *value = AHB_AP_IDR;
        return true;
    default:
        break;
    }
    if (address < AP_BANKED || address > AP_BANKED_LAST)
        return true;
    if (!board_read(link->board, (link->ap_tar & ~0xFu) + (address & 0xC), 4, 4, false, word))
        return false;
    *value = get_u32(word);
    return true;
}

void dap_read_register(const struct stlink_exchange *exchange)
{
    struct stlink *link = exchange->link;
    unsigned port = get_u16(exchange->command + 2), address = get_u16(exchange->command + 4);
    uint32_t value = 0;
    bool good = true;
    if (port == PORT_DEBUG)
        value = read_debug_port(link, address);
    else if (port == 0)
        good = read_access_port(link, address, &value);
    wire_transfer(&link->board->wire, 1);
    /* Registers of access ports other than 0 read as zero, because these ports do not exist. */
    exchange->reply[0] = good ? STLINK_OK : STLINK_AP_FAULT;
    put_u32(exchange->reply + 4, value);
}

static bool write_access_port(struct stlink *link, unsigned address, uint32_t value)
{
    uint8_t word[4];
    put_u32(word, value);
    switch (address) {
    case AP_CSW:
        link->ap_csw = (value & ~0xC0u) | 0x40;
        return true;
    case AP_TAR:
        link->ap_tar = value;
        return true;
    case AP_DRW:
        return through_data_register(link, &value, true);
    default:
        break;
    }
    return address < AP_BANKED || address > AP_BANKED_LAST ||
           board_write(link->board, (link->ap_tar & ~0xFu) + (address & 0xC), 4, 4, false, word);
}

void dap_write_register(const struct stlink_exchange *exchange)
{
    struct stlink *link = exchange->link;
    unsigned port = get_u16(exchange->command + 2), address = get_u16(exchange->command + 4);
    uint32_t value = get_u32(exchange->command + 6);
    bool good = true;
    if (port == 0)
        good = write_access_port(link, address, value);
    else if (port != PORT_DEBUG)
        good = false;
    else if ((address & 0xF) == DP_CTRL_STAT)
        link->dap_control = value & POWER_REQUEST;
    else if ((address & 0xF) == DP_SELECT)
        link->dap_select = value;
    wire_transfer(&link->board->wire, 1);
    exchange->reply[0] = good ? STLINK_OK : STLINK_AP_FAULT;
}

/* Carries out one step of a list: sets the address, or reads or writes a word and increments the address. */
static bool misc_step(struct stlink *link, unsigned operation, uint32_t argument, uint32_t *address, uint32_t *value)
{
    uint8_t word[4];
    switch (operation) {
    case MISC_AP:
        return argument == 0;
    case MISC_ADDRESS:
        *address = argument;
        return true;
    case MISC_WRITE:
        put_u32(word, argument);
        *address += 4;
        return *address % 4 == 0 && board_write(link->board, *address - 4, 4, 4, false, word);
    case MISC_READ:
        *address = argument + 4;
        if (argument % 4 || !board_read(link->board, argument, 4, 4, false, word))
            return false;
        *value = get_u32(word);
        return true;
    default:
        return false;
    }
}

void dap_misc_out(const struct stlink_exchange *exchange)
{
    struct stlink *link = exchange->link;
    uint32_t count = get_u32(exchange->command + 2);
    uint32_t address = 0;
    link->misc_count = 0;
    /* operations, one byte each and padded to words, then their arguments */
    if (count > STLINK_MISC_MAX || exchange->data_length < ((count + 3) & ~3u) + 4 * count)
        return;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t argument = get_u32(exchange->data + ((count + 3) & ~3u) + 4 * i);
        link->misc_values[i] = 0;
        link->board->access_status = STLINK_AP_FAULT; /* status of a step that makes no access */
        bool good = misc_step(link, exchange->data[i], argument, &address, &link->misc_values[i]);
        link->misc_errors[i] = good ? STLINK_OK : link->board->access_status;
    }
    link->misc_count = count;
}

void dap_misc_in(const struct stlink_exchange *exchange)
{
    const struct stlink *link = exchange->link;
    for (uint32_t i = 0; i < link->misc_count; i++) {
        put_u32(exchange->reply + 4 * i, link->misc_values[i]);
        put_u32(exchange->reply + 4 * (link->misc_count + i), link->misc_errors[i]);
    }
}
