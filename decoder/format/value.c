/* SPDX-License-Identifier: MIT */
/* Values of information words by their kind. constants.c has the words for numbers, events.def the kinds of fields. */
#include "format/value.h"

#include "buffer/registry_parts.h"
#include "event/constants.h"

#define NAN_BITS 0x7F800000u /* an IEEE 754 binary32 with this exponent is infinite or not a number */

static const struct txtap_field_info no_field = {TXTAP_FIELD_NONE, NULL, NULL};

static struct value value_of_object(const struct txtap_object *object, uint32_t pointer)
{
    struct value value = {.form = VALUE_ADDRESS, .number = pointer, .field = &no_field};

    if (object != NULL && object->name[0] != '\0') {
        value.form = VALUE_NAME;
        value.text = object->name;
    }
    return value;
}

struct value value_of_thread(const struct txtap_registry *registry, const struct txtap_event *event)
{
    return value_of_object(txtap_registry_find_at(registry, event->thread, TXTAP_OBJECT_THREAD, event->seq),
                           event->thread);
}

static struct value value_of_pointer(const struct txtap_registry *registry, const struct txtap_event *event,
                                     const struct txtap_event_info *info, size_t i)
{
    uint32_t pointer = event->info[i];
    const struct txtap_object *object = txtap_registry_find_at(registry, pointer, TXTAP_OBJECT_NONE, event->seq);

    if (object != NULL && !lifetime_fits(info, i, object->type))
        object = NULL;
    return value_of_object(object, pointer);
}

static struct word_list words_of(const struct txtap_field_info *field)
{
    if (field->format == NULL)
        return word_lists[field->kind];
    return (struct word_list){field->format->words, field->format->word_count};
}

/*
 * By the field's kind: the form of its numbers, and whether no name or word ever stands for one. Those that are not
 * here are decimal, or a word.
 */
static const struct {
    enum value_form form;
    bool bare;
} forms[TXTAP_FIELD_KINDS] = {
    [TXTAP_FIELD_NONE] = {VALUE_HEX, true},
    [TXTAP_FIELD_OBJECT] = {VALUE_NOTHING, false},
    [TXTAP_FIELD_ADDRESS] = {VALUE_ADDRESS, true},
    [TXTAP_FIELD_NUMBER] = {VALUE_NUMBER, true},
    [TXTAP_FIELD_HEX] = {VALUE_HEX, true},
    [TXTAP_FIELD_IPV4] = {VALUE_IPV4, true},
    [TXTAP_FIELD_PACKET_STATUS] = {VALUE_ADDRESS, false},
    [TXTAP_FIELD_TX_STATUS] = {VALUE_HEX, false},
    [TXTAP_FIELD_FX_STATUS] = {VALUE_HEX, false},
    [TXTAP_FIELD_NX_STATUS] = {VALUE_HEX, false},
    [TXTAP_FIELD_UX_STATUS] = {VALUE_HEX, false},
    [TXTAP_FIELD_ATTRIBUTES] = {VALUE_BITS, false},
    [TXTAP_FIELD_MEDIA_ERRORS] = {VALUE_BITS, false},
    [TXTAP_FIELD_IP_STATUS] = {VALUE_BITS, false},
    [TXTAP_FIELD_SIGNED] = {VALUE_SIGNED, true},
    [TXTAP_FIELD_FLOAT] = {VALUE_FLOAT, false},
    [TXTAP_FIELD_FLAGS] = {VALUE_BITS, false},
};

/* The word that stands for the number, or NULL. */
static const char *word_for(uint32_t number, const struct txtap_field_info *field)
{
    if (field->kind == TXTAP_FIELD_FLOAT && (number & NAN_BITS) == NAN_BITS)
        return number << 9 != 0 ? "nan" : number >> 31 ? "-inf" : "inf";
    return words_find(words_of(field), number);
}

