/* SPDX-License-Identifier: MIT */
/* An ST-Link and its target. */
#include "probe/stlink/stlink_link.h"

#include <string.h>

#define STEP_TRIES 4

/* ---- one command ---- */

static enum stlink_result run(struct stlink_link *link, const struct stlink_command *command, uint8_t *answer)
{
    if (!stlink_is_permitted(command->bytes, command->data, command->data_bytes))
        return STLINK_REFUSED;
    return link->pipe.ops->run(link->pipe.self, command, answer, link->timeout_ms);
}

/* Lets time pass before the same access is tried again. Returns false if it was tried often enough. */
static bool wait_turn(struct stlink_link *link, unsigned *turn)
{
    if (*turn >= STLINK_WAITS)
        return false;
    link->pipe.ops->pause_us(link->pipe.self, (uint64_t)STLINK_WAIT_US << (*turn)++);
    return true;
}

/* Runs a command whose answer begins with a status. */
static enum stlink_result ask(struct stlink_link *link, const struct stlink_command *command, uint8_t *answer)
{
    enum stlink_result result;
    unsigned turn = 0;

    do {
        result = run(link, command, answer);
        if (result == STLINK_OK)
            result = stlink_result_of(answer[0]);
    } while (result == STLINK_WAIT && wait_turn(link, &turn));
    return result;
}

/* ---- opening ---- */

enum stlink_result stlink_link_open(struct stlink_link *link, struct stlink_pipe pipe, unsigned timeout_ms)
{
    struct stlink_command command;
    uint8_t answer[STLINK_VERSION_V3_BYTES];
    enum stlink_result result;
    bool more = false;

    *link = (struct stlink_link){.pipe = pipe, .timeout_ms = timeout_ms};
    result = pipe.ops->reset(pipe.self);
    if (result != STLINK_OK)
        return result;
    stlink_make_version(&command);
    result = run(link, &command, link->identity);
    if (result != STLINK_OK)
        return result;
    if (stlink_take_version(link->identity, &link->version, &more) && !more)
        return STLINK_OK;
    if (!more)
        return STLINK_CONFUSED;
    stlink_make_version_v3(&command);
    result = run(link, &command, answer);
    if (result == STLINK_OK && !stlink_take_version_v3(answer, &link->version))
        result = STLINK_CONFUSED;
    return result;
}

/* ---- getting in step ---- */

enum stlink_result stlink_link_step(struct stlink_link *link)
{
    enum stlink_result result = STLINK_CONFUSED;
    struct stlink_command command;
    uint8_t answer[STLINK_VERSION_BYTES];

    stlink_make_version(&command);
    for (unsigned i = 0; i < STEP_TRIES && stlink_out_of_step(result); i++) {
        result = link->pipe.ops->reset(link->pipe.self);
        if (result != STLINK_OK)
            return result;
        result = run(link, &command, answer);
        if (result == STLINK_OK && memcmp(answer, link->identity, sizeof answer) != 0)
            result = STLINK_CONFUSED;
    }
    return result;
}

/* ---- connecting ---- */

static enum stlink_result look_for_others(struct stlink_link *link)
{
    link->others = 0;
    if (link->pipe.ops->others == NULL)
        return STLINK_OK;
    return link->pipe.ops->others(link->pipe.self, &link->others, link->timeout_ms);
}

static enum stlink_result get_mode(struct stlink_link *link, enum stlink_mode *mode)
{
    struct stlink_command command;
    uint8_t answer[2];
    enum stlink_result result;

    stlink_make_mode(&command);
    result = run(link, &command, answer);
    *mode = answer[0] <= STLINK_MODE_BOOT ? (enum stlink_mode)answer[0] : STLINK_MODE_BOOT;
    return result;
}

static enum stlink_result leave(struct stlink_link *link, enum stlink_mode mode)
{
    struct stlink_command command;

    return stlink_make_leave(&command, mode) ? run(link, &command, NULL) : STLINK_OK;
}

static enum stlink_result measure(struct stlink_link *link)
{
    struct stlink_command command;
    uint8_t answer[8];
    enum stlink_result result;

    stlink_make_voltage(&command);
    result = run(link, &command, answer);
    link->millivolts = result == STLINK_OK ? stlink_take_voltage(answer) : 0;
    return result;
}

/* Sets the clock. A probe that refuses to set it uses its own clock. */
static enum stlink_result set_clock(struct stlink_link *link, unsigned khz)
{
    struct stlink_command command;
    uint8_t answer[STLINK_CLOCKS_BYTES];
    enum stlink_result result = STLINK_OK;

    link->khz = 0;
    if (!(link->version.abilities & STLINK_LISTS_CLOCKS)) {
        khz = stlink_make_clock_v2(&command, khz);
    } else {
        stlink_make_clocks(&command);
        result = ask(link, &command, answer);
        khz = result == STLINK_OK ? stlink_choose_clock(answer, khz) : 0;
        stlink_make_clock_v3(&command, khz);
    }
    if (result == STLINK_OK && khz > 0)
        result = ask(link, &command, answer);
    if (result == STLINK_OK)
        link->khz = khz;
    return result < STLINK_TIMEOUT ? STLINK_OK : result;
}

static enum stlink_result enter(struct stlink_link *link, unsigned khz)
{
    struct stlink_command command;
    uint8_t answer[2];
    enum stlink_mode mode;
    enum stlink_result result = get_mode(link, &mode);

