/* SPDX-License-Identifier: MIT */
#include "txtap/status.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/failure.h"

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
    TXTAP_ERROR_ALIGNMENT,
    TXTAP_ERROR_WIDE,
    TXTAP_ERROR_SYSTEM,
    TXTAP_ERROR_FORMAT,
    /* the program's own status */
    ERROR_NOT_FOUND,
    ERROR_AMBIGUOUS,
    ERROR_SYMBOL,
    ERROR_UNSETTLED,
    ERROR_UNREACHABLE,
    ERROR_PROTOCOL,
    ERROR_TIMEOUT,
    ERROR_CLOSED,
    ERROR_TARGET,
    ERROR_FAULT,
    ERROR_UNSAFE,
    ERROR_INTERRUPTED,
    ERROR_EXISTS,
    ERROR_NOT_ENABLED,
    ERROR_NOT_SAMPLED,
};

#define ALL (sizeof(all) / sizeof(all[0]))

static bool has_text(const char *(*text_of)(enum txtap_status), int value)
{
    return strcmp(text_of((enum txtap_status)value), "unknown status") != 0;
}

Test(status, has_a_text_for_every_status_and_for_no_other_value)
{
    size_t texts = 0;

    for (size_t i = 0; i < ALL; i++)
        cr_assert(has_text(status_text, all[i]), "status %d has no text", (int)all[i]);
    for (int value = -256; value < 256; value++)
        texts += has_text(status_text, value);
    cr_assert_eq(texts, ALL, "%zu texts for %zu statuses: list the new one here", texts, ALL);
}

Test(status, values_in_the_callers_range_have_no_text_in_the_library)
{
    for (int value = -256; value < 256; value++) {
        bool is_callers = value <= TXTAP_ERROR_CALLER_FIRST && value >= TXTAP_ERROR_CALLER_LAST;

        cr_assert(!is_callers || !has_text(txtap_status_text, value), "status %d", value);
        cr_assert_eq(is_callers && value <= (int)ERROR_NOT_SAMPLED,
                     has_text(status_text, value) && !has_text(txtap_status_text, value), "status %d", value);
    }
}

Test(status, texts_are_different_short_and_without_a_full_stop)
{
    for (size_t i = 0; i < ALL; i++) {
        const char *text = status_text(all[i]);
        size_t length = strlen(text);

        cr_assert(length > 0 && length < 80, "%s", text);
        cr_assert_neq(text[length - 1], '.', "%s", text);
        for (size_t j = 0; j < i; j++)
            cr_assert_str_neq(text, status_text(all[j]));
    }
}
