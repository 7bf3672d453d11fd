/* SPDX-License-Identifier: MIT */
/* The command line: the values that each option accepts or refuses, and the error messages. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command/commands.h"
#include "options/command_line.h"
#include "ring/ring_kind.h"
#include "txtap/version.h"

enum { WORDS_MAX = 128 };

static char line[4096]; /* the words of the command line */
static char *words[WORDS_MAX + 1];

static int split(const char *text)
{
    int count = 0;

    cr_assert_lt(strlen(text), sizeof line);
    strcpy(line, text);
    for (char *word = strtok(line, " "); word; word = strtok(NULL, " ")) {
        cr_assert_lt(count, WORDS_MAX);
        words[count++] = word;
    }
    words[count] = NULL;
    return count;
}

static struct options parse(const char *text)
{
    struct options options;

    options_parse(&options, split(text), words, commands);
    return options;
}

static struct {
    int code;
    char out[16384], err[2048];
} ended;

static void read_all(int fd, char *text, size_t size)
{
    size_t used = 0;

    for (ssize_t got; used + 1 < size && (got = read(fd, text + used, size - 1 - used)) > 0;)
        used += (size_t)got;
    text[used] = '\0';
    close(fd);
}

/* Ends the child without its exit handlers: the child is a copy of a test process with threads. */
static void leave_at_once(int code, void *unused)
{
    (void)unused;
    fflush(NULL);
    _exit(code);
}

/* Parses the words in a child process. The parser is expected to end this process. */
static void parse_to_the_end(const char *text)
{
    int out[2], err[2], state = 0;
    pid_t child;

    cr_assert_eq(pipe(out) | pipe(err), 0);
    fflush(NULL);
    child = fork();
    cr_assert_geq(child, 0);
    if (child == 0) {
        dup2(out[1], STDOUT_FILENO);
        dup2(err[1], STDERR_FILENO);
        close(out[0]);
        close(err[0]);
        close(out[1]);
        close(err[1]);
        on_exit(leave_at_once, NULL);
        parse(text);
        _exit(99);
    }
    close(out[1]);
    close(err[1]);
    read_all(out[0], ended.out, sizeof ended.out);
    read_all(err[0], ended.err, sizeof ended.err);
    cr_assert_eq(waitpid(child, &state, 0), child);
    cr_assert(WIFEXITED(state), "%s: ended by a signal", text);
    ended.code = WEXITSTATUS(state);
}

