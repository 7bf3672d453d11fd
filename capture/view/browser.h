/* SPDX-License-Identifier: MIT */
/* Opens the user's browser, if there is a desktop. */
#ifndef TXTAP_CAPTURE_VIEW_BROWSER_H
#define TXTAP_CAPTURE_VIEW_BROWSER_H

#include <stdbool.h>

/* Is there a desktop on which a page could be shown? */
bool browser_has_desktop(void);

/* Asks the desktop to show the page. The browser is no child of txtap, and outlives it. False: it cannot be asked. */
bool browser_open(const char *url);

#endif
