/* SPDX-License-Identifier: MIT */
/* txtap info: shows the ring, its objects and its event rate, and whether the probe can read fast enough. */
#include "command/info/info.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attach/attach.h"
#include "base/files.h"
#include "base/runtime.h"
#include "base/text_maker.h"
#include "command/commands.h"
#include "command/info/info_folder.h"
#include "command/info/info_kernel.h"
#include "command/info/info_variables.h"
#include "command/run_loop.h"
#include "file/wall_range.h"
#include "locate/switch_on.h"
#include "nats/place.h"
#include "output/report.h"
#include "store/board.h"
#include "stream/poller_unseen.h"
#include "stream/stream_stats.h"
#include "txtap/inner/escape.h"
#include "txtap/inner/rate.h"
#include "txtap/inner/registry.h"

/* ---- objects ---- */

#define DETAIL_BYTES   64
#define NAME_WIDTH_MIN 8
#define NAME_WIDTH_MAX 40
#define HAS_PRIORITY   0x80u /* flag in a thread's reserved1; the bits below it are the upper bits of the priority */

static void describe_thread(char detail[static DETAIL_BYTES], const struct txtap_object *object)
{
    int length = snprintf(detail, DETAIL_BYTES, "stack 0x%08" PRIx32 ", %" PRIu32 " bytes", object->parameter[0],
                          object->parameter[1]);

    if (object->reserved[0] & HAS_PRIORITY)
        snprintf(detail + length, DETAIL_BYTES - (size_t)length, ", priority %u",
                 (object->reserved[0] & ~HAS_PRIORITY) << 8 | object->reserved[1]);
}

static void describe_timer(char detail[static DETAIL_BYTES], const struct txtap_object *object)
{
    int length = snprintf(detail, DETAIL_BYTES, "after %" PRIu32 " ticks", object->parameter[0]);

    if (object->parameter[1] != 0)
        snprintf(detail + length, DETAIL_BYTES - (size_t)length, ", then every %" PRIu32, object->parameter[1]);
}

/* Describes the parameters of an object. Their meaning depends on the object's type: see the create services of
 * ThreadX, common/src/tx_*_create.c. */
static void describe(char detail[static DETAIL_BYTES], const struct txtap_object *object)
{
    const uint32_t *parameter = object->parameter;

    switch (object->type) {
    case TXTAP_OBJECT_THREAD:
        describe_thread(detail, object);
        break;
    case TXTAP_OBJECT_TIMER:
        describe_timer(detail, object);
        break;
    case TXTAP_OBJECT_QUEUE:
        snprintf(detail, DETAIL_BYTES, "%" PRIu32 " bytes, messages of %" PRIu32 " %s", parameter[0], parameter[1],
                 parameter[1] == 1 ? "word" : "words");
        break;
    case TXTAP_OBJECT_SEMAPHORE:
        snprintf(detail, DETAIL_BYTES, "created with a count of %" PRIu32, parameter[0]);
        break;
    case TXTAP_OBJECT_MUTEX:
        snprintf(detail, DETAIL_BYTES, "%s", parameter[0] ? "inherits priorities" : "");
        break;
    case TXTAP_OBJECT_BLOCK_POOL:
        snprintf(detail, DETAIL_BYTES, "%" PRIu32 " bytes, blocks of %" PRIu32, parameter[0], parameter[1]);
        break;
    case TXTAP_OBJECT_BYTE_POOL:
        snprintf(detail, DETAIL_BYTES, "%" PRIu32 " bytes", parameter[0]);
        break;
    default:
        detail[0] = '\0';
        if (parameter[0] != 0 || parameter[1] != 0)
            snprintf(detail, DETAIL_BYTES, "parameters %" PRIu32 ", %" PRIu32, parameter[0], parameter[1]);
    }
}