static unsigned lines_of(const char *text)
{
    unsigned lines = 0;

    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

/* Returns the number of bytes in the longest line. */
static size_t widest(const char *text)
{
    size_t columns = 0;

    while (*text != '\0') {
        size_t length = strcspn(text, "\n");

        columns = length > columns ? length : columns;
        text += length + (text[length] != '\0');
    }
    return columns;
}

/* Checks that the command line is refused: exit code 2, nothing on stdout, and one line with the error. */
static void refuses(const char *text, const char *because)
{
    parse_to_the_end(text);
    cr_assert_eq(ended.code, EXIT_USAGE, "'%s' ended with %d: %s", text, ended.code, ended.err);
    cr_assert_str_eq(ended.out, "");
    cr_assert_not_null(strstr(ended.err, because), "'%s' said: %s", text, ended.err);
    cr_assert_eq(strncmp(ended.err, "txtap", 5), 0, "'%s' said: %s", text, ended.err);
    cr_assert_eq(lines_of(ended.err), 1, "'%s' said: %s", text, ended.err);
}

/* ---- commands ---- */

Test(options, have_defaults)
{
    struct options options = parse("txtap tail");

    cr_assert_str_eq(options.command->name, "tail");
    cr_assert_str_eq(options.target.probe.openocd.host, "127.0.0.1");
    cr_assert_str_eq(options.target.probe.openocd.port, "6666");
    cr_assert_str_eq(options.format->name, "text");
    cr_assert_eq(options.color, COLOR_AUTO);
    cr_assert(!options.target.elf && !options.output && !options.target.probe.file &&
              !options.target.ring.wished.symbol && !options.stats_json);
    cr_assert(!options.target.ring.wished.has_address && !options.target.ring.wished.scan && !options.target.wait &&
              !options.only_new && !options.strict);
    cr_assert(!options.quiet && !options.force && options.target.ring.wished.ram_count == 0 && options.limit == 0);
    cr_assert_eq(options.seconds, 0.0);
    cr_assert_eq(options.tick_hz, 0.0);
}

Test(options, need_a_command)
{
    refuses("txtap tial", "'tial' is not a command: did you mean 'tail'?\n");
    refuses("txtap TAIL", "did you mean 'tail'?\n");
    refuses("txtap nonsense", "'nonsense' is not a command: 'txtap --help' lists the commands\n");
    refuses("txtap --tcl 6666 tail", "'--tcl' is not a command");
}

/* Without a command, the user sees the commands. A script that forgot the command fails. */
Test(options, list_the_commands_without_a_command)
{
    parse_to_the_end("txtap");
    cr_assert_eq(ended.code, EXIT_USAGE);
    cr_assert_str_eq(ended.out, "");
    for (const struct command *const *command = commands; *command; command++)
        cr_assert_not_null(strstr(ended.err, (*command)->name));
}

Test(options, show_help_and_version_on_stdout)
{
    static const char *const asked[] = {"txtap --help", "txtap -h", "txtap help"};

    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        parse_to_the_end(asked[i]);
        cr_assert_eq(ended.code, EXIT_DONE);
        cr_assert_str_eq(ended.err, "");
        for (const struct command *const *command = commands; *command; command++)
            cr_assert_not_null(strstr(ended.out, (*command)->name));
    }
    parse_to_the_end("txtap --version");
    cr_assert_eq(ended.code, EXIT_DONE);
    cr_assert_eq(strncmp(ended.out, "txtap ", 6), 0);
    cr_assert_eq(lines_of(ended.out), 1);
    cr_assert_eq(strncmp(ended.out, "txtap " TXTAP_VERSION " (", strlen("txtap " TXTAP_VERSION " (")), 0);
    cr_assert(strstr(ended.out, "USB probes") != NULL && strstr(ended.out, "report --baseline") != NULL, "%s",
              ended.out);
    parse_to_the_end("txtap -V");
    cr_assert_eq(ended.code, EXIT_DONE);
}

Test(options, show_help_and_version_for_each_command)
{
    static const char *const forms[] = {"txtap %s --help", "txtap %s -h", "txtap help %s", "txtap --help %s"};

    for (const struct command *const *command = commands; *command; command++) {
        char text[64], usage[64];

        snprintf(usage, sizeof usage, "Usage: txtap %s ", (*command)->name);
        for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
            snprintf(text, sizeof text, forms[i], (*command)->name);
            parse_to_the_end(text);
            cr_assert_eq(ended.code, EXIT_DONE, "%s", text);
            cr_assert_str_eq(ended.err, "");
            cr_assert_eq(strncmp(ended.out, usage, strlen(usage)), 0, "%s", text);
            cr_assert_not_null(strstr(ended.out, "--"), "%s: shows no option", text);
            cr_assert_leq(widest(ended.out), 79, "%s: a line is too wide", text);
            cr_assert_null(strstr(ended.out, "\n\n\n"), "%s: stray blank lines", text);
            cr_assert_null(strstr(ended.out, "  \n"), "%s: a line of blanks", text);
        }
        snprintf(text, sizeof text, "txtap %s --version", (*command)->name);
        parse_to_the_end(text);
        cr_assert_eq(ended.code, EXIT_DONE, "%s", text);
        cr_assert_eq(strncmp(ended.out, "txtap ", 6), 0);
    }
    refuses("txtap help trail", "'trail' is not a command");
    refuses("txtap help tail extra", "unexpected 'extra'");
}

/* Returns the position of an option's line in the help text, or NULL. */
static const char *shown(const char *help, const char *name)
{
    size_t length = strlen(name);

    for (const char *at = help; (at = strstr(at, "--")) != NULL; at += 2)
        if (strncmp(at + 2, name, length) == 0 && strchr("=[ \n", at[2 + length]) != NULL &&
            (strncmp(at - 2, ", ", 2) == 0 || strncmp(at - 7, "\n      ", 7) == 0))
            return at;
    return NULL;
}

