/* SPDX-License-Identifier: MIT */
/*
 * How 'txtap lab status' asks a running lab: a Unix socket in the folder of the lab. The socket accepts only the user
 * of the lab. The lab sends its state as JSON, a NUL, and its table; it reads nothing from a client.
 */
#ifndef TXTAP_CAPTURE_LAB_LAB_SOCKET_H
#define TXTAP_CAPTURE_LAB_LAB_SOCKET_H

#include <stddef.h>

#include "base/failure.h"

struct lab_socket {
    int folder; /* locked, so that a folder has one lab; -1: not open */
    int fd;     /* listens, without blocking; -1: not open */
};

/* Locks the folder, which must exist, and listens. ERROR_EXISTS: another lab runs there. TXTAP_ERROR_SYSTEM: error has
 * the cause. On failure nothing stays open. */
enum txtap_status lab_socket_open(struct lab_socket *lab, const char *folder, struct error *error);

/* Sends the bytes to each client that waits. A client that reads nothing delays this call by at most a second. */
void lab_socket_answer(const struct lab_socket *lab, const char *bytes, size_t length);

/* Removes the socket. */
void lab_socket_close(struct lab_socket *lab);

/* Asks the lab of a folder. *bytes: the answer, `length` bytes and a NUL, which the caller frees. ERROR_UNREACHABLE: no
 * lab runs there. Other failures: error has the cause. */
enum txtap_status lab_socket_ask(const char *folder, char **bytes, size_t *length, struct error *error);

#endif
