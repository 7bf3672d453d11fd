/* SPDX-License-Identifier: MIT */
/* Finds events among very many, so that the page need not take each of them apart. Each call looks at a bounded part.
 */
#include <string.h>

#include "txtap/event.h"
#include "view/wasm/answers.h"

/* ---- by texts ---- */

static void to_lower(char *text)
{
    for (; *text != '\0'; text++)
        if (*text >= 'A' && *text <= 'Z')
            *text = (char)(*text - 'A' + 'a');
}

/* Cuts a list at its line ends. */
static size_t split(char *list, const char *texts[static ANSWER_TEXTS_MAX])
{
    size_t count = 0;

    while (*list != '\0' && count < ANSWER_TEXTS_MAX) {
        char *end = strchr(list, '\n');

        texts[count++] = list;
        if (end == NULL)
            break;
        *end = '\0';
        list = end + 1;
    }
    return count;
}

static bool has_all(const struct view_trace *trace, const char *const *texts, size_t count)
{
    if (trace->out.length == 0)
        return false;
    to_lower(trace->out.at);
    for (size_t i = 0; i < count; i++)
        if (strstr(trace->out.at, texts[i]) == NULL)
            return false;
    return true;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

uint32_t answer_find(struct view_trace *trace, char *list, uint32_t from, uint32_t to)
{
    const char *texts[ANSWER_TEXTS_MAX];
    size_t count = split(list, texts);
    uint32_t end = least(to, store_end(&trace->store));
    uint32_t first = store_first(&trace->store);

    for (uint32_t at = from > first ? from : first; at < end; at++) {
        answer_words(trace, at);
        if (has_all(trace, texts, count))
            return at;
    }
    return to;
}

/* ---- by what they have in common ---- */

/* An interrupt is not the thread that it found. */
static bool same_context(const struct txtap_event *a, const struct txtap_event *b)
{
    return a->context == b->context && (a->context != TXTAP_CONTEXT_THREAD || a->thread == b->thread);
}

/* The object that an event is about is its first word, as in TraceX; 0: none. */
static uint32_t object_of(const struct txtap_event *event)
{
    return event->info[0];
}

/* The event as it is shown. */
static void get(const struct view_trace *trace, uint32_t index, struct txtap_event *event,
                uint32_t words[STORE_WORDS_MAX])
{
    store_get(&trace->store, index, event, words);
    if (view_trace_is_ctf(trace))
        answer_show_record(trace, event);
}

static bool is_alike(const struct view_trace *trace, enum answer_alike what, const struct txtap_event *from,
                     const struct txtap_event *event, uint32_t index)
{
    uint32_t words[STORE_WORDS_MAX];
    struct txtap_event before;

    switch (what) {
    case ALIKE_EVENT:
        return event->id == from->id;
    case ALIKE_THREAD:
        return same_context(event, from);
    case ALIKE_OBJECT:
        return object_of(from) != 0 && object_of(event) == object_of(from);
    case ALIKE_SWITCH:
        if (index == store_first(&trace->store))
            return false;
        get(trace, index - 1, &before, words);
        return !same_context(event, &before);
    }
    return true;
}

uint32_t answer_alike(const struct view_trace *trace, uint32_t index, enum answer_alike what, bool forward,
                      uint32_t from, uint32_t count)
{
    uint32_t first = store_first(&trace->store), end = store_end(&trace->store);
    uint32_t words[STORE_WORDS_MAX], more[STORE_WORDS_MAX];
    struct txtap_event start, event;

    if (index < first || index >= end)
        return ANSWER_NONE;
    get(trace, index, &start, words);
    for (uint32_t at = from; count > 0 && at >= first && at < end; at = forward ? at + 1 : at - 1, count--) {
        get(trace, at, &event, more);
        if (is_alike(trace, what, &start, &event, at))
            return at;
    }
    return ANSWER_NONE;
}
