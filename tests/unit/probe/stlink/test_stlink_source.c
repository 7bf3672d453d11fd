/* SPDX-License-Identifier: MIT */
/* An ST-Link as a memory source, on an emulated probe: data, commands, sharing, failures at each command. */
#include "probe/stlink/stlink_source.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "error_line.h"
#include "stlink_probe.h"

#define START   STLINK_PROBE_START
#define GOT_MAX 16384

static struct stlink_probe probe;
static struct stlink_source *source;
static struct error error;
static uint8_t got[GOT_MAX];

static const struct stlink_probe_kind v2_oldest = {.major = 2, .jtag = 26}, v2_opens = {.major = 2, .jtag = 31},
                                      v2 = {.major = 2, .jtag = 37}, v3 = {.major = 3, .jtag = 10},
                                      served = {.major = 3, .jtag = 10, .served = true};
static const struct stlink_settings settings = {
    .name = "ST-Link", .serial = "0123", .node = "", .otherwise = "use --openocd"};

static enum txtap_status open_with(const struct stlink_probe_kind *kind, const struct stlink_settings *chosen)
{
    struct stlink_pipe pipe = stlink_probe_init(&probe, kind);

    return stlink_source_open(&source, pipe, chosen, 1000, &error);
}

static void begin(const struct stlink_probe_kind *kind)
{
    cr_assert_eq(open_with(kind, &settings), TXTAP_OK, "%s", error_line(&error));
}

static void end(void)
{
    struct txtap_source ops = stlink_source_of(source);

    ops.ops->close(ops.self);
    cr_assert(probe.closed);
    cr_assert_eq(probe.wrong, 0);
}

static const char *failed(void)
{
    return source_error_line(stlink_source_of(source));
}

/* ---- data ---- */

/* Pieces as in a poll: a long piece, short pieces, an empty piece, the length of a status, and across KiB boundaries.
 */
static const struct {
    uint32_t offset, length;
} pieces[] = {{0x3F0, 9000}, {0, 20},     {32, 4},        {64, 12}, {0x1000, 0},      {0x7FC, 8},
              {96, 12},      {0x20, 512}, {0x1000, 6156}, {4, 4},   {0x3FFC, 12 + 64}};
#define PIECES (sizeof pieces / sizeof *pieces)

static enum txtap_status read_pieces(void)
{
    struct txtap_read reads[PIECES];
    uint32_t at = 0;

    memset(got, 0xA5, sizeof got);
    for (size_t i = 0; i < PIECES; i++) {
        reads[i] = (struct txtap_read){START + pieces[i].offset, pieces[i].length, got + at};
        at += pieces[i].length;
    }
    return stlink_source_of(source).ops->read(stlink_source_of(source).self, reads, PIECES);
}

static void is_right(const char *when)
{
    uint32_t at = 0;

    for (size_t i = 0; i < PIECES; i++) {
        cr_assert_arr_eq(got + at, probe.memory + pieces[i].offset, pieces[i].length, "%s, piece %zu", when, i);
        at += pieces[i].length;
    }
    cr_assert_eq(got[at], 0xA5, "%s", when);
}

static const struct stlink_probe_kind *const kinds[] = {&v2_oldest, &v2_opens, &v2, &v3, &served};
#define KINDS (sizeof kinds / sizeof *kinds)

Test(stlink_source, reads_pieces_with_each_version)
{
    for (size_t i = 0; i < KINDS; i++) {
        begin(kinds[i]);
        cr_assert_eq(read_pieces(), TXTAP_OK, "%s", failed());
        is_right("first");
        cr_assert_eq(read_pieces(), TXTAP_OK, "%s", failed());
        is_right("second");
        end();
        cr_assert_eq(probe.mode, 1, "the probe is as idle as before");
    }
}

static unsigned commands_of(const struct stlink_probe_kind *kind, const struct txtap_read *reads, size_t count)
{
    unsigned before;

    begin(kind);
    before = probe.commands;
    cr_assert_eq(stlink_source_of(source).ops->read(stlink_source_of(source).self, reads, count), TXTAP_OK, "%s",
                 failed());
    before = probe.commands - before;
    end();
    return before;
}