Test(options, show_common_options_first)
{
    for (const struct command *const *command = commands; *command; command++) {
        char text[64], names[128], help[sizeof ended.out];
        const char *before;

        if ((*command)->common == NULL)
            continue;
        snprintf(text, sizeof text, "txtap %s --help", (*command)->name);
        parse_to_the_end(text);
        strcpy(help, ended.out);
        snprintf(text, sizeof text, "txtap %s -h", (*command)->name);
        parse_to_the_end(text);
        cr_assert_leq(lines_of(ended.out), 24, "%s does not fit on a screen", text);
        cr_assert_null(shown(ended.out, "timeout"), "%s shows rare options", text);
        snprintf(names, sizeof names, "%s", (*command)->common);
        before = help;
        for (const char *name = strtok(names, " "); name != NULL; name = strtok(NULL, " ")) {
            const char *at = shown(help, name);

            cr_assert_not_null(shown(ended.out, name), "%s does not show --%s", text, name);
            cr_assert_not_null(at, "%s: all options lack --%s", text, name);
            cr_assert_gt(at, before, "%s: --%s is not at its place", text, name);
            cr_assert_null(shown(at + 1, name), "%s: --%s is shown twice", text, name);
            before = at;
        }
    }
}

/* Most users have ThreadX, so its rings come first. */
Test(options, show_zephyrs_rings_last)
{
    parse_to_the_end("txtap tail --help");
    cr_assert_gt(strstr(ended.out, "--zephyr-ram"), strstr(ended.out, "--stats-json"));
}

Test(options, refuse_unknown_options)
{
    refuses("txtap tail --nonsense", "txtap tail: unknown option '--nonsense': --help shows all options\n");
    refuses("txtap tail --seconsd 3", "unknown option '--seconsd': did you mean '--seconds'?\n");
    refuses("txtap tail --s 3", "unknown option '--s'"); /* several options begin with this letter */
    refuses("txtap tail -x", "unknown option '-x'");
    refuses("txtap tail -qx", "unknown option '-x'");
    refuses("txtap tail --usage", "unknown option '--usage'");
    refuses("txtap tail --quiet=3", "--quiet takes no value");
    refuses("txtap tail --seconds", "--seconds needs a value: --seconds=TIME\n");
    refuses("txtap tail -qo", "-o needs a value: -o FILE\n");
    refuses("txtap probes extra", "unexpected 'extra'");
    refuses("txtap decode --tcl 6666 file", "tcl");
    refuses("txtap report --section x file", "'x' is not one of findings, trace, cpu, ");
    refuses("txtap report --section x file", ", values\n");
    refuses("txtap info --new", "new");
    refuses("txtap snapshot -o file --format text", "format");
    refuses("txtap tail --tcl", "tcl");
}

/* A word after an option that needs a value is no option, and neither is a word after "--". */
Test(options, take_values_that_look_like_options)
{
    cr_assert_str_eq(parse("txtap tail -o --nonsense").output, "--nonsense");
    cr_assert_str_eq(parse("txtap tail -qo--nonsense").output, "--nonsense");
    cr_assert_str_eq(parse("txtap tail --output --nonsense").output, "--nonsense");
    cr_assert_str_eq(parse("txtap tail -- --nonsense").target.elf, "--nonsense");
    cr_assert_str_eq(parse("txtap decode -- -x").files[0], "-x");
    cr_assert_eq(parse("txtap tail --sec 3").seconds, 3.0);
}

Test(options, name_the_formats_of_the_command)
{
    refuses("txtap tail -f foo", "one of text, jsonl, csv, vcd, vcd-wires, ctf, perfetto\n");
    refuses("txtap decode -f foo file", "one of text, jsonl, csv, trx, vcd, vcd-wires, ctf, perfetto\n");
}

Test(options, accept_one_operand_except_decode)
{
    cr_assert_str_eq(parse("txtap tail a.elf").target.elf, "a.elf");
    cr_assert_str_eq(parse("txtap tail --new a.elf -q").target.elf, "a.elf");
    cr_assert_str_eq(parse("txtap decode a.trx").files[0], "a.trx");
    cr_assert_str_eq(parse("txtap decode -").files[0], "-");
    cr_assert_eq(parse("txtap decode a.rec0 a.rec1 --hz 1").file_count, 2);
    refuses("txtap tail a.elf b.elf", "'a.elf' and 'b.elf'");
    refuses("txtap decode", "no file to decode");
    refuses("txtap snapshot a.elf", "no file to write");
}

