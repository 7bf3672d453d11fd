/* SPDX-License-Identifier: MIT */
/* Parses marks, and checks the numbers of messages. */
#include "nats/message.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SESSION_DIGITS 16
#define NUMBER_DIGITS  19 /* such a number fits into 64 bits */

/* Takes `most` digits at most, and the blank after them. */
static bool take_number(const char **at, unsigned base, unsigned least, unsigned most, uint64_t *value)
{
    unsigned count = 0;

    for (*value = 0; count <= most; count++) {
        char c = (*at)[count];
        unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                         : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
                                                : base;

        if (digit >= base)
            break;
        *value = *value * base + digit;
    }
    if (count < least || count > most || (*at)[count] != ' ')
        return false;
    *at += count + 1;
    return true;
}

bool nats_mark_parse(struct nats_mark *mark, const char *text)
{
    uint64_t version;

    if (!take_number(&text, 10, 1, 1, &version) || version != 1 ||
        !take_number(&text, 16, SESSION_DIGITS, SESSION_DIGITS, &mark->session) ||
        !take_number(&text, 10, 1, NUMBER_DIGITS, &mark->number) ||
        !take_number(&text, 10, 1, NUMBER_DIGITS, &mark->head))
        return false;
    mark->begins = text[0] == 'h';
    return mark->number > 0 && (text[0] == 'h' || text[0] == 'b') && text[1] == '\0';
}

void nats_mark_text(char text[NATS_MARK_BYTES], const struct nats_mark *mark)
{
    snprintf(text, NATS_MARK_BYTES, "1 %016" PRIx64 " %" PRIu64 " %" PRIu64 " %c", mark->session, mark->number,
             mark->head, mark->begins ? 'h' : 'b');
}

enum nats_verdict nats_order_take(struct nats_order *order, const char *text, size_t length)
{
    struct nats_mark mark;
    bool follows;

    if (text == NULL || length == 0 || length > NATS_MESSAGE_BYTES || !nats_mark_parse(&mark, text)) {
        order->foreign++;
        return NATS_SKIP;
    }
    if (order->begun && mark.session == order->session && mark.number <= order->number)
        return NATS_SKIP; /* a repetition */
    if (!order->begun)
        order->before = mark.number - 1;
    follows = !order->begun || mark.number == order->number + 1;
    /* Another recorder may begin at any number, because the subject may have been emptied. */
    if (!follows && mark.number > order->number)
        order->missing += mark.number - order->number - 1;
    order->broken = !mark.begins && (order->broken || !follows || !order->begun || mark.session != order->session);
    order->begun = true;
    order->session = mark.session;
    order->number = mark.number;
    order->skipped += order->broken;
    return order->broken ? NATS_SKIP : mark.begins ? NATS_BEGINS : NATS_TAKE;
}
