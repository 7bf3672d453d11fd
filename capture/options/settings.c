/* SPDX-License-Identifier: MIT */
/*
 * Adds options from the environment and from .txtap to the command line. The file may come with the sources of a
 * firmware, from anybody. So it can set only the options of a list here, which start no program, write no file, open
 * no port to others, and name no other host and no file outside its folder.
 */
#include "options/settings.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/similar.h"
#include "nats/place.h"
#include "options/settings_file.h"

#define VARIABLE_BYTES 64
#define FILE_NAME      ".txtap"
#define SAID_BYTES     512 /* for the names of options from one place */

extern char **environ;

struct additions {
    const struct option_table *table;
    const struct command *const *commands;
    bool given[OPTION_TABLE_MAX + 1]; /* rows of the table that have a value already; the last element: other options */
    bool connects;                    /* one of these options chooses the way to the target */
    bool writes;                      /* one of these options chooses where the output goes */
    bool recorded;                    /* the command reads files, no target */
    const char *command;              /* the command's name */
    const char *first;                /* the first operand, or NULL */
    const char *beside;               /* path of the ELF file or of the first trace, or NULL */
    char **words;                     /* added options */
    size_t count;
    const struct argp_option *last; /* the option that was added last, or NULL */
    char said[SAID_BYTES];          /* names of the options from the current place */
};

