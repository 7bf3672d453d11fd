/* SPDX-License-Identifier: MIT */
/* Makes samples from the lines of a log. */
#include "log/log_line.h"

#include <string.h>

#define CUT      "..."
#define LINE_MAX (TXTAP_SAMPLE_TEXT_BYTES - sizeof CUT)
#define NUL_TEXT "\xef\xbf\xbd" /* U+FFFD */

/* Returns the length of a colour sequence, ESC [ numbers m, at the text's start; 0: the text starts otherwise. */
static size_t colour_bytes(const char *text)
{
    size_t numbers;

    if (text[0] != '\033' || text[1] != '[')
        return 0;
    numbers = strspn(text + 2, "0123456789;");
    return text[2 + numbers] == 'm' ? numbers + 3 : 0;
}

static void remove_colours(char *text)
{
    char *to = text;

    for (const char *at = text; *at != '\0';) {
        size_t skipped = colour_bytes(at);

        if (skipped == 0)
            *to++ = *at++;
        at += skipped;
    }
    *to = '\0';
}

static void trim_end(char *text)
{
    size_t length = strlen(text);

    while (length > 0 && text[length - 1] == '\r')
        text[--length] = '\0';
}

/* Adds the line to the queue, unless it is empty. */
static void give(struct log *log, struct sample_queue *queue, uint64_t to_us)
{
    struct log_line *line = &log->line;

    line->text[line->length] = '\0';
    line->length = 0;
    trim_end(line->text);
    remove_colours(line->text);
    if (line->text[0] == '\0')
        return;
    sample_queue_add(queue, &(struct taken_sample){
                                .channel = log->channel, .from_us = line->from_us, .to_us = to_us, .text = line->text});
    log->lines++;
}

/* Adds bytes to the line. Gives the line if it is too long; its rest is left out. */
static void put(struct log *log, struct sample_queue *queue, const char *bytes, size_t count, uint64_t to_us)
{
    struct log_line *line = &log->line;

    if (line->skips)
        return;
    if (line->length == 0)
        line->from_us = log->drained_us;
    if (line->length + count <= LINE_MAX) {
        memcpy(line->text + line->length, bytes, count);
        line->length += count;
        return;
    }
    memcpy(line->text + line->length, CUT, sizeof CUT - 1);
    line->length += sizeof CUT - 1;
    line->skips = true;
    log->cut++;
    give(log, queue, to_us);
}

void log_take(struct log *log, struct sample_queue *queue, const char *bytes, size_t count, uint64_t to_us)
{
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] == '\n')
            log_end_line(log, queue, to_us);
        else if (bytes[i] == '\0')
            put(log, queue, NUL_TEXT, sizeof NUL_TEXT - 1, to_us);
        else
            put(log, queue, &bytes[i], 1, to_us);
    }
}

void log_end_line(struct log *log, struct sample_queue *queue, uint64_t to_us)
{
    if (log->line.length > 0)
        give(log, queue, to_us);
    log->line.skips = false;
}
