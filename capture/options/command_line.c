/* SPDX-License-Identifier: MIT */
/* From argv to the command and its options. Shows help and the version. */
#include "options/command_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/option_values.h"
#include "base/similar.h"
#include "file/ctf_directory.h"
#include "options/help.h"
#include "options/settings.h"
#include "txtap/version.h"
#include "txtap/inner/zephyr.h"

#define BUFFER_BYTES_DEFAULT ((uint64_t)64 << 20)

/* ---- a command ---- */

enum { KEY_ALL_HELP = 980 };

static const struct argp_option help_rows[] = {
    {"help", KEY_ALL_HELP, NULL, 0, "show all options; -h shows only the common options", 0},
    {"version", 'V', NULL, 0, "show the version", 0},
    {NULL, 'h', NULL, OPTION_HIDDEN, NULL, 0},
    {NULL, '?', NULL, OPTION_HIDDEN, NULL, 0},
    {0},
};

struct command_line {
    struct options *options;
    struct option_table table; /* all options of the command */
};

/* Prints the version, the revision, and the optional parts that this build has and lacks. */
static void print_version(void)
{
    printf("txtap %s (%s%s%s%s%s%s; schemas of JSON in docs/reference/json.md)\n", TXTAP_VERSION,
           *txtap_revision ? "git " : "", txtap_revision, *txtap_revision ? "; " : "",
           *PARTS_WITH ? "with " PARTS_WITH : "", *PARTS_WITH && *PARTS_WITHOUT ? "; " : "",
           *PARTS_WITHOUT ? "without " PARTS_WITHOUT : "");
}

