/* SPDX-License-Identifier: MIT */
/* Learns the state of a board from the lines of its recorder, and writes it as a table and as JSON. */
#include "lab/board_state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/failure.h"
#include "txtap/inner/escape.h"
#include "txtap/inner/json_head.h"

const char *board_work_text(enum board_work work)
{
    static const char *const texts[] = {
        [BOARD_STARTING] = "starting", [BOARD_RECORDING] = "recording", [BOARD_SILENT] = "silent",
        [BOARD_AWAY] = "away",         [BOARD_PAUSED] = "ended",        [BOARD_ENDING] = "ending"};

    return texts[work];
}

struct board_counts board_sums(const struct board_state *state)
{
    return (struct board_counts){
        .events = state->past.events + state->now.events,
        .lost = state->past.lost + state->now.lost,
        .resets = state->past.resets + state->now.resets,
        .checks = state->past.checks + state->now.checks,
        .faults = state->past.faults + state->now.faults,
    };
}

void board_set_work(struct board_state *state, enum board_work work, uint64_t unix_us)
{
    if (state->work == work)
        return;
    state->work = work;
    state->since_us = unix_us;
}

/* ---- lines of a recorder ---- */

#define RECORD   "\"record\","         /* the value of "command" in a recorder's --stats-json */
#define ATTACHED "txtap: attached to " /* begins a recorder's message that the target was reached */

/* Finds "NAME": in a line of --stats-json, whose members have no nested objects. Returns the text after it, or "". */
static const char *member(const char *line, const char *name)
{
    char key[40];
    const char *at;

    snprintf(key, sizeof key, "\"%s\":", name);
    at = strstr(line, key);
    return at != NULL ? at + strlen(key) : "";
}

static uint64_t count_of(const char *line, const char *name)
{
    return strtoull(member(line, name), NULL, 10);
}

bool board_take_line(struct board_state *state, const char *line, uint64_t unix_us)
{
    uint64_t before = state->now.events;
    const char *does = member(line, "state");
    double seconds;

    if (*line != '{' || strncmp(member(line, "command"), RECORD, strlen(RECORD)) != 0) {
        if (strncmp(line, ATTACHED, strlen(ATTACHED)) == 0)
            state->message[0] = '\0'; /* earlier messages say why the target was not reached */
        else if (*line != '\0')
            printable(state->message, sizeof state->message, line, strlen(line));
        return false;
    }
    state->now = (struct board_counts){.events = count_of(line, "events"),
                                       .lost = count_of(line, "lost"),
                                       .resets = count_of(line, "resets"),
                                       .checks = count_of(line, "checks_violated"),
                                       .faults = count_of(line, "faults")};
    state->lost_exact = state->lost_exact && strncmp(member(line, "lost_exact"), "true", 4) == 0;
    seconds = strtod(member(line, "seconds"), NULL);
    if (seconds > state->seconds)
        state->rate = (double)(state->now.events - before) / (seconds - state->seconds);
    state->seconds = seconds;
    if (state->now.events > before)
        state->event_us = state->quiet_us = unix_us;
    else if (state->quiet_us == 0 || state->quiet_us > unix_us) /* the first report, or the clock was set back */
        state->quiet_us = unix_us;
    if (strncmp(does, "\"reading\"", 9) != 0)
        board_set_work(state, BOARD_AWAY, unix_us);
    else
        board_set_work(state, unix_us - state->quiet_us >= BOARD_SILENT_US ? BOARD_SILENT : BOARD_RECORDING, unix_us);
    return true;
}

void board_take_end(struct board_state *state, int status, uint64_t unix_us)
{
    state->past = board_sums(state);
    state->now = (struct board_counts){0};
    state->rate = state->seconds = 0;
    state->ended = true;
    state->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILED;
    state->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    board_set_work(state, BOARD_PAUSED, unix_us);
}

/* ---- a table ---- */

#define COLUMNS      80
#define NAME_COLUMNS 12
#define ROW_BYTES    (COLUMNS + BOARD_MESSAGE_BYTES + 64)

/* Formats a time as "12s", "5m 2s", "3h 4m" or "12d 3h". */
static void span_text(char *text, size_t size, uint64_t us)
{
    unsigned long long s = us / 1000000;

    if (s < 60)
        snprintf(text, size, "%llus", s);
    else if (s < 3600)
        snprintf(text, size, "%llum %llus", s / 60, s % 60);
    else if (s < 86400)
        snprintf(text, size, "%lluh %llum", s / 3600, s / 60 % 60);
    else
        snprintf(text, size, "%llud %lluh", s / 86400, s / 3600 % 24);
}

/* The recorder's last message, or how the recorder ended. */
static void message_of(char *text, size_t size, const struct board_state *state)
{
    const char *message = state->message;

    if (strncmp(message, "txtap: ", 7) == 0)
        message += 7;
    if (state->work == BOARD_PAUSED && state->signal != 0)
        snprintf(text, size, "signal %d: %s", state->signal, message);
    else if (state->work == BOARD_PAUSED)
        snprintf(text, size, "exit code %d: %s", state->exit_code, message);
    else
        snprintf(text, size, "%s", message);
}

