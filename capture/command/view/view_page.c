/* SPDX-License-Identifier: MIT */
/* Makes the page of txtap view: serves it, or writes it to a file. */
#include "command/view/view_page.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attach/firmware_identity.h"
#include "base/child.h"
#include "base/files.h"
#include "base/runtime.h"
#include "command/operands.h"
#include "file/ctf_directory.h"
#include "file/definitions_file.h"
#include "output/output.h"
#include "output/report.h"
#include "ring/ring_kind.h"
#include "txtap/recording.h"
#include "view/token.h"

/* ---- the browser ---- */

static bool is_set(const char *name)
{
    const char *value = getenv(name);

    return value != NULL && *value != '\0';
}

/* Returns true if txtap runs on a desktop that can show a page. */
static bool browser_has_desktop(void)
{
    return is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
}

/* Runs the browser in its own session, so that Ctrl-C does not end it. */
static void run(const char *url)
{
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);

    setsid();
    if (nothing < 0 || fork() != 0)
        _exit(nothing < 0);
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        dup2(nothing, fd);
    child_inherit_nothing();
    execlp("xdg-open", "xdg-open", url, (char *)NULL);
    _exit(1);
}

bool browser_open(const char *url)
{
    pid_t child = fork();
    int status = 1;

    if (child == 0)
        run(url);
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

/* ---- the page ---- */

#define DEFINITIONS_BYTES_MAX (4u << 20)
#define PLACE_BYTES           32     /* "#e=" and a number */
#define STOP_US               300000 /* how long open pages may take to get the end of a stream */

static const char *name_of(const struct options *options)
{
    const char *path = options->file_count > 0 ? options->files[0] : options->target.elf;
    const char *slash = path != NULL ? strrchr(path, '/') : NULL;

    if (path == NULL)
        return options->output != NULL ? "" : "target";
    return slash != NULL ? slash + 1 : path;
}

/* Checks the definitions for errors. Discards the parsed definitions, because the page parses the files again. */
static enum txtap_status check_definitions(const struct options *options, struct error *error)
{
    struct txtap_definitions *definitions;
    enum txtap_status status = definitions_load(&definitions, NULL, NULL, options->filter.definitions,
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

/* Reads the handlers of interrupts, and the functions, from the ELF file. */
static enum txtap_status read_firmware(struct view_page *page, const struct attachment *attachment, struct error *error)
{
    const char *elf = page->options->target.elf;
    enum txtap_status status = TXTAP_OK;

    if (attachment != NULL)
        attach_identity(attachment, &page->firmware);
    else if (elf != NULL)
        status = firmware_identity_read(&page->firmware, elf, error);
    if (page->firmware.text_count > 0)
        page->document.interrupts = page->firmware.texts[0].text;
    page->document.functions = page->firmware.functions;
    return status;
}

enum txtap_status view_page_open(struct view_page *page, const struct options *options, enum document_mode mode,
                                 const struct trace_data *data, const struct attachment *attachment,
                                 struct error *error)
{
    enum txtap_status status;

    *page = (struct view_page){.options = options};
    page->document = (struct document){.mode = mode,
                                       .name = name_of(options),
                                       .tick_hz = options->tick_hz,
                                       .hz_found = options->hz_found,
                                       .profile = options->filter.profile,
                                       .definitions = page->definitions,
                                       .panel = options->report.flow                    ? "flow"
                                                : options->report.format == REPORT_HTML ? "summary"
                                                                                        : NULL,
                                       .data = data,
                                       .files = options->files,
                                       .file_count = options->file_count};
    status = read_definitions(page, error);
    if (status == TXTAP_OK)
        status = read_firmware(page, attachment, error);
    if (status != TXTAP_OK)
        view_page_close(page);
    return status;
}

/* Writes the page as one file. Returns the same statuses as output_whole_file(). */
static enum txtap_status view_page_write(struct view_page *page, const char *path, bool force, struct error *error)
{
    enum txtap_status status = document_make(&page->document, &page->html, &page->html_length, error);

    return status == TXTAP_OK ? output_whole_file(path, page->html, page->html_length, force, error) : status;
}

/* Prints the address of the page, and opens a browser. It is not a failure if no browser opens. */
static enum txtap_status announce(const struct view_page *page, struct error *error)
{
    char url[SERVER_URL_BYTES + PLACE_BYTES];
    enum txtap_status status;

    server_url(page->server, url);
    if (page->options->view.has_at) /* view_hash.js reads this place */
        snprintf(url + strlen(url), PLACE_BYTES, "#e=%" PRIu64, page->options->view.at);
    if (server_is_public(page->server) && !page->options->quiet)
        fprintf(stderr, "txtap: other machines can reach the page, and the connection is not encrypted\n");
    printf("%s\n", url);
    status = standard_output_flush(error);
    if (status == TXTAP_OK && !page->options->view.no_open && browser_has_desktop() && !browser_open(url) &&
        !page->options->quiet)
        fprintf(stderr, "txtap: no browser can be opened: open the address above\n");
    return status;
}

/* With --port, returns the token of the previous start, so that its address stays valid. NULL: a new token is needed.
 */
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
    identity_free(&page->firmware);
    free(page->html);
    free(page->policy);
    page->html = page->policy = NULL;
}

/* ---- a trace that is streamed from its file ---- */

#define STEP_US 100000

struct position {
    const struct trace_data *data;
    uint64_t at;
};

static void *open_position(void *self)
{
    struct position *position = malloc(sizeof *position);

    if (position != NULL)
        *position = (struct position){.data = self};
    return position;
}

static ssize_t read_position(void *stream, char *bytes, size_t size)
{
    struct position *position = stream;
    ssize_t got = pread(fileno(position->data->file), bytes, size, (off_t)position->at);

    if (got <= 0)
        return -1;
    position->at += (uint64_t)got;
    return got;
}

static void put_state(void *self, FILE *out)
{
    const struct view_page *page = self;

    document_put_setup(out, &page->document, "");
}

static enum txtap_status serve(const struct options *options, struct trace_data *data, struct error *error)
{
    static struct view_page page;
    const struct server_source source = {open_position, read_position, free, data};
    enum txtap_status status = view_page_open(&page, options, DOCUMENT_FILE, data, NULL, error);

    if (status != TXTAP_OK)
        return status;
    status = view_page_serve(&page, &source, put_state, &page, error);
    if (status == TXTAP_OK && !options->quiet)
        fprintf(stderr, "txtap: the page is served until Ctrl-C\n");
    while (status == TXTAP_OK && sleep_us(STEP_US))
        server_step(page.server);
    view_page_close(&page);
    return status;
}

/* ---- a trace in the page ---- */

static enum txtap_status write_page(const struct options *options, struct trace_data *data, struct error *error)
{
    static struct view_page page;
    enum txtap_status status =
        view_page_open(&page, options, data != NULL ? DOCUMENT_EMBEDDED : DOCUMENT_EMPTY, data, NULL, error);

    if (status != TXTAP_OK)
        return status;
    status = view_page_write(&page, options->output != NULL ? options->output : "-", options->force, error);
    view_page_close(&page);
    return status;
}

/* ---- a trace and results of checks in the page ---- */

static enum txtap_status write_results(const struct options *options, const struct view_results *results,
                                       const struct trace_data *data, struct error *error)
{
    static struct view_page page;
    enum txtap_status status = view_page_open(&page, options, DOCUMENT_EMBEDDED, data, NULL, error);

    if (status != TXTAP_OK)
        return status;
    if (results->is_kept)
        page.document.file_count = 0;
    page.document.checks = results->checks;
    page.document.check_count = results->check_count;
    page.document.panel = "checks";
    status = view_page_write(&page, results->path, true, error);
    view_page_close(&page);
    return status;
}

/* Reads a trace from files. has_address: --address is the address of the trace in these files. */
static enum txtap_status read_files(struct trace_data *data, const struct options *options, const char *const *files,
                                    size_t count, bool has_address, struct error *error)
{
    bool is_directory = ctf_directory_is(files[0]);
    struct input input = {.fd = -1, .name = files[0]};
    const struct trace_file_request request = {.input = &input,
                                               .has_base = options->has_base,
                                               .base = options->base,
                                               .has_address = has_address,
                                               .address = options->target.ring.wished.address};
    enum txtap_status status = is_directory ? TXTAP_OK : input_open(&input, files, count, error);

    input.board = options->board;
    if (status != TXTAP_OK)
        return status;
    status = trace_data_open(data, &request, true, error);
    if (!is_directory)
        input_close(&input);
    return status;
}

enum txtap_status view_results_write(const struct options *options, const struct view_results *results,
                                     struct error *error)
{
    struct trace_data data;
    enum txtap_status status = read_files(&data, options, results->files, results->file_count,
                                          options->target.ring.wished.has_address && !results->is_kept, error);

    if (status != TXTAP_OK)
        return status;
    status = write_results(options, results, &data, error);
    trace_data_close(&data);
    return status;
}

/* ---- two traces in the page ---- */

static enum txtap_status write_compared(const struct options *options, const struct view_side of[2],
                                        const struct trace_data data[2], const char *comparison, struct error *error)
{
    static struct view_page page;
    struct document sides[2];
    enum txtap_status status = view_page_open(&page, options, DOCUMENT_COMPARED, NULL, NULL, error);

    if (status != TXTAP_OK)
        return status;
    page.document.name = "two traces";
    page.document.file_count = 0;
    for (size_t i = 0; i < 2; i++) {
        const char *slash = strrchr(of[i].path, '/');

        sides[i] = page.document;
        sides[i].mode = DOCUMENT_EMBEDDED;
        sides[i].name = slash != NULL ? slash + 1 : of[i].path;
        sides[i].tick_hz = of[i].tick_hz;
        sides[i].hz_found = options->tick_hz == 0 || options->hz_found;
        sides[i].data = &data[i];
        sides[i].files = &of[i].path;
        sides[i].file_count = 1;
    }
    page.document.sides = sides;
    page.document.comparison = comparison;
    status = view_page_write(&page, options->output != NULL ? options->output : "-", options->force, error);
    view_page_close(&page);
    return status;
}

enum txtap_status view_compared_write(const struct options *options, const struct view_side sides[2],
                                      const char *comparison, struct error *error)
{
    struct trace_data data[2];
    size_t open = 0;
    enum txtap_status status = TXTAP_OK;

    while (open < 2 && status == TXTAP_OK) {
        status = read_files(&data[open], options, &sides[open].path, 1, false, error);
        open += status == TXTAP_OK;
    }
    if (status == TXTAP_OK)
        status = write_compared(options, sides, data, comparison, error);
    while (open > 0)
        trace_data_close(&data[--open]);
    return status;
}

/* ---- pages of files ---- */

static int exit_code(enum txtap_status status, const struct error *error)
{
    if (status < TXTAP_OK)
        report_error(error_is_set(error) ? error : &(struct error){status, "", ""});
    return status_exit_code(status);
}

/* Checks the options. With a ring of bytes, metadata is required, and --record is refused because there are no events.
 */
enum txtap_status view_check(const struct options *options, struct error *error)
{
    const struct ring_config *ring = &options->target.ring;

    if (ring->kind == NULL || !ring->kind->bytes)
        return TXTAP_OK;
    if (options->file_count == 1 && ctf_directory_is(options->files[0]))
        return failure(error, TXTAP_ERROR_USAGE, "%.160s is a file\n--%s works only with a running target",
                       options->files[0], ring->kind->name);
    if (options->view.record != NULL)
        return failure(error, TXTAP_ERROR_USAGE,
                       "--record does not work with --%s\nuse 'txtap tail --%s -o DIR', then 'txtap view DIR'",
                       ring->kind->name, ring->kind->name);
    return operands_check_metadata(ring, error);
}

/* Returns an option that works only with a target, and would be ignored silently; NULL: there is no such option. */
static const char *live_option(const struct options *options)
{
    if (options->view.record != NULL)
        return "--record";
    if (options->check.count > 0)
        return "--check";
    if (options->stats_json != NULL)
        return "--stats-json";
    if (options->only_new)
        return "--new";
    return options->strict ? "--strict" : NULL;
}

static enum txtap_status check_operands(const struct options *options, const struct input *input, struct error *error)
{
    const char *name = options->files[0], *live = live_option(options);

    if (live != NULL)
        return failure(error, TXTAP_ERROR_USAGE, "%.160s is a file\n%s works only with a running target", name, live);
    if (ctf_directory_is(name) && (options->has_base || options->target.ring.wished.has_address))
        return failure(error, TXTAP_ERROR_USAGE,
                       "%.160s: a directory of CTF has no addresses\ndo not use --base and --address here", name);
    if (options->file_count > 1 && !txtap_recording_signature(input->head, input->head_bytes))
        return failure(error, TXTAP_ERROR_USAGE,
                       "%.160s: not a recording\ngive one file, or compare two: txtap compare -f html A B", name);
    return TXTAP_OK;
}

static int with_input(const struct options *options, struct input *input,
                      enum txtap_status (*show)(const struct options *, struct trace_data *, struct error *))
{
    const struct trace_file_request request = {.input = input,
                                               .has_base = options->has_base,
                                               .base = options->base,
                                               .has_address = options->target.ring.wished.has_address,
                                               .address = options->target.ring.wished.address};
    struct trace_data data;
    struct error error = {0};
    enum txtap_status status = check_operands(options, input, &error);

    if (status == TXTAP_OK)
        status = trace_data_open(&data, &request, options->quiet, &error);
    if (status != TXTAP_OK)
        return exit_code(status, &error);
    if (!options->quiet)
        report_notes(&data.notes);
    status = show(options, &data, &error);
    trace_data_close(&data);
    return exit_code(status, &error);
}

int view_files_serve(const struct options *options, struct input *input)
{
    return with_input(options, input, serve);
}

int view_files_write(const struct options *options, struct input *input)
{
    return with_input(options, input, write_page);
}

int view_files_write_empty(const struct options *options)
{
    struct error error = {0};

    return exit_code(write_page(options, NULL, &error), &error);
}
