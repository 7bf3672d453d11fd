/* SPDX-License-Identifier: MIT */
/* Commands that would change the target are never permitted, whatever code composes them. */
#include "probe/stlink/stlink_permitted.h"

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

/* The text has the bytes of a command, which is filled with zeros, and data after a bar. */
static bool permits(const char *text)
{
    uint8_t command[STLINK_COMMAND_BYTES] = {0}, data[64];
    const char *bar = strchr(text, '|');

    (void)bytes_of(text, command);
    return stlink_is_permitted(command, data, bar != NULL ? bytes_of(bar + 1, data) : 0);
}

/* Each of these commands would change the target, or is not needed. */
static const char *const forbidden[] = {
    "f2 01",                                                   /* GETSTATUS */
    "f2 02",                                                   /* FORCEDEBUG: halts the core */
    "f2 08 00 00 00 20 04 00",                                 /* WRITEMEM_32BIT */
    "f2 08 00 00 00 20 04 00 | 00 00 00 00",                   /* WRITEMEM_32BIT with its data */
    "f2 09",                                                   /* RUNCORE */
    "f2 0a",                                                   /* STEPCORE */
    "f2 0d 00 00 00 20 01 00 | 00",                            /* WRITEMEM_8BIT */
    "f2 48 00 00 00 20 02 00 | 00 00",                         /* WRITEMEM_16BIT */
    "f2 50 00 00 00 20 04 00 | 00 00 00 00",                   /* WRITEMEM_32BIT_NO_ADDR_INC */
    "f2 30 a0",                                                /* ENTER: another mode */
    "f2 30 a3 01",                                             /* ENTER with an argument that it does not have */
    "f2 32",                                                   /* RESETSYS */
    "f2 33 00",                                                /* READREG: of the core, which is not needed */
    "f2 34 00",                                                /* WRITEREG: of the core */
    "f2 35 f0 ed 00 e0 03 00 5f a0",                           /* WRITEDEBUGREG: DHCSR, halts the core */
    "f2 36 f0 ed 00 e0",                                       /* READDEBUGREG, which is not needed */
    "f2 3c 00",                                                /* DRIVE_NRST */
    "f2 40",                                                   /* START_TRACE_RX */
    "f2 44",                                                   /* JTAG_SET_FREQ */
    "f2 45 00 00 0c 00",                                       /* a read of DRW, which has side effects */
    "f2 45 ff ff 04 00",                                       /* a read of CTRL/STAT, which is not needed */
    "f2 46 ff ff 04 00 00 00 00 54",                           /* a write of CTRL/STAT: CDBGRSTREQ */
    "f2 46 ff ff 08 00 00 00 00 00",                           /* a write of SELECT, which is not needed */
    "f2 46 ff ff 04 00 1e 00 00 00",                           /* a write of CTRL/STAT with the value for ABORT */
    "f2 46 ff ff 08 00 1e 00 00 00",                           /* a write of SELECT with the value for ABORT */
    "f2 46 ff ff 00 00 1f 00 00 00",                           /* a write of ABORT: DAPABORT */
    "f2 46 00 00 00 00 12 00 00 a2",                           /* a write of CSW of access port 0 */
    "f2 46 00 00 04 00 00 00 00 20",                           /* a write of TAR of access port 0 */
    "f2 46 00 00 0c 00 1e 00 00 00",                           /* a write of DRW of access port 0 */
    "f2 46 00 00 00 00 1e 00 00 00",                           /* a write to an access port with ABORT's value */
    "f2 54 00 00 00 20 04 00",                                 /* READMEM_32BIT_NO_ADDR_INC, which is not needed */
    "f2 07 01 00 00 20 04 00",                                 /* a read that is not aligned */
    "f2 07 00 00 00 20 03 00",                                 /* a read of 3 bytes */
    "f2 07 00 00 00 20 00 00",                                 /* a read of no bytes */
    "f2 07 00 00 00 20 04 18",                                 /* a read of 6148 bytes */
    "f2 07 00 00 00 20 04 00 00 10",                           /* a read with a CSW */
    "f2 07 00 00 00 20 04 00 | 00 00 00 00",                   /* a read with data */
    "f2 43 00 00 01",                                          /* SWD_SET_FREQ with an argument that it does not have */
    "f2 61 01 00 c0 5d 00 00",                                 /* SET_COM_FREQ of JTAG */
    "f2 62 01",                                                /* GET_COM_FREQ of JTAG */
    "f2 51 02 00 00 00 | 05 02 00 00 00 00 00 00 00 00 00 00", /* a list with a write */
    "f2 51 02 00 00 00 | 05 01 00 00 00 00 00 00 00 00 00 20", /* a list with the address of a write */
    "f2 51 02 00 00 00 | 03 03 00 00 00 00 00 20 04 00 00 20", /* a list without an access port */
    "f2 51 02 00 00 00 | 05 05 00 00 00 00 00 00 01 00 00 00", /* a list that changes the access port */
    "f2 51 02 00 00 00 | 05 03 02 00 00 00 00 00 00 00 00 20", /* a step in the padding */
    "f2 51 02 00 00 00 | 05 03 00 00 00 01 00 00 00 00 00 20", /* an access port above 255 */
    "f2 51 02 00 00 00 | 05 03 00 00 00 00 00 00 02 00 00 20", /* an address that is not a multiple of 4 */
    "f2 51 02 00 00 00 | 05 03 00 00 00 00 00 00",             /* a truncated list */
    "f2 51 03 00 00 00 | 05 03 00 00 00 00 00 00 00 00 00 20", /* fewer steps than announced */
    "f2 51 01 00 00 00 | 05 00 00 00 00 00 00 00",             /* a list without reads */
    "f2 51 ff ff ff ff",                                       /* more steps than a list may have */
    "f2 52 01",                                                /* RW_MISC_IN with an argument that it does not have */
    "f3 08",                                                   /* a command of the update mode */
    "f4 00",                                                   /* SWIM: enter */
    "f1 01",                                                   /* GET_VERSION with an argument */
    "f9",                                                      /* WRITE_VIRTUAL_COM and others */
    "fc 00",                                                   /* commands of the bridge */
    "00",
};

