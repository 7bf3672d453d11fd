/* SPDX-License-Identifier: MIT */
/* The page of txtap view: its settings, and its output to a server or to a file. */
#ifndef TXTAP_CAPTURE_COMMAND_VIEW_VIEW_PAGE_H
#define TXTAP_CAPTURE_COMMAND_VIEW_VIEW_PAGE_H

#include <stdbool.h>

#include "input/input.h"
#include "command/run_loop.h"
#include "options/options.h"
#include "view/document.h"
#include "view/server.h"

struct view_page {
    struct document document;
    char *definitions[DEFINITIONS_FILES_MAX];
    struct identity firmware; /* of the ELF file that was given with a trace */
    /* The next members are used only if the page is served. */
    char *html, *policy;
    size_t html_length;
    struct server *server;
    const struct options *options;
};

/* Opens a page and reads its definitions. data: the trace, or NULL; borrowed. attachment: the target, or NULL. After
 * success, call view_page_close(). */
enum txtap_status view_page_open(struct view_page *page, const struct options *options, enum document_mode mode,
                                 const struct trace_data *data, const struct attachment *attachment,
                                 struct error *error);

/*
 * Serves the page, prints its address on standard output, and opens a browser. TXTAP_END: standard output has no reader
 * any more. Other statuses are those of server_start().
 */
enum txtap_status view_page_serve(struct view_page *page, const struct server_source *source,
                                  void (*put_state)(void *self, FILE *out), void *self, struct error *error);

void view_page_close(struct view_page *page);

/* ---- the browser ---- */

/* Asks the desktop to show the page. The browser is not a child process of txtap, and stays open after txtap ends.
 * False: the program that opens a browser cannot be started. */
bool browser_open(const char *url);

/* ---- pages of a running target ---- */

/* Follows the target until Ctrl-C, and gives the events to the open pages. Returns an enum exit_code. */
attached_run view_live;

/* Follows the board options->files[0], a folder or a subject of a NATS server, until Ctrl-C. Returns an enum exit_code.
 */
int view_board(const struct options *options);

/* ---- pages of files ---- */

/* Checks whether the options allow a page. Call it first. TXTAP_ERROR_USAGE, TXTAP_ERROR_SYSTEM: error has the reason.
 */
enum txtap_status view_check(const struct options *options, struct error *error);

/* Serves files (view_files_serve), or writes a page with the files (view_files_write). `input` is borrowed, and must be
 * open at the first byte of the trace. Prints errors. Returns an enum exit_code. */
int view_files_serve(const struct options *options, struct input *input);
int view_files_write(const struct options *options, struct input *input);

/* A page with a trace and the results of checks. Pointers are borrowed. */
struct view_results {
    const char *path;         /* the file to write, which may exist; "-": standard output */
    const char *const *files; /* file_count files of the trace */
    size_t file_count;
    bool is_kept; /* the files are a temporary recording, so the page does not name them */
    const struct document_check *checks;
    size_t check_count;
};

/* Writes the page as one file. Call view_check() first. Returns the statuses of trace_data_open() and
 * output_whole_file(). */
enum txtap_status view_results_write(const struct options *options, const struct view_results *results,
                                     struct error *error);

/* One of the two traces of a page that compares them. */
struct view_side {
    const char *path; /* file of the trace; borrowed */
    double tick_hz;   /* 0: unknown */
};

/* Writes a page with the timelines of two traces. comparison: JSON of changes_show_page(). Call view_check() first.
 * Returns the statuses of trace_data_open() and output_whole_file(). */
enum txtap_status view_compared_write(const struct options *options, const struct view_side sides[2],
                                      const char *comparison, struct error *error);

/* Writes a page without a trace. */
int view_files_write_empty(const struct options *options);

#endif