static void refuse(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

static void refuse(const char *format, ...)
{
    va_list values;

    fputs("txtap: ", stderr);
    va_start(values, format);
    vfprintf(stderr, format, values);
    va_end(values);
    fputc('\n', stderr);
    exit(EXIT_USAGE);
}

static void *or_end(void *memory)
{
    if (memory == NULL)
        refuse("no memory for the configuration");
    return memory;
}

/* ---- options ---- */

static bool is_settable(const struct argp_option *option)
{
    return option->name != NULL && (option->flags & OPTION_HIDDEN) == 0 && strcmp(option->name, "help") != 0 &&
           strcmp(option->name, "version") != 0;
}

/* Returns the index of the row with this name; table->count: there is no such row. */
static size_t find_row(const struct option_table *table, const char *name)
{
    size_t i = 0;

    while (i < table->count && !(is_settable(table->rows[i].option) && strcmp(table->rows[i].option->name, name) == 0))
        i++;
    return i;
}

/* Options of which a command line has at most one: the ways to a target. */
static bool is_connection(const char *name)
{
    static const char *const names[] = {"tcl", "gdb", "openocd", "probe", "stlink-server", "image", "way"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* Options of which a command line has at most one: the places of a recording. */
static bool is_place(const char *name)
{
    return strcmp(name, "output") == 0 || strcmp(name, "store") == 0;
}

/* An option of a command. command: NULL: of each command. */
struct option_of {
    const char *command, *name;
};

static bool has_option(const struct option_of *list, size_t count, const char *command, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if ((list[i].command == NULL || strcmp(list[i].command, command) == 0) && strcmp(list[i].name, name) == 0)
            return true;
    return false;
}

/* Returns true if the option has another meaning in the command than in other commands. Only the command's own section
 * of a file sets it. */
static bool means_other(const char *command, const char *name)
{
    static const struct option_of list[] = {
        {"compare", "check"}, {"kernel", "watch"}, {"probes", "watch"}, {"why", "at"}, {"why", "event"},
    };

    return has_option(list, sizeof list / sizeof *list, command, name);
}

/* Returns true if the command refuses the option for a file, because it has no effect there. */
static bool is_for_target(const char *command, const char *name)
{
    static const struct option_of list[] = {
        {NULL, "watch"},       {"check", "output"},    {"check", "seconds"}, {"profile", "seconds"},
        {"report", "seconds"}, {"tail", "address"},    {"tail", "log"},      {"tail", "no-reconnect"},
        {"top", "seconds"},    {"view", "check"},      {"view", "new"},      {"view", "record"},
        {"view", "seconds"},   {"view", "stats-json"}, {"view", "strict"},
    };

    return has_option(list, sizeof list / sizeof *list, command, name);
}

/* Returns true if the operand names no firmware, but a trace, a recording, a folder or a subject. */
static bool is_recorded(const char *operand)
{
    unsigned char head[18] = {0};
    struct stat about;
    FILE *file;
    size_t got;

    if (stat(operand, &about) != 0)
        return strcmp(operand, "-") == 0 || nats_is_place(operand);
    if (!S_ISREG(about.st_mode) || (file = fopen(operand, "re")) == NULL)
        return true;
    got = fread(head, 1, sizeof head, file);
    fclose(file);
    return got < sizeof head || memcmp(head, ELFMAG, SELFMAG) != 0 || head[16] + head[17] == ET_CORE;
}

/* Makes "TXTAP_STATS_JSON" from "stats-json". */
static void variable_of(const char *name, char variable[static VARIABLE_BYTES])
{
    snprintf(variable, VARIABLE_BYTES, "TXTAP_%s", name);
    for (; *variable != '\0'; variable++)
        *variable = *variable == '-'                       ? '_'
                    : *variable >= 'a' && *variable <= 'z' ? (char)(*variable - 'a' + 'A')
                                                           : *variable;
}

/* Collects the options of another command. */
static void table_of(struct option_table *table, const struct command *command)
{
    const struct argp argp = {command->rows, command->parser, NULL, NULL, command->groups, NULL, NULL};

    option_table_make(table, &argp);
}

/* Offers the names of all options of all commands. Returns true if one of them equals `wanted`.
 * variables: compare the names of variables. */
static bool offer_all(const struct additions *additions, struct similar *similar, bool variables)
{
    static struct option_table table;

    for (const struct command *const *command = additions->commands; *command != NULL; command++) {
        table_of(&table, *command);
        for (size_t i = 0; i < table.count; i++) {
            char variable[VARIABLE_BYTES];
            const char *name = table.rows[i].option->name;

            if (!is_settable(table.rows[i].option))
                continue;
            variable_of(name, variable);
            name = variables ? variable : name;
            if (strcmp(name, similar->wanted) == 0)
                return true;
            similar_offer(similar, name);
        }
    }
    return false;
}

/* ---- adding ---- */

static void see_option(void *self, const struct argp_option *option, const char *value)
{
    struct additions *additions = self;

    if (option == NULL && additions->first == NULL)
        additions->first = value;
    if (option == NULL && additions->beside == NULL && strcmp(value, "-") != 0)
        additions->beside = value;
    if (option == NULL || option->name == NULL)
        return;
    additions->given[find_row(additions->table, option->name)] = true;
    additions->connects = additions->connects || is_connection(option->name);
    additions->writes = additions->writes || is_place(option->name);
    if (strcmp(option->name, "elf") == 0)
        additions->beside = value;
}

/* Returns true if the command follows a board with --follow. It then takes the options that tail takes for a board. */
static bool follows(const struct additions *additions)
{
    size_t row = find_row(additions->table, "follow");

    return row < additions->table->count && additions->given[row];
}

/* Adds an option, unless the command would refuse it. where: the name of the variable, or the file with its line. */
static void add(struct additions *additions, size_t row, const char *value, const char *where)
{
    const struct argp_option *option = additions->table->rows[row].option;
    bool bare = option->arg == NULL || (option->flags & OPTION_ARG_OPTIONAL) != 0;
    bool no = option->arg == NULL && strcmp(value, "no") == 0, yes = bare && strcmp(value, "yes") == 0;
    size_t used = strlen(additions->said), size = strlen(option->name) + strlen(value) + 4;
    char *word;

    if (additions->recorded && is_for_target(follows(additions) ? "tail" : additions->command, option->name))
        return;
    if (option->arg == NULL && !yes && !no)
        refuse("%s: --%s takes no value: write yes or no", where, option->name);
    if (additions->last != option)
        snprintf(additions->said + used, SAID_BYTES - used, "%s--%s", used > 0 ? ", " : "", option->name);
    additions->last = option;
    if (no)
        return;
    word = or_end(malloc(size));
    snprintf(word, size, yes ? "--%s" : "--%s=%s", option->name, value);
    additions->words = or_end(realloc(additions->words, (additions->count + 1) * sizeof *additions->words));
    additions->words[additions->count++] = word;
}

static void add_environment(struct additions *additions)
{
    const bool connects = additions->connects, writes = additions->writes;

    for (size_t i = 0; i < additions->table->count; i++) {
        const struct argp_option *option = additions->table->rows[i].option;
        char variable[VARIABLE_BYTES];
        const char *value;

        if (!is_settable(option) || additions->given[i] || means_other(additions->command, option->name) ||
            (connects && is_connection(option->name)) || (writes && is_place(option->name)))
            continue;
        variable_of(option->name, variable);
        value = getenv(variable);
        if (value == NULL || *value == '\0')
            continue;
        add(additions, i, value, variable);
        see_option(additions, option, value);
    }
}

#define VARIABLE_LETTERS_MIN 12 /* with TXTAP_: a shorter name resembles too many others */

/* Warns about variables whose names resemble an option's. */
static void warn_of_variables(const struct additions *additions)
{
    for (char **entry = environ; *entry != NULL; entry++) {
        char name[VARIABLE_BYTES], text[SIMILAR_TEXT_BYTES];
        size_t length = strcspn(*entry, "=");
        struct similar similar;

        if (strncmp(*entry, "TXTAP_", 6) != 0 || length < VARIABLE_LETTERS_MIN || length >= sizeof name)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)length, *entry);
        similar_init(&similar, name);
        if (!offer_all(additions, &similar, true) && similar.count > 0 && similar.best[0].edits <= 2)
            fprintf(stderr, "txtap: the variable %s is not used%s\n", name, similar_text(&similar, text));
    }
}

/* ---- the file ---- */

enum form { ANY, WORD, PORT, PATH };

/* The options that a file can set. WORD: letters, digits, '-', '_' and '.' only, because OpenOCD's configuration may
 * contain the value. No --quiet: it would hide that the file is used. PORT: a port of this host. PATH: relative to the
 * file's folder, and inside it. */
static const struct {
    const char *name;
    enum form form;
} settable[] = {
    {"address", ANY},        {"base", ANY},         {"check", ANY},     {"checks", PATH},
    {"chip", WORD},          {"color", ANY},        {"columns", ANY},   {"context", ANY},
    {"ctf-metadata", PATH},  {"definitions", PATH}, {"delay", ANY},     {"event", ANY},
    {"format", WORD},        {"gdb", PORT},         {"host-time", ANY}, {"hz", ANY},
    {"limit", ANY},          {"new", ANY},          {"no-open", ANY},   {"no-reconnect", ANY},
    {"object", ANY},         {"patience", ANY},     {"pc", ANY},        {"port", ANY},
    {"probe", WORD},         {"profile", ANY},      {"ram", ANY},       {"rows", ANY},
    {"scan", ANY},           {"seconds", ANY},      {"section", ANY},   {"speed", ANY},
    {"stlink-server", PORT}, {"strict", ANY},       {"symbol", WORD},   {"target", WORD},
    {"tcl", PORT},           {"thread", ANY},       {"time", ANY},      {"timeout", ANY},
    {"tolerance", ANY},      {"verbose", ANY},      {"wait", ANY},      {"watch", ANY},
    {"way", WORD},           {"wide", ANY},         {"within", ANY},
};

/* Checks the form of a value. Returns the problem and the next step, or NULL. */
static const char *problem_of(enum form form, const char *value)
{
    static const char word[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";

    switch (form) {
    case WORD:
        return value[strspn(value, word)] == '\0' ? NULL
                                                  : "the value may have only letters, digits, '-', '_' and '.' here: "
                                                    "give other values on the command line";
    case PORT:
        return value[strspn(value, "0123456789")] == '\0'
                   ? NULL
                   : "the file may name only a port of this host: give the host on the command line";
    case PATH:
        return *value != '/' && strstr(value, "..") == NULL
                   ? NULL
                   : "the file may name only files in its own folder: give others on the command line";
    default:
        return NULL;
    }
}

/* Adds a setting of the file `path`, whose folder is the first `folder` bytes of the path. */
static void add_setting(struct additions *additions, const struct setting *setting, const char *path, size_t folder)
{
    size_t row = find_row(additions->table, setting->name), i = 0;
    char where[PATH_MAX + 16], text[SIMILAR_TEXT_BYTES], value[PATH_MAX + SETTINGS_BYTES_MAX];
    const char *problem;
    struct similar similar;

    snprintf(where, sizeof where, "%s:%u", path, setting->line);
    similar_init(&similar, setting->name);
    if (row == additions->table->count && !offer_all(additions, &similar, false))
        refuse("%s: no option has the name '%s'%s", where, setting->name,
               similar.count > 0 ? similar_text(&similar, text) : ": txtap COMMAND --help lists the options");
    while (i < sizeof settable / sizeof *settable && strcmp(settable[i].name, setting->name) != 0)
        i++;
    if (i == sizeof settable / sizeof *settable)
        refuse("%s: a file cannot set --%s, because the file may come from others: give it on the command line or in "
               "the environment",
               where, setting->name);
    problem = problem_of(settable[i].form, setting->value);
    if (problem != NULL)
        refuse("%s: %s: %s", where, setting->name, problem);
    if (row == additions->table->count || additions->given[row] ||
        (*setting->section == '\0' && means_other(additions->command, setting->name)) ||
        (additions->connects && is_connection(setting->name)))
        return;
    snprintf(value, sizeof value, "%.*s%s", settable[i].form == PATH ? (int)folder : 0, path, setting->value);
    add(additions, row, value, where);
}

static bool names_command(const struct command *const *commands, const char *name)
{
    for (; *commands != NULL; commands++)
        if (strcmp((*commands)->name, name) == 0)
            return true;
    return false;
}

/* Reads the file. Returns false if there is no such file, or if it cannot be trusted, and says this. */
static bool read_file(const char *path, char text[static SETTINGS_BYTES_MAX + 1], size_t *length)
{
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat about;
    const char *why = NULL;
    ssize_t got;

    if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
        return false;
    if (fd < 0 || fstat(fd, &about) != 0)
        why = errno == ELOOP ? "it is a symbolic link: replace it by a file" : strerror(errno);
    else if (!S_ISREG(about.st_mode))
        why = "it is not a regular file";
    else if (about.st_uid != geteuid())
        why = "it belongs to another user: give its options on the command line, or copy the folder";
    else if ((about.st_mode & S_IWOTH) != 0)
        why = "everybody can change it: chmod o-w";
    if (why != NULL) {
        fprintf(stderr, "txtap: %s is not used: %s\n", path, why);
        if (fd >= 0)
            close(fd);
        return false;
    }
    got = read(fd, text, SETTINGS_BYTES_MAX + 1);
    close(fd);
    if (got < 0 || got > SETTINGS_BYTES_MAX)
        refuse("%s: %s", path, got < 0 ? strerror(errno) : "larger than 16 KiB: remove lines");
    *length = (size_t)got;
    return true;
}

static void add_file(struct additions *additions, const struct command *command, char path[static PATH_MAX])
{
    static char text[SETTINGS_BYTES_MAX + 1]; /* used until the program ends */
    static struct setting rows[SETTINGS_MAX];
    struct settings settings = {.rows = rows, .room = SETTINGS_MAX};
    const char *slash = additions->beside != NULL ? strrchr(additions->beside, '/') : NULL;
    size_t folder = slash != NULL ? (size_t)(slash - additions->beside) + 1 : 0, length;

    if (additions->beside == NULL || folder + sizeof FILE_NAME > PATH_MAX)
        return;
    snprintf(path, PATH_MAX, "%.*s" FILE_NAME, (int)folder, additions->beside);
    if (!read_file(path, text, &length))
        return;
    if (!settings_parse(&settings, text, length))
        refuse("%s:%u: %s", path, settings.line, settings.problem);
    for (size_t i = 0; i < settings.count; i++) {
        const struct setting *setting = &settings.rows[i];

        if (*setting->section != '\0' && !names_command(additions->commands, setting->section))
            refuse("%s:%u: [%s] is not a command: 'txtap --help' lists the commands", path, setting->line,
                   setting->section);
        if (*setting->section == '\0' || strcmp(setting->section, command->name) == 0)
            add_setting(additions, setting, path, folder);
    }
}

/* ---- all ---- */

static bool is_quiet(const struct additions *additions)
{
    for (size_t i = 0; i < additions->count; i++)
        if (strcmp(additions->words[i], "--quiet") == 0)
            return true;
    return additions->given[find_row(additions->table, "quiet")];
}

/* The options that were added, for the user. */
static char environment[SAID_BYTES], path[PATH_MAX];

static void say_options(const struct additions *additions)
{
    if (environment[0] != '\0')
        fprintf(stderr, "txtap: options from the environment: %s\n", environment);
    if (additions->said[0] != '\0')
        fprintf(stderr, "txtap: options from %s: %s\n", path, additions->said);
}

/* Says where options come from after a usage error, although --quiet hides it: the user did not give them now. */
static void say_after_error(int status, void *additions)
{
    if (status == EXIT_USAGE)
        say_options(additions);
}

char **settings_add(const struct option_table *table, const struct command *command,
                    const struct command *const *commands, int *count, char **words)
{
    static struct additions additions;
    char **all;

    additions = (struct additions){.table = table, .commands = commands, .command = command->name};
    option_table_walk(table, *count, words, see_option, &additions);
    additions.recorded = additions.first != NULL && is_recorded(additions.first);
    add_environment(&additions);
    snprintf(environment, sizeof environment, "%s", additions.said);
    additions.said[0] = '\0';
    add_file(&additions, command, path);
    if (is_quiet(&additions)) {
        on_exit(say_after_error, &additions);
    } else {
        warn_of_variables(&additions);
        say_options(&additions);
    }
    if (additions.count == 0)
        return words;
    all = or_end(calloc((size_t)*count + additions.count + 1, sizeof *all));
    all[0] = words[0];
    memcpy(all + 1, additions.words, additions.count * sizeof *all);
    memcpy(all + 1 + additions.count, words + 1, (size_t)(*count - 1) * sizeof *all);
    *count += (int)additions.count;
    return all;
}
