/* SPDX-License-Identifier: MIT */
/* The fields of an event in the text format. If a line would be too long, the least important fields are left out. */
#include <stdio.h>
#include <string.h>

#include "format/text.h"

#define WORDS     4
#define MORE      WORDS /* represents all words after the fourth */
#define NOTE_ROOM 4     /* columns of a note such as " +17" */

void text_quoted(struct line *line, const char *text)
{
    line_text(line, "\"");
    line_terminal(line, text);
    line_text(line, "\"");
}

static void write_object_name(struct line *line, const char *name)
{
    if (line_is_plain(name, false))
        line_terminal(line, name);
    else
        text_quoted(line, name);
}

static void write_value(struct txtap_exporter *self, struct line *line, const struct value *value)
{
    if (value->form == VALUE_NAME)
        exporter_name(self, line, NAME_IN_FIELD, value->text, write_object_name);
    else
        value_write(value, line);
}

/* Writes a user event's text with its fields filled in. */
static void write_defined(struct txtap_exporter *self, struct line *line, const struct txtap_event *event,
                          const struct txtap_definition *definition)
{
    char before[TXTAP_DEFINITION_TEXT_MAX + 1];
    const char *text = definition->text;
    size_t at = 0;

    for (size_t i = 0; i < definition->part_count; i++) {
        const struct txtap_definition_part *part = &definition->part[i];
        struct value value = value_of_field(self->registry, event, &definition->info, &part->field, part->word);

        exporter_name_function(self, &value);
        (void)snprintf(before, sizeof(before), "%.*s", (int)(part->at - at), text + at);
        line_text(line, before);
        at = part->at;
        write_value(self, line, &value);
        if (part->format.unit[0] != '\0') {
            line_text(line, " ");
            line_text(line, part->format.unit);
        }
    }
    line_text(line, text + at);
}

static size_t more_words(const struct txtap_event *event)
{
    return event->words != NULL && event->word_count > WORDS ? event->word_count - WORDS : 0;
}

/*
 * Writes the fields in *mask (bit i: word i; bit MORE: the words after the fourth). Sets *mask to the fields that were
 * written, and columns[i] to the width of field i.
 */
static void write_fields(struct txtap_exporter *self, struct line *line, const struct txtap_event *event,
                         struct txtap_exporter_words *words, unsigned *mask, size_t columns[static WORDS + 1])
{
    const struct txtap_event_info *info = words->info;
    const char *isr = exporter_interrupt(self, event, info);
    unsigned pending = txtap_event_pending(info, event);
    unsigned wanted = *mask & ~(self->options.wide ? 0u : words->stack_pointers); /* few users need stack pointers */
    bool first = true;
    size_t start;

    *mask = 0;
    for (size_t i = 0; i < WORDS; i++) {
        struct value value;
        const char *label;

        if ((wanted >> i & 1) == 0 || !value_of_word(self->registry, event, info, i, &label, &value))
            continue;
        start = line_columns(line);
        if (!first)
            line_text(line, " ");
        first = false;
        cached_text_write(&words->label[i], line, label, 0, line_terminal);
        line_text(line, "=");
        exporter_name_function(self, &value);
        write_value(self, line, &value);
        if (pending >> i & 1)
            line_text(line, "?");
        if (i == NUMBER_OF_ISR && isr != NULL) {
            line_text(line, " isr=");
            write_object_name(line, isr);
        }
        *mask |= 1u << i;
        columns[i] = line_columns(line) - start;
    }
    if ((wanted >> MORE & 1) == 0 || more_words(event) == 0)
        return;
    start = line_columns(line);
    value_write_more(line, event, first);
    *mask |= 1u << MORE;
    columns[MORE] = line_columns(line) - start;
}

/* Returns the importance of the field: the least important field is left out first. */
static unsigned need(const struct txtap_event_info *info, size_t i)
{
    if (i == MORE || info == NULL)
        return 0;
    switch (info->field[i].kind) {
    case TXTAP_FIELD_ADDRESS:
        return 1;
    case TXTAP_FIELD_HEX:
        return 2;
    case TXTAP_FIELD_WAIT:
        return 3;
    default:
        return 4;
    }
}

/* Returns the bit of the field to leave out next: the last field among the least important fields, but never the first
 * field. mask: at least two fields. */
static unsigned least_needed(const struct txtap_event_info *info, unsigned mask)
{
    unsigned first = mask & -mask;
    size_t least = MORE + 1;

    for (size_t i = 0; i <= MORE; i++)
        if (((mask & ~first) >> i & 1) && (least > MORE || need(info, i) <= need(info, least)))
            least = i;
    return 1u << least;
}

/* Chooses the fields that fit after column `start`. The first field is always chosen, because it names the object. */
static unsigned choose(const struct txtap_exporter *self, const struct txtap_event_info *info, unsigned mask,
                       size_t start, const size_t columns[static WORDS + 1])
{
    size_t end = start + NOTE_ROOM;

    for (size_t i = 0; i <= MORE; i++)
        end += mask >> i & 1 ? columns[i] : 0;
    while (end > self->options.width && (mask & (mask - 1)) != 0) {
        unsigned out = least_needed(info, mask);

        for (size_t i = 0; i <= MORE; i++)
            end -= out >> i & 1 ? columns[i] : 0;
        mask &= ~out;
    }
    return mask;
}

/* Writes the number of fields that were left out: " +2 fields", or " +2" if the longer form does not fit. */
static void write_note(const struct txtap_exporter *self, struct line *line, const struct txtap_event *event,
                       unsigned left_out)
{
    size_t count = left_out >> MORE & 1 ? more_words(event) : 0;

    for (size_t i = 0; i < WORDS; i++)
        count += left_out >> i & 1;
    if (count == 0)
        return;
    line_text(line, " +");
    line_decimal(line, count);
    if (line_columns(line) + strlen(" fields") <= self->options.width)
        line_text(line, count == 1 ? " field" : " fields");
}

static void write_defined_event(struct txtap_exporter *self, struct line *line, const struct txtap_event *event,
                                const struct txtap_event_info *info)
{
    write_defined(self, line, event, info->definition);
    value_write_more(line, event, false);
}

bool text_fields(struct txtap_exporter *self, struct line *line, const struct txtap_event *event,
                 struct txtap_exporter_words *words)
{
    const struct txtap_event_info *info = words->info;
    const struct line before = *line;
    size_t columns[WORDS + 1];
    unsigned all = (2u << MORE) - 1, chosen;

    if (info != NULL && info->definition != NULL && info->definition->text != NULL) {
        write_defined_event(self, line, event, info);
        return true;
    }
    write_fields(self, line, event, words, &all, columns);
    if (self->options.width == 0 || line_columns(line) <= self->options.width)
        return true;
    chosen = choose(self, info, all, line_columns(&before), columns);
    if (chosen != all) {
        *line = before;
        all &= ~chosen;
        write_fields(self, line, event, words, &chosen, columns);
        write_note(self, line, event, all);
    }
    return line_columns(line) <= self->options.width;
}
