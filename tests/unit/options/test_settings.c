/* SPDX-License-Identifier: MIT */
/* Options from the environment and from .txtap: their order, and the settings that are refused. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command/commands.h"
#include "options/command_line.h"
#include "options/settings_file.h"

static char folder[64], elf[96], file[96], said[96];

/* Makes a folder for an ELF file, with `text` as its .txtap. */
static void begin(const char *text)
{
    FILE *out;

    strcpy(folder, "/tmp/test_settings.XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    snprintf(elf, sizeof elf, "%s/fw.elf", folder);
    snprintf(file, sizeof file, "%s/.txtap", folder);
    snprintf(said, sizeof said, "%s/said", folder);
    out = fopen(file, "w");
    cr_assert_not_null(out);
    fputs(text, out);
    fclose(out);
    chmod(file, 0644);
}

static void end(void)
{
    unlink(file);
    unlink(said);
    rmdir(folder);
}

/* The words of the last parse, which the options borrow. */
static char *words[16];

static struct options parse(const char *command, const char *first, const char *second)
{
    struct options options;
    int count = 0;

    words[count++] = strdup("txtap");
    words[count++] = strdup(command);
    if (first != NULL)
        words[count++] = strdup(first);
    if (second != NULL)
        words[count++] = strdup(second);
    words[count++] = strdup(elf);
    words[count] = NULL;
    options_parse(&options, count, words, commands);
    return options;
}

/* Parses in a child. Returns its exit code, 99 if the options are accepted, and its standard error. */
static int parse_in_child(const char *command, const char *first, char text[static 2048])
{
    int state;
    pid_t child;
    FILE *in;

    fflush(NULL);
    child = fork();
    cr_assert_geq(child, 0);
    if (child == 0) {
        cr_assert_not_null(freopen(said, "w", stderr));
        if (freopen("/dev/null", "w", stdout) == NULL)
            _exit(98);
        parse(command, first, NULL);
        fflush(NULL);
        _exit(99);
    }
    cr_assert_eq(waitpid(child, &state, 0), child);
    in = fopen(said, "r");
    cr_assert_not_null(in);
    text[fread(text, 1, 2047, in)] = '\0';
    fclose(in);
    return WEXITSTATUS(state);
}

static void refuses(const char *text, const char *because)
{
    char err[2048];
    int code;

    begin(text);
    code = parse_in_child("tail", NULL, err);
    end();
    cr_assert(code == 2 && strstr(err, because) != NULL, "%s: %d, %s", text, code, err);
}

Test(settings, file_sets_options_that_nothing_else_sets)
{
    struct options options;

    begin("# a board\n hz = 1M\r\nwide = yes\nseconds=7\n\n[report]\nlimit = 3\n[tail]\nlimit = 9\nverbose = no");
    setenv("TXTAP_SECONDS", "8", 1);
    options = parse("tail", "--hz", "2M");
    cr_expect_eq(options.tick_hz, 2e6);
    cr_expect_eq(options.seconds, 8);
    cr_expect_eq(options.limit, 9);
    cr_expect(options.wide && !options.verbose);
    cr_expect_str_eq(options.target.elf, elf);
    end();
}

Test(settings, environment_sets_any_option)
{
    struct options options;

    begin("hz = 1M\ntcl = 6667\n");
    setenv("TXTAP_HZ", "3M", 1);
    setenv("TXTAP_STATS_JSON", "stats", 1);
    setenv("TXTAP_NO_RECONNECT", "yes", 1);
    setenv("TXTAP_IMAGE", "", 1);
    options = parse("tail", "-q", NULL);
    cr_expect_eq(options.tick_hz, 3e6);
    cr_expect_str_eq(options.stats_json, "stats");
    cr_expect(options.no_reconnect);
    end();
}

Test(settings, rate_of_the_file_is_replaced_by_auto)
{
    begin("hz = 1M\n");
    cr_expect_eq(parse("tail", "-q", NULL).tick_hz, 1e6);
    cr_expect_eq(parse("tail", "-q", "--hz=auto").tick_hz, 0);
    setenv("TXTAP_HZ", "auto", 1);
    cr_expect_eq(parse("tail", "-q", NULL).tick_hz, 0);
    end();
}

Test(settings, command_line_replaces_the_connection_of_the_file)
{
    char err[2048];

    begin("gdb = 3333\n");
    cr_expect_eq(parse_in_child("tail", "--image=ram.bin@0x20000000", err), 99, "%s", err);
    cr_expect_null(strstr(err, "--gdb"), "%s", err);
    end();
}

/* The folder of the firmware also has its recordings, and a command line cannot take a setting back. */
Test(settings, options_of_a_target_are_left_out_for_a_recording)
{
    static const char *const names[] = {"report", "check", "top", "view", "profile"};
    struct options options;
    char err[2048];
    FILE *trace;

    begin("seconds = 5\nwatch = motor.iq\nhz = 1M\n");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        options = parse(names[i], "-q", NULL); /* there is no such file: it may be firmware */
        cr_expect_eq(options.seconds, 5, "%s", names[i]);
        cr_expect_eq(options.variables.count, strcmp(names[i], "profile") == 0 ? 0 : 1, "%s", names[i]);
    }
    trace = fopen(elf, "w");
    cr_assert_not_null(trace);
    fputs("a trace, and no firmware", trace);
    fclose(trace);
    setenv("TXTAP_SECONDS", "7", 1);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        options = parse(names[i], "-q", NULL);
        cr_expect(options.seconds == 0 && options.variables.count == 0 && options.tick_hz == 1e6, "%s", names[i]);
    }
    cr_expect_eq(parse_in_child("report", NULL, err), 99);
    cr_expect_null(strstr(err, "--seconds"), "%s", err);
    cr_expect_eq(parse("report", "--seconds=3", NULL).seconds, 3);
    unlink(elf);
    cr_assert_eq(mkdir(elf, 0755), 0); /* the folder of a board, which tail follows for a time */
    options = parse("tail", "-q", NULL);
    cr_expect(options.seconds == 7 && options.variables.count == 0);
    options = parse("view", "-q", "--follow");
    cr_expect(options.seconds == 7 && options.variables.count == 0);
    rmdir(elf);
    end();
}