static size_t name_width(const struct info_objects *list)
{
    char name[TXTAP_ESCAPED_BYTES(TXTAP_OBJECT_NAME_BYTES)];
    size_t width = NAME_WIDTH_MIN;

    for (size_t i = 0; i < list->count; i++) {
        size_t length = strlen(txtap_escape_terminal(name, sizeof name, list->objects[i].name));

        if (length > width)
            width = length;
    }
    return width < NAME_WIDTH_MAX ? width : NAME_WIDTH_MAX;
}

static void print_object(const struct txtap_object *object, size_t width)
{
    char name[TXTAP_ESCAPED_BYTES(TXTAP_OBJECT_NAME_BYTES)], number[16], detail[DETAIL_BYTES];
    const char *type = txtap_object_type_name(object->type);

    snprintf(number, sizeof number, "type %u", object->type);
    describe(detail, object);
    txtap_escape_terminal(name, sizeof name, object->name);
    if (object->live && *detail == '\0')
        printf("  %-12s 0x%08" PRIx32 "  %s\n", type ? type : number, object->pointer, name);
    else
        printf("  %-12s 0x%08" PRIx32 "  %-*s  %s%s%s\n", type ? type : number, object->pointer, (int)width, name,
               object->live ? "" : "deleted", object->live || *detail == '\0' ? "" : ", ", detail);
}

/* Orders objects by address. If two objects have the same address, the object that still exists comes first. */
static int by_address(const void *left, const void *right)
{
    const struct txtap_object *a = left, *b = right;

    if (a->pointer != b->pointer)
        return a->pointer < b->pointer ? -1 : 1;
    return b->live - a->live;
}

bool info_objects_list(struct info_objects *list, const struct txtap_header *header, const uint8_t *registry,
                       size_t length)
{
    size_t step = txtap_header_object_bytes(header), slots = length / step;

    *list = (struct info_objects){.objects = calloc(slots + 1, sizeof *list->objects)};
    if (list->objects == NULL)
        return false;
    for (size_t i = 0; i < slots; i++)
        list->count += txtap_registry_slot(header, registry + i * step, &list->objects[list->count]);
    qsort(list->objects, list->count, sizeof *list->objects, by_address);
    return true;
}

void info_objects_free(struct info_objects *list)
{
    free(list->objects);
    list->objects = NULL;
}

/* Prints the objects with the parameters that they were created with. Prints nothing if there are no objects. */
static void info_objects_print(const struct info_objects *list)
{
    size_t width = name_width(list);

    if (list->count > 0)
        printf("\n  %-12s %-10s  %-*s  %s\n", "TYPE", "ADDRESS", (int)width, "NAME", "CREATED WITH");
    for (size_t i = 0; i < list->count; i++)
        print_object(&list->objects[i], width);
}

#define MEASURE_SECONDS 1.0
#define SETTLE_SECONDS  0.1
#define NUMBER_BYTES    24

/* The measured figures. Negative: unknown. */
struct figures {
    double event_rate, byte_rate; /* events and bytes that the target writes per second */
    double ring_seconds;
    double probe_bytes, probe_events; /* bytes and events that the probe can read per second */
    double headroom;
    double event_rate_estimate, headroom_estimate; /* computed from the time stamps of the events */
    double objects;
    bool exact; /* false: the target may write faster than event_rate and byte_rate */
    enum txtap_ring_laps laps;
};

/* ---- measuring ---- */

static enum txtap_status poll_for(struct poller *poller, double seconds, struct error *error)
{
    uint64_t begin = now_us();
    enum txtap_status status = TXTAP_OK;

    while (status == TXTAP_OK && !stop_requested() && (double)(now_us() - begin) / 1e6 < seconds) {
        status = poller_step(poller, error);
        if (status == TXTAP_OK)
            sleep_us(poller_delay_us(poller));
    }
    return status;
}

/* Measures how fast the target writes. The measurement lasts from the end of one exchange to the end of a later
 * exchange. Entries written before it do not count. */
