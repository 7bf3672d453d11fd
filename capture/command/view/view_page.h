/* SPDX-License-Identifier: MIT */
/* The page of txtap view: its settings, and its output to a server or to a file. */
#ifndef TXTAP_CAPTURE_COMMAND_VIEW_VIEW_PAGE_H
#define TXTAP_CAPTURE_COMMAND_VIEW_VIEW_PAGE_H

#include <stdbool.h>

#include "base/input.h"
#include "command/run_loop.h"
#include "options/options.h"
#include "view/document.h"
#include "view/server.h"

struct view_page {
    struct document document;
    char *definitions[DEFINITIONS_FILES_MAX];
    /* The next members are for a served page. */
    char *html, *policy;
    size_t html_length;
    struct server *server;
    const struct options *options;
};

/* Reads the definitions. data: the trace, or NULL; borrowed. After success, call view_page_close(). */
enum txtap_status view_page_open(struct view_page *page, const struct options *options, enum document_mode mode,
                                 const struct trace_data *data, struct error *error);

/*
 * Serves the page, prints its address on standard output, and opens a browser. TXTAP_END: standard output has no reader
 * any more. Other statuses are the same as of server_start().
 */
enum txtap_status view_page_serve(struct view_page *page, const struct server_source *source,
                                  void (*put_state)(void *self, FILE *out), void *self, struct error *error);

void view_page_close(struct view_page *page);

/* ---- the browser ---- */

/* Asks the desktop to show the page. The browser is not a child process of txtap, and continues after txtap. False: the
 * desktop cannot be asked. */
bool browser_open(const char *url);

/* ---- pages of a running target ---- */

/* Reads the target like txtap record, and gives the events to the pages. Follows the target until Ctrl-C. Returns an
 * enum exit_code. */
attached_run view_live;

/* ---- pages of files ---- */

/* Checks whether the options allow a page. Call it first. TXTAP_ERROR_USAGE, TXTAP_ERROR_SYSTEM: error has the reason.
 */
enum txtap_status view_check(const struct options *options, struct error *error);

/* Serves files. `input` is open, at the first byte of the trace; borrowed. Returns an enum exit_code; errors are
 * reported. */
int view_files_serve(const struct options *options, struct input *input);
int view_files_write(const struct options *options, struct input *input);

/* Writes a page without a trace. */
int view_files_write_empty(const struct options *options);

#endif