/* ---- the target ---- */

Test(options, tcl_takes_a_port_and_a_host)
{
    struct options options = parse("txtap tail --tcl 7777");

    cr_assert_str_eq(options.target.probe.openocd.host, "127.0.0.1");
    cr_assert_str_eq(options.target.probe.openocd.port, "7777");
    options = parse("txtap tail --tcl bench:65535");
    cr_assert_str_eq(options.target.probe.openocd.host, "bench");
    cr_assert_str_eq(options.target.probe.openocd.port, "65535");
    options = parse("txtap tail --tcl [::1]:1");
    cr_assert_str_eq(options.target.probe.openocd.host, "::1");
    cr_assert_str_eq(options.target.probe.openocd.port, "1");
}

Test(options, tcl_refuses_an_invalid_port)
{
    static const char *const wrong[] = {"0", "65536", "-1", "+1", "x", "host:", "host:x", "host", "12x", "1e3", ":"};

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[64];

        snprintf(text, sizeof text, "txtap tail --tcl %s", wrong[i]);
        refuses(text, "is not [HOST:]PORT");
    }
}

Test(options, openocd_takes_arguments_or_is_forced_for_a_probe)
{
    static char arguments[] = " -f my.cfg", commands_of_openocd[] = "-c 'set A 1' -f my.cfg";
    struct options options = parse("txtap tail --probe=x --openocd a.elf");

    cr_assert_eq(options.target.probe.kind, &probe_usb);
    cr_assert(options.target.probe.usb.through_openocd);
    cr_assert_str_eq(options.target.probe.usb.wanted, "x");
    cr_assert_str_eq(options.target.elf, "a.elf");
    options = parse("txtap tail --openocd --limit 3 a.elf");
    cr_assert_eq(options.target.probe.kind, &probe_usb);
    cr_assert_eq(options.limit, 3);
    options = parse("txtap tail --openocd=-fmy.cfg a.elf");
    cr_assert_eq(options.target.probe.kind, &probe_openocd_child);
    cr_assert_not(options.target.probe.usb.through_openocd);
    cr_assert_str_eq(options.target.probe.child.arguments, "-fmy.cfg");
    (void)split("txtap tail --openocd ARGS a.elf");
    words[3] = arguments;
    options_parse(&options, 5, words, commands);
    cr_assert_eq(options.target.probe.kind, &probe_openocd_child);
    cr_assert_str_eq(options.target.probe.child.arguments, arguments);
    cr_assert_str_eq(options.target.elf, "a.elf");
    (void)split("txtap tail --openocd ARGS a.elf");
    words[3] = commands_of_openocd;
    options_parse(&options, 5, words, commands);
    cr_assert_str_eq(options.target.probe.child.arguments, commands_of_openocd);
    refuses("txtap tail --openocd=-fmy.cfg --probe a.elf", "--openocd and --probe exclude each other");
    refuses("txtap tail --image=x@0 --openocd a.elf", "--image and --probe exclude each other");
}

