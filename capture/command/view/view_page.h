/* SPDX-License-Identifier: MIT */
/* The page of txtap view: what it is told, and where it goes, to a server or to a file. */
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
    /* of a served page: */
    char *html, *policy;
    size_t html_length;
    struct server *server;
    const struct options *options;
};

/* Reads the definitions. data: the trace, or NULL; borrowed. After success view_page_close() is due. */
enum txtap_status view_page_open(struct view_page *page, const struct options *options, enum document_mode mode,
                                 const struct trace_data *data, struct error *error);

/*
 * Serves it, prints its address on standard output, and opens a browser. TXTAP_END: nobody reads standard output any
 * more; statuses as server_start().
 */
enum txtap_status view_page_serve(struct view_page *page, const struct server_source *source,
                                  void (*put_state)(void *self, FILE *out), void *self, struct error *error);

void view_page_close(struct view_page *page);

/* ---- the browser ---- */

/* Asks the desktop to show the page. The browser is no child of txtap, and outlives it. False: it cannot be asked. */
bool browser_open(const char *url);

/* ---- of a running target ---- */

/* It is read as by record, and pages get what was read. Follows it until Ctrl-C. Returns an enum exit_code. */
attached_run view_live;

/* ---- of files ---- */

/* Can there be a page, of what the options choose? To be called first. TXTAP_ERROR_USAGE, _SYSTEM: error says why not.
 */
enum txtap_status view_check(const struct options *options, struct error *error);

/* input: open, at the first byte of the trace; borrowed. Returns an enum exit_code; errors are reported. */
int view_files_serve(const struct options *options, struct input *input);
int view_files_write(const struct options *options, struct input *input);

/* Writes a page without a trace. */
int view_files_write_empty(const struct options *options);

#endif
