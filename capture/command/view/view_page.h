/* SPDX-License-Identifier: MIT */
/* The page of txtap view: what it is told, and where it goes, to a server or to a file. */
#ifndef TXTAP_CAPTURE_COMMAND_VIEW_VIEW_PAGE_H
#define TXTAP_CAPTURE_COMMAND_VIEW_VIEW_PAGE_H

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

/* Writes it as one file. Statuses as output_whole_file(). */
enum txtap_status view_page_write(struct view_page *page, struct error *error);

/*
 * Serves it, prints its address on standard output, and opens a browser. TXTAP_END: nobody reads standard output any
 * more; statuses as server_start().
 */
enum txtap_status view_page_serve(struct view_page *page, const struct server_source *source,
                                  void (*put_state)(void *self, FILE *out), void *self, struct error *error);

void view_page_close(struct view_page *page);

#endif
