/* SPDX-License-Identifier: MIT */
/* Turns settings into the command line of each board's recorder. */
#include "lab/lab_file.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nats/place.h"
#include "options/settings_file.h"

#define BOARD "board "

/* Forms of values. ANY: any text. FLAG: yes or no. PATH: a path, relative to the folder of the file. WORD: letters,
 * digits, '-', '_', '.' and ':' only, because OpenOCD's configuration may contain the value; also yes. FOLDER: yes or
 * no; the folder is in the board's store, and has the name of the option. */
enum form { ANY, FLAG, PATH, WORD, FOLDER };

/* The options of txtap record that a board may have. No option starts a program, halts the target, or writes a file
 * outside the board's store. */
static const struct option {
    const char *name;
    enum form form;
} options[] = {
    {"address", ANY},
    {"after", ANY},
    {"before", ANY},
    {"buffer", ANY},
    {"check", ANY},
    {"checks", PATH},
    {"chip", WORD},
    {"compress", ANY},
    {"definitions", PATH},
    {"fault-limit", ANY},
    {"file-count", ANY},
    {"file-seconds", ANY},
    {"file-size", ANY},
    {"gdb", ANY},
    {"hz", ANY},
    {"kernel-event-logger", FLAG},
    {"log", ANY},
    {"new", FLAG},
    {"on-fault", FOLDER},
    {"patience", ANY},
    {"pc", ANY},
    {"probe", WORD},
    {"profile", ANY},
    {"ram", ANY},
    {"scan", FLAG},
    {"speed", ANY},
    {"spool", FOLDER},
    {"stlink-server", ANY},
    {"stream-age", ANY},
    {"stream-bytes", ANY},
    {"stream-replicas", ANY},
    {"symbol", WORD},
    {"target", WORD},
    {"tcl", ANY},
    {"timeout", ANY},
    {"trigger", ANY},
    {"trust-gdb", FLAG},
    {"wait", ANY},
    {"watch", ANY},
    {"way", WORD},
};

const char *lab_file_option(size_t index)
{
    return index < sizeof options / sizeof *options ? options[index].name : NULL;
}

/* The state of a parse; the strings of `settings` are in the caller's text. */
struct parse {
    struct lab_file *file;
    const char *path;
    const char *folder;
    struct settings settings;
    struct error *error;
};

/* ---- texts ---- */

