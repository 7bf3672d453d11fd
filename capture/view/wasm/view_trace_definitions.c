/* SPDX-License-Identifier: MIT */
/* Definitions of events: those of the recording itself, then those of the user, which replace them. */
#include <stdlib.h>
#include <string.h>

#include "view/wasm/view_trace.h"

#define EVENTS_MAX  4096
#define WORDS_MAX   65536
#define STRINGS_MAX (4u * 1024 * 1024)

/* One allocation for everything; unused pages are never touched. */
struct definitions_memory {
    struct txtap_definitions definitions; /* the first member: it is what is freed */
    struct txtap_definition events[EVENTS_MAX];
    struct txtap_word words[WORDS_MAX];
    char strings[STRINGS_MAX];
};

/* Each start of the target brings the same definitions again. */
static void note_once(struct text *notes, const char *line)
{
    if (line != NULL && (notes->at == NULL || strstr(notes->at, line) == NULL))
        text_print(notes, "%s", line);
}

static bool parse(struct view_trace *trace, const char *whose, const char *text, size_t length)
{
    struct txtap_definitions_problem problem;
    enum txtap_status status = txtap_definitions_parse(trace->definitions, text, length, &problem);
    struct text line = {0};

    if (status != TXTAP_OK)
        text_print(&line, "definitions of %s: line %zu: %s\n", whose, problem.line, problem.text);
    else if (problem.skipped > 0)
        text_print(&line, "definitions of %s: %zu %s not understood, the first is line %zu: %s\n", whose,
                   problem.skipped, problem.skipped == 1 ? "line is" : "lines are", problem.line, problem.text);
    note_once(&trace->notes, line.at);
    text_free(&line);
    return status == TXTAP_OK;
}

/* Without definitions, whether there were some or not. */
static bool clear(struct view_trace *trace)
{
    struct definitions_memory *memory = (struct definitions_memory *)trace->definitions;

    if (memory == NULL)
        memory = malloc(sizeof *memory);
    if (memory == NULL) {
        text_print(&trace->notes, "there is no memory for definitions of events\n");
        return false;
    }
    trace->definitions = &memory->definitions;
    txtap_definitions_init(trace->definitions,
                           (struct txtap_definitions_memory){memory->events, EVENTS_MAX, memory->words, WORDS_MAX,
                                                             memory->strings, STRINGS_MAX});
    trace->text.era = trace->json.era = NULL; /* their lines begin again, with these */
    return true;
}

bool view_trace_define(struct view_trace *trace, const char *text, size_t length)
{
    char *copy = malloc(length + 1);

    if (copy == NULL || !clear(trace)) {
        free(copy);
        return false;
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    free(trace->user_definitions);
    trace->user_definitions = copy;
    return parse(trace, "the user", text, length);
}

void view_trace_define_built_in(struct view_trace *trace, const char *text)
{
    if (!clear(trace))
        return;
    (void)parse(trace, "the recording", text, strlen(text));
    if (trace->user_definitions != NULL)
        (void)parse(trace, "the user", trace->user_definitions, strlen(trace->user_definitions));
}