Test(settings, option_with_another_meaning_needs_its_section)
{
    char err[2048];

    begin("check = lost == 0\nevent = tx_*\nwatch = motor.iq\n");
    setenv("TXTAP_EVENT", "tx_*", 1);
    cr_expect_eq(parse_in_child("compare", elf, err), 99, "%s", err);
    cr_expect_eq(parse_in_child("why", "-q", err), 99, "%s", err);
    cr_expect_eq(parse_in_child("kernel", "-q", err), 99, "%s", err);
    cr_expect_eq(parse_in_child("check", "-q", err), 99, "%s", err);
    end();
    begin("[compare]\ncheck = yes\n[kernel]\nwatch = 2s\n");
    cr_expect_eq(parse_in_child("compare", elf, err), 99, "%s", err);
    cr_expect_not_null(strstr(err, ": --check\n"), "%s", err);
    cr_expect_eq(parse_in_child("kernel", NULL, err), 99, "%s", err);
    cr_expect_not_null(strstr(err, ": --watch\n"), "%s", err);
    end();
}

static const struct argp_option *option_of(const struct command *command, const char *name)
{
    static struct option_table table;

    options_table_of(&table, command);
    for (size_t i = 0; i < table.count; i++)
        if (table.rows[i].option->name != NULL && strcmp(table.rows[i].option->name, name) == 0)
            return table.rows[i].option;
    return NULL;
}

/* If this fails, a command has an option with the name of another command's option and another kind of value: add it to
 * means_other(). */
Test(settings, each_option_has_one_kind_of_value_otherwise)
{
    static struct option_table table;

    for (size_t i = 0; commands[i] != NULL; i++) {
        options_table_of(&table, commands[i]);
        for (size_t row = 0; row < table.count; row++) {
            const struct argp_option *one = table.rows[row].option;

            for (size_t j = 0; one->name != NULL && j < i; j++) {
                const struct argp_option *other = option_of(commands[j], one->name);

                if (other == NULL || one->arg == other->arg || strcmp(one->name, "output") == 0)
                    continue;
                if (one->arg != NULL && other->arg != NULL && strcmp(one->arg, other->arg) == 0)
                    continue;
                cr_expect(strcmp(one->name, "check") == 0 || strcmp(one->name, "watch") == 0 ||
                              strcmp(one->name, "at") == 0 || strcmp(one->name, "event") == 0,
                          "--%s of %s and %s", one->name, commands[i]->name, commands[j]->name);
            }
        }
    }
}

