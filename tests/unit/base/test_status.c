/* SPDX-License-Identifier: MIT */
#include "txtap/status.h"

#include <criterion/criterion.h>
#include <string.h>

static const enum txtap_status all[] = {
    TXTAP_OK,
    TXTAP_AGAIN,
    TXTAP_END,
    TXTAP_ERROR_USAGE,
    TXTAP_ERROR_SPACE,
    TXTAP_ERROR_SIGNATURE,
    TXTAP_ERROR_REGISTRY,
    TXTAP_ERROR_RING,
    TXTAP_ERROR_POINTER,
    TXTAP_ERROR_OVERLAP,
    TXTAP_ERROR_TRUNCATED,
    TXTAP_ERROR_MOVED,
    TXTAP_ERROR_NOT_FOUND,
    TXTAP_ERROR_AMBIGUOUS,
    TXTAP_ERROR_UNSETTLED,
    TXTAP_ERROR_ALIGNMENT,
    TXTAP_ERROR_WIDE,
    TXTAP_ERROR_UNREACHABLE,
    TXTAP_ERROR_PROTOCOL,
    TXTAP_ERROR_TIMEOUT,
    TXTAP_ERROR_CLOSED,
    TXTAP_ERROR_TARGET,
    TXTAP_ERROR_FAULT,
    TXTAP_ERROR_SYSTEM,
    TXTAP_ERROR_INTERRUPTED,
    TXTAP_ERROR_UNSAFE,
    TXTAP_ERROR_FORMAT,
    TXTAP_ERROR_SYMBOL,
    TXTAP_ERROR_EXISTS,
};

#define ALL (sizeof(all) / sizeof(all[0]))

static bool known(int value)
{
    return strcmp(txtap_status_text((enum txtap_status)value), "unknown status") != 0;
}

Test(status, has_a_text_for_every_status_and_for_no_other_value)
{
    size_t texts = 0;

    for (size_t i = 0; i < ALL; i++)
        cr_assert(known(all[i]), "status %d has no text", (int)all[i]);
    for (int value = -128; value < 128; value++)
        texts += known(value);
    cr_assert_eq(texts, ALL, "%zu texts for %zu statuses: list the new one here", texts, ALL);
}

Test(status, texts_are_different_short_and_without_a_full_stop)
{
    for (size_t i = 0; i < ALL; i++) {
        const char *text = txtap_status_text(all[i]);
        size_t length = strlen(text);

        cr_assert(length > 0 && length < 80, "%s", text);
        cr_assert_neq(text[length - 1], '.', "%s", text);
        for (size_t j = 0; j < i; j++)
            cr_assert_str_neq(text, txtap_status_text(all[j]));
    }
}
