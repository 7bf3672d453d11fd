/* SPDX-License-Identifier: MIT */
/* What the build puts into the program: the page, its policy, and the decoder that the page runs. */
#ifndef TXTAP_CAPTURE_VIEW_EMBEDDED_H
#define TXTAP_CAPTURE_VIEW_EMBEDDED_H

#include <stddef.h>

struct embedded {
    const char *at;
    size_t length;
};

struct embedded embedded_page(void);    /* HTML, with %POLICY% and %DATA% once each */
struct embedded embedded_policy(void);  /* a Content-Security-Policy with the hashes of the page's script and style */
struct embedded embedded_decoder(void); /* WebAssembly */

#endif
