/* SPDX-License-Identifier: MIT */
/* Conditions on single samples. */
#include "record/value_trigger.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *text; /* "<=" must precede "<", because the first match is used */
    enum txtap_check_operator op;
} operators[] = {
    {"<=", TXTAP_CHECK_LESS_EQUAL}, {">=", TXTAP_CHECK_GREATER_EQUAL}, {"==", TXTAP_CHECK_EQUAL},
    {"!=", TXTAP_CHECK_NOT_EQUAL},  {"<", TXTAP_CHECK_LESS},           {">", TXTAP_CHECK_GREATER},
};

/* Takes the name up to the ")" that closes the text's first "(". */
static const char *take_name(struct value_trigger *trigger, const char *at)
{
    size_t length = strcspn(at, ")");

    if (at[length] != ')' || length == 0 || length >= sizeof trigger->name)
        return NULL;
    memcpy(trigger->name, at, length);
    trigger->name[length] = '\0';
    return at + length + 1;
}

static const char *take_operator(struct value_trigger *trigger, const char *at)
{
    at += strspn(at, " ");
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++) {
        size_t length = strlen(operators[i].text);

        if (strncmp(at, operators[i].text, length) != 0)
            continue;
        trigger->op = operators[i].op;
        return at + length + strspn(at + length, " ");
    }
    return NULL;
}

const char *value_trigger_parse(struct value_trigger *trigger, const char *text)
{
    const char *at = text + strlen(VALUE_TRIGGER_PREFIX);
    bool is_equality;
    char *end;

    *trigger = (struct value_trigger){.text = text};
    at = take_name(trigger, at);
    if (at == NULL)
        return "the name of a variable, and )";
    at = take_operator(trigger, at);
    if (at == NULL)
        return "an operator: < <= > >= == !=";
    trigger->number = strtod(at, &end);
    if (end != at && *end == '\0' && isfinite(trigger->number))
        return NULL;
    is_equality = trigger->op == TXTAP_CHECK_EQUAL || trigger->op == TXTAP_CHECK_NOT_EQUAL;
    if (*at == '\0' || !is_equality || strlen(at) >= sizeof trigger->word)
        return "a number; or, after == and !=, the word of a state";
    strcpy(trigger->word, at);
    return NULL;
}

bool value_trigger_judge(const struct value_trigger *trigger, const struct txtap_sample *sample, bool *fulfils)
{
    double number = txtap_sample_number(sample);
    const struct txtap_measure measure = {true, number, number, number};
    const char *word = txtap_sample_word(sample);

    if (sample->channel->kind != TXTAP_CHANNEL_VALUE || strcmp(sample->channel->name, trigger->name) != 0)
        return false;
    if (sample->state != TXTAP_SAMPLE_VALID)
        *fulfils = false;
    else if (trigger->word[0] != '\0')
        *fulfils = (word != NULL && strcmp(word, trigger->word) == 0) == (trigger->op == TXTAP_CHECK_EQUAL);
    else
        *fulfils = txtap_check_judge(trigger->op, &measure, trigger->number) == TXTAP_VERDICT_OK;
    return true;
}
