/* SPDX-License-Identifier: MIT */
/* Opens the socket on which the server listens. */
#ifndef TXTAP_CAPTURE_VIEW_LISTEN_H
#define TXTAP_CAPTURE_VIEW_LISTEN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/failure.h"
#include "view/request.h"

/*
 * Listens at a numeric address or "localhost"; port 0: any free port. Sets all rules except the token. *public: true if
 * other machines can reach the address. *fd: the socket. TXTAP_ERROR_USAGE: `where` is not an address, or no browser
 * can connect to it. TXTAP_ERROR_SYSTEM: listening at this address failed; error has the cause.
 */
enum txtap_status listen_open(const char *where, uint16_t port, struct request_rules *rules, bool *public, int *fd,
                              struct error *error);

#endif