Test(options, way_names_one_way_and_no_option_leaves_the_choice)
{
    struct options options = parse("txtap tail a.elf");

    cr_assert(options.target.probe.any);
    cr_assert_not(parse("txtap tail --tcl 7777").target.probe.any);
    cr_assert_not(parse("txtap tail --probe").target.probe.any);
    options = parse("txtap tail --way=direct --chip rp2040");
    cr_assert_not(options.target.probe.any);
    cr_assert_eq(options.target.probe.kind, &probe_usb_direct);
    cr_assert_eq(parse("txtap tail --way=start-openocd --probe=x").target.probe.kind, &probe_usb_openocd);
    options = parse("txtap tail --way=openocd --tcl 7777");
    cr_assert_eq(options.target.probe.kind, &probe_openocd);
    cr_assert_str_eq(options.target.probe.openocd.port, "7777");
    cr_assert_eq(parse("txtap tail --way=stlink-server").target.probe.kind, &probe_stlink_server);
    refuses("txtap tail --way=direct --tcl 7777", "--way=direct and --tcl exclude each other");
    refuses("txtap tail --way=openocd --probe", "--way=openocd and --probe exclude each other");
    parse_to_the_end("txtap tail --way=telepathy");
    cr_assert_eq(ended.code, EXIT_USAGE);
    cr_assert_not_null(strstr(ended.err, "'telepathy' is not a way to a target"));
    cr_assert_not_null(strstr(ended.err, "start-openocd  a probe on USB"));
    parse_to_the_end("txtap tail --way=help");
    cr_assert_eq(ended.code, EXIT_DONE);
    cr_assert_eq(strncmp(ended.out, "direct  ", 8), 0, "%s", ended.out);
}

Test(options, chip_and_speed_choose_a_usb_probe)
{
    struct options options = parse("txtap tail --chip rp2040 a.elf");

    cr_assert_eq(options.target.probe.kind, &probe_usb);
    cr_assert_str_eq(options.target.probe.usb.chip, "rp2040");
    cr_assert_null(options.target.probe.usb.wanted);
    cr_assert_eq(parse("txtap tail --speed 100").target.probe.kind, &probe_usb);
    cr_assert_eq(parse("txtap tail --openocd --chip rp2040").target.probe.kind, &probe_usb);
    refuses("txtap tail --chip rp2040 --tcl 6666", "--chip is for a probe on USB, not for --tcl\n");
    refuses("txtap tail --speed 100 --gdb 3333", "--speed is for a probe on USB, not for --gdb\n");
    refuses("txtap tail --chip rp2040 --openocd=-fmy.cfg", "--chip is for a probe on USB, not for --openocd\n");
}

Test(options, stlink_server_takes_a_host_a_port_and_a_serial_number)
{
    struct options options = parse("txtap tail --stlink-server");

    cr_assert_eq(options.target.probe.kind, &probe_stlink_server);
    cr_assert(!options.target.probe.stlink.host && !options.target.probe.stlink.port &&
              !options.target.probe.stlink.serial);
    options = parse("txtap tail --stlink-server=7185/0123ABC --speed 1000 --chip stm32h745 --target stm32h7x.cpu1");
    cr_assert_null(options.target.probe.stlink.host);
    cr_assert_str_eq(options.target.probe.stlink.port, "7185");
    cr_assert_str_eq(options.target.probe.stlink.serial, "0123ABC");
    options = parse("txtap tail --stlink-server=bench:7185");
    cr_assert_str_eq(options.target.probe.stlink.host, "bench");
    refuses("txtap tail --stlink-server --tcl 6666", "--tcl and --stlink-server exclude each other");
    refuses("txtap tail --stlink-server --probe", "exclude each other");
    refuses("txtap tail --stlink-server --chip rp2040", "an ST-Link does not reach this chip");
    refuses("txtap tail --stlink-server --target cpu1", "--target needs --chip");
}

Test(options, gdb_takes_a_port_and_a_host_and_asks_there)
{
    struct options options = parse("txtap tail --gdb 3333");

    cr_assert_str_eq(options.target.probe.gdb.host, "127.0.0.1");
    cr_assert_str_eq(options.target.probe.gdb.port, "3333");
    cr_assert_str_eq(options.target.probe.openocd.host, "127.0.0.1");
    cr_assert_str_eq(options.target.probe.openocd.port, "6666");
    options = parse("txtap tail --gdb bench:3334 --tcl 7777");
    cr_assert_str_eq(options.target.probe.gdb.host, "bench");
    cr_assert_str_eq(options.target.probe.openocd.host, "bench");
    cr_assert_str_eq(options.target.probe.openocd.port, "7777");
    options = parse("txtap tail --tcl bench:7777 --gdb 3334");
    cr_assert_str_eq(options.target.probe.gdb.host, "bench");
    options = parse("txtap tail --gdb [::1]:1234 --intrusive");
    cr_assert(options.target.probe.gdb.intrusive && !options.target.probe.gdb.trusted);
    cr_assert_str_eq(options.target.probe.gdb.host, "::1");
    cr_assert(parse("txtap tail --gdb 1234 --trust-gdb").target.probe.gdb.trusted);
    cr_assert_null(parse("txtap tail").target.probe.gdb.port);
}

