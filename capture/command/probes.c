/* SPDX-License-Identifier: MIT */
/* txtap probes: lists the debug probes on USB, and shows changes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/option_values.h"
#include "base/runtime.h"
#include "command/commands.h"
#include "command/probes_show.h"
#include "output/report.h"
#include "probe/usb/usb_bus.h"
#include "txtap/inner/json_head.h"

#define WATCH_SECONDS 1.0

/* ---- one list ---- */

static void print_list(const struct usb_list *list, bool json)
{
    static char text[PROBES_SHOW_BYTES];
    char head[TXTAP_JSON_HEAD_BYTES];

    if (json)
        printf("{%s,\"probes\":[", txtap_json_head(head, TXTAP_SCHEMA_PROBES));
    for (size_t i = 0; i < list->count; i++)
        if (json)
            printf("%s%s", i == 0 ? "\n" : ",\n", probes_show_json(&list->probes[i], list, text));
        else
            printf("%s%s", i == 0 ? "" : "\n", probes_show_text(&list->probes[i], list, PROBES_PRESENT, text));
    if (json)
        printf("]}\n");
}

static void say_notice(const struct usb_list *list)
{
    char notice[USB_NOTICE_BYTES];

    if (*usb_list_notice(list, notice) != '\0')
        fprintf(stderr, "txtap: %s\n", notice);
}

static enum txtap_status list_once(bool json, size_t *count, struct error *error)
{
    struct usb_list list;
    enum txtap_status status = usb_list_read(&list, error);

    if (status != TXTAP_OK)
        return status;
    print_list(&list, json);
    *count = list.count;
    status = standard_output_flush(error);
    say_notice(&list);
    usb_list_free(&list);
    return status;
}

/* ---- changes ---- */

static bool is_same_probe(const struct usb_probe *one, const struct usb_probe *other)
{
    const struct usb_identity *a = &one->identity, *b = &other->identity;

    return one->bus == other->bus && one->address == other->address && strcmp(one->port, other->port) == 0 &&
           a->vendor == b->vendor && a->product == b->product;
}

static bool is_same_state(const struct usb_probe *one, const struct usb_probe *other)
{
    return one->state == other->state && one->holder.pid == other->holder.pid && one->owner.mode == other->owner.mode &&
           strcmp(one->owner.group, other->owner.group) == 0 &&
           strcmp(one->identity.serial, other->identity.serial) == 0;
}

static const struct usb_probe *find(const struct usb_list *list, const struct usb_probe *probe)
{
    for (size_t i = 0; i < list->count; i++)
        if (is_same_probe(&list->probes[i], probe))
            return &list->probes[i];
    return NULL;
}

/* Writes the first line of --watch. */
static void print_head(void)
{
    char head[TXTAP_JSON_HEAD_BYTES];

    printf("{%s}\n", txtap_json_head(head, TXTAP_SCHEMA_PROBES));
}

static void print_event(const struct usb_probe *probe, const struct usb_list *list, enum probes_event event, bool json)
{
    static char text[PROBES_SHOW_BYTES];

    if (json)
        printf("{\"event\":\"%s\",\"probe\":%s}\n", probes_event_name(event), probes_show_json(probe, list, text));
    else
        printf("%s\n", probes_show_text(probe, list, event, text));
}

/* Shows removed probes first, because a probe that was plugged in again has a new address. */
static void print_changes(const struct usb_list *before, const struct usb_list *now, enum probes_event arrival,
                          bool json)
{
    for (size_t i = 0; i < before->count; i++)
        if (find(now, &before->probes[i]) == NULL)
            print_event(&before->probes[i], before, PROBES_REMOVED, json);
    for (size_t i = 0; i < now->count; i++) {
        const struct usb_probe *was = find(before, &now->probes[i]);

        if (was == NULL)
            print_event(&now->probes[i], now, arrival, json);
        else if (!is_same_state(was, &now->probes[i]))
            print_event(&now->probes[i], now, PROBES_CHANGED, json);
    }
}

static void say_start(const struct usb_list *list, bool is_notified)
{
    say_notice(list);
    if (!is_notified || !list->system.udev)
        fprintf(stderr, "txtap: udev does not run here, so txtap notices changes only when it checks again\n");
    fprintf(stderr, "txtap: watching for probes; Ctrl-C ends it\n");
}

static enum txtap_status watch_until_stopped(struct usb_watch *watch, const struct options *options, bool json,
                                             struct error *error)
{
    struct usb_list before = {.count = 0}, now;
    enum probes_event arrival = PROBES_PRESENT;
    enum txtap_status status = TXTAP_OK;

    if (json)
        print_head();
    while (status == TXTAP_OK && !stop_requested()) {
        status = usb_list_read(&now, error);
        if (status != TXTAP_OK)
            break;
        print_changes(&before, &now, arrival, json);
        status = standard_output_flush(error);
        if (arrival == PROBES_PRESENT && !options->quiet)
            say_start(&now, watch != NULL);
        arrival = PROBES_ADDED;
        usb_list_free(&before);
        before = now;
        if (status == TXTAP_OK && !stop_requested())
            usb_watch_wait(watch, (uint64_t)(options->watch_seconds * 1e6));
    }
    usb_list_free(&before);
    return status;
}

/* Prints the first list, and then changes. Starts to watch before the first list, so that no change is missed. */
static enum txtap_status watch_probes(const struct options *options, bool json, struct error *error)
{
    struct usb_watch *watch = usb_watch_open();
    enum txtap_status status = watch_until_stopped(watch, options, json, error);

    usb_watch_close(watch);
    return status;
}

/* ---- the command ---- */

static int run_command(const struct options *options)
{
    bool json = options->json;
    enum txtap_status status;
    size_t count = 1;
    struct error error;

    if (options->watch)
        status = watch_probes(options, json, &error);
    else
        status = list_once(json, &count, &error);
    if (status < TXTAP_OK) {
        report_error(&error);
        return EXIT_FAILED;
    }
    return count == 0 ? EXIT_NO_SERVER : EXIT_DONE;
}

/* ---- its options ---- */

static const struct argp_option rows[] = {
    {"format", 'f', "FORMAT", 0, "text (default) or json", 0},
    {"watch", KEY_WATCH, "TIME", OPTION_ARG_OPTIONAL,
     "run until Ctrl-C and show every change; also check every TIME (default 1s)", 0},
    {"quiet", 'q', NULL, 0, "only errors on standard error", 0},
    {0},
};

static error_t parse_own(int key, char *text, struct argp_state *state)
{
    static const char *const formats[] = {"text", "json"};
    struct options *options = state->input;

    switch (key) {
    case 'f':
        options->json = option_choice(state, "--format", text, formats, 2) == 1;
        return 0;
    case 'q':
        options->quiet = true;
        return 0;
    case KEY_WATCH:
        options->watch = true;
        options->watch_seconds = WATCH_SECONDS;
        if (text != NULL)
            options->watch_seconds = option_seconds(state, "--watch", text, 0.1, 3600, "from 100ms to 1h");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct command probes_command = {
    .name = "probes",
    .brief = "show the debug probes on USB, and whether they may be used",
    .run = run_command,
    .rows = rows,
    .parser = parse_own,
    .help =
        "Show the debug probes on USB: their model, whether you may open them, which process uses them, and how txtap "
        "reads through them.\vtxtap claims no probe and sends no debug command, so other programs are not disturbed.",
    .only_shows = true,
};
