/* SPDX-License-Identifier: MIT */
/* Checks a command by its bytes alone. So a bug in the code that makes commands cannot affect a target. */
#include "probe/dap/dap_permitted.h"

#include <string.h>

#define CONNECT_SWD   1
#define DRW_READ      0x0F
#define ABORT_BITS    0x1Fu
#define SELECT_BANKS  0x00FFFFFFu /* all bits except the number of the access port */
#define BANK_IDENTITY 0xF0u
#define DP_BANK_LINK  3u
#define TARGET_BYTES  11 /* length of DAP_SWD_Sequence with TARGETSEL */

/* ---- the table ---- */

#define DAP_COMMAND(number, name, why)   {false, number, #name, why},
#define DAP_REGISTER(request, name, why) {true, request, #name, why},
static const struct dap_permission rows[] = {
#include "probe/dap/dap_permitted.def"
};
#undef DAP_COMMAND
#undef DAP_REGISTER

const struct dap_permission *dap_permission(size_t index)
{
    return index < sizeof rows / sizeof *rows ? &rows[index] : NULL;
}

/* Indexed by number, because each request of each packet is looked up. */
#define DAP_COMMAND(number, name, why) [number] = true,
#define DAP_REGISTER(request, name, why)
static const bool command_has_row[256] = {
#include "probe/dap/dap_permitted.def"
};
#undef DAP_COMMAND
#undef DAP_REGISTER

#define DAP_COMMAND(number, name, why)
#define DAP_REGISTER(request, name, why) [request] = true,
static const bool register_has_row[256] = {
#include "probe/dap/dap_permitted.def"
};
#undef DAP_COMMAND
#undef DAP_REGISTER

/* ---- sequences ---- */

#define ONES_56 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF

const uint8_t *dap_sequence_bytes(enum dap_sequence which, size_t *bits)
{
    static const uint8_t line_reset[] = {ONES_56, 0x00};
    static const uint8_t jtag_to_swd[] = {ONES_56, 0x9E, 0xE7, ONES_56, 0x00};
    /* 8 ones, the selection alert, 4 zeros and the activation code of SWD, 12 ones, a line reset */
    static const uint8_t dormant_to_swd[] = {0xFF, 0x92, 0xF3, 0x09, 0x62, 0x95, 0x2D, 0x85, 0x86, 0xE9,    0xAF,
                                             0xDD, 0xE3, 0xA2, 0x0E, 0xBC, 0x19, 0xA0, 0xF1, 0xFF, ONES_56, 0x00};
    static const struct {
        const uint8_t *bytes;
        size_t length;
    } sequences[] = {
        [DAP_LINE_RESET] = {line_reset, sizeof line_reset},
        [DAP_JTAG_TO_SWD] = {jtag_to_swd, sizeof jtag_to_swd},
        [DAP_DORMANT_TO_SWD] = {dormant_to_swd, sizeof dormant_to_swd},
    };

    *bits = 8 * sequences[which].length;
    return sequences[which].bytes;
}

static bool is_known_sequence(const uint8_t *bytes, size_t length)
{
    for (enum dap_sequence which = 0; which < DAP_SEQUENCES; which++) {
        size_t bits;
        const uint8_t *known = dap_sequence_bytes(which, &bits);

        if (length == 2 + bits / 8 && bytes[1] == bits && memcmp(bytes + 2, known, bits / 8) == 0)
            return true;
    }
    return false;
}

/* ---- transfers ---- */

static uint32_t word_at(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static bool may_select(uint32_t value)
{
    uint32_t banks = value & SELECT_BANKS;

    return banks == 0 || banks == BANK_IDENTITY || value == DP_BANK_LINK;
}

static bool may_write(uint8_t request, uint32_t value)
{
    switch (request) {
    case 0x04: /* CTRL/STAT */
        return (value & ~DAP_POWER) == 0;
    case 0x08: /* SELECT */
        return may_select(value);
    case 0x01: /* CSW */
        return value == DAP_CSW;
    case 0x05: /* TAR */
        return value % 4 == 0;
    default:
        return false;
    }
}

static bool is_permitted_transfer(const uint8_t *bytes, size_t length)
{
    size_t at = 3;

    if (length < 3 || bytes[1] != 0 || bytes[2] == 0)
        return false;
    for (unsigned left = bytes[2]; left > 0; left--) {
        if (at >= length || !register_has_row[bytes[at]])
            return false;
        if (bytes[at] & 2) {
            at++;
            continue;
        }
        if (length - at < 5 || !may_write(bytes[at], word_at(bytes + at + 1)))
            return false;
        at += 5;
    }
    return at == length;
}

/* Recognizes a write request to TARGETSEL, five clocks without an answer, then the value and its parity: ARM IHI 0031,
 * B4.3.4. */
static bool is_target_select(const uint8_t *bytes, size_t length)
{
    static const uint8_t head[] = {0x1D, 3, 8, 0x99, 0x85, 33};

    return length == TARGET_BYTES && memcmp(bytes, head, sizeof head) == 0;
}

bool dap_is_permitted(const uint8_t *bytes, size_t length)
{
    if (length == 0 || !command_has_row[bytes[0]])
        return false;
    switch (bytes[0]) {
    case 0x00: /* DAP_Info */
    case 0x13: /* DAP_SWD_Configure */
        return length == 2 && (bytes[0] == 0x00 || bytes[1] == 0);
    case 0x02: /* DAP_Connect */
        return length == 2 && bytes[1] == CONNECT_SWD;
    case 0x03: /* DAP_Disconnect */
        return length == 1;
    case 0x04: /* DAP_TransferConfigure */
        return length == 6;
    case 0x08: /* DAP_WriteABORT */
        return length == 6 && bytes[1] == 0 && word_at(bytes + 2) <= ABORT_BITS;
    case 0x05: /* DAP_Transfer */
        return is_permitted_transfer(bytes, length);
    case 0x06: /* DAP_TransferBlock */
        return length == 5 && bytes[1] == 0 && bytes[4] == DRW_READ;
    case 0x11: /* DAP_SWJ_Clock */
        return length == 5;
    case 0x12: /* DAP_SWJ_Sequence */
        return is_known_sequence(bytes, length);
    case 0x1D: /* DAP_SWD_Sequence */
        return is_target_select(bytes, length);
    default:
        return false;
    }
}
