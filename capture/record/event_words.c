/* SPDX-License-Identifier: MIT */
/* The words of the events in a block. */
#include "record/event_words.h"

#include <string.h>

static size_t more_of(const struct txtap_event *event)
{
    return event->word_count > 4 ? event->word_count - 4 : 0;
}

size_t event_words_bytes(const struct event_words *words, const struct txtap_event *event)
{
    size_t count = words->count, more = words->more_count;

    if (event != NULL && event->words != NULL) {
        count++;
        more += more_of(event);
    }
    return count > 0 ? TXTAP_RECORDING_WORDS_HEAD + count + 4 * more : 0;
}

void event_words_add(struct event_words *words, const struct txtap_event *event)
{
    size_t more = more_of(event);

    if (event->words == NULL)
        return;
    words->counts[words->count++] = (uint8_t)event->word_count;
    if (more > 0)
        memcpy(words->more + words->more_count, event->words + 4, more * sizeof *event->words);
    words->more_count += more;
}

size_t event_words_take(struct event_words *words, uint8_t payload[TXTAP_RECORDING_PAYLOAD_MAX])
{
    size_t length = txtap_recording_put_words(payload, words->counts, words->count, words->more, words->more_count);

    words->count = 0;
    words->more_count = 0;
    return length;
}