Test(settings, names_of_settings_are_shown)
{
    char err[2048];

    begin("hz = 1M\n");
    setenv("TXTAP_WIDE", "yes", 1);
    cr_expect_eq(parse_in_child("tail", NULL, err), 99);
    cr_expect_not_null(strstr(err, "txtap: options from the environment: --wide\n"), "%s", err);
    cr_expect_not_null(strstr(err, "/.txtap: --hz\n"), "%s", err);
    cr_expect_eq(parse_in_child("tail", "-q", err), 99);
    cr_expect_str_empty(err);
    end();
    begin("speed = 1M\n");
    cr_expect_eq(parse_in_child("tail", "-q", err), 2);
    cr_expect_not_null(strstr(err, "--speed: '1M' is not"), "%s", err);
    cr_expect_not_null(strstr(err, "/.txtap: --speed\n"), "%s", err);
    end();
}

Test(settings, misspelt_variables_are_named)
{
    char err[2048];

    begin("");
    setenv("TXTAP_SECTIN", "x", 1);
    setenv("TXTAP_E2E_QUIET", "1", 1);
    cr_expect_eq(parse_in_child("tail", NULL, err), 99);
    cr_expect_not_null(strstr(err, "TXTAP_SECTIN is not used: did you mean 'TXTAP_SECTION"), "%s", err);
    cr_expect_null(strstr(err, "E2E"), "%s", err);
    end();
}

Test(settings, bad_lines_are_refused)
{
    refuses("\nhz\n", "/.txtap:2: the line has no '='");
    refuses("hz =\n", ":1: no value");
    refuses("= 3\n", ":1: no name");
    refuses("--hz = 3\n", ":1: no name");
    refuses("hzz = 3\n", ":1: no option has the name 'hzz': did you mean 'hz'?");
    refuses("[tial]\nhz = 3\n", ":2: [tial] is not a command");
    refuses("[tail\n", ":1: the section has no ]");
    refuses("wide = 3\n", "--wide takes no value");
    refuses("hz = 3\033[2J\n", ":1: the line has a control character");
    refuses("hz = x\n", "--hz: 'x' is not a frequency");
}

Test(settings, harmful_settings_are_refused)
{
    static const char *const names[] = {"openocd",    "openocd-program", "output", "force",     "record", "junit",
                                        "stats-json", "on-fault",        "listen", "trust-gdb", "log",    "intrusive",
                                        "html",       "summary",         "image",  "elf",       "quiet"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char line[64];

        snprintf(line, sizeof line, "%s = x\n", names[i]);
        refuses(line, "a file cannot set --");
    }
    refuses("tcl = 10.0.0.1:6666\n", "only a port of this host");
    refuses("definitions = /etc/passwd\n", "only files in its own folder");
    refuses("definitions = a/../../x\n", "only files in its own folder");
    refuses("chip = ../../x\n", "letters, digits");
    refuses("target = x;exec\n", "letters, digits");
}

Test(settings, files_that_others_may_change_are_not_used)
{
    char err[2048];

    begin("hz = 1M\n");
    chmod(file, 0646);
    cr_expect_eq(parse_in_child("tail", NULL, err), 99);
    cr_expect_not_null(strstr(err, "is not used: everybody can change it"), "%s", err);
    unlink(file);
    cr_assert_eq(symlink("/etc/passwd", file), 0);
    cr_expect_eq(parse_in_child("tail", NULL, err), 99);
    cr_expect_not_null(strstr(err, "symbolic link"), "%s", err);
    unlink(file);
    cr_assert_eq(mkfifo(file, 0644), 0);
    cr_expect_eq(parse_in_child("tail", NULL, err), 99);
    cr_expect_not_null(strstr(err, "not a regular file"), "%s", err);
    end();
}

Test(settings, too_many_settings_are_refused)
{
    static char text[SETTINGS_MAX * 4 + 8];
    static struct setting rows[SETTINGS_MAX];
    struct settings settings = {.rows = rows, .room = SETTINGS_MAX};

    for (size_t i = 0; i < SETTINGS_MAX; i++)
        strcat(text, "a=b\n");
    cr_assert(settings_parse(&settings, text, strlen(text)));
    cr_assert_eq(settings.count, SETTINGS_MAX);
    text[0] = '\0';
    for (size_t i = 0; i < SETTINGS_MAX + 1; i++)
        strcat(text, "a=b\n");
    cr_assert_not(settings_parse(&settings, text, strlen(text)));
    cr_assert_eq(settings.line, SETTINGS_MAX + 1);
}