Test(stlink_source, short_pieces_share_a_list_if_the_probe_can_run_lists)
{
    const struct txtap_read poll[] = {{START + 64, 1500, got}, {START, 20, got + 1500}, {START + 32, 8, got + 1520}},
                            lone[] = {{START, 20, got}}, large[] = {{START, 12288, got}};

    cr_expect_eq(commands_of(&v2_opens, poll, 3), 6);
    cr_expect_eq(commands_of(&v2, poll, 3), 4);
    cr_expect_eq(commands_of(&v3, poll, 3), 4);
    cr_expect_eq(commands_of(&v3, poll + 1, 2), 2);
    cr_expect_eq(commands_of(&v3, lone, 1), 2);
    cr_expect_eq(commands_of(&v3, large, 1), 4, "blocks of 6144 bytes");
}

Test(stlink_source, reads_through_another_access_port)
{
    static const struct stlink_probe_kind elsewhere = {.major = 3, .jtag = 10, .port = 3},
                                          old = {.major = 2, .jtag = 31};
    struct stlink_settings chosen = settings;

    chosen.port = 3;
    cr_assert_eq(open_with(&elsewhere, &chosen), TXTAP_OK, "%s", error_line(&error));
    cr_assert_eq(read_pieces(), TXTAP_OK, "%s", failed());
    is_right("port 3");
    end();
    cr_assert_eq(open_with(&v3, &chosen), ERROR_TARGET);
    cr_assert_str_eq(error_line(&error), "access port 3 of the target cannot be opened: is --chip right?");
    cr_assert_eq(open_with(&old, &chosen), ERROR_PROTOCOL);
    cr_assert_str_eq(error_line(&error), "the firmware V2J31S7 of ST-Link reaches only access port 0: port 3 needs "
                                         "V2J32: update it with ST's tools, or use --openocd");
}

Test(stlink_source, old_firmware_is_refused)
{
    static const struct stlink_probe_kind old_v2 = {.major = 2, .jtag = 25}, old_v3 = {.major = 3, .jtag = 2};

    cr_assert_eq(open_with(&old_v2, &settings), ERROR_PROTOCOL);
    cr_assert_str_eq(error_line(&error), "the firmware V2J25S7 of ST-Link is too old: txtap needs V2J26: update it "
                                         "with ST's tools, or use --openocd");
    cr_assert_eq(probe.commands, 1, "nothing but the version was asked");
    cr_assert_eq(open_with(&old_v3, &settings), ERROR_PROTOCOL);
    cr_assert_eq(probe.seen[0x30], 0);
}

Test(stlink_source, the_clock_is_the_fastest_up_to_the_wanted_clock)
{
    struct stlink_settings chosen = settings;

    begin(&v3);
    cr_expect_eq(stlink_source_link(source)->khz, 3300);
    end();
    chosen.khz = 24000;
    cr_assert_eq(open_with(&v3, &chosen), TXTAP_OK);
    cr_expect_eq(stlink_source_link(source)->khz, 24000);
    end();
    cr_assert_eq(open_with(&v2, &chosen), TXTAP_OK);
    cr_expect_eq(stlink_source_link(source)->khz, 4000);
    cr_expect_eq(stlink_source_link(source)->millivolts, 3300);
    end();
}

/* ---- sharing ---- */

static void open_beside(unsigned mode)
{
    struct stlink_pipe pipe = stlink_probe_init(&probe, &served);

    probe.others = 1;
    probe.mode = (uint8_t)mode;
    probe.opened[0] = mode == 2;
    (void)stlink_source_open(&source, pipe, &settings, 1000, &error);
}

/* The emulated probe counts a command that enters, leaves or sets anything as wrong while it has another user. */
Test(stlink_source, beside_another_program_nothing_is_entered_left_or_set)
{
    static const uint8_t harmless[] = {0x07, 0x3E, 0x51, 0x52};
    uint8_t word[4];
    struct txtap_read nowhere = {0, 4, word};

    open_beside(2);
    cr_assert_eq(read_pieces(), TXTAP_OK, "%s", failed());
    is_right("shared");
    cr_assert_eq(stlink_source_of(source).ops->read(source, &nowhere, 1), ERROR_FAULT);
    cr_assert_eq(stlink_source_core(source), CORE_UNKNOWN);
    cr_assert_eq(probe.reads_of_dhcsr, 0, "a debugger needs the bits that a read of DHCSR clears");
    end();
    for (size_t i = 0; i < 256; i++)
        cr_expect(probe.seen[i] == 0 || memchr(harmless, (int)i, sizeof harmless) != NULL, "f2 %02zx", i);
    cr_assert_eq(probe.mode, 2);
}

