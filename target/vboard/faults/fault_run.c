/* SPDX-License-Identifier: MIT */
/* Begins and ends faults. */
#include "fault_run.h"
#include "messages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PATIENCE_US 5000000 /* how long an SWD fault of one access waits for an access */
#define RETRY_US    50000   /* time between two attempts to open the port of a probe that is plugged in again */

static int64_t board_time_us(const struct faults *faults)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000 - faults->board->audit.started_us;
}

void faults_init(struct faults *faults, struct board *board, struct server *server)
{
    *faults = (struct faults){.board = board, .server = server};
    fault_plan_init(&faults->plan, &board->options->faults);
}

void faults_free(struct faults *faults)
{
    for (size_t i = 0; i < FAULT_PATHS_MAX; i++)
        free(faults->paths[i]);
}

const char *faults_keep_path(struct faults *faults, const char *path)
{
    for (size_t i = 0; i < FAULT_PATHS_MAX; i++) {
        if (!faults->paths[i])
            return faults->paths[i] = strdup(path);
        if (strcmp(faults->paths[i], path) == 0)
            return faults->paths[i];
    }
    return NULL;
}

/* Returns an active fault that prevents a new fault, or FAULT_KINDS. */
static enum fault_kind obstacle(const struct faults *faults, enum fault_kind kind)
{
    if (faults->under_way[kind])
        return kind;
    for (int i = 0; fault_is_of_target(kind) && i < FAULT_KINDS; i++)
        if (faults->under_way[i] && fault_is_of_target((enum fault_kind)i))
            return (enum fault_kind)i;
    return FAULT_KINDS;
}

static bool may_begin(void *self, enum fault_kind kind)
{
    return obstacle(self, kind) == FAULT_KINDS;
}

static bool begin(struct faults *faults, const struct fault *fault)
{
    struct board *board = faults->board;
    const char *name = fault_name(fault->kind);
    switch (fault->kind) {
    case FAULT_DROP:
        server_drop_all(faults->server, "it is dropped");
        return true;
    case FAULT_SLOW:
        board->wire.extra_us = fault->slow_ms * 1000;
        return true;
    case FAULT_UNPLUG:
        server_unplug(faults->server);
        return true;
    case FAULT_HALT:
        return core_halt_for_other(&board->core);
    case FAULT_RESET:
    case FAULT_WARM_RESET:
        return board_enter_reset(board, name, fault->kind == FAULT_WARM_RESET);
    case FAULT_POWER_CYCLE:
        return board_power_off(board, name);
    case FAULT_REFLASH:
        return board_flash(board, name, fault->path);
    default:
        return true; /* a fault of the wire only needs to be marked active */
    }
}

static bool end(struct faults *faults, enum fault_kind kind)
{
    struct board *board = faults->board;
    switch (kind) {
    case FAULT_SLOW:
        board->wire.extra_us = 0;
        return true;
    case FAULT_UNPLUG:
        return server_plug_in(faults->server);
    case FAULT_HALT:
        return core_run_for_other(&board->core);
    case FAULT_POWER_CYCLE:
        return board_power_on(board, board->options->faults.seed + faults->record[kind]);
    case FAULT_RESET:
    case FAULT_WARM_RESET:
    case FAULT_REFLASH:
        return board_leave_reset(board);
    default:
        return true;
    }
}

static void finish(struct faults *faults, enum fault_kind kind)
{
    struct board *board = faults->board;
    bool done = end(faults, kind);
    if (!done && kind == FAULT_UNPLUG) {
        faults->until_us[kind] = board_time_us(faults) + RETRY_US;
        return;
    }
    board->trouble.active[kind] = false;
    faults->under_way[kind] = false;
    audit_fault_end(&board->audit, faults->record[kind], !done, board->trouble.hits[kind]);
    note(board->options->verbosity > 0, "fault %s is over", fault_name(kind));
}

static bool refuse(char why[static FAULT_TEXT_BYTES], enum fault_kind kind, const char *reason)
{
    snprintf(why, FAULT_TEXT_BYTES, "fault %s is not possible now: %s", fault_name(kind), reason);
    return false;
}

bool faults_inject(struct faults *faults, const struct fault *fault, const char *by, char why[static FAULT_TEXT_BYTES])
{
    struct board *board = faults->board;
    struct trouble *trouble = &board->trouble;
    enum fault_kind kind = fault->kind, other = obstacle(faults, kind);
    bool moment = fault->duration_us == 0, on_wire = kind <= FAULT_SWD_PARITY;
    if (other != FAULT_KINDS)
        return refuse(why, kind, fault_name(other));
    if (kind >= FAULT_RESET && !board->memory.direct)
        return refuse(why, kind, "QEMU's memory cannot be written (--memory direct is refused)");

    note(board->options->verbosity > 0, "fault %s", fault_name(kind));
    faults->record[kind] = audit_fault_begin(&board->audit, fault, by, trouble->hits[kind]);
    if (!begin(faults, fault)) {
        audit_fault_end(&board->audit, faults->record[kind], true, trouble->hits[kind]);
        return refuse(why, kind, kind == FAULT_HALT ? "the core is halted already" : "see the message before");
    }
    trouble->active[kind] = true;
    trouble->once[kind] = on_wire && moment;
    faults->under_way[kind] = true;
    faults->until_us[kind] = board_time_us(faults) + (trouble->once[kind] ? PATIENCE_US : fault->duration_us);
    if (moment && !on_wire)
        finish(faults, kind);
    return true;
}

bool faults_end(struct faults *faults, enum fault_kind kind)
{
    if (!faults->under_way[kind])
        return false;
    finish(faults, kind);
    return !faults->under_way[kind];
}

void faults_tick(struct faults *faults)
{
    char why[FAULT_TEXT_BYTES];
    struct fault fault;
    bool by_seed;
    for (int i = 0; i < FAULT_KINDS; i++) {
        enum fault_kind kind = (enum fault_kind)i;
        bool hit = faults->under_way[i] && !faults->board->trouble.active[i];
        if (hit || (faults->under_way[i] && faults->until_us[i] <= board_time_us(faults)))
            finish(faults, kind);
    }
    while (!faults->board->ended &&
           fault_plan_take(&faults->plan, board_time_us(faults), may_begin, faults, &fault, &by_seed)) {
        /* Reflashes by seed alternate between the two firmwares. */
        if (by_seed && fault.path && strcmp(faults->board->elf, fault.path) == 0)
            fault.path = faults->board->options->elf;
        if (!faults_inject(faults, &fault, by_seed ? "seed" : "time", why))
            fail("%s", why);
    }
}

int faults_timeout_ms(const struct faults *faults)
{
    int64_t now_us = board_time_us(faults), next_us = fault_plan_next_us(&faults->plan, now_us);
    for (int i = 0; i < FAULT_KINDS; i++)
        if (faults->under_way[i] && faults->until_us[i] < next_us)
            next_us = faults->until_us[i];
    if (next_us == INT64_MAX)
        return -1;
    int64_t left_ms = (next_us - now_us + 999) / 1000;
    return left_ms < 0 ? 0 : left_ms > 1000000 ? 1000000 : (int)left_ms;
}