void boards_put_table(FILE *out, const struct board_state *const *boards, size_t count, uint64_t now_us)
{
    fprintf(out, "%-12s %-9s %8s %8s %8s %5s  %s\n", "BOARD", "STATE", "SINCE", "EVENTS/S", "LOST", "AGAIN",
            "LAST MESSAGE");
    for (size_t i = 0; i < count; i++) {
        const struct board_state *state = boards[i];
        const struct board_counts sums = board_sums(state);
        char since[24], lost[32], row[ROW_BYTES], message[BOARD_MESSAGE_BYTES + 40];

        span_text(since, sizeof since, now_us > state->since_us ? now_us - state->since_us : 0);
        snprintf(lost, sizeof lost, "%s%" PRIu64, state->lost_exact ? "" : ">=", sums.lost);
        message_of(message, sizeof message, state);
        snprintf(row, sizeof row, "%-12.*s %-9s %8s %8.0f %8s %5" PRIu64 "  %s", NAME_COLUMNS, state->name,
                 board_work_text(state->work), since, state->rate, lost, state->restarts, message);
        fprintf(out, "%.*s\n", COLUMNS, row);
    }
}

/* ---- JSON ---- */

/* Writes a member; null if the number is not known. */
static void put_number(FILE *out, const char *name, bool known, int number)
{
    fprintf(out, ",\"%s\":", name);
    if (known)
        fprintf(out, "%d", number);
    else
        fputs("null", out);
}

static void put_board(FILE *out, const struct board_state *state)
{
    const struct board_counts sums = board_sums(state);
    char store[TXTAP_ESCAPED_JSON_BYTES(1024)], message[TXTAP_ESCAPED_JSON_BYTES(BOARD_MESSAGE_BYTES)];

    fprintf(out,
            "{\"board\":\"%s\",\"store\":%s,\"state\":\"%s\",\"since_us\":%" PRIu64 ",\"last_event_us\":%" PRIu64
            ",\"events_per_second\":%.6g,\"events\":%" PRIu64 ",\"lost\":%" PRIu64
            ",\"lost_exact\":%s,\"restarts\":%" PRIu64 ",\"resets\":%" PRIu64 ",\"checks_violated\":%" PRIu64
            ",\"faults\":%" PRIu64,
            state->name, txtap_escape_json(store, sizeof store, state->store), board_work_text(state->work),
            state->since_us, state->event_us, state->rate, sums.events, sums.lost, state->lost_exact ? "true" : "false",
            state->restarts, sums.resets, sums.checks, sums.faults);
    put_number(out, "exit_code", state->ended && state->signal == 0, state->exit_code);
    put_number(out, "signal", state->ended && state->signal != 0, state->signal);
    fprintf(out, ",\"message\":%s}", txtap_escape_json(message, sizeof message, state->message));
}

void boards_put_json(FILE *out, const char *store, const struct board_state *const *boards, size_t count)
{
    char text[TXTAP_ESCAPED_JSON_BYTES(1024)], head[TXTAP_JSON_HEAD_BYTES];

    fprintf(out, "{%s,\"store\":%s,\"boards\":[", txtap_json_head(head, TXTAP_SCHEMA_LAB),
            txtap_escape_json(text, sizeof text, store));
    for (size_t i = 0; i < count; i++) {
        fputs(i > 0 ? "," : "", out);
        put_board(out, boards[i]);
    }
    fputs("]}\n", out);
}

/* ---- OpenMetrics ---- */

static double events(const struct board_state *state)
{
    return (double)board_sums(state).events;
}

static double lost(const struct board_state *state)
{
    return (double)board_sums(state).lost;
}

static double resets(const struct board_state *state)
{
    return (double)board_sums(state).resets;
}

static double checks(const struct board_state *state)
{
    return (double)board_sums(state).checks;
}

static double faults(const struct board_state *state)
{
    return (double)board_sums(state).faults;
}

static double restarts(const struct board_state *state)
{
    return (double)state->restarts;
}

static double is_recording(const struct board_state *state)
{
    return state->work == BOARD_RECORDING || state->work == BOARD_SILENT;
}

static double last_event(const struct board_state *state)
{
    return (double)state->event_us / 1e6;
}

/* Names are stable. A counter's sample has the suffix _total. */
static const struct metric {
    const char *name, *type, *help;
    double (*value)(const struct board_state *state);
} metrics[] = {
    {"txtap_board_recording", "gauge", "1 if the recorder reads the target", is_recording},
    {"txtap_board_last_event_timestamp_seconds", "gauge", "When the last event arrived; 0: no event yet", last_event},
    {"txtap_board_events", "counter", "Recorded events", events},
    {"txtap_board_lost_events", "counter", "Lost events, at least", lost},
    {"txtap_board_resets", "counter", "Resets of the target", resets},
    {"txtap_board_checks_violated", "counter", "Checks that became violated", checks},
    {"txtap_board_faults", "counter", "Faults of the core", faults},
    {"txtap_board_restarts", "counter", "Restarts of the recorder", restarts},
};

void boards_put_metrics(FILE *out, const struct board_state *const *boards, size_t count)
{
    for (size_t m = 0; m < sizeof metrics / sizeof *metrics; m++) {
        const struct metric *metric = &metrics[m];
        const char *suffix = strcmp(metric->type, "counter") == 0 ? "_total" : "";

        fprintf(out, "# TYPE %s %s\n# HELP %s %s.\n", metric->name, metric->type, metric->name, metric->help);
        for (size_t i = 0; i < count; i++) /* a name needs no escape: see lab_file.h */
            fprintf(out, "%s%s{board=\"%s\"} %.17g\n", metric->name, suffix, boards[i]->name, metric->value(boards[i]));
    }
    fputs("# EOF\n", out);
}