Test(options, gdb_refuses_contradictory_options)
{
    refuses("txtap tail --gdb host", "--gdb: 'host' is not [HOST:]PORT");
    refuses("txtap tail --gdb 0", "is not [HOST:]PORT");
    refuses("txtap tail --gdb 3333 --image f@0x20000000", "--gdb and --image exclude each other");
    refuses("txtap tail --gdb a:3333 --tcl b:6666", "two hosts, 'a' and 'b'");
    refuses("txtap tail --gdb 3333 --tcl 6666 --intrusive", "does not use OpenOCD: leave out --tcl");
    refuses("txtap tail --gdb 3333 --tcl 6666 --trust-gdb", "does not use OpenOCD: leave out --tcl");
    refuses("txtap tail --gdb 3333 --trust-gdb --intrusive", "exclude each other");
    refuses("txtap info --intrusive", "--intrusive needs --gdb");
    refuses("txtap snapshot -o f --trust-gdb", "--trust-gdb needs --gdb");
    refuses("txtap decode --gdb 3333 file", "gdb");
    refuses("txtap tail --gdb 3333 --target x.cpu", "--target goes with --tcl");
    refuses("txtap tail --image f@0x20000000 --target x.cpu", "--target goes with --tcl");
}

Test(options, image_takes_a_file_and_an_address)
{
    struct options options = parse("txtap tail --image ram@home.bin@0x20000000");

    cr_assert_str_eq(options.target.probe.file, "ram@home.bin");
    cr_assert_eq(options.target.probe.file_address, 0x20000000u);
    refuses("txtap tail --image ram.bin", "is not FILE@ADDRESS");
    refuses("txtap tail --image @0x20000000", "is not FILE@ADDRESS");
    refuses("txtap tail --image ram.bin@", "is not an address");
    refuses("txtap tail --image ram.bin@0x20000001", "is not an address");
}

Test(options, address_takes_multiples_of_four)
{
    struct options options = parse("txtap tail --address 0x20000400");

    cr_assert(options.target.ring.wished.has_address);
    cr_assert_eq(options.target.ring.wished.address, 0x20000400u);
    cr_assert_eq(parse("txtap tail --address 536870912").target.ring.wished.address, 0x20000000u);
    cr_assert_eq(parse("txtap tail --address 0xFFFFFFFC").target.ring.wished.address, 0xFFFFFFFCu);
    cr_assert(parse("txtap tail --address 0").target.ring.wished.has_address);
    refuses("txtap tail --address 0x20000402", "is not an address");
    refuses("txtap tail --address 0x100000000", "is not an address");
    refuses("txtap tail --address -4", "is not an address");
    refuses("txtap tail --address here", "is not an address");
    refuses("txtap tail --address 0x20000400z", "is not an address");
    refuses("txtap tail --address 99999999999999999999999", "is not an address");
}

Test(options, ram_takes_regions)
{
    struct options options = parse("txtap info --ram 0x20000000:128K --ram 0x10000000:0x10000 --ram 0:1M --ram 64:64k "
                                   "--ram 0xFFF00000:1m");

    cr_assert_eq(options.target.ring.wished.ram_count, 5);
    cr_assert_eq(options.target.ring.wished.ram[0].start, 0x20000000u);
    cr_assert_eq(options.target.ring.wished.ram[0].size, 128u * 1024);
    cr_assert_eq(options.target.ring.wished.ram[1].size, 0x10000u);
    cr_assert_eq(options.target.ring.wished.ram[2].size, 1024u * 1024);
    cr_assert_eq(options.target.ring.wished.ram[3].size, 64u * 1024);
    cr_assert_eq(options.target.ring.wished.ram[4].start, 0xFFF00000u);
}

