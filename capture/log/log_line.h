/* SPDX-License-Identifier: MIT */
/* A log, and its bytes as lines of text. */
#ifndef TXTAP_CAPTURE_LOG_LOG_LINE_H
#define TXTAP_CAPTURE_LOG_LOG_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "stream/sample_queue.h"
#include "txtap/sample.h"

#define LOG_PATH_BYTES 4096u

/* The line that a log writes at present. */
struct log_line {
    uint64_t from_us; /* the line's first byte was written after this time */
    size_t length;
    bool skips; /* the rest of the line is left out, because it is too long */
    char text[TXTAP_SAMPLE_TEXT_BYTES];
};

struct log {
    char path[LOG_PATH_BYTES];
    unsigned speed; /* speed of a serial port in bits per second; 0: the present speed */
    const struct txtap_channel *channel;
    int fd;              /* -1: the log has ended */
    struct stat file;    /* the open file */
    uint64_t drained_us; /* all bytes that were written before this time have been read */
    uint64_t due_us;     /* the next attempt to open a log that has ended, or to read a file */
    bool is_terminal;    /* a serial port, or another terminal */
    bool is_quiet;       /* poll() does not tell when the log has more bytes, so it is read at due_us */
    struct log_line line;
    uint64_t lines, cut; /* number of lines; number of lines that were too long */
};

/*
 * Takes bytes that were written after log->drained_us and read before to_us. Adds each complete line to the queue.
 * Removes carriage returns at the end and the sequences that colour text. NUL becomes U+FFFD. Empty lines are left out.
 * A line that is too long is cut and ends with "...".
 */
void log_take(struct log *log, struct sample_queue *queue, const char *bytes, size_t count, uint64_t to_us);

/* Adds the present line to the queue, although its end has not come. */
void log_end_line(struct log *log, struct sample_queue *queue, uint64_t to_us);

#endif
