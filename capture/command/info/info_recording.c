/* SPDX-License-Identifier: MIT */
/* txtap info of a recording: the rate of its time stamps, its firmware, its definitions. */
#include <stdio.h>
#include <string.h>

#include "base/files.h"
#include "input/input.h"
#include "base/text_maker.h"
#include "command/info/info.h"
#include "file/definitions_file.h"
#include "file/identity.h"
#include "output/report.h"
#include "stream/stream_stats.h"
#include "txtap/inner/escape.h"
#include "txtap/inner/rate.h"

#define ABOUT_VALUE_BYTES 320

bool info_is_recording(const char *path)
{
    struct input input;
    struct error unused = {0};
    bool is_recording;

    if (path == NULL || input_open(&input, &path, 1, &unused) != TXTAP_OK)
        return false; /* the file is opened again, and then the failure is reported */
    is_recording = txtap_recording_signature(input.head, input.head_bytes);
    input_close(&input);
    return is_recording;
}

static void print_about(const struct identity *identity)
{
    static const struct {
        const char *key, *row;
    } rows[] = {{"firmware", "firmware"}, {"build-id", "build id"}, {"symbols", "symbols"}, {"txtap", "version"}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[ABOUT_VALUE_BYTES], shown[TXTAP_ESCAPED_BYTES(ABOUT_VALUE_BYTES)];
        size_t length = 0;
        const char *value =
            identity->about != NULL ? txtap_recording_about(identity->about, rows[i].key, &length) : NULL;

        if (value == NULL)
            continue;
        snprintf(text, sizeof text, "%.*s", (int)(length < sizeof text ? length : sizeof text - 1), value);
        text_row(rows[i].row, "%s", txtap_escape_terminal(shown, sizeof shown, text));
    }
}

static void print_rate(const struct txtap_rate *rate)
{
    char text[TXTAP_RATE_TEXT_BYTES], measured[TXTAP_RATE_TEXT_BYTES];

    if (rate->how == TXTAP_RATE_UNKNOWN) {
        text_row("ticks", "%s", "rate not known: give --hz to other commands");
        return;
    }
    txtap_rate_text(text, rate);
    text_row("ticks", "%s", text);
    if (rate->low <= 0 || rate->how == TXTAP_RATE_MEASURED)
        return;
    txtap_rate_bounds_text(measured, rate->low, rate->high);
    text_row("ticks", "%s, measured", measured);
}

static void print_definitions(const struct txtap_definitions *definitions)
{
    size_t interrupts = definitions->interrupt_count;

    for (size_t i = 0; i < TXTAP_DEFINITION_VECTORS_MAX; i++)
        interrupts += definitions->vectors[i] != NULL;
    if (definitions->event_count > 0)
        text_row("events", "%zu defined", definitions->event_count);
    if (interrupts > 0)
        text_row("interrupts", "%zu handler%s with a name", interrupts, interrupts == 1 ? "" : "s");
}

static void print_stacks(const char *lines)
{
    size_t count = 0;

    for (const char *at = lines; at != NULL && (at = strchr(at, '\n')) != NULL; at++)
        count++;
    if (count > 0)
        text_row("stacks", "deepest use of %zu, according to the kernel", count);
}

enum txtap_status info_recording(const char *path, struct error *error)
{
    struct identity identity = {.about = NULL};
    struct txtap_definitions *definitions;
    char shown[512];
    enum txtap_status status;

    identity_scan(&identity, &path, 1);
    status = definitions_load(&definitions, NULL, &identity, NULL, 0, false, error);
    if (status == TXTAP_OK) {
        text_row("recording", "%s", printable(shown, sizeof shown, path, strlen(path)));
        print_about(&identity);
        print_rate(&identity.rate);
        if (definitions != NULL)
            print_definitions(definitions);
        print_stacks(identity.stacks);
        status = standard_output_flush(error);
    }
    definitions_free(definitions);
    identity_free(&identity);
    return status;
}
