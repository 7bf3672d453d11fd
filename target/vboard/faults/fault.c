/* SPDX-License-Identifier: MIT */
/* The kinds of fault and their text form. */
#include "fault.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECOND_US      INT64_C(1000000)
#define TIME_S_MAX     1e6
#define DURATION_S_MAX 3600
#define SLOW_MS        50
#define SLOW_MS_MAX    10000

/* The meaning of DURATION for a kind. */
enum lasting {
    MOMENT, /* not allowed */
    ANY,    /* optional: without it the fault lasts for a moment, or one access */
    SPAN    /* more than 0 seconds */
};

static const struct {
    const char *name;
    enum lasting lasting;
    int64_t default_us;
    struct fault_range range;
} kinds[FAULT_KINDS] = {
    [FAULT_SWD_FAULT] = {"swd-fault", ANY, 0, {20000, 600000, true}},
    [FAULT_SWD_WAIT] = {"swd-wait", ANY, 0, {20000, 600000, true}},
    [FAULT_SWD_PARITY] = {"swd-parity", ANY, 0, {20000, 600000, true}},
    [FAULT_DROP] = {"drop", MOMENT, 0, {0, 0, false}},
    [FAULT_HALF_OPEN] = {"half-open", SPAN, 3 * SECOND_US, {200000, 3000000, false}},
    [FAULT_SLOW] = {"slow", SPAN, 5 * SECOND_US, {500000, 4000000, false}},
    [FAULT_BUSY] = {"busy", SPAN, SECOND_US / 2, {10000, 600000, false}},
    [FAULT_UNPLUG] = {"unplug", SPAN, 2 * SECOND_US, {500000, 3000000, false}},
    [FAULT_HALT] = {"halt", SPAN, SECOND_US / 2, {10000, 1000000, false}},
    [FAULT_RESET] = {"reset", ANY, 0, {1000, 300000, true}},
    [FAULT_WARM_RESET] = {"warm-reset", ANY, SECOND_US / 5, {1000, 300000, true}},
    [FAULT_POWER_CYCLE] = {"power-cycle", SPAN, SECOND_US, {100000, 2000000, false}},
    [FAULT_REFLASH] = {"reflash", ANY, SECOND_US / 2, {100000, 1000000, true}},
};

const char *fault_name(enum fault_kind kind)
{
    return kinds[kind].name;
}

bool fault_find(const char *name, size_t length, enum fault_kind *kind)
{
    for (int i = 0; i < FAULT_KINDS; i++) {
        if (strlen(kinds[i].name) == length && memcmp(kinds[i].name, name, length) == 0) {
            *kind = (enum fault_kind)i;
            return true;
        }
    }
    return false;
}

struct fault_range fault_random_range(enum fault_kind kind)
{
    return kinds[kind].range;
}

struct fault fault_default(enum fault_kind kind)
{
    return (struct fault){.kind = kind, .time_us = -1, .duration_us = kinds[kind].default_us, .slow_ms = SLOW_MS};
}

bool fault_is_of_target(enum fault_kind kind)
{
    return kind >= FAULT_HALT;
}

/* Parses a decimal number of seconds, 0 to `max`. False: the text is anything else. */
static bool parse_seconds(const char *text, double max, int64_t *time_us)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !(value >= 0 && value <= max))
        return false;
    *time_us = (int64_t)(value * 1e6 + 0.5);
    return true;
}

static bool refuse(char why[static FAULT_TEXT_BYTES], const char *text, const char *reason)
{
    snprintf(why, FAULT_TEXT_BYTES, "fault '%.200s': %s", text, reason);
    return false;
}

static bool take_value(struct fault *fault, const char *value, char why[static FAULT_TEXT_BYTES])
{
    const char *name = kinds[fault->kind].name;
    char *end;
    if (fault->kind == FAULT_REFLASH) {
        fault->path = value;
        return (value && *value) || refuse(why, name, "want the firmware to flash: reflash=PATH");
    }
    if (!value)
        return true;
    if (fault->kind != FAULT_SLOW)
        return refuse(why, name, "it takes no =VALUE");
    unsigned long number = strtoul(value, &end, 10);
    if (end == value || *value == '-' || *end || number < 1 || number > SLOW_MS_MAX)
        return refuse(why, name, "want milliseconds from 1 to 10000: slow=MS");
    fault->slow_ms = (uint32_t)number;
    return true;
}

/* Cuts off the text after the last `mark` if it is a number of seconds. Otherwise the mark belongs to a path. */
static bool cut_seconds(char *text, char mark, double max, int64_t *time_us)
{
    char *at = strrchr(text, mark);
    if (!at || !parse_seconds(at + 1, max, time_us))
        return false;
    *at = '\0';
    return true;
}

bool fault_parse(char *text, struct fault *fault, char why[static FAULT_TEXT_BYTES])
{
    int64_t duration_us = -1, time_us = -1;
    enum fault_kind kind;

    cut_seconds(text, ':', DURATION_S_MAX, &duration_us);
    cut_seconds(text, '@', TIME_S_MAX, &time_us);
    size_t length = strcspn(text, "=");
    char *value = text[length] == '=' ? text + length + 1 : NULL;
    if (!fault_find(text, length, &kind))
        return refuse(
            why, text,
            "want KIND[=VALUE][@TIME][:DURATION] with a KIND of swd-fault, swd-wait, swd-parity, drop, "
            "half-open, slow, busy, unplug, halt, reset, warm-reset, power-cycle, reflash, and times in seconds");
    *fault = fault_default(kind);
    fault->time_us = time_us;
    if (duration_us >= 0 && kinds[kind].lasting == MOMENT)
        return refuse(why, kinds[kind].name, "it takes no :DURATION");
    if (duration_us == 0 && kinds[kind].lasting == SPAN)
        return refuse(why, kinds[kind].name, "want a :DURATION above 0");
    if (duration_us >= 0)
        fault->duration_us = duration_us;
    return take_value(fault, value, why);
}