    if (result == STLINK_OK)
        result = leave(link, mode);
    if (result == STLINK_OK)
        result = measure(link);
    if (result == STLINK_OK)
        result = set_clock(link, khz);
    if (result != STLINK_OK)
        return result;
    stlink_make_enter(&command);
    link->entered = true; /* even if the target does not answer, the probe may be in debug mode */
    return ask(link, &command, answer);
}

static enum stlink_result open_port(struct stlink_link *link)
{
    struct stlink_command command;
    uint8_t answer[2];
    enum stlink_result result;

    stlink_make_open_port(&command, link->port);
    result = ask(link, &command, answer);
    link->opened = link->opened || result == STLINK_OK;
    return result;
}

static enum stlink_result identify(struct stlink_link *link)
{
    struct stlink_command command;
    uint8_t answer[8];
    enum stlink_result result;

    stlink_make_identity(&command);
    result = ask(link, &command, answer);
    if (result == STLINK_OK)
        link->dpidr = stlink_word(answer + 4);
    return result;
}

static enum stlink_result connect_alone(struct stlink_link *link, unsigned khz)
{
    enum stlink_result result = enter(link, khz);

    if (result == STLINK_OK && link->version.abilities & STLINK_OPENS_PORTS)
        result = open_port(link);
    if (result == STLINK_OK)
        result = identify(link);
    return result;
}

static enum stlink_result connect_beside(struct stlink_link *link)
{
    enum stlink_mode mode;
    enum stlink_result result = get_mode(link, &mode);

    link->entered = link->opened = false; /* from now on the probe's state belongs to the other program */
    if (result == STLINK_OK && mode != STLINK_MODE_DEBUG) {
        link->other_mode = true;
        return STLINK_SILENT;
    }
    return result;
}

enum stlink_result stlink_link_connect(struct stlink_link *link, unsigned khz, uint8_t port)
{
    enum stlink_result result = look_for_others(link);

    link->port = port;
    link->ready = link->other_mode = false;
    if (result == STLINK_OK)
        result = link->others > 0 ? connect_beside(link) : connect_alone(link, khz);
    link->ready = result == STLINK_OK;
    return result;
}

void stlink_link_disconnect(struct stlink_link *link)
{
    struct stlink_command command;
    uint8_t answer[2];

    if (!link->entered || look_for_others(link) != STLINK_OK || link->others > 0)
        return;
    if (link->opened) {
        stlink_make_close_port(&command, link->port);
        (void)run(link, &command, answer);
    }
    (void)leave(link, STLINK_MODE_DEBUG);
    link->entered = link->opened = link->ready = false;
}

/* ---- reading ---- */

/* Clears the error bits that a failed read left in the debug port. Another program has to see them itself. */
static void clear_errors(struct stlink_link *link)
{
    struct stlink_command command;
    uint8_t answer[2];

    if (look_for_others(link) != STLINK_OK || link->others > 0)
        return;
    stlink_make_clear_errors(&command);
    (void)run(link, &command, answer);
}

/* After a failed access, decides whether to try it again. */
static bool tries_again(struct stlink_link *link, enum stlink_result *result, unsigned *turn, bool *reopened)
{
    if (*result == STLINK_WAIT)
        return wait_turn(link, turn);
    if (*result == STLINK_BAD_PORT && !*reopened && link->version.abilities & STLINK_OPENS_PORTS) {
        enum stlink_result opened = open_port(link); /* the program that shares the probe did not open this port */

        *reopened = true;
        if (opened != STLINK_OK)
            *result = opened;
        return opened == STLINK_OK;
    }
    if (*result == STLINK_FAULT)
        clear_errors(link);
    return false;
}

static enum stlink_result get_status(struct stlink_link *link, uint8_t *answer)
{
    struct stlink_command command;
    enum stlink_result result;

    stlink_make_status(&command);
    result = run(link, &command, answer);
    return result == STLINK_OK ? stlink_result_of(answer[0]) : result;
}

enum stlink_result stlink_link_read(struct stlink_link *link, uint32_t address, uint32_t length, uint8_t *bytes,
                                    uint32_t *fault)
{
    struct stlink_command command;
    uint8_t status[STLINK_STATUS_BYTES];
    bool reopened = false;
    unsigned turn = 0;
    enum stlink_result result;

    stlink_make_read(&command, address, length, link->port);
    do {
        result = run(link, &command, bytes);
        if (result == STLINK_OK)
            result = get_status(link, status);
    } while (result != STLINK_OK && tries_again(link, &result, &turn, &reopened));
    *fault = address;
    if (result == STLINK_FAULT && stlink_word(status + 4) - address < length)
        *fault = stlink_word(status + 4) & ~UINT32_C(3);
    return result;
}

static enum stlink_result run_list(struct stlink_link *link, const struct stlink_command *list, size_t count,
                                   uint8_t *words, size_t *failed)
{
    uint8_t answer[8 * STLINK_STEPS_MAX];
    struct stlink_command command;
    enum stlink_result result = run(link, list, NULL);

    stlink_make_fetch(&command, list);
    if (result == STLINK_OK)
        result = run(link, &command, answer);
    for (size_t i = 0; i < count && result == STLINK_OK; i++) {
        result = stlink_take_word(answer, count, i, words + 4 * i);
        *failed = i;
    }
    return result;
}

enum stlink_result stlink_link_list(struct stlink_link *link, const struct stlink_command *list, size_t count,
                                    uint8_t *words, size_t *failed)
{
    bool reopened = false;
    unsigned turn = 0;
    enum stlink_result result;

    *failed = 0;
    do
        result = run_list(link, list, count, words, failed);
    while (result != STLINK_OK && tries_again(link, &result, &turn, &reopened));
    return result;
}
