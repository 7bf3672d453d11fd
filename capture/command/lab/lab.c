/* SPDX-License-Identifier: MIT */
/* txtap lab: records many boards, each with a recorder of its own, and shows their state. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/option_values.h"
#include "base/runtime.h"
#include "base/files.h"
#include "base/text_maker.h"
#include "command/commands.h"
#include "lab/lab_file.h"
#include "lab/lab_socket.h"
#include "lab/metrics_server.h"
#include "lab/runner.h"
#include "options/options.h"

#define FILE_HERE     "lab.conf"
#define FILE_OF_HOST  "/etc/txtap/lab.conf"
#define STATUS        "status"
#define STEP_US       200000
#define END_STEP_US   20000
#define END_US        10000000             /* time in which recorders complete their files at the end */
#define RUNNERS_MAX   (2 * LAB_BOARDS_MAX) /* also recorders of removed and changed boards, until they have ended */
#define OLD_FILES_MAX 64

struct lab {
    const char *path;
    struct lab_file *file;               /* the present file; owned */
    struct lab_file *old[OLD_FILES_MAX]; /* the first old_count: earlier files, which ending runners borrow; owned */
    size_t old_count;
    struct runner *runners[RUNNERS_MAX]; /* the first `count`, in the order of the file; owned */
    size_t count;
    struct lab_socket socket;
    struct metrics_server *metrics; /* NULL: no metrics */
    char program[PATH_MAX];         /* path of txtap */
};

/* ---- the file ---- */

static const char *choose_path(const char *given)
{
    if (given != NULL)
        return given;
    return access(FILE_HERE, F_OK) == 0 || access(FILE_OF_HOST, F_OK) != 0 ? FILE_HERE : FILE_OF_HOST;
}

static enum txtap_status read_text(const char *path, char *text, size_t *length, struct error *error)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat about;
    ssize_t got = -1;
    size_t used = 0;
    const char *why = NULL;

    if (fd < 0 || fstat(fd, &about) != 0)
        why = strerror(errno);
    else if (!S_ISREG(about.st_mode))
        why = "not a regular file";
    while (why == NULL && used <= LAB_FILE_BYTES_MAX &&
           (got = read(fd, text + used, LAB_FILE_BYTES_MAX + 1 - used)) > 0)
        used += (size_t)got;
    if (why == NULL && got < 0)
        why = strerror(errno);
    if (why == NULL && used > LAB_FILE_BYTES_MAX)
        why = "larger than 256 KiB";
    if (fd >= 0)
        close(fd);
    *length = used;
    return why == NULL ? TXTAP_OK
                       : failure(error, TXTAP_ERROR_USAGE,
                                 "%.160s: %s\ngive the file of the lab: txtap lab FILE; see txtap-lab(1)", path, why);
}

/* Finds the folder of the file as an absolute path, so that the commands in alarms are valid in each folder. */
static enum txtap_status find_folder(const char *path, char folder[static PATH_MAX], struct error *error)
{
    char *slash;

    if (realpath(path, folder) == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: %s", path, strerror(errno));
    slash = strrchr(folder, '/');
    slash[slash == folder] = '\0';
    return TXTAP_OK;
}

/* Reads and parses the file. Returns it; NULL: error has the cause. */
static struct lab_file *read_file(const char *path, struct error *error)
{
    struct lab_file *file = calloc(1, sizeof *file);
    char *text = malloc(LAB_FILE_BYTES_MAX + 2), folder[PATH_MAX];
    enum txtap_status status;
    size_t length = 0;

