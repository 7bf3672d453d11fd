/* SPDX-License-Identifier: MIT */
/* The tables of a profile as text, and its files for other programs. */
#include "command/profile/profile_show.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figures/text_table.h"
#include "output/gzip.h"
#include "txtap/inner/escape.h"

#define ROWS_MAX   20u /* of a table */
#define CELL_BYTES 256u

/* ---- text ---- */

static void put(struct text_table *table, const char *text)
{
    char shown[TXTAP_ESCAPED_BYTES(CELL_BYTES)];

    text_table_put(table, txtap_escape_terminal(shown, sizeof shown, text));
}

__attribute__((format(printf, 2, 3))) static void put_format(struct text_table *table, const char *format, ...)
{
    char text[CELL_BYTES];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    put(table, text);
}

static void put_share(struct text_table *table, const struct txtap_profile *profile,
                      const struct txtap_profile_row *row)
{
    struct txtap_profile_share share = txtap_profile_share(profile, row);

    put_format(table, "%.1f %%", 100 * share.share);
    put_format(table, "%.1f to %.1f", 100 * share.low, 100 * share.high);
    put_format(table, "%" PRIu64, row->samples);
}

static void put_context(struct text_table *table, const struct txtap_profile *profile, uint32_t context)
{
    char name[TXTAP_PROFILE_NAME_BYTES];

    txtap_profile_context_name(profile, context, name);
    put(table, name);
}

/* The place of a line: "main.c:35", or the address if the line is not known. */
static void put_place(struct text_table *table, const struct txtap_profile_site *site)
{
    const struct txtap_profile_frame *frame = &site->frames[0];
    const char *slash = frame->file != NULL ? strrchr(frame->file, '/') : NULL;

    if (site->context == TXTAP_PROFILE_ASLEEP)
        put(table, "");
    else if (frame->file == NULL || frame->line == 0)
        put_format(table, "0x%08" PRIx32, site->pc);
    else
        put_format(table, "%s:%" PRIu32, slash != NULL ? slash + 1 : frame->file, frame->line);
}

/* The functions into which the innermost function of the site is inlined: "work < sixty". */
static void put_chain(struct text_table *table, const struct txtap_profile_site *site)
{
    char text[CELL_BYTES] = "";

    for (size_t i = 1; i < site->frame_count; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i > 1 ? " < " : "",
                 site->frames[i].function != NULL ? site->frames[i].function : "(unknown)");
    put(table, text);
}

static void put_row(struct text_table *table, const struct txtap_profile *profile, const struct txtap_profile_row *row)
{
    const struct txtap_profile_site *site = &profile->sites[row->site];

    if (row->level == TXTAP_PROFILE_BY_CONTEXT || row->level == TXTAP_PROFILE_BY_FUNCTION_CONTEXT)
        put_context(table, profile, row->context);
    if (row->level != TXTAP_PROFILE_BY_CONTEXT)
        put(table, txtap_profile_function(profile, row));
    if (row->level == TXTAP_PROFILE_BY_LINE) {
        put_place(table, site);
        put_chain(table, site);
    }
    put_share(table, profile, row);
}

#define SHARES                                                                                                         \
    {"share", 0, 0, 0}, {"95 % interval", 0, 1, 0},                                                                    \
    {                                                                                                                  \
        "samples", 0, 2, 0                                                                                             \
    }

static const struct text_column context_columns[] = {{"thread", 16, 0, 16}, SHARES};
static const struct text_column function_columns[] = {{"function", 24, 0, 24}, SHARES};
static const struct text_column both_columns[] = {{"thread", 12, 0, 12}, {"function", 24, 0, 24}, SHARES};
static const struct text_column line_columns[] = {
    {"function", 16, 0, 16}, {"line", 16, 0, 16}, {"inlined into", 12, 3, 0}, SHARES};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const struct {
    const char *title;
    enum txtap_profile_level level;
    const struct text_column *columns;
    size_t column_count;
} tables[] = {
    {"Threads:", TXTAP_PROFILE_BY_CONTEXT, context_columns, COUNT(context_columns)},
    {"Functions:", TXTAP_PROFILE_BY_FUNCTION, function_columns, COUNT(function_columns)},
    {"Functions by thread:", TXTAP_PROFILE_BY_FUNCTION_CONTEXT, both_columns, COUNT(both_columns)},
    {"Lines:", TXTAP_PROFILE_BY_LINE, line_columns, COUNT(line_columns)},
};

