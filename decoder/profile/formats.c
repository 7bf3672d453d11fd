/* SPDX-License-Identifier: MIT */
/* Writes a profile as folded stacks and as JSON. */
#include "txtap/inner/profile.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "txtap/inner/escape.h"
#include "txtap/inner/json_head.h"

#define NAME_BYTES  256u /* of a function or a file; longer names are cut */
#define PIECE_BYTES 512u

/* The first status of the writer that is not TXTAP_OK ends the output. */
struct out {
    struct txtap_writer writer;
    enum txtap_status status;
};

static void put(struct out *out, const char *text)
{
    if (out->status == TXTAP_OK)
        out->status = out->writer.write(out->writer.self, text, strlen(text));
}

__attribute__((format(printf, 2, 3))) static void print(struct out *out, const char *format, ...)
{
    char piece[PIECE_BYTES];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    put(out, piece);
}

/* ---- folded stacks ---- */

/* Writes a name without semicolons, which separate names. */
static void put_folded(struct out *out, const char *name)
{
    char text[TXTAP_ESCAPED_BYTES(NAME_BYTES)];

    txtap_escape_terminal(text, sizeof text, name);
    for (char *at = text; *at != '\0'; at++)
        if (*at == ';')
            *at = ':';
    put(out, text);
}

static const char *frame_name(const struct txtap_profile_frame *frame)
{
    return frame->function != NULL ? frame->function : "(unknown)";
}

enum txtap_status txtap_profile_folded(struct txtap_profile *profile, struct txtap_writer writer)
{
    struct out out = {writer, TXTAP_OK};
    size_t count = txtap_profile_sort(profile, TXTAP_PROFILE_BY_STACK);

    for (size_t i = 0; i < count; i++) {
        const struct txtap_profile_row *row = &profile->rows[profile->order[i].row];
        const struct txtap_profile_site *site = &profile->sites[row->site];
        char name[TXTAP_PROFILE_NAME_BYTES];

        txtap_profile_context_name(profile, row->context, name);
        put_folded(&out, name);
        for (size_t frame = row->context != TXTAP_PROFILE_ASLEEP ? site->frame_count : 0; frame > 0; frame--) {
            put(&out, ";");
            put_folded(&out, frame_name(&site->frames[frame - 1]));
        }
        print(&out, " %" PRIu64 "\n", row->samples);
    }
    return out.status;
}

/* ---- JSON ---- */

static void put_string(struct out *out, const char *string)
{
    char text[TXTAP_ESCAPED_JSON_BYTES(NAME_BYTES)], cut[NAME_BYTES];

    if (string == NULL) {
        put(out, "null");
        return;
    }
    snprintf(cut, sizeof cut, "%s", string);
    put(out, txtap_escape_json(text, sizeof text, cut));
}

static void put_context(struct out *out, const struct txtap_profile *profile, uint32_t context)
{
    char name[TXTAP_PROFILE_NAME_BYTES];

    put(out, txtap_profile_is_interrupt(context) ? "\"interrupt\":" : "\"thread\":");
    if (context == TXTAP_PROFILE_UNKNOWN) {
        put(out, "null,");
        return;
    }
    txtap_profile_context_name(profile, context, name);
    put_string(out, name);
    put(out, ",");
    if (txtap_profile_is_thread(context))
        print(out, "\"address\":%" PRIu32 ",", context);
}

static void put_keys(struct out *out, const struct txtap_profile *profile, const struct txtap_profile_row *row)
{
    const struct txtap_profile_site *site = &profile->sites[row->site];
    const struct txtap_profile_frame *function = &site->frames[site->frame_count - 1];

    if (row->level == TXTAP_PROFILE_BY_CONTEXT || row->level == TXTAP_PROFILE_BY_FUNCTION_CONTEXT)
        put_context(out, profile, row->context);
    if (row->level == TXTAP_PROFILE_BY_FUNCTION || row->level == TXTAP_PROFILE_BY_FUNCTION_CONTEXT) {
        put(out, "\"function\":");
        put_string(out, txtap_profile_function(profile, row));
        put(out, ",\"file\":");
        put_string(out, function->file);
        put(out, ",");
    } else if (row->level == TXTAP_PROFILE_BY_LINE) {
        put(out, "\"function\":");
        put_string(out, txtap_profile_function(profile, row));
        put(out, ",\"file\":");
        put_string(out, site->frames[0].file);
        print(out, ",\"line\":%" PRIu32 ",", site->frames[0].line);
    }
    if (row->level == TXTAP_PROFILE_BY_LINE || row->level == TXTAP_PROFILE_BY_INLINED) {
        put(out, "\"functions\":[");
        for (size_t i = 0; i < site->frame_count && site->context != TXTAP_PROFILE_ASLEEP; i++) {
            put(out, i > 0 ? "," : "");
            put_string(out, frame_name(&site->frames[i]));
        }
        put(out, "],");
    }
}

static void put_rows(struct out *out, struct txtap_profile *profile, const char *key, enum txtap_profile_level level)
{
    size_t count = txtap_profile_sort(profile, level);

    print(out, ",\"%s\":[", key);
    for (size_t i = 0; i < count && out->status == TXTAP_OK; i++) {
        const struct txtap_profile_row *row = &profile->rows[profile->order[i].row];
        struct txtap_profile_share share = txtap_profile_share(profile, row);

        put(out, i > 0 ? ",{" : "{");
        put_keys(out, profile, row);
        print(out, "\"samples\":%" PRIu64 ",\"percent\":%.3f,\"low\":%.3f,\"high\":%.3f,\"effective\":%.0f}",
              row->samples, 100 * share.share, 100 * share.low, 100 * share.high, share.effective);
    }
    put(out, "]");
}

enum txtap_status txtap_profile_json(struct txtap_profile *profile, struct txtap_writer writer)
{
    struct out out = {writer, TXTAP_OK};
    char head[TXTAP_JSON_HEAD_BYTES];

    print(&out,
          "{%s,\"samples\":%" PRIu64 ",\"asleep\":%" PRIu64 ",\"unknown_thread\":%" PRIu64 ",\"dropped\":%" PRIu64
          ",\"duration_us\":%.0f,\"confidence_percent\":95",
          txtap_json_head(head, TXTAP_SCHEMA_PROFILE), profile->samples, profile->asleep, profile->unclear,
          profile->dropped, profile->duration_us);
    put_rows(&out, profile, "threads", TXTAP_PROFILE_BY_CONTEXT);
    put_rows(&out, profile, "functions", TXTAP_PROFILE_BY_FUNCTION);
    put_rows(&out, profile, "functions_by_thread", TXTAP_PROFILE_BY_FUNCTION_CONTEXT);
    put_rows(&out, profile, "lines", TXTAP_PROFILE_BY_LINE);
    put_rows(&out, profile, "inlined", TXTAP_PROFILE_BY_INLINED);
    put(&out, "}\n");
    return out.status;
}
