/* SPDX-License-Identifier: MIT */
/* Commands that would change the target are never permitted, whatever code composes them. */
#include "probe/dap/dap_permitted.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static size_t bytes_of(const char *text, uint8_t *bytes)
{
    size_t length = 0;
    unsigned value;
    int used;

    for (; sscanf(text, " %2x%n", &value, &used) == 1; text += used)
        bytes[length++] = (uint8_t)value;
    return length;
}

static bool permits(const char *text)
{
    uint8_t bytes[64];

    return dap_is_permitted(bytes, bytes_of(text, bytes));
}

/* Each of these commands would change the target, or is not needed. */
static const char *const forbidden[] = {
    "",
    "01 00 01",                         /* DAP_HostStatus */
    "02 02",                            /* connect by JTAG */
    "02 00",                            /* connect by a protocol that the probe chooses */
    "07",                               /* DAP_TransferAbort */
    "0a",                               /* DAP_ResetTarget */
    "10 00 80 00 00 00 00",             /* DAP_SWJ_Pins: would drive the reset line */
    "13 01",                            /* another protocol */
    "14 01 00 00",                      /* DAP_JTAG_Sequence */
    "7e 01 00 00",                      /* DAP_QueueCommands */
    "7f 02 00 00 0a",                   /* DAP_ExecuteCommands */
    "80",                               /* a vendor's command */
    "12 08 ff",                         /* a sequence that is not permitted */
    "12 40 ff ff ff ff ff ff ff 01",    /* a permitted sequence with a changed byte */
    "12 40 ff ff ff ff ff ff ff",       /* a truncated sequence */
    "1d 01 08 99",                      /* a raw request that is not permitted */
    "1d 03 08 81 85 21 27 29 00 01 00", /* a write of ABORT */
    "1d 03 08 bb 85 21 27 29 00 01 00", /* a write of DRW */
    "05 00 01 0d 00 00 00 00",          /* a write of DRW */
    "05 00 02 0f 0d 00 00 00 00",       /* a write of DRW after a read */
    "05 00 01 00 1e 00 00 00",          /* a write of ABORT, which has its own command */
    "05 00 01 0c 00 00 00 00",          /* a write of TARGETSEL or RDBUFF */
    "05 00 01 08 10 00 00 00",          /* a write of SELECT: the bank of BD0 to BD3, which access memory */
    "05 00 01 08 f0 00 00 10 01",       /* a write of invalid length */
    "05 00 01 08 03 00 00 01",          /* a write of SELECT: bank 3 of the debug port together with an access port */
    "05 00 01 08 01 00 00 00",          /* a write of SELECT: DLCR */
    "05 00 01 04 00 00 00 04",          /* a write of CTRL/STAT: CDBGRSTREQ */
    "05 00 01 04 00 00 00 54",          /* a write of CTRL/STAT: CDBGRSTREQ and the power requests */
    "05 00 01 04 04 00 00 50",          /* a write of CTRL/STAT: a transfer mode that compares */
    "05 00 01 01 02 00 00 a2",          /* a write of CSW: no address increment */
    "05 00 01 05 01 00 00 20",          /* a write of TAR: an address that is not a multiple of 4 */
    "05 00 01 1f 00 00 00 00",          /* a read that waits for a value */
    "05 00 01 20 00 00 00 00",          /* the mask for a read that waits */
    "05 00 01 8f",                      /* a read with a time stamp */
    "05 00 01 02 02",                   /* more bytes than requests */
    "05 00 02 02",                      /* fewer bytes than requests */
    "05 00 00",                         /* no requests */
    "05 01 01 02",                      /* another debug port */
    "05 00",                            /* truncated */
    "06 00 01 00 0d 00 00 00 00",       /* a block write of DRW */
    "06 00 01 00 0d",                   /* a truncated block write of DRW */
    "06 00 01 00 05",                   /* a block write of TAR */
    "06 00 01 00 0f 00",                /* more bytes than a block read has */
    "08 00 20 00 00 00",                /* a bit that ABORT does not have */
    "08 01 1e 00 00 00",                /* another debug port */
};

Test(dap_permitted, forbids_commands_that_could_change_a_target)
{
    for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++)
        cr_expect_not(permits(forbidden[i]), "'%s'", forbidden[i]);
}

Test(dap_permitted, permits_all_commands_that_reading_needs)
{
    static const char *const needed[] = {
        "00 ff",
        "02 01",
        "03",
        "04 00 64 00 00 00",
        "05 00 01 02",
        "05 00 02 05 00 00 00 20 0f",
        "06 00 0e 00 0f",
        "08 00 1f 00 00 00",
        "11 00 09 3d 00",
        "12 40 ff ff ff ff ff ff ff 00",
        "13 00",
        "1d 03 08 99 85 21 27 29 00 01 00",
        "05 00 01 08 00 00 00 ff",
        "05 00 01 08 f0 00 00 ff",
        "05 00 01 04 00 00 00 50",
    };

    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        cr_expect(permits(needed[i]), "'%s'", needed[i]);
}

/* Tries all requests with one value. Only requests in the table may be permitted, and only with permitted values. */
Test(dap_permitted, no_request_writes_data)
{
    static const uint32_t values[] = {0, 1, 3, 4, 0x10, 0xF0, 0x50000000, 0xA2000012, UINT32_MAX};

    for (unsigned request = 0; request < 256; request++)
        for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
            uint32_t value = values[i];
            const uint8_t bytes[] = {5,
                                     0,
                                     1,
                                     (uint8_t)request,
                                     (uint8_t)value,
                                     (uint8_t)(value >> 8),
                                     (uint8_t)(value >> 16),
                                     (uint8_t)(value >> 24)};
            bool listed = request == 0x04 || request == 0x08 || request == 0x01 || request == 0x05;

            cr_expect(!dap_is_permitted(bytes, sizeof bytes) || listed, "request 0x%02x", request);
        }
}

Test(dap_permitted, each_row_states_its_reason)
{
    const struct dap_permission *row;

    for (size_t i = 0; (row = dap_permission(i)) != NULL; i++)
        cr_expect_gt(strlen(row->why), 20, "%s", row->name);
    cr_expect_eq(strlen(dap_permission(0)->name), strlen("DAP_Info"));
}
