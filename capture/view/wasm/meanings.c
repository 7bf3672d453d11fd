/* SPDX-License-Identifier: MIT */
/* Definitions of user events and interrupts, from the recording and from the page. All texts are kept, because a text
 * that arrives later may have to be parsed earlier. */
#include <stdlib.h>
#include <string.h>

#include "view/wasm/view_trace.h"

#define DEFINITIONS_MAX 4096
#define WORDS_MAX       65536
#define STRINGS_MAX     (4u * 1024 * 1024)

/* One allocation for everything; unused pages are never touched. */
struct definitions_memory {
    struct txtap_definitions definitions; /* must be first: it is the pointer that is freed */
    struct txtap_definition events[DEFINITIONS_MAX];
    struct txtap_word words[WORDS_MAX];
    char strings[STRINGS_MAX];
};

/* Adds a line to the notes, but only once, because the texts are parsed again when a text is added. */
static void note_once(struct text *notes, const char *line)
{
    if (line != NULL && (notes->at == NULL || strstr(notes->at, line) == NULL))
        text_print(notes, "%s", line);
}

static void parse(struct view_trace *trace, const struct meaning *meaning)
{
    const char *whose = meaning->origin == MEANING_OF_USER ? "the user" : "the recording";
    struct txtap_definitions_problem problem;
    enum txtap_status status = txtap_definitions_parse(trace->definitions, meaning->text, meaning->length, &problem);
    struct text line = {0};

    if (status != TXTAP_OK)
        text_print(&line, "definitions of %s: line %zu: %s\n", whose, problem.line, problem.text);
    else if (problem.skipped > 0)
        text_print(&line, "definitions of %s: %zu %s not understood, the first is line %zu: %s\n", whose,
                   problem.skipped, problem.skipped == 1 ? "line is" : "lines are", problem.line, problem.text);
    note_once(&trace->notes, line.at);
    text_free(&line);
}

/* Forgets all definitions. False: no memory. */
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
                           (struct txtap_definitions_memory){memory->events, DEFINITIONS_MAX, memory->words, WORDS_MAX,
                                                             memory->strings, STRINGS_MAX});
    trace->text.era = trace->json.era = NULL; /* makes both exporters start again with these definitions */
    trace->interrupts_rows = 0;
    return true;
}

static void parse_all(struct view_trace *trace)
{
    bool has_user = false;

    if (!clear(trace))
        return;
    for (size_t i = 0; i < trace->meaning_count; i++)
        has_user = has_user || trace->meanings[i].origin == MEANING_OF_USER;
    for (enum meaning_origin origin = MEANING_OF_RING; origin <= MEANING_OF_USER; origin++)
        for (size_t i = 0; i < trace->meaning_count && !(origin == MEANING_RECORDED && has_user); i++)
            if (trace->meanings[i].origin == origin)
                parse(trace, &trace->meanings[i]);
}

static bool is_known(const struct view_trace *trace, const char *text, size_t length)
{
    for (size_t i = 0; i < trace->meaning_count; i++)
        if (trace->meanings[i].length == length && memcmp(trace->meanings[i].text, text, length) == 0)
            return true;
    return false;
}

void view_trace_define(struct view_trace *trace, enum meaning_origin origin, const char *text, size_t length)
{
    struct meaning *added = &trace->meanings[trace->meaning_count];

    if (length == 0 || trace->meaning_count == MEANINGS_MAX || is_known(trace, text, length))
        return;
    added->text = malloc(length);
    if (added->text == NULL) {
        text_print(&trace->notes, "there is no memory for definitions of events\n");
        return;
    }
    memcpy(added->text, text, length);
    added->length = length;
    added->origin = origin;
    trace->meaning_count++;
    parse_all(trace);
}

void meanings_take_piece(struct view_trace *trace, const struct txtap_recording_item *block)
{
    if (block->at == 0) {
        free(trace->piece);
        trace->piece = malloc(block->total);
    }
    if (!txtap_recording_piece(&trace->pieces, block) || trace->piece == NULL)
        return;
    memcpy(trace->piece + block->at, block->bytes, block->length);
    if (trace->pieces.length < trace->pieces.total)
        return;
    view_trace_define(trace, block->of_user ? MEANING_RECORDED : MEANING_OF_FIRMWARE, trace->piece,
                      trace->pieces.length);
    free(trace->piece);
    trace->piece = NULL;
}

const char *view_trace_interrupt(struct view_trace *trace, uint32_t number)
{
    struct txtap_rows_summary summary;
    struct txtap_row row;

    txtap_rows_summary(trace->timeline.rows, &summary);
    if (trace->interrupts_rows != summary.rows || trace->interrupts_rows == 0) {
        txtap_interrupts_init(&trace->interrupts, trace->definitions);
        for (uint32_t i = 0; txtap_rows_row(trace->timeline.rows, i, &row); i++)
            if (row.kind == TXTAP_ROW_INTERRUPT)
                txtap_interrupts_see(&trace->interrupts, row.number);
        trace->interrupts_rows = summary.rows;
    }
    return txtap_interrupts_name(&trace->interrupts, number);
}

void meanings_free(struct view_trace *trace)
{
    for (size_t i = 0; i < trace->meaning_count; i++)
        free(trace->meanings[i].text);
    free(trace->piece);
    free(trace->definitions);
}