static enum txtap_status measure_rate(struct poller *poller, double seconds, struct figures *figures,
                                      struct error *error)
{
    enum txtap_status status = poll_for(poller, SETTLE_SECONDS, error);
    uint64_t begin = poller->polled_us, head = poller_head(poller), events = poller->stats.events + poller->stats.lost;
    double took;

    if (status == TXTAP_OK)
        status = poll_for(poller, seconds, error);
    took = (double)(poller->polled_us - begin + 1) / 1e6;
    head = poller_head(poller) - head;
    events = poller->stats.events + poller->stats.lost - events;
    figures->byte_rate = (double)head * poller->reader->unit_bytes / took;
    figures->event_rate = (double)(poller->reader->unit_is_event ? head : events) / took;
    return status == TXTAP_OK ? poller_judge_unseen(poller, error) : status;
}

/* ---- figures ---- */

/* Computes the other figures from the measured figures. */
static void conclude(const struct ring_kind *ring, const struct poller *poller, struct figures *figures)
{
    const struct reader_state *state = poller_state(poller);
    bool moving = figures->byte_rate > 0;

    figures->exact = poller->stats.lost_exact && !state->doubtful;
    figures->laps = state->laps;
    if (moving)
        figures->ring_seconds = (double)state->bytes / figures->byte_rate;
    if (ring->bytes) { /* info does not parse the records, and this ring overwrites nothing */
        figures->event_rate = -1;
        return;
    }
    if (moving)
        figures->headroom = figures->probe_bytes / figures->byte_rate;
    if (stream_stats_estimate(&poller->stats, figures->event_rate) > 0 && !figures->exact)
        figures->event_rate_estimate = stream_stats_estimate(&poller->stats, figures->event_rate);
    if (poller->reader->unit_is_event && figures->probe_bytes > 0)
        figures->probe_events = figures->probe_bytes / poller->reader->unit_bytes;
    else if (moving && figures->event_rate > 0)
        figures->probe_events = figures->headroom * figures->event_rate;
    if (figures->event_rate_estimate > 0 && figures->probe_events > 0)
        figures->headroom_estimate = figures->probe_events / figures->event_rate_estimate;
}

static enum txtap_status measure(const struct options *options, const struct attachment *attachment,
                                 struct poller *poller, struct figures *figures, struct error *error)
{
    double seconds = options->seconds > 0 ? options->seconds : MEASURE_SECONDS;
    enum txtap_status status = TXTAP_OK;

    if (attachment->live)
        status = measure_rate(poller, seconds, figures, error);
    if (status == TXTAP_OK && attachment->live)
        status = attachment->ring->measure(poller, &figures->probe_bytes, error);
    conclude(attachment->ring, poller, figures);
    return status;
}

/* ---- lines ---- */

static void print_silence(struct attachment *attachment)
{
    const char *cause = attach_silence(attachment);

    if (cause)
        printf("silence    %s\n", cause);
}

/* Prints how much faster the probe reads than the target writes. Bursts may still lose events, because the rates are
 * averages. */
static void print_headroom(const struct ring_kind *ring, const struct poller *poller, const struct figures *figures)
{
    const struct stream_stats *stats = &poller->stats;
    char text[TEXT_ROW_BYTES / 2] = "", estimate[48] = "";

    if (figures->headroom_estimate > 0)
        snprintf(estimate, sizeof estimate, ", about %.2g by time stamps", figures->headroom_estimate);
    if (figures->headroom < 1 || (figures->headroom_estimate > 0 && figures->headroom_estimate < 1))
        snprintf(text, sizeof text, ": TOO SLOW, events will be lost; %s or use a faster probe", ring->advice);
    else if (stats->lost > 0)
        snprintf(text, sizeof text,
                 ", but %s%" PRIu64 " events were lost during the measurement; enlarge the trace buffer%s %s%s",
                 stats->lost_exact ? "" : "at least ", stats->lost, ring->laps ? "," : " or", ring->advice,
                 ring->laps ? " or use a faster probe" : ""); /* other rings drop events when full, with any probe */
    text_row("headroom", "%s%.1f times the event rate%s%s", figures->exact ? "" : "at most ", figures->headroom,
             estimate, text);
}

