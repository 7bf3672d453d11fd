/* SPDX-License-Identifier: MIT */
/* Parts of sentences: names and numbers as people read them. */
#include "figures/sentence.h"

#include <stdarg.h>
#include <stdio.h>

#include "txtap/inner/escape.h"
#include "txtap/inner/quantity.h"
#include "txtap/registry.h"

void say(struct sentence *sentence, const char *format, ...)
{
    size_t room = sentence->size - sentence->length;
    va_list list;
    int length;

    va_start(list, format);
    length = vsnprintf(sentence->at + sentence->length, room, format, list);
    va_end(list);
    if (length > 0)
        sentence->length += (size_t)length < room ? (size_t)length : room - 1;
}

void say_name(struct sentence *sentence, const struct txtap_subject *subject)
{
    char text[TXTAP_ESCAPED_BYTES(TXTAP_OBJECT_NAME_BYTES) + 16];
    const char *name = sentence->names->name(sentence->names->self, subject);

    say(sentence, "%s", txtap_subject_text(subject, name, text, sizeof text));
}

void say_object(struct sentence *sentence, const struct txtap_subject *object)
{
    static const char *const words[] = {
        [TXTAP_OBJECT_QUEUE] = "queue ",     [TXTAP_OBJECT_SEMAPHORE] = "semaphore ",
        [TXTAP_OBJECT_MUTEX] = "mutex ",     [TXTAP_OBJECT_EVENT_FLAGS] = "event flags ",
        [TXTAP_OBJECT_BLOCK_POOL] = "pool ", [TXTAP_OBJECT_BYTE_POOL] = "pool "};

    if (object->type < sizeof words / sizeof *words && words[object->type] != NULL)
        say(sentence, "%s", words[object->type]);
    say_name(sentence, object);
}

void say_number(struct sentence *sentence, const struct txtap_measure *measure, enum txtap_unit unit)
{
    bool more = measure->upper > measure->value || measure->lower > measure->value;
    double number = measure->lower > measure->value ? measure->lower : measure->value;
    char text[QUANTITY_SHORT_BYTES];

    say(sentence, "%s%s%s", more ? "at least " : "", quantity_short(text, number, unit, sentence->tick_hz),
        unit == TXTAP_UNIT_TICKS && !(sentence->tick_hz > 0) ? " ticks" : "");
}
