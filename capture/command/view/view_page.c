/* SPDX-License-Identifier: MIT */
/* The page of txtap view. */
#include "command/view/view_page.h"

#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/input.h"
#include "base/runtime.h"
#include "file/definitions_file.h"
#include "output/output.h"
#include "output/report.h"
#include "view/browser.h"
#include "view/token.h"

#define DEFINITIONS_BYTES_MAX (4u << 20)
#define STOP_US               300000 /* for pages to get the end of a stream */

static const char *name_of(const struct options *options)
{
    const char *path = options->file_count > 0 ? options->files[0] : options->target.elf;
    const char *slash = path != NULL ? strrchr(path, '/') : NULL;

    if (path == NULL)
        return options->output != NULL ? "" : "target";
    return slash != NULL ? slash + 1 : path;
}

/* The page parses them again: here only what is wrong with them is said. */
static enum txtap_status check_definitions(const struct options *options, struct error *error)
{
    struct txtap_definitions *definitions;
    enum txtap_status status = definitions_load(&definitions, NULL, options->filter.definitions,
                                                options->filter.definitions_count, options->quiet, error);

    definitions_free(definitions);
    return status;
}

static enum txtap_status read_definitions(struct view_page *page, struct error *error)
{
    const struct filter_options *filter = &page->options->filter;
    enum txtap_status status = check_definitions(page->options, error);

    for (size_t i = 0; i < filter->definitions_count && status == TXTAP_OK; i++) {
        uint8_t *bytes;
        size_t length;

        status = input_read_file(filter->definitions[i], DEFINITIONS_BYTES_MAX, "is it a file of definitions?", &bytes,
                                 &length, error);
        if (status != TXTAP_OK)
            break;
        page->definitions[i] = strndup((const char *)bytes, length);
        free(bytes);
        if (page->definitions[i] == NULL)
            status = failure(error, TXTAP_ERROR_SYSTEM, "no memory for definitions of events");
        page->document.definitions_count += status == TXTAP_OK;
    }
    return status;
}

enum txtap_status view_page_open(struct view_page *page, const struct options *options, enum document_mode mode,
                                 const struct trace_data *data, struct error *error)
{
    enum txtap_status status;

    *page = (struct view_page){.options = options};
    page->document = (struct document){.mode = mode,
                                       .name = name_of(options),
                                       .tick_hz = options->tick_hz,
                                       .profile = options->filter.profile,
                                       .definitions = page->definitions,
                                       .panel = options->report.format == REPORT_HTML ? "summary" : NULL,
                                       .data = data,
                                       .files = options->files,
                                       .file_count = options->file_count};
    status = read_definitions(page, error);
    if (status != TXTAP_OK)
        view_page_close(page);
    return status;
}

enum txtap_status view_page_write(struct view_page *page, struct error *error)
{
    const char *path = page->options->output != NULL ? page->options->output : "-";
    enum txtap_status status = document_make(&page->document, &page->html, &page->html_length, error);

    return status == TXTAP_OK ? output_whole_file(path, page->html, page->html_length, page->options->force, error)
                              : status;
}

/* A browser that does not open is no failure: the address is printed. */
static enum txtap_status announce(const struct view_page *page, struct error *error)
{
    char url[SERVER_URL_BYTES];
    enum txtap_status status;

    server_url(page->server, url);
    if (server_is_public(page->server) && !page->options->quiet)
        fprintf(stderr, "txtap: other machines can reach the page, and what is sent is not encrypted\n");
    printf("%s\n", url);
    status = standard_output_flush(error);
    if (status == TXTAP_OK && !page->options->view.no_open && browser_has_desktop() && !browser_open(url) &&
        !page->options->quiet)
        fprintf(stderr, "txtap: no browser can be opened: open the address above\n");
    return status;
}

/* With --port it is the one of the start before. NULL: a new one. */
static const char *choose_token(const struct view_page *page, char token[static REQUEST_TOKEN_BYTES])
{
    struct error note = {0};
    enum txtap_status status;

    if (page->options->view.port == 0)
        return NULL;
    status = token_keep(page->options->view.port, token, &note);
    if (error_is_set(&note) && !page->options->quiet)
        report_error(&note);
    return status == TXTAP_OK ? token : NULL;
}

enum txtap_status view_page_serve(struct view_page *page, const struct server_source *source,
                                  void (*put_state)(void *self, FILE *out), void *self, struct error *error)
{
    enum txtap_status status = document_make(&page->document, &page->html, &page->html_length, error);
    struct server_setup setup = {.address = page->options->view.address,
                                 .port = page->options->view.port,
                                 .source = *source,
                                 .put_state = put_state,
                                 .self = self};
    char token[REQUEST_TOKEN_BYTES];

    if (status != TXTAP_OK)
        return status;
    page->policy = document_policy(true);
    if (page->policy == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the page");
    setup.page = page->html;
    setup.page_length = page->html_length;
    setup.policy = page->policy;
    setup.token = choose_token(page, token);
    status = server_start(&page->server, &setup, error);
    return status == TXTAP_OK ? announce(page, error) : status;
}

void view_page_close(struct view_page *page)
{
    if (page->server != NULL)
        server_stop(page->server, STOP_US);
    page->server = NULL;
    for (size_t i = 0; i < page->document.definitions_count; i++)
        free(page->definitions[i]);
    page->document.definitions_count = 0;
    free(page->html);
    free(page->policy);
    page->html = page->policy = NULL;
}