Test(stlink_permitted, forbids_commands_that_could_change_a_target)
{
    for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++)
        cr_expect_not(permits(forbidden[i]), "'%s'", forbidden[i]);
}

Test(stlink_permitted, permits_all_commands_that_reading_needs)
{
    static const char *const needed[] = {
        "f1",
        "fb",
        "f3 07",
        "f4 01",
        "f5",
        "f7",
        "f2 07 00 00 00 20 00 18 03",
        "f2 21",
        "f2 30 a3",
        "f2 3e",
        "f2 43 01 00",
        "f2 45 ff ff 00 00",
        "f2 46 ff ff 00 00 1e 00 00 00",
        "f2 4b 03",
        "f2 4c 03",
        "f2 51 02 00 00 00 | 05 03 00 00 03 00 00 00 00 00 00 20",
        "f2 52",
        "f2 61 00 00 c0 5d 00 00",
        "f2 62",
    };

    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        cr_expect(permits(needed[i]), "'%s'", needed[i]);
}

/* Tries all commands with several arguments: only the listed commands may be permitted. */
Test(stlink_permitted, no_other_command_is_permitted)
{
    for (unsigned first = 0; first < 256; first++)
        for (unsigned second = 0; second < 256; second++)
            for (unsigned argument = 0; argument < 256; argument += 5) {
                const uint8_t command[STLINK_COMMAND_BYTES] = {(uint8_t)first, (uint8_t)second, (uint8_t)argument};
                const struct stlink_permission *row = NULL;

                for (size_t i = 0; (row = stlink_permission(i)) != NULL; i++)
                    if (row->first == first && row->second == second)
                        break;
                cr_expect(row != NULL || !stlink_is_permitted(command, NULL, 0), "%02x %02x", first, second);
            }
}

/* A list may only read, whatever its steps are. */
Test(stlink_permitted, no_list_writes)
{
    for (unsigned first = 0; first < 256; first++)
        for (unsigned second = 0; second < 256; second++) {
            const uint8_t command[STLINK_COMMAND_BYTES] = {0xF2, 0x51, 2};
            const uint8_t data[12] = {(uint8_t)first, (uint8_t)second};

            cr_expect_eq(stlink_is_permitted(command, data, sizeof data),
                         first == STLINK_STEP_PORT && second == STLINK_STEP_READ, "%02x %02x", first, second);
        }
}

Test(stlink_permitted, each_row_states_its_reason)
{
    const struct stlink_permission *row;

    for (size_t i = 0; (row = stlink_permission(i)) != NULL; i++)
        cr_expect_gt(strlen(row->why), 20, "%s", row->name);
    cr_expect_eq(strlen(stlink_permission(0)->name), strlen("GET_VERSION"));
}
