/* SPDX-License-Identifier: MIT */
/* The words for information words. They are ThreadX's and NetX's own constants, in lower case, without the prefix. */
#include "value.h"

#include <stddef.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* tx_api.h: TX_READY to TX_PRIORITY_CHANGE */
static const char *const thread_states[] = {
    "ready",        "completed",   "terminated", "suspended", "sleep",  "queue_susp", "semaphore_susp",  "event_flag",
    "block_memory", "byte_memory", "io_driver",  "file",      "tcp_ip", "mutex_susp", "priority_change",
};

/* tx_api.h: TX_OR, TX_OR_CLEAR, TX_AND, TX_AND_CLEAR: of tx_event_flags_get */
static const char *const flags_options[] = {"or", "or_clear", "and", "and_clear"};

/* tx_api.h: TX_NO_INHERIT, TX_INHERIT */
static const char *const inherit_options[] = {"none", "inherit"};

/* nx_api.h: NX_TCP_CLOSED (1) to NX_TCP_LAST_ACK (11) */
static const char *const tcp_states[] = {
    NULL,         "closed",     "listen",     "syn_sent", "syn_received", "established",
    "close_wait", "fin_wait_1", "fin_wait_2", "closing",  "timed_wait",   "last_ack",
};

static struct value word_or(enum value_form form, uint32_t number, const char *const *words, size_t count)
{
    struct value value = {form, number, NULL};

    if (number < count && words[number] != NULL) {
        value.form = VALUE_WORD;
        value.text = words[number];
    }
    return value;
}

/* One value that has a word of its own among numbers that have none. */
static struct value unless(struct value value, uint32_t special, const char *word)
{
    if (value.number == special) {
        value.form = VALUE_WORD;
        value.text = word;
    }
    return value;
}

/* Of those four, tx_event_flags_set takes two. */
static struct value value_of_flags_set(uint32_t number)
{
    struct value value = {VALUE_DECIMAL, number, NULL};

    return unless(unless(value, 0, "or"), 2, "and");
}

/* nx_packet.h. Where none of the words stands, the packet is in a queue and this is the address of the next one. */
static struct value value_of_packet_status(uint32_t number)
{
    struct value value = {VALUE_ADDRESS, number, NULL};

    value = unless(value, 0xFFFFFFFFu, "free");
    value = unless(value, 0xAAAAAAAAu, "allocated");
    value = unless(value, 0xEEEEEEEEu, "enqueued");
    value = unless(value, 0xDDDDDDDDu, "transmitted");
    return unless(value, 0xBBBBBBBBu, "ready");
}

struct value value_of_pointer(const struct txtap_registry *registry, uint32_t pointer)
{
    const struct txtap_object *object = txtap_registry_find(registry, pointer);
    struct value value = {VALUE_ADDRESS, pointer, NULL};

    if (object != NULL && object->name[0] != '\0') {
        value.form = VALUE_NAME;
        value.text = object->name;
    }
    return value;
}

static struct value value_of_field(const struct txtap_registry *registry, enum txtap_field_kind kind, uint32_t number)
{
    struct value value = {VALUE_HEX, number, NULL};

    switch (kind) {
    case TXTAP_FIELD_OBJECT:
        value.form = VALUE_NOTHING;
        return number == 0 ? value : value_of_pointer(registry, number);
    case TXTAP_FIELD_ADDRESS:
        value.form = VALUE_ADDRESS;
        return value;
    case TXTAP_FIELD_NUMBER:
        value.form = VALUE_NUMBER;
        return value;
    case TXTAP_FIELD_WAIT:
        value.form = VALUE_DECIMAL;
        return unless(unless(value, 0, "none"), UINT32_MAX, "forever");
    case TXTAP_FIELD_THREAD_STATE:
        return word_or(VALUE_DECIMAL, number, thread_states, COUNT(thread_states));
    case TXTAP_FIELD_FLAGS_GET:
        return word_or(VALUE_DECIMAL, number, flags_options, COUNT(flags_options));
    case TXTAP_FIELD_FLAGS_SET:
        return value_of_flags_set(number);
    case TXTAP_FIELD_INHERIT:
        return word_or(VALUE_DECIMAL, number, inherit_options, COUNT(inherit_options));
    case TXTAP_FIELD_IPV4:
        value.form = VALUE_IPV4;
        return value;
    case TXTAP_FIELD_TCP_STATE:
        return word_or(VALUE_DECIMAL, number, tcp_states, COUNT(tcp_states));
    case TXTAP_FIELD_PACKET_STATUS:
        return value_of_packet_status(number);
    case TXTAP_FIELD_NONE:
    case TXTAP_FIELD_HEX:
    case TXTAP_FIELD_KINDS:
        break;
    }
    return value;
}

bool value_of_word(const struct txtap_registry *registry, const struct txtap_event *event,
                   const struct txtap_event_info *info, size_t i, const char **label, struct value *value)
{
    static const char *const numbered[] = {"info1", "info2", "info3", "info4"};
    bool described = info != NULL && info->field[i].kind != TXTAP_FIELD_NONE;

    if (!described && info != NULL && event->info[i] == 0)
        return false;
    *label = described ? info->field[i].label : numbered[i];
    *value = value_of_field(registry, described ? info->field[i].kind : TXTAP_FIELD_HEX, event->info[i]);
    return true;
}

void value_write(const struct value *value, struct line *line)
{
    switch (value->form) {
    case VALUE_NAME:
        break;
    case VALUE_WORD:
        line_text(line, value->text);
        break;
    case VALUE_NUMBER:
    case VALUE_DECIMAL:
        line_decimal(line, value->number);
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
    case VALUE_NOTHING:
        line_text(line, "none");
        break;
    }
}
