/* SPDX-License-Identifier: MIT */
/* The key is compared as text, so only the rest of the file needs a parser: figures_parse(). */
#include "command/report/report_cache.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "input/input.h"
#include "base/own_file.h"
#include "base/text_maker.h"
#include "figures/figures_parse.h"
#include "options/command_line.h"
#include "txtap/inner/escape.h"
#include "txtap/version.h"

#define CACHE_BYTES_MAX ((size_t)16 << 20)

/* ---- the key ---- */

static void put_string(FILE *out, const char *text)
{
    char escaped[TXTAP_ESCAPED_JSON_BYTES(1024)];

    fputs(txtap_escape_json(escaped, sizeof escaped, text != NULL ? text : ""), out);
}

/* Puts the options that change figures. */
static void put_options(FILE *out, const struct options *options)
{
    const struct report_options *report = &options->report;

    fprintf(out, ",\"options\":[%.17g,%d,%d,%" PRIu32 ",", options->hz_found ? 0 : options->tick_hz,
            report->any_wait_ends_job, options->has_base, options->has_base ? options->base : 0);
    put_string(out, report->bucket);
    if (options->target.ring.wished.has_address)
        fprintf(out, ",\"address\",%" PRIu32, options->target.ring.wished.address);
    for (uint32_t i = 0; i < report->period_count; i++) {
        fputs(",\"period\",", out);
        put_string(out, report->periods[i].thread);
        fputc(',', out);
        put_string(out, report->period_times[i]);
    }
    for (uint32_t i = 0; i < report->lock_count; i++) {
        fputs(",\"lock\",", out);
        put_string(out, report->locks[i]);
    }
    for (uint32_t i = 0; i < report->between_count; i++)
        fprintf(out, ",%" PRIu32 ",%" PRIu32 ",%" PRIu32, report->between[i].from, report->between[i].to,
                report->between[i].word);
    fputc(']', out);
}

/* Returns the key of the trace as it is now; NULL: not a regular file, or no memory. */
static char *make_key(const char *trace, const struct options *options)
{
    struct text_maker maker;
    struct stat about;
    bool made;

    if (stat(trace, &about) != 0 || !S_ISREG(about.st_mode) || !text_maker_begin(&maker))
        return NULL;
    fprintf(maker.out, "{\"kept\":\"txtap %s %s\",\"trace_bytes\":%jd,\"trace_modified\":[%jd,%ld]", TXTAP_VERSION,
            txtap_revision, (intmax_t)about.st_size, (intmax_t)about.st_mtim.tv_sec, about.st_mtim.tv_nsec);
    put_options(maker.out, options);
    fputc('\0', maker.out);
    made = text_maker_end(&maker);
    return made ? maker.text : NULL;
}

void report_cache_open(struct report_cache *cache, const char *trace, const struct options *options)
{
    const char *slash = strrchr(trace, '/'), *name = slash != NULL ? slash + 1 : trace;
    int folder = (int)(name - trace);
    size_t bytes = strlen(trace) + sizeof "..txtap-report";

    bool is_whole = options->since_us == 0 && options->until_us == 0;

    *cache = (struct report_cache){.key = is_whole && figures_can_parse() ? make_key(trace, options) : NULL};
    cache->path = cache->key != NULL ? malloc(bytes) : NULL;
    if (cache->path != NULL)
        snprintf(cache->path, bytes, "%.*s.%s.txtap-report", folder, trace, name);
}

void report_cache_close(struct report_cache *cache)
{
    free(cache->path);
    free(cache->key);
    *cache = (struct report_cache){.path = NULL};
}

/* ---- reading ---- */