    if (file == NULL || text == NULL)
        status = failure(error, TXTAP_ERROR_SYSTEM, "%.160s: no memory for it", path);
    else
        status = read_text(path, text, &length, error);
    if (status == TXTAP_OK)
        status = find_folder(path, folder, error);
    if (status == TXTAP_OK)
        status = lab_file_parse(file, path, folder, text, length, error);
    free(text);
    if (status == TXTAP_OK)
        return file;
    free(file);
    return NULL;
}

static void free_file(struct lab_file *file)
{
    if (file != NULL)
        lab_file_free(file);
    free(file);
}

/* ---- runners ---- */

static struct runner *find_runner(const struct lab *lab, const char *name)
{
    for (size_t i = 0; i < lab->count; i++)
        if (!lab->runners[i]->replaced && strcmp(lab->runners[i]->board->name, name) == 0)
            return lab->runners[i];
    return NULL;
}

/* Returns true if an earlier recorder of this board still uses the probe. */
static bool waits(const struct lab *lab, const struct runner *runner)
{
    for (size_t i = 0; i < lab->count; i++)
        if (lab->runners[i]->replaced && strcmp(lab->runners[i]->board->name, runner->board->name) == 0)
            return true;
    return false;
}

/* Removes the runners of removed and changed boards that have ended, and the files that nobody borrows. */
static void drop_ended(struct lab *lab)
{
    bool borrows = false;
    size_t kept = 0;

    for (size_t i = 0; i < lab->count; i++) {
        struct runner *runner = lab->runners[i];

        if (runner->replaced && runner_is_idle(runner)) {
            fprintf(stderr, "txtap: %s: its recorder has ended\n", runner->board->name);
            free(runner);
            continue;
        }
        borrows = borrows || runner->replaced;
        lab->runners[kept++] = runner;
    }
    lab->count = kept;
    for (size_t i = 0; i < lab->old_count && !borrows; i++)
        free_file(lab->old[i]);
    lab->old_count = borrows ? lab->old_count : 0;
}

static void step(struct lab *lab)
{
    for (size_t i = 0; i < lab->count; i++)
        if (lab->runners[i]->replaced || !waits(lab, lab->runners[i]))
            runner_step(lab->runners[i], lab->program, now_us(), wall_us());
    drop_ended(lab);
}

/* Makes the runners of the present file. A board that has not changed keeps its runner. */
static enum txtap_status take_boards(struct lab *lab, struct error *error)
{
    struct runner *all[RUNNERS_MAX];
    size_t count = 0;

