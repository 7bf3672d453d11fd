/* SPDX-License-Identifier: MIT */
/* Where the server listens. */
#ifndef TXTAP_CAPTURE_VIEW_LISTEN_H
#define TXTAP_CAPTURE_VIEW_LISTEN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/failure.h"
#include "view/request.h"

/*
 * Listens at an address in digits, "localhost" included; port 0: any that is free. Sets the rules but their token,
 * *public: other machines can reach it, and *fd: the socket. TXTAP_ERROR_USAGE: not an address, or no browser can
 * connect to it. TXTAP_ERROR_SYSTEM: it cannot listen there; error says why.
 */
enum txtap_status listen_open(const char *where, uint16_t port, struct request_rules *rules, bool *public, int *fd,
                              struct error *error);

#endif