/* Chooses the rate from --hz, the firmware's SystemCoreClock and the measurement, and says how it was found. */
static void print_chosen_rate(struct stream_stats *stats, const struct options *options,
                              const struct attachment *attachment)
{
    const double clock = options->tick_hz > 0 ? 0 : attach_core_clock(attachment);
    char text[TXTAP_RATE_TEXT_BYTES];

    stats->rate = tick_rate_choose(options->tick_hz, clock, stats->tick_hz_low, stats->tick_hz_high);
    if (stats->rate.how == TXTAP_RATE_GIVEN || stats->rate.how == TXTAP_RATE_FIRMWARE)
        printf("ticks      %s\n", txtap_rate_text(text, &stats->rate));
    else if (stats->rate.how == TXTAP_RATE_MEASURED && clock > 0)
        printf("ticks      the firmware's SystemCoreClock, %g Hz, does not agree\n", clock);
}

static void print_ticks(struct stream_stats *stats, const struct txtap_event_maker *maker)
{
    unsigned notices = txtap_clock_notices(&maker->clock);
    char rate[TXTAP_RATE_TEXT_BYTES];

    if (tick_rate_get(maker, &stats->tick_hz_low, &stats->tick_hz_high)) {
        txtap_rate_bounds_text(rate, stats->tick_hz_low, stats->tick_hz_high);
        printf("ticks      %s by this host's clock\n", rate);
    }
    if (maker->host_time.stops)
        printf("ticks      rate not measured: the target is stopped while txtap reads it\n");
    for (unsigned bit = 1; bit <= notices; bit <<= 1)
        if (notices & bit)
            text_row("ticks", "%s", txtap_clock_notice_text(bit));
}

static void print_rate(const struct ring_kind *ring, const struct figures *figures)
{
    if (figures->event_rate < 0)
        printf("rate       %.0f bytes per second\n", figures->byte_rate);
    else
        printf("rate       %.0f events per second%s\n", figures->event_rate, figures->exact ? "" : " at least");
    if (figures->event_rate_estimate > 0)
        printf("rate       about %.0f events per second by the time stamps of the events read\n",
               round_about(figures->event_rate_estimate));
    if (!ring->laps)
        return;
    if (figures->ring_seconds >= 0)
        printf("lap        the ring is overwritten every %.3f s%s\n", figures->ring_seconds,
               figures->exact ? "" : " at most");
    else
        printf("lap        no event was written during the measurement\n");
}

static void print_speed(struct attachment *attachment, const struct poller *poller, const struct figures *figures)
{
    print_rate(attachment->ring, figures);
    if (figures->byte_rate <= 0)
        print_silence(attachment);
    printf("probe      %.0f kB/s", figures->probe_bytes / 1e3);
    if (figures->probe_events >= 0)
        printf(", enough for about %.0f events per second", figures->probe_events);
    putchar('\n');
    if (figures->headroom >= 0)
        print_headroom(attachment->ring, poller, figures);
}

/* ---- as JSON ---- */

static const char *number(char text[static NUMBER_BYTES], double value)
{
    if (value < 0)
        return "null";
    snprintf(text, NUMBER_BYTES, "%.6g", value);
    return text;
}

