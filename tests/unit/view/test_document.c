/* SPDX-License-Identifier: MIT */
/* The setup in the page: texts from outside stay texts. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "view/document.h"

#define HOSTILE "</script><img src=x onerror=alert(1)>\n\"\\ \xe2\x80\xae"

/* Returns the setup of a page of the checks, NUL-terminated. The caller frees it. */
static char *setup_of(const struct document *document)
{
    static const char begin[] = "<script type=\"application/json\" id=\"setup\">", end[] = "</script>";
    struct error error;
    char *html, *at, *setup;
    size_t length;

    cr_assert_eq(document_make(document, &html, &length, &error), TXTAP_OK);
    at = memmem(html, length, begin, strlen(begin));
    cr_assert_not_null(at);
    at += strlen(begin);
    setup = strndup(at, (size_t)((char *)memmem(at, length - (size_t)(at - html), end, strlen(end)) - at));
    free(html);
    return setup;
}

static bool has(const char *setup, const char *part)
{
    return strstr(setup, part) != NULL;
}

Test(document, has_the_results_of_checks_with_the_deciding_event)
{
    static const struct document_check checks[] = {
        {"wake(control).p99 <= 200us", TXTAP_VERDICT_FAILED, "213 us of control", "control", true, 8888, 4.352446},
        {"deadlock == 0", TXTAP_VERDICT_OK, "0", "", false, 7, 1},
        {"lost == 0", TXTAP_VERDICT_UNDECIDED, "", "", true, UINT64_MAX, -1},
    };
    const struct document document = {.name = "made", .checks = checks, .check_count = 3};
    char *setup = setup_of(&document);

    cr_expect(
        has(setup,
            ",\"checks\":[{\"check\":\"wake(control).p99 \\u003c= 200us\",\"verdict\":\"failed\",\"text\":\"213 us of "
            "control\",\"subject\":\"control\",\"event\":8888,\"time\":4.352446},"),
        "%s", setup);
    cr_expect(has(setup, "{\"check\":\"deadlock == 0\",\"verdict\":\"ok\",\"text\":\"0\",\"subject\":\"\"},"), "%s",
              setup);
    cr_expect(has(setup, "\"verdict\":\"unknown\",\"text\":\"\",\"subject\":\"\",\"event\":18446744073709551615}]"),
              "%s", setup);
    free(setup);
}

Test(document, has_no_member_without_checks_and_advice)
{
    const struct document document = {.name = "made"};
    char *setup = setup_of(&document);

    cr_expect(!has(setup, "checks") && !has(setup, "advice"), "%s", setup);
    free(setup);
}

/* The element must not end early, and the object must have no other member than the four of a check. */
Test(document, keeps_hostile_texts_inside_their_strings)
{
    static const struct document_check check = {HOSTILE, TXTAP_VERDICT_FAILED, HOSTILE, HOSTILE, false, 0, 0};
    const struct document document = {.name = HOSTILE, .checks = &check, .check_count = 1, .advice = HOSTILE};
    char *setup = setup_of(&document);

    cr_expect(!has(setup, "<"), "%s", setup);
    cr_expect(!has(setup, "\n"));
    cr_expect_str_eq(setup + strlen(setup) - 1, "}");
    cr_expect(has(setup, ",\"advice\":\"\\u003c/script>\\u003cimg src=x onerror=alert(1)>\\u000a\\\"\\\\ "), "%s",
              setup);
    free(setup);
}

Test(document, takes_texts_of_any_length)
{
    static char text[5000];
    static const struct document_check check = {text, TXTAP_VERDICT_OK, "", "", false, 0, 0};
    const struct document document = {.name = "", .checks = &check, .check_count = 1};
    char *setup;

    memset(text, 'x', sizeof text - 1);
    setup = setup_of(&document);
    cr_expect(has(setup, text));
    free(setup);
}