Test(options, ram_refuses_invalid_regions)
{
    static const char *const wrong[] = {
        "0x20000000",    "0x20000000:",      "0x20000000:0", ":128K",         "0x20000001:128K", "0x20000000:1KB",
        "0x20000000:4G", "0x20000000:4000M", "x:1K",         "0x20000000:-1", "0xFFF00000:2M",   "0x20000000: 128"};

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[64];

        snprintf(text, sizeof text, "txtap tail --ram %s", wrong[i]);
        refuses(text, "is not START:SIZE");
    }
}

Test(options, ram_has_a_limit_of_regions)
{
    char text[2048] = "txtap tail";

    for (int i = 0; i < MEMORY_REGIONS_MAX; i++)
        strcat(text, " --ram 0x20000000:4K");
    cr_assert_eq(parse(text).target.ring.wished.ram_count, MEMORY_REGIONS_MAX);
    strcat(text, " --ram 0x20000000:4K");
    refuses(text, "more than");
}

Test(options, accept_the_other_ways_to_a_target)
{
    struct options options = parse("txtap tail --symbol my_trace --scan --wait");

    cr_assert_str_eq(options.target.ring.wished.symbol, "my_trace");
    cr_assert(options.target.ring.wished.scan && options.target.wait);
}

/* ---- output and limits ---- */

Test(options, format_takes_every_format)
{
    cr_assert_str_eq(parse("txtap tail -f jsonl").format->name, "jsonl");
    cr_assert_str_eq(parse("txtap tail --format=text").format->name, "text");
    refuses("txtap tail --format xml", "unknown 'xml': expected one of");
    cr_assert_not_null(strstr(ended.err, "jsonl"));
}

Test(options, color_takes_three_values)
{
    cr_assert_eq(parse("txtap tail --color auto").color, COLOR_AUTO);
    cr_assert_eq(parse("txtap tail --color always").color, COLOR_ALWAYS);
    cr_assert_eq(parse("txtap tail --color never").color, COLOR_NEVER);
    refuses("txtap tail --color maybe", "unknown 'maybe': expected auto, always or never");
}

Test(options, times_have_units)
{
    static const struct {
        const char *text;
        double seconds;
    } good[] = {{"2", 2},      {"0.5", 0.5}, {"2s", 2},          {"500ms", 0.5}, {"250us", 250e-6},
                {"1min", 60},  {"1m", 60},   {"2h", 7200},       {"1.5s", 1.5},  {".5", 0.5},
                {"1e3", 1000}, {"2S", 2},    {"1000000000", 1e9}};
    static const char *const wrong[] = {"0",    "-1",  "+1",   "x", "1x",    "nan", "inf",
                                        "1e10", "2 s", "0x10", "s", "1e999", "."};
    char text[64];

    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        snprintf(text, sizeof text, "txtap info --seconds=%s", good[i].text);
        cr_assert_float_eq(parse(text).seconds, good[i].seconds, 1e-12, "%s", text);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(text, sizeof text, "txtap tail --seconds=%s", wrong[i]);
        if (strchr(wrong[i], ' ') == NULL)
            refuses(text, "is not a time from 1us");
    }
    cr_assert_eq(parse("txtap tail --patience 5ms").patience_us, 5000);
    cr_assert_eq(parse("txtap tail --patience 2").patience_us, 2000000);
    refuses("txtap tail --patience 100", "'100' is not a time from 2ms to 1min");
    refuses("txtap tail --patience 1ms", "from 2ms to 1min");
    cr_assert_eq(parse("txtap tail --wait=1min").target.wait_seconds, 60.0);
    refuses("txtap tail --wait=0", "is not a time");
    cr_assert_eq(parse("txtap decode f --hz 1k --from 5s --to 1min").filter.filter.from_ticks, 5000);
    refuses("txtap decode f --from 5s", "give --hz to use times");
    refuses("txtap decode f --hz 1k --from x", "is not a time such as");
}

Test(options, frequencies_have_units)
{
    static const struct {
        const char *text;
        double hz;
    } good[] = {{"168e6", 168e6}, {"168M", 168e6},      {"168MHz", 168e6},  {"168mhz", 168e6},
                {"32768", 32768}, {"32.768kHz", 32768}, {"32768Hz", 32768}, {"1G", 1e9},
                {"1k", 1000},     {"0.5", 0.5},         {"32.768k", 32768}};
    static const char *const wrong[] = {"0", "-1", "x", "1x", "nan", "inf", "1MM", "M", "168MHzz", "0xA8"};
    char text[64];

    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        snprintf(text, sizeof text, "txtap tail --hz %s", good[i].text);
        cr_assert_float_eq(parse(text).tick_hz, good[i].hz, 1e-6, "%s", text);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(text, sizeof text, "txtap tail --hz=%s", wrong[i]);
        refuses(text, "is not a frequency above 0");
    }
}

