/* SPDX-License-Identifier: MIT */
/* A recorder's standard output has a line of --stats-json each second; its standard error has messages. Both are in the
 * child's output. */
#include "lab/runner.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "lab/restart.h"

#define FIXED_WORDS 8
#define ALARMS      "alarms.jsonl"
#define PART_BYTES  4096

void runner_init(struct runner *runner, const struct board_setup *board, uint64_t unix_us)
{
    *runner = (struct runner){
        .board = board, .state = {.name = board->name, .store = board->store, .since_us = unix_us, .lost_exact = true}};
}

/* ---- start ---- */

static enum txtap_status start_child(struct runner *runner, const char *program, struct error *error)
{
    const struct board_setup *board = runner->board;
    const char *words[LAB_WORDS_MAX + FIXED_WORDS + 4];
    char store[PATH_MAX + 16], alarms[PATH_MAX + 32];
    size_t count = 0;

    if (make_directories(board->store) != 0)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: %s", board->store, strerror(errno));
    snprintf(store, sizeof store, "--store=%s", board->publish != NULL ? board->publish : board->store);
    snprintf(alarms, sizeof alarms, "--alarms=%s/" ALARMS, board->store);
    words[count++] = program;
    words[count++] = "record";
    words[count++] = "--stats-json=-";
    words[count++] = "--stats-every=1s";
    words[count++] = alarms;
    words[count++] = store;
    for (size_t i = 0; i < board->word_count; i++)
        words[count++] = board->words[i];
    if (board->elf != NULL) {
        words[count++] = "--";
        words[count++] = board->elf;
    }
    words[count] = NULL;
    return child_start_gentle(&runner->child, words, error);
}

static void start(struct runner *runner, const char *program, uint64_t now_us, uint64_t unix_us)
{
    struct board_state *state = &runner->state;
    struct error error = {0};
    char text[ERROR_TEXT_BYTES];

    state->restarts += runner->started_us != 0;
    runner->started_us = now_us;
    runner->line_bytes = 0;
    if (start_child(runner, program, &error) == TXTAP_OK) {
        runner->running = true;
        board_set_work(state, BOARD_STARTING, unix_us);
        return;
    }
    snprintf(state->message, sizeof state->message, "cannot start: %.200s", error_text(&error, text));
    fprintf(stderr, "txtap: %s: %s\n", state->name, state->message);
    runner->pause_us = restart_pause_us(runner->pause_us, 0);
    runner->next_us = now_us + runner->pause_us;
    board_set_work(state, BOARD_PAUSED, unix_us);
}

/* ---- while it runs ---- */

static void take_line(struct runner *runner, uint64_t unix_us)
{
    bool was_asked = runner->state.work == BOARD_ENDING;

    runner->line[runner->line_bytes] = '\0';
    runner->line_bytes = 0;
    (void)board_take_line(&runner->state, runner->line, unix_us);
    if (was_asked)
        board_set_work(&runner->state, BOARD_ENDING, unix_us);
}

/* Reads all new output. A line that is too long is cut. */
static void read_reports(struct runner *runner, uint64_t unix_us)
{
    char part[PART_BYTES];
    size_t got;

    while ((got = child_read(&runner->child, part, sizeof part)) > 0)
        for (size_t i = 0; i < got; i++)
            if (part[i] == '\n')
                take_line(runner, unix_us);
            else if (runner->line_bytes < RUNNER_LINE_BYTES - 1)
                runner->line[runner->line_bytes++] = part[i];
    child_trim(&runner->child);
}

static void note_end(struct runner *runner, uint64_t now_us, uint64_t unix_us)
{
    struct board_state *state = &runner->state;
    uint64_t ran_us = now_us - runner->started_us;

    if (runner->line_bytes > 0)
        take_line(runner, unix_us);
    board_take_end(state, runner->child.status, unix_us);
    child_end(&runner->child);
    runner->running = false;
    if (runner->ending)
        return;
    runner->pause_us = restart_pause_us(runner->pause_us, ran_us);
    runner->next_us = now_us + runner->pause_us;
    fprintf(stderr, "txtap: %s: the recorder ended with %s %d after %.1f s, and starts again in %.0f s: %s\n",
            state->name, state->signal != 0 ? "signal" : "exit code",
            state->signal != 0 ? state->signal : state->exit_code, (double)ran_us / 1e6, (double)runner->pause_us / 1e6,
            *state->message != '\0' ? state->message : "no message");
}

void runner_step(struct runner *runner, const char *program, uint64_t now_us, uint64_t unix_us)
{
    bool runs;

    if (!runner->running && !runner->ending && now_us >= runner->next_us)
        start(runner, program, now_us, unix_us);
    if (!runner->running)
        return;
    runs = child_runs(&runner->child); /* before the last read, which gets all output of a child that has ended */
    read_reports(runner, unix_us);
    if (!runs)
        note_end(runner, now_us, unix_us);
}

void runner_end(struct runner *runner, uint64_t unix_us)
{
    runner->ending = true;
    child_ask_to_end(&runner->child);
    if (runner->running)
        board_set_work(&runner->state, BOARD_ENDING, unix_us);
}

void runner_free(struct runner *runner)
{
    if (runner->running)
        child_end(&runner->child);
    runner->running = false;
}
