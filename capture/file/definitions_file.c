/* SPDX-License-Identifier: MIT */
/* Reads files of definitions into allocated memory. The library knows the formats. */
#include "file/definitions_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/input.h"

#define EVENTS_MAX  4096
#define WORDS_MAX   65536
#define STRINGS_MAX (4u * 1024 * 1024)
#define FILE_MAX    (4u * 1024 * 1024) /* bytes; files that people write are far smaller */

/* Memory for all definitions, allocated at once. Linux provides no memory for pages that are not used. */
struct store {
    struct txtap_definitions definitions;
    struct txtap_definition events[EVENTS_MAX];
    struct txtap_word words[WORDS_MAX];
    char strings[STRINGS_MAX];
};

static struct txtap_definitions *new_store(void)
{
    struct store *store = calloc(1, sizeof *store);
    struct txtap_definitions_memory memory;

    if (!store)
        return NULL;
    memory = (struct txtap_definitions_memory){store->events, EVENTS_MAX,     store->words,
                                               WORDS_MAX,     store->strings, STRINGS_MAX};
    txtap_definitions_init(&store->definitions, memory);
    return &store->definitions;
}

static enum txtap_status load(struct txtap_definitions *definitions, const char *path, bool quiet, struct error *error)
{
    struct txtap_definitions_problem problem;
    size_t length;
    uint8_t *bytes;
    enum txtap_status status = input_read_file(path, FILE_MAX, "is it a file of definitions?", &bytes, &length, error);

    if (status == TXTAP_OK) {
        status = txtap_definitions_parse(definitions, (const char *)bytes, length, &problem);
        if (status != TXTAP_OK)
            failure(error, status, "%.160s: line %zu: %s", path, problem.line, problem.text);
        else if (problem.skipped > 0 && !quiet)
            fprintf(stderr, "txtap: %s: %zu %s not understood, the first is line %zu: %s\n", path, problem.skipped,
                    problem.skipped == 1 ? "line is" : "lines are", problem.line, problem.text);
    }
    free(bytes);
    return status;
}

/* Reads a recording's texts. A later txtap may have written lines that this txtap does not know, so an invalid line is
 * no failure. */
static void load_identity(struct txtap_definitions *definitions, const struct identity *identity, bool of_user,
                          bool quiet)
{
    struct txtap_definitions_problem problem;

    if (identity->functions != NULL)
        (void)txtap_definitions_parse(definitions, identity->functions, strlen(identity->functions), &problem);
    for (size_t i = 0; i < identity->text_count; i++) {
        const struct identity_text *text = &identity->texts[i];

        if (text->of_user && !of_user)
            continue;
        if (txtap_definitions_parse(definitions, text->text, text->length, &problem) != TXTAP_OK && !quiet)
            fprintf(stderr, "txtap: definitions in the recording: line %zu: %s: the following lines are not used\n",
                    problem.line, problem.text);
    }
}

enum txtap_status definitions_load(struct txtap_definitions **out, const char *built_in,
                                   const struct identity *identity, const char *const *paths, size_t count, bool quiet,
                                   struct error *error)
{
    bool has_texts = identity != NULL && (identity->text_count > 0 || identity->functions != NULL);
    struct txtap_definitions_problem problem;
    enum txtap_status status = TXTAP_OK;

    *out = NULL;
    if (count == 0 && built_in == NULL && !has_texts)
        return TXTAP_OK;
    *out = new_store();
    if (!*out)
        return failure(error, TXTAP_ERROR_SYSTEM, "out of memory for definitions of events");
    if (built_in != NULL)
        status = txtap_definitions_parse(*out, built_in, strlen(built_in), &problem);
    if (status != TXTAP_OK) /* possible: built_in may come from a damaged recording */
        failure(error, status, "definitions of the ring's own events: line %zu: %s", problem.line, problem.text);
    if (has_texts)
        load_identity(*out, identity, count == 0, quiet);
    for (size_t i = 0; i < count && status == TXTAP_OK; i++)
        status = load(*out, paths[i], quiet, error);
    if (status != TXTAP_OK) {
        definitions_free(*out);
        *out = NULL;
    }
    return status;
}

void definitions_free(struct txtap_definitions *definitions)
{
    free(definitions); /* frees the whole store, because definitions is its first member */
}
