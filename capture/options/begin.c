/* SPDX-License-Identifier: MIT */
/* Checks before a command begins. Fails if an output file is also an input file, if it exists and --force is not given,
 * or if an event in the options does not exist. */
#include "options/begin.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/option_values.h"
#include "file/definitions_file.h"
#include "output/name_check.h"
#include "output/output.h"

error_t options_parse_output(int key, char *text, struct argp_state *state)
{
    const struct options *options = state->input;

    if (key == ARGP_KEY_END && !options->output)
        option_error(state, "no file to write: give -o FILE");
    return options_parse_elf(key, text, state);
}

/* ---- files ---- */

/* Identifies a regular file. A file that does not exist yet is identified by its folder and name. */
struct file_identity {
    dev_t device;
    ino_t inode;
    char name[NAME_MAX + 1];
};

static bool identify_new(const char *path, struct file_identity *identity)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char folder[PATH_MAX];
    struct stat about;

    if (slash)
        snprintf(folder, sizeof folder, "%.*s", (int)(name - path), path);
    if (stat(slash ? folder : ".", &about) != 0)
        return false;
    identity->device = about.st_dev;
    identity->inode = about.st_ino;
    snprintf(identity->name, sizeof identity->name, "%s", name);
    return true;
}

/* Identifies a file. fd: the descriptor to use if path is "-". False: not a regular file, so no content can be lost. */
static bool identify(const char *path, int fd, struct file_identity *identity)
{
    bool open = strcmp(path, "-") == 0;
    struct stat about;

    *identity = (struct file_identity){.name = ""};
    if ((open ? fstat(fd, &about) : stat(path, &about)) != 0)
        return !open && identify_new(path, identity);
    identity->device = about.st_dev;
    identity->inode = about.st_ino;
    return S_ISREG(about.st_mode);
}

struct written {
    const char *path, *option;
};

static enum txtap_status check_against(const struct written *written, const char *read, const char *what,
                                       struct error *error)
{
    struct file_identity one, other;

    if (!written->path || !read || !identify(written->path, STDOUT_FILENO, &one) ||
        !identify(read, STDIN_FILENO, &other))
        return TXTAP_OK;
    if (one.device != other.device || one.inode != other.inode || strcmp(one.name, other.name) != 0)
        return TXTAP_OK;
    return failure(error, ERROR_EXISTS, "%.120s is also %s\nchoose another name with %s",
                   strcmp(written->path, "-") == 0 ? "standard output" : written->path, what, written->option);
}

static enum txtap_status check_readers(const struct options *options, const struct written *written,
                                       struct error *error)
{
    const struct filter_options *filter = &options->filter;
    enum txtap_status status = TXTAP_OK;

    for (size_t i = 0; i < options->file_count && status == TXTAP_OK; i++)
        status = check_against(written, options->files[i], "a file to decode", error);
    if (status == TXTAP_OK)
        status = check_against(written, options->target.elf, "the ELF file", error);
    if (status == TXTAP_OK)
        status = check_against(written, options->target.probe.file, "the image", error);
    if (status == TXTAP_OK)
        status = check_against(written, options->target.ring.ctf_metadata, "the CTF metadata", error);
    for (size_t i = 0; i < filter->definitions_count && status == TXTAP_OK; i++)
        status = check_against(written, filter->definitions[i], "a file of definitions", error);
    if (status == TXTAP_OK)
        status = check_against(written, options->report.baseline, "the older report", error);
    if (status == TXTAP_OK)
        status = check_against(written, options->outputs.baseline, "the older trace", error);
    for (size_t i = 0; i < options->check.file_count && status == TXTAP_OK; i++)
        status = check_against(written, options->check.files[i], "a file of checks", error);
    return status;
}

/* Checks the name of a small file that the command writes at its end. An existing file is replaced. */
static enum txtap_status check_beside(const struct options *options, const struct written *written, struct error *error)
{
    enum txtap_status status = check_readers(options, written, error);

    if (status == TXTAP_OK && written->path && !output_is_standard(written->path))
        status = check_against(written, options->output, "what -o names", error);
    if (status == TXTAP_OK && written->path && !output_can_be_whole_file(written->path))
        status = failure(error, TXTAP_ERROR_SYSTEM, "%.140s: cannot be written: %s\nchoose another name with %s",
                         written->path, strerror(errno), written->option);
    return status;
}

static enum txtap_status check_files(const struct options *options, struct error *error)
{
    const struct written output = {options->output ? options->output : "-", "-o"};
    const struct written recording = {options->view.record, "--record"};
    const struct written beside[] = {{options->stats_json, "--stats-json"},
                                     {options->check.junit, "--junit"},
                                     {options->outputs.html, "--html"},
                                     {options->outputs.summary, "--summary"}};
    /* true: -o gives only the beginning of the file names */
    bool rotated = options->record.file_bytes > 0 || options->record.file_seconds > 0;
    enum txtap_status status = check_readers(options, &output, error);

    if (status == TXTAP_OK && !rotated)
        status = output_check_new(options->output, options->force || options->report.format == REPORT_SQLITE, error);
    if (status == TXTAP_OK && recording.path != NULL)
        status = check_readers(options, &recording, error);
    if (status == TXTAP_OK && recording.path != NULL)
        status = output_check_new(recording.path, options->force, error);
    for (size_t i = 0; i < sizeof beside / sizeof *beside && status == TXTAP_OK; i++)
        status = check_beside(options, &beside[i], error);
    return status;
}

/* ---- names ---- */

static bool names_events(const struct options *options)
{
    bool found = options->filter.filter.has_kind[TXTAP_FILTER_EVENT];

    for (size_t i = 0; i < options->record.trigger_count; i++)
        found = found || options->record.triggers[i].filter.has_kind[TXTAP_FILTER_EVENT];
    return found;
}

static enum txtap_status check_names(const struct options *options, struct error *error)
{
    struct txtap_definitions *definitions;
    enum txtap_status status;

    if (!names_events(options))
        return TXTAP_OK;
    status = definitions_load(&definitions, options->target.ring.kind->definitions, options->identity,
                              options->filter.definitions, options->filter.definitions_count, true, error);
    if (status != TXTAP_OK)
        return status;
    status = name_check_events(&options->filter.filter, definitions, "--event", error);
    for (size_t i = 0; i < options->record.trigger_count && status == TXTAP_OK; i++)
        status = name_check_events(&options->record.triggers[i].filter, definitions, "--trigger", error);
    definitions_free(definitions);
    return status;
}

enum txtap_status options_check_files_and_names(const struct options *options, struct error *error)
{
    enum txtap_status status = check_files(options, error);

    return status == TXTAP_OK ? check_names(options, error) : status;
}
