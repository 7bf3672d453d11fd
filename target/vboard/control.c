/* SPDX-License-Identifier: MIT */
/* The port through which a test requests faults. */
#include "control.h"
#include "server.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool control_open(struct control *control, struct faults *faults, bool wanted, uint16_t port)
{
    control->faults = faults;
    line_port_init(&control->lines);
    return !wanted ||
           server_listen("--control-port", port, LINE_PORT_USERS_MAX, &control->lines.listener, &control->lines.port);
}

_Static_assert(LINE_PORT_ANSWER_BYTES >= FAULT_TEXT_BYTES + 16, "an answer has room for what is wrong with a fault");

static void inject(struct faults *faults, char *text, char answer[static LINE_PORT_ANSWER_BYTES])
{
    char why[FAULT_TEXT_BYTES];
    struct fault fault;
    bool good = fault_parse(text, &fault, why);
    if (good && fault.time_us >= 0) {
        snprintf(why, sizeof why, "fault %s begins at once here: leave @TIME out", fault_name(fault.kind));
        good = false;
    }
    if (good && fault.path) {
        fault.path = faults_keep_path(faults, fault.path);
        snprintf(why, sizeof why, "more than %d firmware files in one run", FAULT_PATHS_MAX);
        good = fault.path != NULL;
    }
    if (good && faults_inject(faults, &fault, "control", why))
        snprintf(answer, LINE_PORT_ANSWER_BYTES, "ok\n");
    else
        snprintf(answer, LINE_PORT_ANSWER_BYTES, "error: %s\n", why);
}

static void end(struct faults *faults, const char *name, char answer[static LINE_PORT_ANSWER_BYTES])
{
    enum fault_kind kind;

    if (fault_find(name, strlen(name), &kind) && faults_end(faults, kind))
        snprintf(answer, LINE_PORT_ANSWER_BYTES, "ok\n");
    else
        snprintf(answer, LINE_PORT_ANSWER_BYTES, "error: no fault %.32s is under way\n", name);
}

/* Answers "ok NAME NAME": the active faults. */
static void answer_active(const struct faults *faults, char answer[static LINE_PORT_ANSWER_BYTES])
{
    size_t used = (size_t)snprintf(answer, LINE_PORT_ANSWER_BYTES, "ok");
    for (int i = 0; i < FAULT_KINDS; i++)
        if (faults->under_way[i])
            used +=
                (size_t)snprintf(answer + used, LINE_PORT_ANSWER_BYTES - used, " %s", fault_name((enum fault_kind)i));
    snprintf(answer + used, LINE_PORT_ANSWER_BYTES - used, "\n");
}

static void answer_counters(struct board *board, char answer[static LINE_PORT_ANSWER_BYTES])
{
    struct counter_values values = counters_read(&board->counters, &board->memory);
    size_t used = (size_t)snprintf(answer, LINE_PORT_ANSWER_BYTES, "ok");
    for (int i = 0; i < COUNTERS; i++)
        if (values.known[i])
            used += (size_t)snprintf(answer + used, LINE_PORT_ANSWER_BYTES - used, " %s %" PRIu32, counter_name(i),
                                     values.value[i]);
    snprintf(answer + used, LINE_PORT_ANSWER_BYTES - used, "\n");
}

/* Carries out a command, unless the board has ended. */
static bool obey(void *self, char *line, char answer[static LINE_PORT_ANSWER_BYTES])
{
    struct control *control = self;
    if (strncmp(line, "fault ", 6) == 0)
        inject(control->faults, line + 6, answer);
    else if (strncmp(line, "end ", 4) == 0)
        end(control->faults, line + 4, answer);
    else if (strcmp(line, "active") == 0)
        answer_active(control->faults, answer);
    else if (strcmp(line, "counters") == 0)
        answer_counters(control->faults->board, answer);
    else
        snprintf(answer, LINE_PORT_ANSWER_BYTES,
                 "error: want 'fault KIND[=VALUE][:DURATION]', 'end KIND', 'active' or 'counters'\n");
    return !control->faults->board->ended;
}

void control_serve(struct control *control, const struct pollfd *ready)
{
    line_port_serve(&control->lines, ready, obey, control);
}