/* The other program did not open the access port: only this is done, because no read is possible without it. */
Test(stlink_source, beside_another_program_a_shut_access_port_is_opened)
{
    open_beside(2);
    probe.opened[0] = false;
    cr_assert_eq(read_pieces(), TXTAP_OK, "%s", failed());
    is_right("opened");
    end();
    cr_assert_eq(probe.seen[0x4B], 1);
    cr_assert_eq(probe.seen[0x4C], 0);
}

Test(stlink_source, beside_a_program_that_does_not_debug_it_refuses)
{
    open_beside(1);
    cr_assert_eq(error.status, ERROR_TARGET);
    cr_assert_str_eq(error_line(&error), "ST-Link is used by another program, but not for debugging: start the "
                                         "debugger, or end the program");
    cr_assert_eq(probe.wrong, 0);
}

/* A debugger that came later still needs debug mode. */
Test(stlink_source, does_not_leave_debug_mode_while_another_program_needs_it)
{
    uint8_t word[4];
    struct txtap_read nowhere = {0, 4, word};

    begin(&served);
    probe.others = 1;
    cr_assert_eq(stlink_source_of(source).ops->read(source, &nowhere, 1), ERROR_FAULT);
    end();
    cr_assert_eq(probe.mode, 2);
    cr_assert_eq(probe.seen[0x21], 0);
}

Test(stlink_source, a_target_that_the_other_program_lost_is_not_entered)
{
    open_beside(2);
    probe.silent = true;
    cr_assert_eq(read_pieces(), ERROR_TARGET);
    cr_assert_str_eq(failed(), "no target answers on SWD: the debugger that shares the probe has to connect again");
    cr_assert_eq(probe.seen[0x30], 0);
    probe.silent = false; /* the debugger connected again */
    cr_assert_eq(read_pieces(), TXTAP_OK, "%s", failed());
    end();
}

/* ---- failures ---- */

Test(stlink_source, a_fault_names_its_address)
{
    struct txtap_read reads[] = {{START, 64, got}, {START + STLINK_PROBE_BYTES - 64, 128, got}, {START, 4, got}};

    begin(&v3);
    cr_assert_eq(stlink_source_of(source).ops->read(source, reads, 3), ERROR_FAULT);
    cr_assert_str_eq(failed(), "memory at 0x20008000 cannot be read: bus fault: is there memory?");
    cr_assert_eq(probe.seen[0x46], 1, "the error bits were cleared");
    reads[1].length = 68; /* the same in a list */
    reads[1].address += 4;
    reads[1].length = 64;
    cr_assert_eq(stlink_source_of(source).ops->read(source, reads, 2), ERROR_FAULT);
    cr_assert_str_eq(failed(), "memory at 0x20008000 cannot be read: bus fault: is there memory?");
    cr_assert_eq(read_pieces(), TXTAP_OK, "%s", failed());
    end();
}

Test(stlink_source, a_busy_access_port_is_asked_again_with_growing_pauses)
{
    struct txtap_read read = {START, 256, got};

    begin(&v3);
    probe.trouble = WAITS;
    probe.trouble_at = probe.commands;
    probe.trouble_count = 2 * STLINK_WAITS; /* each try is a read and a status */
    cr_assert_eq(stlink_source_of(source).ops->read(source, &read, 1), TXTAP_OK, "%s", failed());
    cr_assert_eq(probe.pauses, STLINK_WAITS);
    cr_assert_eq(probe.paused_us, STLINK_WAIT_US * ((1u << STLINK_WAITS) - 1));
    probe.trouble_at = probe.commands;
    probe.trouble_count = UINT32_MAX / 2;
    cr_assert_eq(stlink_source_of(source).ops->read(source, &read, 1), ERROR_TARGET);
    cr_assert_str_eq(failed(), "the target's access port stays busy: check power and wiring");
    end();
}

Test(stlink_source, a_target_without_power_is_told)
{
    static const struct stlink_probe_kind low = {.major = 2, .jtag = 37, .millivolts = 20};
    struct stlink_pipe pipe = stlink_probe_init(&probe, &low);

    probe.silent = true;
    cr_assert_eq(stlink_source_open(&source, pipe, &settings, 1000, &error), ERROR_TARGET);
    cr_assert_str_eq(error_line(&error),
                     "no target answers on SWD: its supply is 20 mV: check the power of the target");
    cr_assert_eq(probe.mode, 1);
}

