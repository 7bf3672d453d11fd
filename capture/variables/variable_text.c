/* SPDX-License-Identifier: MIT */
/* Parses the text of --watch. Knows nothing of the firmware. */
#include "variables/variable.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PERIOD_US_LEAST 50
#define PERIOD_US_MOST  3600e6
#define ITEM_BYTES      256u

static const struct {
    const char *name;
    enum variable_form form;
    enum variable_type type;
    unsigned bytes;
} forms[] = {
    {"enum", VARIABLE_FORM_ENUM, VARIABLE_SIGNED, 0},     {"hex", VARIABLE_FORM_HEX, VARIABLE_UNSIGNED, 0},
    {"signed", VARIABLE_FORM_SIGNED, VARIABLE_SIGNED, 0}, {"unsigned", VARIABLE_FORM_UNSIGNED, VARIABLE_UNSIGNED, 0},
    {"float", VARIABLE_FORM_FLOAT, VARIABLE_FLOAT, 0},    {"bool", VARIABLE_FORM_BOOL, VARIABLE_UNSIGNED, 0},
    {"u8", VARIABLE_FORM_TYPE, VARIABLE_UNSIGNED, 1},     {"s8", VARIABLE_FORM_TYPE, VARIABLE_SIGNED, 1},
    {"u16", VARIABLE_FORM_TYPE, VARIABLE_UNSIGNED, 2},    {"s16", VARIABLE_FORM_TYPE, VARIABLE_SIGNED, 2},
    {"u32", VARIABLE_FORM_TYPE, VARIABLE_UNSIGNED, 4},    {"s32", VARIABLE_FORM_TYPE, VARIABLE_SIGNED, 4},
    {"u64", VARIABLE_FORM_TYPE, VARIABLE_UNSIGNED, 8},    {"s64", VARIABLE_FORM_TYPE, VARIABLE_SIGNED, 8},
    {"f32", VARIABLE_FORM_TYPE, VARIABLE_FLOAT, 4},       {"f64", VARIABLE_FORM_TYPE, VARIABLE_FLOAT, 8},
};

/* Copies an item without the blanks around it. False: the item is empty or too long. */
static bool copy_item(char item[static ITEM_BYTES], const char *text, size_t length)
{
    while (length > 0 && isspace((unsigned char)*text)) {
        text++;
        length--;
    }
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        length--;
    if (length == 0 || length >= ITEM_BYTES)
        return false;
    memcpy(item, text, length);
    item[length] = '\0';
    return true;
}

/* Sets the form. False: there is no such form. */
static bool set_form(struct variable_request *request, const char *word)
{
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (strcmp(forms[i].name, word) != 0)
            continue;
        request->form = forms[i].form;
        request->type = forms[i].type;
        request->type_bytes = forms[i].bytes;
        return true;
    }
    return false;
}

static bool set_rate(struct variable_request *request, const char *text)
{
    static const struct {
        const char *unit;
        double factor;
        bool is_period;
    } units[] = {{"", 1, false},    {"/s", 1, false}, {"Hz", 1, false},  {"kHz", 1e3, false},
                 {"k", 1e3, false}, {"us", 1, true},  {"ms", 1e3, true}, {"s", 1e6, true}};
    char *end;
    double number = strtod(text, &end);

    if (!isdigit((unsigned char)*text) || !isfinite(number) || number <= 0)
        return false;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        double period = units[i].is_period ? number * units[i].factor : 1e6 / (number * units[i].factor);

        if (strcmp(units[i].unit, end) != 0)
            continue;
        if (period < PERIOD_US_LEAST || period > PERIOD_US_MOST)
            return false;
        request->period_us = (uint64_t)(period + 0.5);
        request->has_rate = true;
        return true;
    }
    return false;
}

/* Units are short texts of any letters, such as "°C", without characters that formats would have to escape. */
static bool set_unit(struct variable_request *request, const char *text)
{
    size_t length = strlen(text);

    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] <= ' ' || text[i] == '"' || text[i] == '\\' || text[i] == 0x7F)
            return false;
    if (length == 0 || length >= sizeof request->unit)
        return false;
    strcpy(request->unit, text);
    return true;
}

/* Returns the start of the last suffix of the text: its ':', '@' or '!'. A ':' begins a suffix only if a form follows,
 * because FILE:NAME and the names of C++ contain it, too. NULL: there is no suffix. */
static char *last_suffix(struct variable_request *request, char *text)
{
    char *at = text + strcspn(text, "@!"), *last = NULL;

    for (char *next = at; *next != '\0'; next += 1 + strcspn(next + 1, "@!"))
        last = next;
    at = strrchr(text, ':');
    if (at != NULL && (last == NULL || at > last) && at > text && at[-1] != ':' && set_form(request, at + 1))
        return at;
    return last;
}

static bool is_expression(const char *text)
{
    static const char allowed[] = "_.:*[]->$/";

    if (*text == '\0' || strlen(text) >= TXTAP_CHANNEL_NAME_BYTES)
        return false;
    for (; *text != '\0'; text++)
        if (!isalnum((unsigned char)*text) && strchr(allowed, *text) == NULL)
            return false;
    return true;
}

static enum txtap_status parse(struct variable_request *request, char *item, struct error *error)
{
    char whole[ITEM_BYTES], *suffix;

    strcpy(whole, item);
    *request = (struct variable_request){.period_us = VARIABLE_PERIOD_US_DEFAULT};
    while ((suffix = last_suffix(request, item)) != NULL) {
        if (*suffix == '@' && !set_rate(request, suffix + 1))
            return failure(error, TXTAP_ERROR_USAGE,
                           "'%.100s': '%.40s' is no rate: give a number per second (100, 2kHz, at most 20kHz) or a "
                           "period (10ms, at most 1h)",
                           whole, suffix + 1);
        if (*suffix == '!' && !set_unit(request, suffix + 1))
            return failure(error, TXTAP_ERROR_USAGE, "'%.100s': '%.40s' is no unit: give at most %u bytes", whole,
                           suffix + 1, TXTAP_CHANNEL_UNIT_BYTES - 1);
        *suffix = '\0';
    }
    if (!is_expression(item))
        return failure(error, TXTAP_ERROR_USAGE,
                       "'%.100s' is no variable: give a name such as motor.iq, list[2], head->size, file.c:name or "
                       "*0x20000100:u32",
                       whole);
    strcpy(request->expression, item);
    return TXTAP_OK;
}

bool variable_requests_have(const struct variable_requests *requests, const char *expression)
{
    for (size_t i = 0; i < requests->count; i++)
        if (strcmp(requests->at[i].expression, expression) == 0)
            return true;
    return false;
}

bool variable_requests_add(struct variable_requests *requests, const char *list, struct error *error)
{
    for (;; list++) {
        size_t length = strcspn(list, ",");
        struct variable_request request;
        char item[ITEM_BYTES];

        if (!copy_item(item, list, length)) {
            failure(error, TXTAP_ERROR_USAGE, "'%.100s': a variable is missing or too long", list);
            return false;
        }
        if (parse(&request, item, error) != TXTAP_OK)
            return false;
        if (variable_requests_have(requests, request.expression)) {
            failure(error, TXTAP_ERROR_USAGE, "'%.100s' is given twice", request.expression);
            return false;
        }
        if (requests->count == VARIABLES_MAX) {
            failure(error, TXTAP_ERROR_USAGE, "more than %u variables", VARIABLES_MAX);
            return false;
        }
        requests->at[requests->count++] = request;
        list += length;
        if (*list == '\0')
            return true;
    }
}