Test(options, sizes_have_units)
{
    cr_assert_eq(parse("txtap tail --buffer 1048576").buffer_bytes, 1u << 20);
    cr_assert_eq(parse("txtap tail --buffer 2m").buffer_bytes, 2u << 20);
    cr_assert_eq(parse("txtap tail --buffer 1.5G").buffer_bytes, 3ul << 29);
    refuses("txtap tail --buffer 512K", "is not a size from 1M to 16G");
    refuses("txtap tail --buffer 17G", "is not a size from 1M to 16G");
    refuses("txtap tail --buffer 1MB", "is not a size");
    refuses("txtap tail --buffer=-1M", "is not a size");
    refuses("txtap tail --buffer 99999999999999999999G", "is not a size");
}

Test(options, host_time_is_a_switch)
{
    cr_assert(!parse("txtap tail").host_time && parse("txtap tail --host-time").host_time);
}

Test(options, events_takes_counts)
{
    static const char *const wrong[] = {"0", "-1", "+1", "x", "1.5", "1e3", "99999999999999999999999"};

    cr_assert_eq(parse("txtap tail --limit 1").limit, 1);
    cr_assert_eq(parse("txtap tail --limit 18446744073709551615").limit, UINT64_MAX);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[64];

        snprintf(text, sizeof text, "txtap tail --limit %s", wrong[i]);
        refuses(text, "is not a whole number above 0");
    }
}

Test(options, a_number_from_0_has_no_limit_in_its_message)
{
    cr_assert_eq(parse("txtap why --event 0 x.rec").report.event, 0);
    refuses("txtap why --event -1 x.rec", "'-1' is not a whole number\n");
}

Test(options, accept_the_switches)
{
    struct options options = parse("txtap tail --new --strict -q --stats-json s.json -o out.txt");

    cr_assert(options.only_new && options.strict && options.quiet);
    cr_assert_str_eq(options.stats_json, "s.json");
    cr_assert_str_eq(options.output, "out.txt");
    options = parse("txtap snapshot --output f.trx --force");
    cr_assert(options.force);
    cr_assert_str_eq(options.output, "f.trx");
}

Test(options, a_kind_of_ring_is_given_once_and_with_its_options)
{
    struct options options = parse("txtap tail --kernel-event-logger fw.elf");

    cr_assert_eq(options.target.ring.kind, &ring_event_logger);
    cr_assert_eq(options.target.ring.kind->definitions, ring_event_logger.definitions);
    options = parse("txtap decode f.trx");
    cr_assert_eq(options.target.ring.kind, &ring_txtb);
    cr_assert_eq(options.target.ring.kind->definitions, NULL);
    options = parse("txtap record --kernel-event-logger -o f.rec fw.elf");
    cr_assert_eq(options.target.ring.kind, &ring_event_logger);
    refuses("txtap tail --kernel-event-logger --zephyr-ram fw.elf", "exclude each other: one ring at a time");
    refuses("txtap tail --kernel-event-logger", "--kernel-event-logger needs the firmware's ELF file");
    refuses("txtap tail --kernel-event-logger --scan fw.elf", "finds its ring by symbols");
    cr_assert_str_eq(parse("txtap decode --elf fw.elf f.trx").target.elf, "fw.elf");
    refuses("txtap info --position 4 fw.elf", "--position needs --zephyr-ram");
    refuses("txtap tail --zephyr-ram -o d fw.elf", "--zephyr-ram needs --ctf-metadata FILE");
    refuses("txtap tail --zephyr-ram --ctf-metadata m fw.elf", "--zephyr-ram writes a directory");
    refuses("txtap record --zephyr-ram -o f.rec fw.elf", "--zephyr-ram does not work with 'txtap record'");
}
