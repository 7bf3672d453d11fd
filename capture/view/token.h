/* SPDX-License-Identifier: MIT */
/*
 * The secret part of a page's address. It is a new token, or a token that is kept for a port, so that an open page
 * finds txtap again after a restart. Kept tokens are files of this user, one for each port, in $XDG_RUNTIME_DIR/txtap,
 * or without that variable in ${XDG_STATE_HOME:-$HOME/.local/state}/txtap.
 */
#ifndef TXTAP_CAPTURE_VIEW_TOKEN_H
#define TXTAP_CAPTURE_VIEW_TOKEN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/failure.h"
#include "view/request.h"

/* Makes a token of 128 random bits in hexadecimal. False: no random bits; errno has the cause. */
bool token_new(char token[static REQUEST_TOKEN_BYTES]);

/*
 * Reads the token from the port's file, or makes the file. TXTAP_OK: token is set. If the file was damaged, it now has
 * a new token, and error says so. TXTAP_ERROR_SYSTEM: token is not set, and error has the reason: the file or its
 * directory cannot be made, is a link, belongs to another user, or others may read it. Such a file is not changed.
 */
enum txtap_status token_keep(uint16_t port, char token[static REQUEST_TOKEN_BYTES], struct error *error);

#endif
