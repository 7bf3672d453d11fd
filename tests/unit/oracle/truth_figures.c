/* SPDX-License-Identifier: MIT */
/* The figures, which are found by name and subjects. */
#include "oracle/truth_parts.h"

#include <assert.h>
#include <string.h>

struct txtap_subject truth_subject(enum txtap_subject_kind kind, uint32_t number)
{
    return (struct txtap_subject){.kind = kind, .number = number};
}

struct txtap_subject truth_nothing(void)
{
    return truth_subject(TXTAP_SUBJECT_SYSTEM, 0);
}

struct txtap_subject truth_thread_of(const struct truth *truth, unsigned number)
{
    return truth_subject(TXTAP_SUBJECT_THREAD, truth->kernel->threads[number].address);
}

struct txtap_subject truth_object_of(const struct truth *truth, unsigned number)
{
    return truth_subject(TXTAP_SUBJECT_OBJECT, truth->kernel->objects[number].address);
}

static unsigned hash(const char *name, const struct txtap_subject *of, const struct txtap_subject *other,
                     const char *detail)
{
    uint32_t value = of->number * 31 + other->number * 17 + of->kind * 5 + other->kind;

    for (; *name != '\0'; name++)
        value = value * 33 + (uint8_t)*name;
    for (; *detail != '\0'; detail++)
        value = value * 33 + (uint8_t)*detail;
    return (value * 2654435761u >> 12) % (2 * TRUTH_FIGURES);
}

static bool same(const struct txtap_subject *a, const struct txtap_subject *b)
{
    return a->kind == b->kind && a->number == b->number;
}

static unsigned slot_of(const struct truth *truth, const char *name, const struct txtap_subject *of,
                        const struct txtap_subject *other, const char *detail)
{
    unsigned slot = hash(name, of, other, detail);

    for (; truth->slots[slot] != 0; slot = (slot + 1) % (2 * TRUTH_FIGURES)) {
        const struct truth_figure *figure = &truth->figures[truth->slots[slot] - 1];

        if (strcmp(figure->name, name) == 0 && same(&figure->subject, of) && same(&figure->other, other) &&
            strcmp(figure->detail, detail) == 0)
            break;
    }
    return slot;
}

struct truth_figure *truth_find(struct truth *truth, const char *name, const struct txtap_subject *of,
                                const struct txtap_subject *other, const char *detail)
{
    unsigned slot = slot_of(truth, name, of, other, detail);

    return truth->slots[slot] != 0 ? &truth->figures[truth->slots[slot] - 1] : NULL;
}

struct truth_figure *truth_figure_of(struct truth *truth, enum truth_kind kind, const char *name,
                                     struct txtap_subject of, struct txtap_subject other, const char *detail)
{
    unsigned slot = slot_of(truth, name, &of, &other, detail);

    if (truth->slots[slot] == 0) {
        assert(truth->count < TRUTH_FIGURES);
        truth->figures[truth->count] =
            (struct truth_figure){.name = name, .detail = detail, .subject = of, .other = other, .kind = kind};
        truth->slots[slot] = (uint16_t)++truth->count;
    }
    return &truth->figures[truth->slots[slot] - 1];
}

void truth_sample(struct truth *truth, const char *name, struct txtap_subject of, struct txtap_subject other,
                  const char *detail, uint64_t value)
{
    struct truth_figure *to = truth_figure_of(truth, TRUTH_SPREAD, name, of, other, detail);

    if (to->n == 0 || value < to->min)
        to->min = value;
    if (value > to->max)
        to->max = value;
    to->n++;
    to->sum += value;
}

void truth_cut(struct truth *truth, const char *name, struct txtap_subject of, struct txtap_subject other,
               const char *detail, uint64_t value)
{
    struct truth_figure *to = truth_figure_of(truth, TRUTH_SPREAD, name, of, other, detail);

    to->cut++;
    if (value > to->cut_longest)
        to->cut_longest = value;
}

void truth_piece(struct truth *truth, const char *name, struct txtap_subject of, struct txtap_subject other,
                 const char *detail, uint64_t value, bool complete)
{
    (complete ? truth_sample : truth_cut)(truth, name, of, other, detail, value);
}

void truth_add(struct truth *truth, const char *name, struct txtap_subject of, struct txtap_subject other,
               const char *detail, uint64_t value)
{
    truth_figure_of(truth, TRUTH_VALUE, name, of, other, detail)->value += (double)value;
}

void truth_count(struct truth *truth, const char *name, struct txtap_subject of)
{
    truth_add(truth, name, of, truth_nothing(), "", 1);
}

void truth_share(struct truth *truth, const char *name, struct txtap_subject of, const char *detail, uint64_t ticks)
{
    truth_figure_of(truth, TRUTH_SHARE, name, of, truth_nothing(), detail)->value += (double)ticks;
}

void truth_raise(struct truth *truth, const char *name, struct txtap_subject of, uint64_t value)
{
    struct truth_figure *to = truth_figure_of(truth, TRUTH_VALUE, name, of, truth_nothing(), "");

    if ((double)value > to->value)
        to->value = (double)value;
}

void truth_lower(struct truth *truth, const char *name, struct txtap_subject of, uint64_t value)
{
    unsigned before = truth->count;
    struct truth_figure *to = truth_figure_of(truth, TRUTH_VALUE, name, of, truth_nothing(), "");

    if (truth->count > before || (double)value < to->value)
        to->value = (double)value;
}