/* Writes the members of --stats-json that only info has. */
static void put_json(char text[static REPORT_MORE_BYTES], const struct figures *figures)
{
    static const char *const laps[] = {
        [TXTAP_LAPS_UNKNOWN] = "null", [TXTAP_LAPS_NONE] = "false", [TXTAP_LAPS_COUNTED] = "true"};
    char numbers[8][NUMBER_BYTES];
    const char *exact = figures->exact ? "true" : "false";

    if (figures->event_rate < 0)
        exact = "null";
    snprintf(text, REPORT_MORE_BYTES,
             ",\"event_rate\":%s,\"event_rate_exact\":%s,\"probe_bytes_per_second\":%s,\"probe_events_per_second\":%s"
             ",\"ring_seconds\":%s,\"headroom\":%s,\"objects\":%s,\"laps_counted\":%s,\"byte_rate\":%s"
             ",\"headroom_estimate\":%s",
             number(numbers[0], figures->event_rate), exact, number(numbers[1], figures->probe_bytes),
             number(numbers[2], figures->probe_events), number(numbers[3], figures->ring_seconds),
             number(numbers[4], figures->headroom), number(numbers[5], figures->objects), laps[figures->laps],
             number(numbers[6], figures->byte_rate), number(numbers[7], figures->headroom_estimate));
}

/* ---- the command ---- */

/* Reads the whole registry, because the measurement has only learned names. Rings other than ThreadX's have no
 * registry, but only names of threads. */
static enum txtap_status list_objects(struct poller *poller, struct info_objects *objects, struct figures *figures,
                                      struct error *error)
{
    enum txtap_status status = poller_end_registry(poller, error);
    const uint8_t *bytes;
    uint32_t length;

    if (status != TXTAP_OK)
        return status;
    bytes = poller_objects(poller, &length);
    if (!info_objects_list(objects, &poller->header, bytes, length))
        return failure(error, TXTAP_ERROR_SYSTEM, "out of memory for the objects");
    if (length > 0)
        figures->objects = (double)objects->count;
    return TXTAP_OK;
}

static enum txtap_status show(const struct options *options, struct attachment *attachment, struct poller *poller,
                              struct info_objects *objects, struct figures *figures, struct error *error)
{
    const struct poller_place place = attach_place(attachment);
    enum txtap_status status = measure(options, attachment, poller, figures, error);

    if (status == TXTAP_OK)
        status = list_objects(poller, objects, figures, error);
    if (status != TXTAP_OK)
        return status;
    attachment->probe.kind->print(attachment->probe.self, &options->target.probe);
    status = attachment->ring->describe(poller, &place, attachment->elf, options->verbose, error);
    if (status != TXTAP_OK)
        return status;
    if (figures->objects >= 0) /* the ring is ThreadX's */
        info_kernel_print(attachment, objects, txtap_header_registry_entries(&poller->header));
    if (attachment->live) {
        print_ticks(&poller->stats, &poller->maker);
        print_chosen_rate(&poller->stats, options, attachment);
        print_speed(attachment, poller, figures);
    }
    info_variables_print(attachment->guests);
    info_objects_print(objects);
    return standard_output_flush(error);
}

static int run(const struct options *options, struct attachment *attachment, struct error *error)
{
    static struct poller poller;
    const struct poller_place place = attach_place(attachment);
    const struct poller_settings settings = {.from = attachment->live ? TXTAP_RING_FROM_NOW : TXTAP_RING_AT_REST,
                                             .now_us = now_us,
                                             .guests = attachment->live ? attachment->guests : NULL,
                                             .stops = options->target.probe.gdb.intrusive};
    struct figures figures = {-1, -1, -1, -1, -1, -1, -1, -1, -1, false, TXTAP_LAPS_UNKNOWN};
    struct info_objects objects = {.objects = NULL};
    char more[REPORT_MORE_BYTES];
    uint64_t begin = now_us();
    enum txtap_status status;

    status = poller_init(&poller, &place, &settings, (struct txtap_sink){.take = NULL}, error);
    if (status != TXTAP_OK)
        return EXIT_FAILED;
    status = show(options, attachment, &poller, &objects, &figures, error);
    info_objects_free(&objects);
    attach_account(attachment, &poller.stats);
    put_json(more, &figures);
    if (!report_stats_json(options->stats_json, options->command->name, &poller.stats, (double)(now_us() - begin) / 1e6,
                           more))
        status = TXTAP_ERROR_SYSTEM;
    poller_free(&poller);
    return status >= TXTAP_OK ? EXIT_DONE : EXIT_FAILED;
}