/* Parses the options that every command has, and refuses operands that the command does not take. */
static error_t parse_help_option(int key, char *text, struct argp_state *state)
{
    const struct command_line *line = state->input;

    (void)text;
    switch (key) {
    case ARGP_KEY_ARGS:
        option_error(state, "unexpected '%s'", state->argv[state->next]);
    case 'h':
    case '?':
    case KEY_ALL_HELP:
        help_print(line->options, &line->table, key == KEY_ALL_HELP);
        exit(EXIT_DONE);
    case 'V':
        print_version();
        exit(EXIT_DONE);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Gives each child its input. */
static error_t parse_root(int key, char *text, struct argp_state *state)
{
    struct command_line *line = state->input;

    (void)text;
    if (key != ARGP_KEY_INIT)
        return ARGP_ERR_UNKNOWN;
    state->child_inputs[0] = line->options;
    state->child_inputs[1] = line;
    return 0;
}

/* Returns the number of words after the first --. argp changes the order of the words, so call it before. */
static size_t words_after_dashes(int count, char **words)
{
    int i = 1;

    while (i < count && strcmp(words[i], "--") != 0)
        i++;
    return i < count ? (size_t)(count - i - 1) : 0;
}

/* Help and the version depend on no setting. */
static bool asks_for_help(int count, char **words)
{
    for (int i = 1; i < count && strcmp(words[i], "--") != 0; i++)
        if (strcmp(words[i], "-h") == 0 || strcmp(words[i], "-V") == 0 || strcmp(words[i], "--help") == 0 ||
            strcmp(words[i], "--version") == 0)
            return true;
    return false;
}

/* commands: all commands; NULL: only the words are used, not the environment and the file. */
static void parse_command(struct options *options, int argc, char **argv, const struct command *const *commands)
{
    static char name[64];
    static struct command_line line;
    const struct command *command = options->command;
    const struct argp own = {command->rows, command->parser, NULL, NULL, command->groups, NULL, NULL};
    const struct argp help = {help_rows, parse_help_option, NULL, NULL, NULL, NULL, NULL};
    const struct argp_child children[] = {{&own, 0, NULL, 0}, {&help, 0, OPTIONS_HELP_HEAD, 0}, {0}};
    const struct argp argp = {NULL, parse_root, NULL, NULL, children, NULL, NULL};

    snprintf(name, sizeof name, "txtap %s", command->name);
    argv[0] = name;
    argp_err_exit_status = EXIT_USAGE;
    line.options = options;
    option_table_make(&line.table, &argp);
    option_table_check(&line.table, argc, argv);
    if (commands != NULL && !asks_for_help(argc, argv))
        argv = settings_add(&line.table, command, commands, &argc, argv);
    options->words = argv;
    options->after_dashes = words_after_dashes(argc, argv);
    options->word_count = argc;
    if (argp_parse(&argp, argc, argv, ARGP_NO_HELP, NULL, &line) != 0) { /* all other errors are reported already */
        fprintf(stderr, "txtap: no memory for the command line\n");
        exit(EXIT_FAILURE);
    }
}

void options_table_of(struct option_table *table, const struct command *command)
{
    const struct argp own = {command->rows, NULL, NULL, NULL, command->groups, NULL, NULL};
    const struct argp help = {help_rows, NULL, NULL, NULL, NULL, NULL, NULL};
    const struct argp_child children[] = {{&own, 0, NULL, 0}, {&help, 0, OPTIONS_HELP_HEAD, 0}, {0}};
    const struct argp argp = {NULL, NULL, NULL, NULL, children, NULL, NULL};

    option_table_make(table, &argp);
}

void options_target_words(const struct options *options, FILE *out, void (*put)(FILE *out, const char *word))
{
    static struct option_table table;
    const struct argp_child children[] = {{&options_target, 0, NULL, 0}, {&options_ring, 0, NULL, 0}, {0}};
    const struct argp argp = {NULL, NULL, NULL, NULL, children, NULL, NULL};

    option_table_make(&table, &argp);
    for (int i = 1; i < options->word_count && strcmp(options->words[i], "--") != 0; i++) {
        const char *word = options->words[i], *name = word + 2;
        size_t length = strncmp(word, "--", 2) == 0 ? strcspn(name, "=") : 0;
        const struct argp_option *option = length > 0 ? option_table_find(&table, name, length) : NULL;

        if (option == NULL)
            continue;
        put(out, word);
        if (option->arg != NULL && (option->flags & OPTION_ARG_OPTIONAL) == 0 && name[length] == '\0')
            put(out, options->words[++i]);
    }
}

/* ---- the table of commands ---- */

static void list_commands(FILE *out, const struct command *const *commands)
{
    fprintf(out, "Usage: txtap COMMAND [OPTION...] [ELF]\n"
                 "Follow the event trace of a running ThreadX target, without halting it.\n\n");
    for (; *commands; commands++)
        if ((*commands)->brief != NULL)
            fprintf(out, "  %-10s %s\n", (*commands)->name, (*commands)->brief);
    fprintf(out, "\n'txtap COMMAND -h' shows the common options of a command, 'txtap COMMAND --help'\n"
                 "shows all options, 'txtap --version' shows the version.\n"
                 "Options can also be in the environment (TXTAP_HZ for --hz) and in a file .txtap\n"
                 "beside the ELF file.\n"
                 "Exit codes: 0 done, 1 failed, 2 usage, 3 no trace buffer found, 4 no server to\n"
                 "talk to, 5 events were lost and --strict was given, 6 a --check failed, 7 a\n"
                 "--check cannot be decided.\n");
}

static bool is_one_of(const char *word, const char *first, const char *second, const char *third)
{
    return strcmp(word, first) == 0 || strcmp(word, second) == 0 || strcmp(word, third) == 0;
}

/* Returns the command with this name. If there is no such command, ends the program with a usage
 * error. */
static const struct command *find_command(const struct command *const *commands, const char *name)
{
    char text[SIMILAR_TEXT_BYTES];
    struct similar similar;

    similar_init(&similar, name);
    for (; *commands; commands++) {
        if (strcmp((*commands)->name, name) == 0)
            return *commands;
        if ((*commands)->brief != NULL)
            similar_offer(&similar, (*commands)->name);
    }
    fprintf(stderr, "txtap: '%s' is not a command%s\n", name,
            similar.count > 0 ? similar_text(&similar, text) : ": 'txtap --help' lists the commands");
    exit(EXIT_USAGE);
}

/* Shows the commands, or all options of a command, and ends the program. */
static void show_help(struct options *options, int argc, char **argv, const struct command *const *commands)
{
    static char help[] = "--help";
    char *words[] = {NULL, help, NULL};

    if (argc > 3) {
        fprintf(stderr, "txtap: unexpected '%s': 'txtap help COMMAND' shows the options of one command\n", argv[3]);
        exit(EXIT_USAGE);
    }
    if (argc > 2) {
        options->command = find_command(commands, argv[2]);
        parse_command(options, 2, words, NULL);
    }
    list_commands(stdout, commands);
    exit(EXIT_DONE);
}

void options_parse(struct options *options, int argc, char **argv, const struct command *const *commands)
{
    *options = (struct options){.format = txtap_exporter_find("text"), .buffer_bytes = BUFFER_BYTES_DEFAULT};
    if (argc < 2) {
        list_commands(stderr, commands);
        exit(EXIT_USAGE);
    }
    if (is_one_of(argv[1], "--help", "-h", "help"))
        show_help(options, argc, argv, commands);
    if (is_one_of(argv[1], "--version", "-V", "version")) {
        print_version();
        exit(EXIT_DONE);
    }
    options->command = find_command(commands, argv[1]);
    parse_command(options, argc - 1, argv + 1, commands);
    if (options->tick_hz == 0 && options->file_count == 1 && ctf_directory_has_metadata(options->files[0]))
        options->tick_hz = TXTAP_ZEPHYR_CTF_HZ; /* times in options are parsed already: they stay ticks */
    options->target.quiet = options->quiet;
    if (options->target.wait_seconds == 0)
        options->target.wait_seconds = options->seconds;
}