    for (size_t i = 0; i < lab->file->board_count; i++) {
        const struct board_setup *board = &lab->file->boards[i];
        struct runner *runner = find_runner(lab, board->name);

        if (runner != NULL && board_setup_equal(runner->board, board)) {
            runner->board = board;
            runner->state.name = board->name;
            runner->state.store = board->store;
        } else {
            runner = calloc(1, sizeof *runner);
            if (runner == NULL)
                return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the board %s", board->name);
            runner_init(runner, board, wall_us());
        }
        all[count++] = runner;
    }
    for (size_t i = 0; i < lab->count; i++) {
        struct runner *runner = lab->runners[i];
        bool kept = false;

        for (size_t at = 0; at < lab->file->board_count && !kept; at++)
            kept = all[at] == runner;
        if (kept)
            continue;
        if (!runner->replaced)
            runner_end(runner, wall_us());
        runner->replaced = true;
        all[count++] = runner;
    }
    memcpy(lab->runners, all, count * sizeof *all);
    lab->count = count;
    return TXTAP_OK;
}

/* Reads the file again after SIGHUP. An invalid file changes nothing. */
static void reload(struct lab *lab)
{
    struct error error = {0};
    struct lab_file *file = NULL, *before = lab->file;

    if (lab->old_count == OLD_FILES_MAX || lab->count > LAB_BOARDS_MAX)
        failure(&error, TXTAP_ERROR_SYSTEM, "%.160s is not read: recorders are still ending\nsend SIGHUP later",
                lab->path);
    else
        file = read_file(lab->path, &error);
    if (file != NULL && strcmp(file->store, before->store) != 0) { /* 'txtap lab status' asks in the folder */
        failure(&error, TXTAP_ERROR_USAGE,
                "%.160s: it has another 'store' of [lab], and changes nothing\nend the lab, and start it again",
                lab->path);
        free_file(file);
        file = NULL;
    }
    if (file == NULL) {
        report_error(&error);
        return;
    }
    if (strcmp(file->host, before->host) != 0 || file->port != before->port)
        fprintf(stderr, "txtap: 'listen' changes at the next start of the lab\n");
    lab->old[lab->old_count++] = before;
    lab->file = file;
    if (take_boards(lab, &error) != TXTAP_OK)
        report_error(&error);
    fprintf(stderr, "txtap: %s: read again, %zu board%s\n", lab->path, file->board_count,
            file->board_count == 1 ? "" : "s");
}

/* ---- the state ---- */

static size_t list_states(const struct lab *lab, const struct board_state *states[static RUNNERS_MAX])
{
    for (size_t i = 0; i < lab->count; i++)
        states[i] = &lab->runners[i]->state;
    return lab->count;
}

static void answer(const struct lab *lab)
{
    const struct board_state *states[RUNNERS_MAX];
    size_t count = list_states(lab, states);
    struct text_maker maker;

    if (!text_maker_begin(&maker))
        return;
    boards_put_json(maker.out, lab->file->store, states, count);
    fputc('\0', maker.out);
    boards_put_table(maker.out, states, count, wall_us());
    if (!text_maker_end(&maker))
        return;
    lab_socket_answer(&lab->socket, maker.text, maker.length);
    free(maker.text);
}

static void set_metrics(const struct lab *lab)
{
    const struct board_state *states[RUNNERS_MAX];
    size_t count = list_states(lab, states);
    struct text_maker maker;

    if (lab->metrics == NULL || !text_maker_begin(&maker))
        return;
    boards_put_metrics(maker.out, states, count);
    if (!text_maker_end(&maker))
        return;
    metrics_server_set(lab->metrics, maker.text, maker.length);
    free(maker.text);
}

/* ---- the run ---- */

/* Asks all recorders to end, in order, and waits until they have completed their files. */
static void end_all(struct lab *lab)
{
    uint64_t begin = now_us();
    size_t left = lab->count;

    for (size_t i = 0; i < lab->count; i++)
        runner_end(lab->runners[i], wall_us());
    while (left > 0 && now_us() - begin < END_US) {
        left = 0;
        for (size_t i = 0; i < lab->count; i++) {
            runner_step(lab->runners[i], lab->program, now_us(), wall_us());
            left += !runner_is_idle(lab->runners[i]);
        }
        if (left > 0)
            pause_us(END_STEP_US);
    }
    for (size_t i = 0; i < lab->count; i++) {
        if (!runner_is_idle(lab->runners[i]))
            fprintf(stderr, "txtap: %s: its recorder does not end, and is killed\n", lab->runners[i]->board->name);
        runner_free(lab->runners[i]);
    }
}

static void run_until_end(struct lab *lab)
{
    while (!stop_requested()) {
        struct pollfd files = {.fd = lab->socket.fd, .events = POLLIN};

        step(lab);
        set_metrics(lab);
        if (reopen_requested()) {
            if (terminal_is_gone())
                break;
            reload(lab);
        }
        sleep_or_poll_us(&files, 1, STEP_US);
        if ((files.revents & POLLIN) != 0)
            answer(lab);
    }
    end_all(lab);
}

static enum txtap_status open_lab(struct lab *lab, struct error *error)
{
    const struct lab_file *file = lab->file;
    ssize_t length = readlink("/proc/self/exe", lab->program, sizeof lab->program - 1);
    enum txtap_status status;
    uint16_t port;

    if (length <= 0)
        return failure(error, TXTAP_ERROR_SYSTEM, "/proc/self/exe cannot be read: %s", strerror(errno));
    lab->program[length] = '\0';
    if (mkdir(file->store, 0750) != 0 && errno != EEXIST)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: %s\nchoose another 'store' in %.60s", file->store,
                       strerror(errno), lab->path);
    status = lab_socket_open(&lab->socket, file->store, error);
    if (status == TXTAP_OK && *file->host != '\0') {
        status = metrics_server_start(&lab->metrics, file->host, file->port, &port, error);
        if (status == TXTAP_OK)
            fprintf(stderr, "txtap: metrics: http://%s:%u/metrics\n", file->host, (unsigned)port);
    }
    return status == TXTAP_OK ? take_boards(lab, error) : status;
}