static enum txtap_status refuse(const struct parse *parse, unsigned line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static enum txtap_status refuse(const struct parse *parse, unsigned line, const char *format, ...)
{
    char problem[ERROR_WHAT_BYTES];
    va_list values;

    va_start(values, format);
    vsnprintf(problem, sizeof problem, format, values);
    va_end(values);
    return failure(parse->error, TXTAP_ERROR_USAGE, "%.100s:%u: %s", parse->path, line, problem);
}

static char *make(const char *format, ...) __attribute__((format(printf, 1, 2)));

static char *make(const char *format, ...)
{
    char *text;
    va_list values;
    int length;

    va_start(values, format);
    length = vasprintf(&text, format, values);
    va_end(values);
    return length >= 0 ? text : NULL;
}

static enum txtap_status no_memory(const struct parse *parse)
{
    return failure(parse->error, TXTAP_ERROR_SYSTEM, "%.100s: no memory for it", parse->path);
}

static char *path_of(const struct parse *parse, const char *value)
{
    return *value == '/' ? make("%s", value) : make("%s/%s", parse->folder, value);
}

/* Sets a path once. */
static enum txtap_status set_path(const struct parse *parse, const struct setting *setting, char **path)
{
    free(*path);
    *path = path_of(parse, setting->value);
    return *path != NULL ? TXTAP_OK : no_memory(parse);
}

/* ---- the options of a board ---- */

static const struct option *find_option(const char *name)
{
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (strcmp(options[i].name, name) == 0)
            return &options[i];
    return NULL;
}

static bool is_word(const char *value)
{
    return strspn(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:") == strlen(value);
}

static enum txtap_status check_value(const struct parse *parse, const struct setting *setting,
                                     const struct option *option)
{
    bool answer = strcmp(setting->value, "yes") == 0 || strcmp(setting->value, "no") == 0;

    if ((option->form == FLAG || option->form == FOLDER) && !answer)
        return refuse(parse, setting->line, "%s: write yes or no", setting->name);
    if (option->form == WORD && !is_word(setting->value))
        return refuse(parse, setting->line, "%s: only letters, digits, '-', '_', '.' and ':' are allowed",
                      setting->name);
    return TXTAP_OK;
}

static enum txtap_status add_word(const struct parse *parse, struct board_setup *board, const struct setting *setting)
{
    const struct option *option = find_option(setting->name);
    bool yes = strcmp(setting->value, "yes") == 0;
    char *word;

    if (strcmp(setting->value, "no") == 0)
        return TXTAP_OK;
    if (board->word_count == LAB_WORDS_MAX)
        return refuse(parse, setting->line, "more than %u options for a board: remove some", LAB_WORDS_MAX);
    if (option->form == PATH)
        word = *setting->value == '/' ? make("--%s=%s", option->name, setting->value)
                                      : make("--%s=%s/%s", option->name, parse->folder, setting->value);
    else if (option->form == FOLDER)
        word = make("--%s=%s/%s", option->name, board->store, option->name);
    else
        word = yes ? make("--%s", option->name) : make("--%s=%s", option->name, setting->value);
    if (word == NULL)
        return no_memory(parse);
    board->words[board->word_count++] = word;
    return TXTAP_OK;
}

static bool equal_texts(const char *one, const char *other)
{
    return one == NULL || other == NULL ? one == other : strcmp(one, other) == 0;
}

static bool is_connection(const char *name)
{
    return strcmp(name, "probe") == 0 || strcmp(name, "tcl") == 0 || strcmp(name, "gdb") == 0 ||
           strcmp(name, "stlink-server") == 0;
}

/* Returns true if the section sets an option, or a connection in place of this connection. */
static bool sets(const struct parse *parse, const char *section, const char *name)
{
    for (size_t i = 0; i < parse->settings.count; i++) {
        const struct setting *setting = &parse->settings.rows[i];

        if (strcmp(setting->section, section) == 0 &&
            (strcmp(setting->name, name) == 0 || (is_connection(name) && is_connection(setting->name))))
            return true;
    }
    return false;
}

/* ---- sections ---- */

static struct board_setup *find_board(const struct lab_file *file, const char *name)
{
    for (size_t i = 0; i < file->board_count; i++)
        if (strcmp(file->boards[i].name, name) == 0)
            return &file->boards[i];
    return NULL;
}

/* Adds the board of a section. */
static enum txtap_status add_board(const struct parse *parse, const struct setting *setting)
{
    struct lab_file *file = parse->file;
    const char *name = setting->section + strlen(BOARD);
    struct board_setup *board = find_board(file, name);

    if (board != NULL)
        return refuse(parse, setting->line, "[%.80s] is already in line %u: choose another name", setting->section,
                      board->line);
    if (strlen(name) >= LAB_NAME_BYTES || *name == '-')
        return refuse(parse, setting->line, "[%.80s]: a name has at most %d characters, and does not begin with '-'",
                      setting->section, LAB_NAME_BYTES - 1);
    if (file->board_count == LAB_BOARDS_MAX)
        return refuse(parse, setting->line, "more than %u boards: divide the lab", LAB_BOARDS_MAX);
    board = &file->boards[file->board_count++];
    *board = (struct board_setup){.line = setting->line};
    strcpy(board->name, name);
    return TXTAP_OK;
}

/* Sets the place of NATS for a board, or for all boards. */
static enum txtap_status publish_at(const struct parse *parse, const struct setting *setting, char **publish)
{
    struct nats_place place;
    struct error wrong = {0};

    if (nats_place_parse(&place, setting->value, &wrong) != TXTAP_OK)
        return refuse(parse, setting->line, "publish: %.160s", wrong.what);
    free(*publish);
    *publish = make("%s", setting->value);
    return *publish != NULL ? TXTAP_OK : no_memory(parse);
}

static enum txtap_status listen_at(const struct parse *parse, const struct setting *setting)
{
    const char *colon = strrchr(setting->value, ':');
    size_t length = colon != NULL ? (size_t)(colon - setting->value) : 0;
    struct lab_file *file = parse->file;
    char *end = NULL;
    unsigned long port = colon != NULL ? strtoul(colon + 1, &end, 10) : 0;

    if (length == 0 || length >= LAB_HOST_BYTES || end == colon + 1 || *end != '\0' || port > UINT16_MAX)
        return refuse(parse, setting->line, "listen: '%.60s' is not ADDRESS:PORT, such as 127.0.0.1:9464",
                      setting->value);
    snprintf(file->host, sizeof file->host, "%.*s", (int)length, setting->value);
    file->port = (uint16_t)port;
    return TXTAP_OK;
}

/* Takes the settings of the lab itself, and checks all others. */
static enum txtap_status take_setting(const struct parse *parse, const struct setting *setting)
{
    bool of_lab = strcmp(setting->section, "lab") == 0;
    bool of_board = strncmp(setting->section, BOARD, strlen(BOARD)) == 0;
    const struct option *option = find_option(setting->name);

    if (!of_lab && !of_board)
        return refuse(parse, setting->line,
                      *setting->section != '\0' ? "[%.80s]: the sections are [lab] and [board NAME]"
                                                : "%.1sno section: write [lab] or [board NAME] before",
                      setting->section);
    if (*setting->name == '\0')
        return of_board ? add_board(parse, setting) : TXTAP_OK;
    if (strcmp(setting->name, "elf") == 0)
        return TXTAP_OK;
    if (strcmp(setting->name, "publish") == 0)
        return of_lab ? publish_at(parse, setting, &parse->file->publish) : TXTAP_OK;
    if (strcmp(setting->name, "store") == 0 && nats_is_place(setting->value))
        return refuse(parse, setting->line, "store: it is a folder: write 'publish' for a place of NATS");
    if (strcmp(setting->name, "store") == 0)
        return of_lab ? set_path(parse, setting, &parse->file->store) : TXTAP_OK;
    if (strcmp(setting->name, "listen") == 0 && of_lab)
        return listen_at(parse, setting);
    if (option == NULL)
        return refuse(parse, setting->line, "'%.60s' is no setting of a %s: see txtap-lab(1)", setting->name,
                      of_lab ? "lab" : "board");
    return check_value(parse, setting, option);
}

/* Completes a board with its settings, and then with the settings of [lab] that it does not have. */
static enum txtap_status fill_board(const struct parse *parse, struct board_setup *board)
{
    char section[sizeof BOARD + LAB_NAME_BYTES];
    enum txtap_status status = TXTAP_OK;

    snprintf(section, sizeof section, BOARD "%s", board->name);
    board->store = make("%s/%s", parse->file->store, board->name);
    if (board->store == NULL)
        return no_memory(parse);
    for (size_t i = 0; i < parse->settings.count && status == TXTAP_OK; i++) {
        const struct setting *setting = &parse->settings.rows[i];
        bool own = strcmp(setting->section, section) == 0;

        if (own && strcmp(setting->name, "store") == 0)
            status = set_path(parse, setting, &board->store);
        else if (own && strcmp(setting->name, "publish") == 0)
            status = publish_at(parse, setting, &board->publish);
    }
    if (status == TXTAP_OK && board->publish == NULL && parse->file->publish != NULL) {
        char *place = make("%s.%s", parse->file->publish, board->name);

        if (place == NULL)
            return no_memory(parse);
        status = publish_at(parse, &(struct setting){.line = board->line, .value = place}, &board->publish);
        free(place);
    }
    for (size_t i = 0; i < parse->settings.count && status == TXTAP_OK; i++) {
        const struct setting *setting = &parse->settings.rows[i];
        bool own = strcmp(setting->section, section) == 0;

        if (!own && (strcmp(setting->section, "lab") != 0 || sets(parse, section, setting->name)))
            continue;
        if (strcmp(setting->name, "elf") == 0)
            status = set_path(parse, setting, &board->elf);
        else if (find_option(setting->name) != NULL)
            status = add_word(parse, board, setting);
    }
    return status;
}

/* Returns true if the place is that of the alarms of the other place. */
static bool is_alarm_of(const char *place, const char *other)
{
    size_t length = strlen(other);

    return strncmp(place, other, length) == 0 && strcmp(place + length, ".alarm") == 0;
}

/* Refuses a store or a subject that two boards share, because their recordings would be mixed. */
static enum txtap_status check_shared(const struct parse *parse)
{
    const struct lab_file *file = parse->file;

    for (size_t i = 0; i < file->board_count; i++)
        for (size_t at = 0; at < i; at++) {
            const struct board_setup *board = &file->boards[i], *other = &file->boards[at];

            if (strcmp(board->store, other->store) == 0)
                return refuse(parse, board->line, "%.60s has the store of %.60s: give each board its own", board->name,
                              other->name);
            if (board->publish != NULL && other->publish != NULL &&
                (strcmp(board->publish, other->publish) == 0 || is_alarm_of(board->publish, other->publish) ||
                 is_alarm_of(other->publish, board->publish)))
                return refuse(parse, board->line, "%.60s has the subject of %.60s: give each board its own",
                              board->name, other->name);
        }
    return TXTAP_OK;
}

/* ---- all ---- */

static enum txtap_status parse_all(struct parse *parse, char *text, size_t length)
{
    struct lab_file *file = parse->file;
    enum txtap_status status = TXTAP_OK;

    if (!settings_parse(&parse->settings, text, length))
        return refuse(parse, parse->settings.line, "%s", parse->settings.problem);
    for (size_t i = 0; i < parse->settings.count && status == TXTAP_OK; i++)
        status = take_setting(parse, &parse->settings.rows[i]);
    if (status == TXTAP_OK && file->board_count == 0)
        status = refuse(parse, parse->settings.line > 0 ? parse->settings.line : 1,
                        "no board: write [board NAME] and its probe");
    if (status == TXTAP_OK && file->store == NULL)
        file->store = make("%s", parse->folder);
    if (status == TXTAP_OK && file->store == NULL)
        return no_memory(parse);
    for (size_t i = 0; i < file->board_count && status == TXTAP_OK; i++)
        status = fill_board(parse, &file->boards[i]);
    return status == TXTAP_OK ? check_shared(parse) : status;
}

enum txtap_status lab_file_parse(struct lab_file *file, const char *path, const char *folder, char *text, size_t length,
                                 struct error *error)
{
    struct parse parse = {.file = file,
                          .path = path,
                          .folder = folder,
                          .settings = {.room = LAB_SETTINGS_MAX, .section_has_name = true},
                          .error = error};
    enum txtap_status status;

    *file = (struct lab_file){.boards = calloc(LAB_BOARDS_MAX, sizeof *file->boards)};
    parse.settings.rows = calloc(LAB_SETTINGS_MAX, sizeof *parse.settings.rows);
    status = file->boards != NULL && parse.settings.rows != NULL ? parse_all(&parse, text, length) : no_memory(&parse);
    free(parse.settings.rows);
    if (status != TXTAP_OK)
        lab_file_free(file);
    return status;
}

void lab_file_free(struct lab_file *file)
{
    for (size_t i = 0; i < file->board_count; i++) {
        struct board_setup *board = &file->boards[i];

        for (size_t word = 0; word < board->word_count; word++)
            free(board->words[word]);
        free(board->store);
        free(board->publish);
        free(board->elf);
    }
    free(file->boards);
    free(file->store);
    free(file->publish);
    *file = (struct lab_file){.board_count = 0};
}

bool board_setup_equal(const struct board_setup *one, const struct board_setup *other)
{
    bool equal = strcmp(one->name, other->name) == 0 && strcmp(one->store, other->store) == 0 &&
                 one->word_count == other->word_count && equal_texts(one->elf, other->elf) &&
                 equal_texts(one->publish, other->publish);

    for (size_t i = 0; i < one->word_count && equal; i++)
        equal = strcmp(one->words[i], other->words[i]) == 0;
    return equal;
}
