/* SPDX-License-Identifier: MIT */
/*
 * QEMU sends one JSON object per line. Only three kinds of object matter, and their first keys differ. So there is no
 * JSON parser here. The few strings that matter are unescaped in place.
 */
#include "qmp.h"
#include "messages.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LINE_BYTES      (256 * 1024) /* a memory dump of 6 KiB is about 20 KiB of text */
#define ANSWER_LIMIT_MS 60000        /* a busy host may delay QEMU */

static long long now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

/* Receives into the buffer; false if nothing arrived in time or QEMU is gone. */
static bool receive(struct qmp *qmp, int timeout_ms)
{
    struct pollfd waiting = {qmp->fd, POLLIN, 0};
    if (qmp->ended || poll(&waiting, 1, timeout_ms) <= 0)
        return false;
    ssize_t got = read(qmp->fd, qmp->line + qmp->used, LINE_BYTES - 1 - qmp->used);
    if (got <= 0) {
        qmp->ended = got == 0 || (errno != EAGAIN && errno != EINTR);
        return false;
    }
    qmp->used += (size_t)got;
    return true;
}

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* Takes one line. Counts events and does not return them; copies any other line to `answer`. */
static bool take_line(struct qmp *qmp, char *answer, size_t answer_bytes, bool *answered)
{
    char *end = memchr(qmp->line, '\n', qmp->used);
    if (!end)
        return false;
    *end = '\0';
    if (strstr(qmp->line, "\"event\": \"") && starts_with(qmp->line, "{\"timestamp\"")) {
        if (strstr(qmp->line, "\"event\": \"RESET\"")) {
            qmp->resets_seen++;
            qmp->guest_resets_seen += strstr(qmp->line, "\"guest\": true") != NULL;
        }
    } else {
        snprintf(answer, answer_bytes, "%s", qmp->line);
        *answered = true;
    }
    size_t taken = (size_t)(end + 1 - qmp->line);
    qmp->used -= taken;
    memmove(qmp->line, end + 1, qmp->used);
    return true;
}

static bool await_answer(struct qmp *qmp, char *answer, size_t answer_bytes)
{
    long long limit = now_ms() + ANSWER_LIMIT_MS;
    for (bool answered = false; !answered;) {
        if (take_line(qmp, answer, answer_bytes, &answered))
            continue;
        long long left = limit - now_ms();
        if (qmp->used == LINE_BYTES - 1 || left <= 0)
            return fail("QEMU's monitor does not answer; end the board and start it again");
        if (!receive(qmp, (int)left) && qmp->ended)
            return false; /* the main loop reports QEMU's end, with its exit status */
    }
    return true;
}

static bool request(struct qmp *qmp, const char *json, char *answer, size_t answer_bytes)
{
    size_t length = strlen(json);
    if (write(qmp->fd, json, length) != (ssize_t)length || write(qmp->fd, "\n", 1) != 1)
        return false;
    if (!await_answer(qmp, answer, answer_bytes))
        return false;
    if (starts_with(answer, "{\"return\""))
        return true;
    return fail("QEMU refused %s: %.200s", json, answer);
}

bool qmp_open(struct qmp *qmp, int fd)
{
    *qmp = (struct qmp){.fd = fd, .line = malloc(LINE_BYTES)};
    char greeting[1024];
    if (!qmp->line)
        return fail("out of memory");
    return await_answer(qmp, greeting, sizeof greeting) && qmp_execute(qmp, "{\"execute\": \"qmp_capabilities\"}");
}

void qmp_close(struct qmp *qmp)
{
    close(qmp->fd);
    free(qmp->line);
    qmp->line = NULL;
}

bool qmp_execute(struct qmp *qmp, const char *json)
{
    char answer[1024];
    return request(qmp, json, answer, sizeof answer);
}

/* Unescapes the JSON string that starts at `from`, after its quote. */
static void unescape(const char *from, char *text, size_t text_bytes)
{
    size_t length = 0;
    for (; *from && *from != '"' && length + 1 < text_bytes; from++) {
        char letter = *from;
        if (letter == '\\' && from[1]) {
            letter = *++from;
            letter = letter == 'n' ? '\n' : letter == 'r' ? '\r' : letter == 't' ? '\t' : letter;
        }
        text[length++] = letter;
    }
    text[length] = '\0';
}

bool qmp_monitor(struct qmp *qmp, char *text, size_t text_bytes, const char *format, ...)
{
    static const char head[] = "{\"return\": \"";
    char command[256], json[384];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    snprintf(json, sizeof json, "{\"execute\": \"human-monitor-command\", \"arguments\": {\"command-line\": \"%s\"}}",
             command);
    char *answer = malloc(LINE_BYTES);
    bool done = answer && request(qmp, json, answer, LINE_BYTES) && starts_with(answer, head);
    if (done)
        unescape(answer + strlen(head), text, text_bytes);
    free(answer);
    return done;
}

void qmp_take_events(struct qmp *qmp)
{
    char ignored[64];
    bool answered = false;
    receive(qmp, 0);
    while (take_line(qmp, ignored, sizeof ignored, &answered))
        ;
}

bool qmp_wait_reset(struct qmp *qmp, unsigned before, int timeout_ms)
{
    char ignored[64];
    bool answered = false;
    long long limit = now_ms() + timeout_ms;
    while (qmp->resets_seen == before) {
        if (take_line(qmp, ignored, sizeof ignored, &answered))
            continue;
        long long left = limit - now_ms();
        if (left <= 0 || (!receive(qmp, (int)left) && qmp->ended))
            return false;
    }
    return true;
}
