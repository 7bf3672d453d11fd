/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "view/request.h"

#define TOKEN "0123456789abcdef0123456789abcdef"
#define HOST  "127.0.0.1:8080"

static const struct request_rules local = {.token = TOKEN, .address = "127.0.0.1", .port = 8080};
static const struct request_rules open_to_all = {
    .token = TOKEN, .address = "0.0.0.0", .any_address = true, .port = 8080};

static enum request_answer ask(const char *method, const char *path, const char *host, const char *origin)
{
    const struct request request = {
        .method = method, .path = path, .host = host, .origin = origin, .has_origin = origin != NULL};

    return request_judge(&local, &request);
}

static enum request_answer ask_host(const struct request_rules *rules, const char *host)
{
    const struct request request = {.method = "GET", .path = "/" TOKEN "/", .host = host};

    return request_judge(rules, &request);
}

Test(request, page_stream_and_state_are_below_the_token)
{
    cr_assert_eq(ask("GET", "/" TOKEN "/", HOST, NULL), REQUEST_PAGE);
    cr_assert_eq(ask("HEAD", "/" TOKEN "/", HOST, NULL), REQUEST_PAGE);
    cr_assert_eq(ask("GET", "/" TOKEN "/stream", HOST, NULL), REQUEST_STREAM);
    cr_assert_eq(ask("GET", "/" TOKEN "/data", HOST, NULL), REQUEST_STREAM);
    cr_assert_eq(ask("GET", "/" TOKEN "/state", HOST, NULL), REQUEST_STATE);
}

Test(request, every_other_path_is_forbidden)
{
    static const char *const paths[] = {
        "",
        "/",
        "//",
        "/index.html",
        "/" TOKEN,
        "/" TOKEN "0/",
        "/" TOKEN "//",
        "/" TOKEN "/streams",
        "/" TOKEN "/stream/",
        "/" TOKEN "/../" TOKEN "/",
        "/" TOKEN "/files/1",
        "/0123456789abcdef0123456789abcdee/",
        "/1123456789abcdef0123456789abcdef/",
        "/0123456789ABCDEF0123456789ABCDEF/",
        "/0123456789abcdef0123456789abcde/",
        TOKEN "/",
    };

    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        cr_assert_eq(ask("GET", paths[i], HOST, NULL), REQUEST_FORBIDDEN, "%s", paths[i]);
    cr_assert_eq(ask("GET", NULL, HOST, NULL), REQUEST_FORBIDDEN);
}

Test(request, other_methods_are_refused_for_valid_paths)
{
    static const char *const methods[] = {"POST", "PUT", "DELETE", "OPTIONS", "get", "TRACE", "CONNECT", ""};

    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        cr_assert_eq(ask(methods[i], "/" TOKEN "/", HOST, NULL), REQUEST_METHOD, "%s", methods[i]);
        cr_assert_eq(ask(methods[i], "/", HOST, NULL), REQUEST_FORBIDDEN, "%s", methods[i]);
    }
}

Test(request, a_host_name_that_may_point_here_is_forbidden)
{
    static const char *const own[] = {HOST, "localhost:8080", "LOCALHOST:8080", "[::1]:8080"};
    static const char *const others[] = {"evil.example:8080",
                                         "127.0.0.1.evil.example:8080",
                                         "127.0.0.1",
                                         "127.0.0.1:8081",
                                         "127.0.0.1:80800",
                                         "127.0.0.1:8080.",
                                         " 127.0.0.1:8080",
                                         "127.0.0.1:8080@evil.example",
                                         "localhost.:8080",
                                         "192.168.1.2:8080",
                                         "",
                                         ":8080",
                                         "evil.localhost:8080"};

    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        cr_assert_eq(ask_host(&local, own[i]), REQUEST_PAGE, "%s", own[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        cr_assert_eq(ask_host(&local, others[i]), REQUEST_FORBIDDEN, "%s", others[i]);
    cr_assert_eq(ask_host(&local, NULL), REQUEST_FORBIDDEN);
}

Test(request, a_server_on_all_addresses_accepts_any_numeric_address)
{
    static const char *const own[] = {HOST, "localhost:8080", "192.168.1.2:8080", "[fe80::1]:8080"};
    static const char *const others[] = {
        "evil.example:8080", "192.168.1.2:8081", "192.168.1.2",   "[fe80::1:8080", "a.b.c.d:8080", "[evil]:8080",
        "::1:8080",          "[]x:8080",         "1.2.3.4x:8080", ":8080",         "[fe80::1]8080"};

    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        cr_assert_eq(ask_host(&open_to_all, own[i]), REQUEST_PAGE, "%s", own[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        cr_assert_eq(ask_host(&open_to_all, others[i]), REQUEST_FORBIDDEN, "%s", others[i]);
}

Test(request, pages_of_another_origin_are_forbidden)
{
    static const char *const others[] = {"http://evil.example",
                                         "https://" HOST,
                                         "null",
                                         "",
                                         "http://",
                                         HOST,
                                         "http://localhost:8080",
                                         "http://127.0.0.1:8081",
                                         "http://" HOST "/",
                                         "http://" HOST ".evil.example"};
    const struct request twice = {
        .method = "GET", .path = "/" TOKEN "/stream", .host = HOST, .origin = NULL, .has_origin = true};

    cr_assert_eq(ask("GET", "/" TOKEN "/stream", HOST, "http://" HOST), REQUEST_STREAM);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        cr_assert_eq(ask("GET", "/" TOKEN "/stream", HOST, others[i]), REQUEST_FORBIDDEN, "%s", others[i]);
    cr_assert_eq(request_judge(&local, &twice), REQUEST_FORBIDDEN);
}

Test(request, the_usual_port_may_be_left_out)
{
    const struct request_rules rules = {.token = TOKEN, .address = "127.0.0.1", .port = 80};

    cr_assert_eq(ask_host(&rules, "127.0.0.1"), REQUEST_PAGE);
    cr_assert_eq(ask_host(&rules, "127.0.0.1:80"), REQUEST_PAGE);
    cr_assert_eq(ask_host(&rules, "evil.example"), REQUEST_FORBIDDEN);
}