static bool put_table(struct txtap_profile *profile, size_t which, unsigned width, FILE *out)
{
    size_t count = txtap_profile_sort(profile, tables[which].level), shown = count < ROWS_MAX ? count : ROWS_MAX;
    struct text_table table;

    fprintf(out, "\n%s\n", tables[which].title);
    text_table_begin(&table, tables[which].columns, tables[which].column_count);
    for (size_t i = 0; i < shown; i++)
        put_row(&table, profile, &profile->rows[profile->order[i].row]);
    if (!text_table_end(&table, width, out))
        return false;
    if (shown < count)
        fprintf(out, "and %zu more\n", count - shown);
    return true;
}

static void put_head(struct txtap_profile *profile, FILE *out)
{
    double all = (double)profile->samples;

    fprintf(out, "%" PRIu64 " samples", profile->samples);
    if (profile->duration_us > 0)
        fprintf(out, " in %.1f s", profile->duration_us / 1e6);
    if (txtap_profile_sort(profile, TXTAP_PROFILE_BY_FUNCTION) > 0)
        fprintf(out, ", worth %.0f independent samples of the most frequent function",
                txtap_profile_share(profile, &profile->rows[profile->order[0].row]).effective);
    fputc('\n', out);
    if (profile->unclear > 0)
        fprintf(out, "in %.1f %% of the samples the thread changed during the read, or is not known\n",
                100 * (double)profile->unclear / all);
    if (profile->dropped > 0)
        fprintf(out, "%" PRIu64 " samples are not shown: they are at too many different addresses\n", profile->dropped);
}

/* Writes all tables into memory first, because a table needs a FILE. */
static enum txtap_status put_text(struct txtap_profile *profile, struct txtap_writer writer, unsigned width)
{
    enum txtap_status status = TXTAP_ERROR_SYSTEM;
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    bool good = out != NULL;

    if (out == NULL)
        return status;
    put_head(profile, out);
    for (size_t i = 0; i < COUNT(tables) && good && profile->samples > 0; i++)
        good = put_table(profile, i, width, out);
    good = fclose(out) == 0 && good;
    if (good)
        status = writer.write(writer.self, text, length);
    free(text);
    return status;
}

/* ---- the output ---- */

enum txtap_status profile_open_output(struct output *output, const struct options *options, struct error *error)
{
    enum txtap_status status = output_open(output, options->output, options->force, error);

    if (status == TXTAP_OK && options->profile.format == PROFILE_PPROF && output_is_terminal(output)) {
        (void)output_close(output);
        return failure(error, TXTAP_ERROR_USAGE, "refusing to write pprof's format to a terminal\ngive -o FILE");
    }
    return status;
}

/* pprof's files are compressed by convention; without zlib they are not, which pprof reads, too. */
static enum txtap_status put_pprof(struct txtap_profile *profile, struct output *output)
{
    struct gzip *gzip;
    enum txtap_status status;

    if (gzip_open(&gzip, output, NULL) != TXTAP_OK)
        return txtap_profile_pprof(profile, output_writer(output));
    status = txtap_profile_pprof(profile, gzip_writer(gzip));
    if (status == TXTAP_OK)
        status = gzip_end(gzip);
    gzip_free(gzip);
    return status;
}

static enum txtap_status put_profile(struct txtap_profile *profile, struct output *output, enum profile_format format)
{
    switch (format) {
    case PROFILE_FOLDED:
        return txtap_profile_folded(profile, output_writer(output));
    case PROFILE_JSON:
        return txtap_profile_json(profile, output_writer(output));
    case PROFILE_PPROF:
        return put_pprof(profile, output);
    default:
        return put_text(profile, output_writer(output), output_columns(output));
    }
}

enum txtap_status profile_show(struct txtap_profile *profile, struct output *output, const struct options *options,
                               enum txtap_status earlier, struct error *error)
{
    enum txtap_status status = earlier, closed;

    if (status >= TXTAP_OK)
        status = put_profile(profile, output, options->profile.format);
    closed = output_close(output);
    status = status == TXTAP_OK ? closed : status;
    if (status < TXTAP_OK)
        output_discard(output);
    if (status < TXTAP_OK && !error_is_set(error))
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: the profile could not be written", output->name);
    return status;
}
