/* SPDX-License-Identifier: MIT */
/* Names of places: valid names, invalid names, and no password in any text. */
#include "nats/place.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum txtap_status parse(struct nats_place *place, const char *name, struct error *error)
{
    error_clear(error);
    return nats_place_parse(place, name, error);
}

Test(nats_place, takes_servers_subject_and_user_apart)
{
    struct nats_place place;
    struct error error;

    cr_assert_eq(parse(&place, "nats://u:secret@a.example:4223,[::1],10.0.0.1/lab.b1", &error), TXTAP_OK);
    cr_assert_eq(place.count, 3);
    cr_assert_str_eq(place.servers[0], "nats://u:secret@a.example:4223");
    cr_assert_str_eq(place.servers[1], "nats://u:secret@[::1]");
    cr_assert_str_eq(place.servers[2], "nats://u:secret@10.0.0.1");
    cr_assert_str_eq(place.subject, "lab.b1");
    cr_assert_str_eq(place.text, "nats://a.example:4223/lab.b1");
    cr_assert_not(place.tls);
}

Test(nats_place, demands_tls_only_for_tls)
{
    struct nats_place place;
    struct error error;

    cr_assert_eq(parse(&place, "tls://token@host/b1", &error), TXTAP_OK);
    cr_assert(place.tls);
    cr_assert_str_eq(place.servers[0], "tls://token@host");
    cr_assert_str_eq(place.text, "tls://host/b1");
}

Test(nats_place, accepts_a_password_with_a_slash_and_an_at_sign)
{
    struct nats_place place;
    struct error error;

    cr_assert_eq(parse(&place, "nats://u:a/b@c@host/b1", &error), TXTAP_OK);
    cr_assert_str_eq(place.servers[0], "nats://u:a/b@c@host");
    cr_assert_str_eq(place.text, "nats://host/b1");
}

Test(nats_place, refuses_invalid_names_and_shows_no_password)
{
    static const char *const names[] = {
        "nats://u:secret@host",       "nats://u:secret@host/",      "nats://u:secret@host/lab..b1",
        "nats://u:secret@host/.b1",   "nats://u:secret@host/b1.",   "nats://u:secret@host/lab.*",
        "nats://u:secret@host/lab.>", "nats://u:secret@host/a b",   "nats://u:secret@host/a\x01",
        "nats://u:secret@/b1",        "nats://u:secret@host:0/b1",  "nats://u:secret@host:65536/b1",
        "nats://u:secret@host:x/b1",  "nats://u:secret@host,/b1",   "nats://u:secret@[::1/b1",
        "nats://u:secret@host/$JS.a", "nats://u:secret@host:1:2/a", "nats://u:x/secret@host",
    };
    struct nats_place place;
    struct error error;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[ERROR_TEXT_BYTES];

        cr_expect_eq(parse(&place, names[i], &error), TXTAP_ERROR_USAGE, "%s", names[i]);
        cr_expect(strstr(error_text(&error, text), "secret") == NULL, "%s", text);
        cr_expect(*error.hint != '\0', "%s", names[i]);
    }
}

Test(nats_place, shows_a_name_without_password_and_time)
{
    char text[NATS_TEXT_BYTES];

    cr_expect_str_eq(nats_shown_name(text, "nats://u:se/c?ret@a,b/lab.b1" NATS_SINCE "17"), "nats://a/lab.b1");
    cr_expect_str_eq(nats_shown_name(text, "tls://token@a:1/lab.>"), "tls://a:1/lab.>");
    cr_expect_str_eq(nats_shown_name(text, "nats://u:secret@a/../b1"), "a NATS server");
    cr_expect_str_eq(nats_shown_name(text, "a/b.rec"), "a/b.rec");
}

Test(nats_place, limits_the_subject_and_the_servers)
{
    char name[4 * NATS_SERVER_BYTES] = "nats://h/";
    struct nats_place place;
    struct error error;

    memset(name + 9, 'a', NATS_SUBJECT_MAX);
    cr_assert_eq(parse(&place, name, &error), TXTAP_OK);
    name[9 + NATS_SUBJECT_MAX] = 'a';
    cr_assert_eq(parse(&place, name, &error), TXTAP_ERROR_USAGE);
    cr_assert_eq(parse(&place, "nats://a,b,c,d,e,f,g,h/s", &error), TXTAP_OK);
    cr_assert_eq(parse(&place, "nats://a,b,c,d,e,f,g,h,i/s", &error), TXTAP_ERROR_USAGE);
    memset(name, 'a', sizeof name - 1);
    memcpy(name, "nats://", 7);
    memcpy(name + sizeof name - 3, "/s", 3);
    cr_assert_eq(parse(&place, name, &error), TXTAP_ERROR_USAGE);
}

Test(nats_place, takes_access_from_the_environment)
{
    setenv("NATS_CREDS", "/a.creds", 1);
    setenv("NATS_TOKEN", "", 1);
    cr_assert_str_eq(nats_access_of_environment().creds, "/a.creds");
    cr_assert_null(nats_access_of_environment().token);
}

static enum txtap_status parse_pattern(struct nats_place *place, const char *name, size_t *fixed, struct error *error)
{
    error_clear(error);
    return nats_pattern_parse(place, name, fixed, error);
}

Test(nats_place, takes_wildcards_only_at_the_end_of_a_pattern)
{
    static const char *const right[] = {"lab.>", "lab.*", "lab.*.*", "lab.*.>", "*", ">"};
    static const char *const wrong[] = {"*.b1", "lab.*.b1", "lab.>.b1", "lab.b*", "lab.>>", "lab.>.>",
                                        "lab.", "lab..>",   "lab.**",   ">.*",    ".>"};
    struct nats_place place;
    struct error error;
    char name[64];
    size_t fixed;

    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        snprintf(name, sizeof name, "nats://host/%s", right[i]);
        cr_assert(nats_is_pattern(name), "%s", name);
        cr_assert_eq(parse_pattern(&place, name, &fixed, &error), TXTAP_OK, "%s", name);
        cr_assert_str_eq(place.subject, right[i]);
        cr_assert_eq(fixed, strncmp(right[i], "lab.", 4) == 0 ? 4 : 0);
        cr_assert_eq(parse(&place, name, &error), TXTAP_ERROR_USAGE);
        cr_assert_not_null(strstr(error.what, "may be several boards"));
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(name, sizeof name, "nats://u:secret@host/%s", wrong[i]);
        cr_assert_eq(parse_pattern(&place, name, &fixed, &error), TXTAP_ERROR_USAGE, "%s", name);
        cr_assert_null(strstr(error.what, "secret"));
    }
}

Test(nats_place, takes_a_subject_and_no_subject_as_a_pattern)
{
    struct nats_place place;
    struct error error;
    size_t fixed;

    cr_assert_eq(parse_pattern(&place, "nats://host/lab.b1", &fixed, &error), TXTAP_OK);
    cr_assert_eq(fixed, strlen("lab.b1"));
    cr_assert_not(nats_is_pattern("nats://host/lab.b1"));
    cr_assert_not(nats_is_pattern("lab/*"));
    cr_assert_eq(parse_pattern(&place, "nats://host/", &fixed, &error), TXTAP_OK);
    cr_assert_str_eq(place.subject, ">");
    cr_assert_eq(parse_pattern(&place, "nats://host", &fixed, &error), TXTAP_ERROR_USAGE);
    cr_assert(nats_is_subject("lab.b1") && !nats_is_subject("lab.>") && !nats_is_subject("$JS.a"));
}