/* Reads the members after the key. */
static bool take_head(const char *text, struct report_reading *reading)
{
    unsigned how, cut;
    struct txtap_rate rate;
    uint64_t begun;

    if (sscanf(text, ",\"kept_rate\":[%u,%lf,%lf,%lf],\"begun\":%" SCNu64 ",\"cut\":%u,", &how, &rate.hz, &rate.low,
               &rate.high, &begun, &cut) != 6)
        return false;
    if (how > TXTAP_RATE_FIRMWARE || !(rate.hz >= 0 && rate.hz <= TXTAP_RATE_HZ_MAX) ||
        !(rate.low >= 0 && rate.low <= rate.high && rate.high <= TXTAP_RATE_HZ_MAX) || (how != 0) != (rate.hz > 0))
        return false;
    rate.how = (enum txtap_rate_how)how;
    reading->rate = rate;
    reading->begun_us = begun;
    reading->cut = cut != 0;
    return true;
}

bool report_cache_read(const struct report_cache *cache, const char *trace, struct report_reading *reading)
{
    size_t length, key = cache->key != NULL ? strlen(cache->key) : 0;
    char *text = cache->path != NULL ? own_file_read(cache->path, CACHE_BYTES_MAX, &length) : NULL;
    struct error unused;
    bool good;

    *reading = (struct report_reading){.cut = false};
    if (text == NULL)
        return false;
    good = strncmp(text, cache->key, key) == 0 && take_head(text + key, reading) &&
           figures_parse(&reading->figures, text, length, trace, &unused) == TXTAP_OK;
    reading->figures.tick_hz = reading->rate.hz; /* the report has fewer digits */
    free(text);
    if (!good)
        report_reading_free(reading);
    return good;
}

/* ---- writing ---- */

/* Returns true if the trace may still be written. */
static bool may_grow(const char *trace, const struct report_reading *reading)
{
    struct stat about;

    return reading->cut && stat(trace, &about) == 0 && about.st_mtim.tv_sec + REPORT_CACHE_REST_S > time(NULL);
}

enum txtap_status report_cache_write(const struct report_cache *cache, const char *trace, const struct options *options,
                                     const struct report_reading *reading, struct error *error)
{
    char *key = cache->path != NULL ? make_key(trace, options) : NULL;
    bool is_same = key != NULL && strcmp(key, cache->key) == 0;
    const struct txtap_rate *rate = &reading->rate;
    struct text_maker maker, report;
    enum txtap_status status = TXTAP_OK;

    free(key);
    if (!is_same || may_grow(trace, reading) || !text_maker_begin(&report))
        return TXTAP_OK;
    figures_show_json(&reading->figures, report.out);
    fputs("}\n", report.out);
    if (!text_maker_end(&report))
        return TXTAP_OK;
    if (text_maker_begin(&maker)) {
        fprintf(maker.out, "%s,\"kept_rate\":[%d,%.17g,%.17g,%.17g],\"begun\":%" PRIu64 ",\"cut\":%d,\n", cache->key,
                (int)rate->how, rate->hz, rate->low, rate->high, reading->begun_us, reading->cut);
        fwrite(report.text + 1, 1, report.length - 1, maker.out); /* without its first brace */
        if (text_maker_end(&maker)) {
            status = own_file_write(cache->path, maker.text, maker.length, error);
            free(maker.text);
        }
    }
    free(report.text);
    return status;
}

enum txtap_status report_read_kept(struct report_kept *kept, const char *path, const struct options *options,
                                   struct report_reading *reading, struct error *error)
{
    struct report_cache cache;
    struct error unkept = {0};
    enum txtap_status status = TXTAP_OK;

    report_cache_open(&cache, path, options);
    if (report_cache_read(&cache, path, reading)) {
        kept->count++;
    } else {
        status = report_read(reading, path, options, 0, error);
        if (status == TXTAP_OK && report_cache_write(&cache, path, options, reading, &unkept) != TXTAP_OK) {
            if (!kept->said && !options->quiet)
                fprintf(stderr, "txtap: figures are not kept: %s\n", unkept.what);
            kept->said = true;
        }
    }
    report_cache_close(&cache);
    return status;
}
