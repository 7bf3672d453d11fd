/* SPDX-License-Identifier: MIT */
/* txtap completion and txtap complete: scripts for shells, and the answers that the scripts ask for. */
#include "command/complete/complete.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/option_values.h"
#include "command/commands.h"
#include "options/command_line.h"

extern const char completion_bash[], completion_zsh[], completion_fish[];

static const struct shell {
    const char *name, *script, *about;
} shells[] = {
    {"bash", completion_bash, "source <(txtap completion bash)"},
    {"zsh", completion_zsh, "source <(txtap completion zsh)"},
    {"fish", completion_fish, "txtap completion fish | source"},
};

#define SHELLS (sizeof shells / sizeof *shells)

/* ---- candidates ---- */

void completion_offer(const struct completion *completion, const char *word, const char *about)
{
    if (strncmp(word, completion->part, strlen(completion->part)) != 0 || strpbrk(word, "\t\n") != NULL)
        return;
    printf("%s%s\t%.*s\n", completion->before, word, (int)strcspn(about, ";(:\n"), about);
}

static void offer_commands(const struct completion *completion)
{
    for (size_t i = 0; commands[i] != NULL; i++)
        if (commands[i]->brief != NULL)
            completion_offer(completion, commands[i]->name, commands[i]->brief);
    completion_offer(completion, "--help", "list the commands");
    completion_offer(completion, "--version", "show the version");
}

static bool takes_value(const struct argp_option *option)
{
    return option->arg != NULL && (option->flags & OPTION_ARG_OPTIONAL) == 0;
}

static void offer_options(const struct completion *completion, const struct option_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        const struct argp_option *option = table->rows[i].option;
        char name[64];

        if (option->name == NULL || (option->flags & OPTION_HIDDEN) != 0 || option->doc == NULL)
            continue;
        snprintf(name, sizeof name, "--%s%s", option->name, takes_value(option) ? "=" : "");
        completion_offer(completion, name, option->doc);
    }
}

/* Returns the option whose value is the next word; NULL: the word before the cursor is no such option. */
static const struct argp_option *waiting_option(const struct completion *completion, const struct option_table *table)
{
    const char *word = completion->count > 0 ? completion->words[completion->count - 1] : "";
    const struct argp_option *option = NULL;

    if (strncmp(word, "--", 2) == 0 && word[2] != '\0' && strchr(word, '=') == NULL)
        option = option_table_find(table, word + 2, strlen(word + 2));
    else if (word[0] == '-' && word[1] != '\0' && word[1] != '-' && word[2] == '\0')
        option = option_table_find_short(table, word[1]);
    return option != NULL && takes_value(option) ? option : NULL;
}

/* Returns true after the word --: all further words are operands. */
static bool has_dashes(const struct completion *completion)
{
    for (size_t i = 0; i < completion->count; i++)
        if (strcmp(completion->words[i], "--") == 0)
            return true;
    return false;
}

/* Completes the word after the command. */
static void complete_word(struct completion *completion)
{
    static struct option_table table;
    const struct argp_option *option;
    const char *equal = strchr(completion->part, '=');
    char before[80];

    if (has_dashes(completion)) {
        puts(":files");
        return;
    }
    options_table_of(&table, completion->command);
    option = waiting_option(completion, &table);
    if (option == NULL && strncmp(completion->part, "--", 2) == 0 && equal != NULL) {
        size_t length = (size_t)(equal - completion->part) - 2;

        option = option_table_find(&table, completion->part + 2, length);
        snprintf(before, sizeof before, "%.*s=", (int)length + 2, completion->part);
        completion->before = before;
        completion->part = equal + 1;
        if (option == NULL || option->arg == NULL)
            return;
    }
    if (option != NULL)
        completion_values(completion, option);
    else if (completion->part[0] == '-')
        offer_options(completion, &table);
    else
        puts(":files");
}

/* ---- the commands ---- */

/* Completes the last of the operands, which are the words after "txtap". */
static int run_complete(const struct options *options)
{
    struct completion completion = {.before = "", .part = ""};
    size_t count = options->file_count;

    if (count > 0)
        completion.part = options->files[count - 1];
    if (count <= 1) {
        offer_commands(&completion);
        return EXIT_DONE;
    }
    for (size_t i = 0; commands[i] != NULL; i++)
        if (strcmp(commands[i]->name, options->files[0]) == 0)
            completion.command = commands[i];
    completion.words = options->files + 1;
    completion.count = count - 2;
    if (completion.command == &completion_command) {
        for (size_t i = 0; i < SHELLS; i++)
            completion_offer(&completion, shells[i].name, shells[i].about);
    } else if (completion.command != NULL) {
        complete_word(&completion);
    }
    return EXIT_DONE;
}

static int run_completion(const struct options *options)
{
    struct error error = {0};

    for (size_t i = 0; i < SHELLS; i++)
        if (options->file_count == 1 && strcmp(options->files[0], shells[i].name) == 0) {
            fputs(shells[i].script, stdout);
            return status_exit_code(standard_output_flush(&error));
        }
    return EXIT_USAGE;
}

/* Takes the words as operands, whatever they look like. */
static error_t parse_words(int key, char *text, struct argp_state *state)
{
    struct options *options = state->input;

    (void)text;
    if (key != ARGP_KEY_ARGS)
        return ARGP_ERR_UNKNOWN;
    options->files = (const char *const *)(state->argv + state->next);
    options->file_count = (size_t)(state->argc - state->next);
    return 0;
}

static error_t parse_shell(int key, char *text, struct argp_state *state)
{
    const struct options *options = state->input;

    if (key == ARGP_KEY_END) {
        bool known = false;

        for (size_t i = 0; i < SHELLS && options->file_count == 1; i++)
            known = known || strcmp(options->files[0], shells[i].name) == 0;
        if (!known)
            option_error(state, "give one shell: bash, zsh or fish");
    }
    return parse_words(key, text, state);
}

const struct command completion_command = {
    .name = "completion",
    .brief = "print a script that completes words in bash, zsh or fish",
    .run = run_completion,
    .parser = parse_shell,
    .operands = "bash|zsh|fish",
    .help = "Print a script that lets a shell complete commands, options and their values.\v"
            "For this shell: source <(txtap completion bash), source <(txtap completion zsh), or txtap completion fish "
            "| source. An installed txtap has the scripts where the shells look for them.",
    .only_shows = true,
};

const struct command complete_command = {
    .name = "complete",
    .run = run_complete,
    .parser = parse_words,
    .operands = "-- WORD...",
    .help = "For the scripts of 'txtap completion': print the words that may stand in place of the last WORD.",
    .only_shows = true,
};