struct value value_of_field(const struct txtap_registry *registry, const struct txtap_event *event,
                            const struct txtap_event_info *info, const struct txtap_field_info *field, size_t i)
{
    uint32_t number = event->info[i];
    struct value value = {.form = forms[field->kind].form, .number = number, .field = field};
    const char *word;

    if (forms[field->kind].bare)
        return value;
    if (field->kind == TXTAP_FIELD_OBJECT)
        return number == 0 ? value : value_of_pointer(registry, event, info, i);
    word = word_for(number, field);
    if (word != NULL) {
        value.form = VALUE_WORD;
        value.text = word;
    }
    return value;
}

bool value_of_word(const struct txtap_registry *registry, const struct txtap_event *event,
                   const struct txtap_event_info *info, size_t i, const char **label, struct value *value)
{
    static const struct txtap_field_info undescribed[] = {
        {TXTAP_FIELD_HEX, "info1", NULL},
        {TXTAP_FIELD_HEX, "info2", NULL},
        {TXTAP_FIELD_HEX, "info3", NULL},
        {TXTAP_FIELD_HEX, "info4", NULL},
    };
    const struct txtap_field_info *field = info != NULL ? &info->field[i] : &undescribed[i];

    if (event->words != NULL && i >= event->word_count)
        return false;
    if (field->kind == TXTAP_FIELD_NONE) {
        if (event->words == NULL && event->info[i] == 0)
            return false;
        field = &undescribed[i];
    }
    *label = field->label;
    *value = value_of_field(registry, event, info, field, i);
    return true;
}

void value_write_more(struct line *line, const struct txtap_event *event, bool first)
{
    for (size_t i = 4; event->words != NULL && i < event->word_count; i++) {
        line_text(line, first ? "info" : " info");
        line_decimal(line, i + 1);
        line_text(line, "=");
        line_hex(line, event->words[i], 1);
        first = false;
    }
}

bool value_is_number(const struct value *value)
{
    return value->form == VALUE_NUMBER || value->form == VALUE_SIGNED || value->form == VALUE_FLOAT;
}

static void write_bits(const struct value *value, struct line *line)
{
    const struct word_list list = words_of(value->field);
    uint32_t left = value->number;
    const char *separator = "";

    for (size_t i = 0; i < list.count && left != 0; i++) {
        uint32_t bits = list.words[i].number;

        if (bits == 0 || (left & bits) != bits)
            continue;
        line_text(line, separator);
        line_text(line, list.words[i].word);
        left &= ~bits;
        separator = "|";
    }
    if (left != 0 || value->number == 0) {
        line_text(line, separator);
        line_hex(line, left, 1);
    }
}

static void write_number(const struct value *value, struct line *line)
{
    const struct txtap_field_format *format = value->field->format;
    bool negative = value->form == VALUE_SIGNED && value->number >> 31 != 0;
    uint32_t number = negative ? 0u - value->number : value->number;

    if (negative)
        line_text(line, "-");
    if (format == NULL || format->decimals == 0)
        line_decimal(line, number);
    else
        line_scaled(line, number, format->decimals);
}

/* A number without a word; negative numbers only if some of the field's words are for negative numbers. */
static void write_wordless(const struct value *value, struct line *line)
{
    const struct word_list list = words_of(value->field);
    bool negative = false;

    for (size_t i = 0; i < list.count && !negative && value->number >> 31 != 0; i++)
        negative = value->field->kind == TXTAP_FIELD_ENUM && list.words[i].number >> 31 != 0;
    if (negative)
        line_text(line, "-");
    line_decimal(line, negative ? 0u - value->number : value->number);
}

void value_write(const struct value *value, struct line *line)
{
    switch (value->form) {
    case VALUE_NAME:
        break;
    case VALUE_WORD:
        line_text(line, value->text);
        break;
    case VALUE_SIGNED:
    case VALUE_NUMBER:
        write_number(value, line);
        break;
    case VALUE_FLOAT:
        line_float(line, value->number);
        break;
    case VALUE_DECIMAL:
        write_wordless(value, line);
        break;
    case VALUE_HEX:
        line_hex(line, value->number, 1);
        break;
    case VALUE_ADDRESS:
        line_hex(line, value->number, 8);
        break;
    case VALUE_IPV4:
        line_ipv4(line, value->number);
        break;
    case VALUE_BITS:
        write_bits(value, line);
        break;
    case VALUE_NOTHING:
        line_text(line, "none");
        break;
    }
}