Test(stlink_source, a_target_that_was_switched_off_and_on_is_entered_again)
{
    begin(&v3);
    probe.silent = true;
    cr_assert_eq(read_pieces(), ERROR_TARGET);
    probe.silent = false;
    cr_assert_eq(read_pieces(), TXTAP_OK, "%s", failed());
    is_right("back");
    end();
}

Test(stlink_source, tells_whether_the_core_runs)
{
    static const struct {
        uint32_t first, later;
        enum core_state state;
    } rows[] = {{0x00000001, 0x00000001, CORE_RUNS},
                {0x00020003, 0x00020003, CORE_HALTED},
                {0x02000001, 0x00000001, CORE_RUNS},
                {0x02000001, 0x02000001, CORE_IN_RESET},
                {0x00080001, 0x00080001, CORE_LOCKED_UP}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin(&v3);
        probe.dhcsr[0] = rows[i].first;
        probe.dhcsr[1] = rows[i].later;
        cr_expect_eq(stlink_source_core(source), rows[i].state);
        cr_expect(stlink_source_no_cycles(source));
        probe.demcr = 0x01000000;
        cr_expect_not(stlink_source_no_cycles(source));
        end();
    }
}

/* After an answer was lost, only the answer of the same probe shows that commands and answers match again. */
Test(stlink_source, an_unknown_version_does_not_match)
{
    struct txtap_read read = {START, 256, got};

    begin(&v3);
    probe.trouble = LOST;
    probe.trouble_at = probe.commands;
    probe.trouble_count = 1;
    probe.kind = v2;
    cr_assert_eq(stlink_source_of(source).ops->read(source, &read, 1), ERROR_PROTOCOL);
    cr_assert_str_eq(failed(), "ST-Link gives answers that do not match its commands: use --openocd");
    probe.kind = v3;
    cr_assert_eq(stlink_source_of(source).ops->read(source, &read, 1), TXTAP_OK, "%s", failed());
    end();
}

/* ---- the nth command goes wrong ---- */

static unsigned commands_of_a_run(const struct stlink_probe_kind *kind)
{
    begin(kind);
    cr_assert_eq(read_pieces(), TXTAP_OK);
    end();
    return probe.commands;
}

/* Reads while commands are faulty. Data must be right or missing. */
static void go_wrong(const struct stlink_probe_kind *kind, enum stlink_trouble trouble, unsigned at, unsigned count)
{
    struct stlink_pipe pipe = stlink_probe_init(&probe, kind);
    enum txtap_status status;
    char when[80];

    snprintf(when, sizeof when, "V%uJ%u, trouble %d, %u times from command %u", kind->major, kind->jtag, trouble, count,
             at);
    probe.trouble = trouble;
    probe.trouble_at = at;
    probe.trouble_count = count;
    status = stlink_source_open(&source, pipe, &settings, 1000, &error);
    if (status == TXTAP_OK) {
        status = read_pieces();
        if (status == TXTAP_OK)
            is_right(when);
        else
            error = (struct error){.status = status};
        if (count == 1 && trouble < UNPLUGGED && probe.commands > at) { /* the trouble is over */
            cr_assert_eq(read_pieces(), TXTAP_OK, "%s: %s", when, failed());
            is_right(when);
        }
        end();
    }
    if (count == 1 && trouble < RECOVERABLE_END)
        cr_assert_eq(status, TXTAP_OK, "%s: %s", when, error_line(&error));
    cr_assert(probe.closed, "%s", when);
    cr_assert_eq(probe.wrong, 0, "%s", when);
    cr_assert_lt(probe.commands, 2000, "%s", when);
}

Test(stlink_source, the_nth_command_goes_wrong_in_every_way)
{
    for (size_t i = 0; i < KINDS; i++) {
        unsigned commands = commands_of_a_run(kinds[i]);

        for (enum stlink_trouble trouble = LOST; trouble < STLINK_TROUBLES; trouble++)
            for (unsigned at = 0; at < commands; at++) {
                go_wrong(kinds[i], trouble, at, 1);
                go_wrong(kinds[i], trouble, at, 2);
                go_wrong(kinds[i], trouble, at, 5);
                go_wrong(kinds[i], trouble, at, UINT32_MAX / 2);
            }
    }
}
