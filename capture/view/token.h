/* SPDX-License-Identifier: MIT */
/*
 * The part of a page's address that cannot be guessed: a new one, or the one that is kept for a port, so that a page
 * that is open finds txtap again. Kept ones are files of this user, one for each port, in $XDG_RUNTIME_DIR/txtap, or
 * without that in ${XDG_STATE_HOME:-$HOME/.local/state}/txtap.
 */
#ifndef TXTAP_CAPTURE_VIEW_TOKEN_H
#define TXTAP_CAPTURE_VIEW_TOKEN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/failure.h"
#include "view/request.h"

/* 128 random bits in hexadecimal. False: there are none; errno says why. */
bool token_new(char token[static REQUEST_TOKEN_BYTES]);

/*
 * The token of the port's file, which is made if it is not there. TXTAP_OK: token is set; if the file was damaged, a
 * new one is in its place, and error says so. TXTAP_ERROR_SYSTEM: token is not set, and error says why none is kept:
 * the file or its directory cannot be made, is a link, is not this user's, or others may read it. Such a file is not
 * changed.
 */
enum txtap_status token_keep(uint16_t port, char token[static REQUEST_TOKEN_BYTES], struct error *error);

#endif
