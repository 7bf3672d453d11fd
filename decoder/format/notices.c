/* SPDX-License-Identifier: MIT */
/* The texts are in a ring of bytes, in the order of their notices. */
#include "format/notices.h"

#include <string.h>

void notices_clear(struct txtap_notices *notices)
{
    notices->first = notices->count = 0;
    notices->text_at = notices->text_used = 0;
}

/* Copies the text of the new notice. Returns NULL if there is no room. *used: the bytes that it takes. A text is never
 * divided, so the bytes at the end of the ring may remain unused. */
static const char *keep_text(struct txtap_notices *notices, const char *text, uint32_t *used)
{
    size_t length = strnlen(text, TXTAP_SAMPLE_TEXT_BYTES - 1), skipped = 0, at = notices->text_at;

    *used = 0;
    if (length == 0)
        return "";
    if (at + length + 1 > NOTICES_TEXT_BYTES) {
        skipped = NOTICES_TEXT_BYTES - at;
        at = 0;
    }
    if (skipped + length + 1 > NOTICES_TEXT_BYTES - notices->text_used)
        return NULL;
    memcpy(notices->texts + at, text, length);
    notices->texts[at + length] = '\0';
    notices->text_at = at + length + 1;
    *used = (uint32_t)(skipped + length + 1);
    return notices->texts + at;
}

/* Adds a notice with this text. Returns NULL if there is no room. */
static struct notice *add(struct txtap_notices *notices, const char *text, const char **kept)
{
    struct notice *notice = &notices->at[(notices->first + notices->count) % NOTICES_MAX];

    if (notices->count == NOTICES_MAX)
        return NULL;
    *kept = keep_text(notices, text, &notice->text_bytes);
    if (*kept == NULL)
        return NULL;
    notices->text_used += notice->text_bytes;
    notices->count++;
    return notice;
}

bool notices_add_mark(struct txtap_notices *notices, const struct txtap_mark *mark)
{
    const char *text;
    struct notice *notice = add(notices, mark->text, &text);

    if (notice == NULL)
        return false;
    notice->is_sample = false;
    notice->mark = *mark;
    notice->mark.text = text;
    return true;
}

bool notices_add_sample(struct txtap_notices *notices, const struct txtap_sample *sample)
{
    const char *text;
    struct notice *notice = add(notices, sample->text, &text);

    if (notice == NULL)
        return false;
    notice->is_sample = true;
    notice->sample = *sample;
    notice->sample.text = text;
    return true;
}

const struct notice *notices_first(const struct txtap_notices *notices)
{
    return notices->count > 0 ? &notices->at[notices->first] : NULL;
}

uint64_t notice_seq(const struct notice *notice)
{
    return notice->is_sample ? notice->sample.seq : notice->mark.seq;
}

void notices_remove(struct txtap_notices *notices)
{
    notices->text_used -= notices->at[notices->first].text_bytes;
    notices->first = (notices->first + 1) % NOTICES_MAX;
    notices->count--;
}