/* ---- firmware without a trace ---- */

/* Returns true if the firmware has ThreadX without a trace, and the user expects ThreadX's own trace. found: status of
 * the attempt to attach. Without a target, the ELF file alone may show that there is no trace. */
static bool lacks_trace(const struct ring_config *ring, const struct switch_on *firmware, enum txtap_status found)
{
    if (ring->kind->name != NULL || ring->wished.symbol != NULL || ring->wished.has_address || ring->wished.scan)
        return false;
    return firmware->state == SWITCH_ON_NOT_BUILT || firmware->state == SWITCH_ON_NOT_LINKED ||
           (firmware->state == SWITCH_ON_LINKED && found == ERROR_NOT_ENABLED);
}

/* Says how to switch the trace on, if the firmware could have one. */
static void unopened(const struct options *options, const struct error *cause)
{
    struct error unused = {0};
    struct switch_on firmware;
    struct elf_file *elf;

    if (options->target.elf == NULL || elf_open(&elf, options->target.elf, &unused) != TXTAP_OK)
        return;
    firmware = switch_on_look(elf);
    if (lacks_trace(&options->target.ring, &firmware, cause->status)) {
        switch_on_print(&firmware, options->target.elf, stdout);
        (void)standard_output_flush(&unused);
    }
    elf_close(elf);
}

static int run_command(const struct options *options)
{
    struct error error = {0};
    enum txtap_status status;

    if (options->target.elf != NULL && (board_is(options->target.elf) || nats_is_place(options->target.elf)))
        return info_folder(options);
    status = options->json ? failure(&error, TXTAP_ERROR_USAGE,
                                     "--format works only with a folder of recordings\nuse --stats-json for a target")
                           : wall_range_refuse(options->since_us, options->until_us,
                                               options->target.elf != NULL ? options->target.elf : "target", &error);
    if (status == TXTAP_OK && !info_is_recording(options->target.elf))
        return run_attached(options, options->target.elf, run);
    if (status == TXTAP_OK)
        status = info_recording(options->target.elf, &error);
    if (status < TXTAP_OK)
        report_error(&error);
    return status_exit_code(status);
}

/* ---- its options ---- */

static const struct argp_option rows[] = {
    {"seconds", KEY_SECONDS, "TIME", 0, "how long to measure the event rate (default 1s)", 0},
    {"watch", KEY_VARIABLES, "LIST", 0, "also show where these variables are, and how often they can be read", 0},
    {"verbose", 'v', NULL, 0, "also show how the recorder counts laps", 0},
    {"format", 'f', "FORMAT", 0, "of a folder: text (default) or json", 0},
    OPTIONS_WALL_ROWS,
    {0},
};

static error_t parse_own(int key, char *text, struct argp_state *state)
{
    static const char *const formats[] = {"text", "json"};
    struct options *options = state->input;

    if (key != 'f')
        return options_parse_elf(key, text, state);
    options->json = option_choice(state, "--format", text, formats, 2) == 1;
    return 0;
}

const struct command info_command = {
    .name = "info",
    .brief = "show the trace buffer: header, objects, event rate, headroom",
    .run = run_command,
    .unopened = unopened,
    .rows = rows,
    .parser = parse_own,
    .operands = "[ELF | RECORDING | FOLDER]",
    .common = "seconds probe wait",
    .help = "Show the trace buffer: header, objects, event rate, and whether the probe is fast enough.\v"
            "RECORDING is a file of txtap record: its firmware, the rate of its time stamps, and its definitions are "
            "shown. FOLDER has the recordings of a board, or folders of boards: a row for each file is shown. It may "
            "also be "
            "nats://HOST/SUBJECT or 'nats://HOST/lab.>': a row for each recording is shown.",
    .groups = target_groups,
    .only_shows = true,
};
