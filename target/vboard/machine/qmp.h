/* SPDX-License-Identifier: MIT */
/*
 * QEMU's machine protocol over an inherited socket: one request, one answer, and between them the events that the
 * board needs. Knows nothing of targets.
 */
#ifndef VBOARD_QMP_H
#define VBOARD_QMP_H

#include <stdbool.h>
#include <stddef.h>

struct qmp {
    int fd;
    char *line; /* bytes received and not yet taken */
    size_t used;
    unsigned resets_seen;       /* RESET events from any cause */
    unsigned guest_resets_seen; /* RESET events that the firmware caused */
    bool ended;                 /* QEMU closed its side */
};

/* Takes over `fd`, waits for QEMU's greeting and enters command mode. After a failure the caller must still call
 * qmp_close. */
bool qmp_open(struct qmp *qmp, int fd);
void qmp_close(struct qmp *qmp);

/* Runs a command given as JSON text. */
bool qmp_execute(struct qmp *qmp, const char *json);

/* Runs a human monitor command; `text` receives its output, truncated to text_bytes, always terminated. */
bool qmp_monitor(struct qmp *qmp, char *text, size_t text_bytes, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Takes the events that have arrived, without waiting. */
void qmp_take_events(struct qmp *qmp);

/* Waits until resets_seen differs from `before`, at most timeout_ms. */
bool qmp_wait_reset(struct qmp *qmp, unsigned before, int timeout_ms);

#endif