static void close_lab(struct lab *lab)
{
    metrics_server_stop(lab->metrics);
    lab_socket_close(&lab->socket);
    for (size_t i = 0; i < lab->count; i++)
        free(lab->runners[i]);
    for (size_t i = 0; i < lab->old_count; i++)
        free_file(lab->old[i]);
    free_file(lab->file);
}

static enum txtap_status run_lab(struct lab_file *file, const char *path, struct error *error)
{
    static struct lab lab;
    enum txtap_status status;

    lab = (struct lab){.path = path, .file = file, .socket = {-1, -1}};
    runtime_take_requests();
    status = open_lab(&lab, error);
    if (status == TXTAP_OK) {
        fprintf(stderr, "txtap: %s: %zu board%s, recordings in %s: 'txtap lab status %s' shows them\n", path,
                file->board_count, file->board_count == 1 ? "" : "s", file->store, path);
        run_until_end(&lab);
    }
    close_lab(&lab);
    return status;
}

/* ---- txtap lab status ---- */

static enum txtap_status show_status(const struct lab_file *file, bool json, struct error *error)
{
    char *bytes;
    size_t length, head;
    enum txtap_status status = lab_socket_ask(file->store, &bytes, &length, error);

    if (status != TXTAP_OK)
        return status;
    head = strlen(bytes);
    if (json)
        fwrite(bytes, 1, head, stdout);
    else if (head < length)
        fwrite(bytes + head + 1, 1, length - head - 1, stdout);
    free(bytes);
    return standard_output_flush(error);
}

/* ---- the command ---- */

static int run_command(const struct options *options)
{
    bool status_only = options->file_count > 0 && strcmp(options->files[0], STATUS) == 0;
    const char *path = choose_path(options->file_count > status_only ? options->files[status_only] : NULL);
    struct error error = {0};
    struct lab_file *file = read_file(path, &error);
    enum txtap_status status = error.status;

    if (file != NULL && status_only) {
        status = show_status(file, options->json, &error);
        free_file(file);
    } else if (file != NULL) {
        status = run_lab(file, path, &error);
    }
    if (status < TXTAP_OK)
        report_error(&error);
    return status == TXTAP_ERROR_USAGE ? EXIT_USAGE : status_exit_code(status);
}

static const struct argp_option rows[] = {
    {"format", 'f', "FORMAT", 0, "of the status: text (default) or json", 0},
    {0},
};

static error_t parse_own(int key, char *text, struct argp_state *state)
{
    static const char *const formats[] = {"text", "json"};
    struct options *options = state->input;

    switch (key) {
    case 'f':
        options->json = option_choice(state, "--format", text, formats, 2) == 1;
        return 0;
    case ARGP_KEY_ARGS:
        options->files = (const char *const *)(state->argv + state->next);
        options->file_count = (size_t)(state->argc - state->next);
        if (options->file_count > 1 + (strcmp(options->files[0], STATUS) == 0))
            option_error(state, "unexpected '%s': 'txtap lab FILE' or 'txtap lab status FILE'",
                         options->files[options->file_count - 1]);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct command lab_command = {
    .name = "lab",
    .brief = "record many boards, and show their state",
    .run = run_command,
    .rows = rows,
    .parser = parse_own,
    .operands = "[status] [FILE]",
    .help = "Record all boards of a file until Ctrl-C, each with a recorder that is started again after its end. "
            "'txtap lab status' shows the state of a running lab.\v"
            "FILE has a section [board NAME] for each board, with its probe, its ELF file and other options of 'txtap "
            "record': see txtap-lab(1). Without FILE it is lab.conf in this folder, or else /etc/txtap/lab.conf. "
            "SIGHUP reads FILE again.",
};
