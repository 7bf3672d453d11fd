/* SPDX-License-Identifier: MIT */
/*
 * Criterion's assertions, with the code after a failed assertion moved into a function. Criterion repeats this code,
 * ten calls, in each of 4,000 assertions. With sanitizers it takes 40 % of a test's compile time. The compiler includes
 * this header before each test. It changes nothing if a version of Criterion builds its assertions in another way. The
 * option --full-stats, which lists the passed assertions, has no effect with it.
 */
#ifndef TXTAP_TESTS_ASSERTION_H
#define TXTAP_TESTS_ASSERTION_H

#include <criterion/criterion.h>
#ifdef cr_assert_impl

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Reports a failed assertion. format: "x", followed by the test's own message. If this message is not empty, it
 * replaces Criterion's message. */
__attribute__((format(printf, 4, 5))) static inline void assertion_failed(const char *file, unsigned line,
                                                                          char *message, const char *format, ...)
{
    char *own = NULL;
    va_list values;
    va_start(values, format);
    if (vasprintf(&own, format, values) < 0)
        own = NULL;
    va_end(values);
    struct criterion_assert_stats failed = {.message = own && own[1] ? own + 1 : message, .file = file, .line = line};
    criterion_send_assert(&failed);
    free(own);
    cr_asprintf_free(message);
}

#define assertion_failed_(unused, kind, values, ...)                                                                   \
    assertion_failed(__FILE__, __LINE__, cr_translate_assert_msg(kind, "" CR_IDENTITY values), "x" __VA_ARGS__)

#undef cr_assert_impl
#define cr_assert_impl(fail, condition, ...)                                                                           \
    do {                                                                                                               \
        if (condition) {                                                                                               \
            cri_asserts_passed_incr();                                                                                 \
        } else {                                                                                                       \
            assertion_failed_(__VA_ARGS__);                                                                            \
            fail();                                                                                                    \
        }                                                                                                              \
    } while (0)

#endif
#endif
