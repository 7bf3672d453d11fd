/* SPDX-License-Identifier: MIT */
/*
 * Measures how fast events are decoded. The benchmark generates events ring by ring into a buffer of one ring, and
 * gives each ring to the decoder and its formats, on one core. It measures the time of generating separately:
 * events/s and ns/event do not include it.
 *   bench_decode [EVENTS [MODE...]]            text goes to a sink that only counts; with a + after MODE to /dev/null
 *   bench_decode EVENTS --trace FILE MODE...   the events of a .trx file instead, over and over
 *   bench_decode EVENTS --ctf DIRECTORY        writes the generated events as a CTF 1.8 trace
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "ctf.h"
#include "replay.h"
#include "workload.h"
#include "txtap/analysis.h"
#include "txtap/event_maker.h"
#include "txtap/exporter.h"

#define RING_ENTRIES 4096u /* 128 KiB: a large ring for a microcontroller */

struct counter {
    uint64_t bytes;
    int fd; /* -1: counts only */
};

struct bench {
    struct txtap_header header;
    struct txtap_registry registry;
    struct txtap_object objects[64];
    struct txtap_event_maker maker;
    struct txtap_exporter exporter;
    struct txtap_exporter_memory memory;
    struct counter counter;
    struct txtap_analysis *analysis; /* NULL: none */
    struct workload workload;
    struct replay *replay; /* NULL: the workload's events */
    uint8_t ring[RING_ENTRIES * TXTB_ENTRY_BYTES];
};

/* Returns the processor time of this program in user mode and in the kernel, without other programs. */
static double seconds_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static enum txtap_status count_bytes(void *self, const char *bytes, size_t length)
{
    struct counter *counter = self;

    counter->bytes += length;
    if (counter->fd >= 0 && write(counter->fd, bytes, length) != (ssize_t)length)
        return TXTAP_ERROR_SYSTEM;
    return TXTAP_OK;
}

static void start_workload(struct bench *bench)
{
    uint8_t registry[WORKLOAD_OBJECTS * WORKLOAD_OBJECT_BYTES];

    bench->header = (struct txtap_header){.timer_mask = UINT32_MAX, .name_bytes = 32};
    workload_start(&bench->workload);
    workload_registry(registry);
    txtap_registry_init(&bench->registry, bench->objects, sizeof(bench->objects) / sizeof(bench->objects[0]));
    txtap_registry_update(&bench->registry, &bench->header, registry, sizeof(registry));
}

static void start_replay(struct bench *bench)
{
    bench->header = (struct txtap_header){.timer_mask = UINT32_MAX, .endian = bench->replay->trace.header.endian};
    bench->registry = bench->replay->trace.registry;
    bench->replay->next = 0;
    bench->replay->base = 0;
}

static void start(struct bench *bench, struct replay *replay)
{
    memset(bench, 0, sizeof(*bench));
    bench->replay = replay;
    if (replay != NULL)
        start_replay(bench);
    else
        start_workload(bench);
    txtap_event_maker_init(&bench->maker, bench->header.timer_mask, 0);
    bench->counter.fd = -1;
    bench->exporter.writer = (struct txtap_writer){count_bytes, &bench->counter};
    bench->exporter.registry = &bench->registry;
    bench->exporter.header = &bench->header;
    bench->exporter.memory = &bench->memory;
}

static struct txtap_analysis *open_analysis(const struct txtap_registry *registry)
{
    struct txtap_analysis_limits limits = txtap_analysis_limits_default();
    void *memory = malloc(txtap_analysis_bytes(&limits, 0));
    struct txtap_analysis *analysis;

    if (memory == NULL)
        exit(1);
    analysis = txtap_analysis_open(memory, &limits, &(struct txtap_analysis_options){0});
    txtap_analysis_objects(analysis, registry);
    return analysis;
}

/* Gives the exporter memory if its format takes changes. */
static void give_memory(struct txtap_exporter *exporter)
{
    exporter->changes.limits = (struct txtap_change_limits){.threads = 1024, .objects = 4096};
    exporter->changes.memory = malloc(txtap_exporter_changes_bytes(exporter->ops, &exporter->changes.limits));
    if (exporter->changes.memory == NULL)
        exit(1);
}

/* Decodes the events of one ring. ops: NULL to only count them. Returns a number that depends on all events. */
static uint64_t decode(struct bench *bench, const struct txtap_exporter_ops *ops, uint64_t seq)
{
    struct txtap_item item;
    uint64_t sum = 0;

    for (size_t i = 0; i < RING_ENTRIES; i++) {
        txtap_event_maker_event(&bench->maker, &bench->header, bench->ring + i * TXTB_ENTRY_BYTES, seq + i, &item);
        sum += item.event.id + item.event.thread;
        if (ops && txtap_exporter_take(&bench->exporter, &item) != TXTAP_OK)
            exit(1);
        if (bench->analysis)
            txtap_analysis_take(bench->analysis, &item);
    }
    return sum;
}

static long rss_kib(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

static void fill(struct bench *bench)
{
    if (bench->replay != NULL)
        replay_fill(bench->replay, bench->ring, RING_ENTRIES);
    else
        workload_fill(&bench->workload, bench->ring, RING_ENTRIES);
}

static void run(struct bench *bench, struct replay *replay, const char *mode, uint64_t events)
{
    char format[16];
    bool to_null = strchr(mode, '+') != NULL;
    double generated = 0, decoded = 0;
    uint64_t sum = 0, done;

    snprintf(format, sizeof(format), "%.*s", (int)strcspn(mode, "+"), mode);
    start(bench, replay);
    bench->exporter.ops = txtap_exporter_find(format);
    if (strcmp(format, "analyse") == 0)
        bench->analysis = open_analysis(&bench->registry);
    if (!bench->exporter.ops && !bench->analysis && strcmp(format, "count") != 0) {
        fprintf(stderr, "bench_decode: no mode '%s'\n", mode);
        exit(2);
    }
    if (to_null)
        bench->counter.fd = open("/dev/null", O_WRONLY);
    if (bench->exporter.ops && bench->exporter.ops->change)
        give_memory(&bench->exporter);
    if (bench->exporter.ops)
        bench->exporter.ops->begin(&bench->exporter);
    for (done = 0; done < events; done += RING_ENTRIES) {
        double before = seconds_now(), between;

        fill(bench);
        between = seconds_now();
        sum += decode(bench, bench->exporter.ops, done);
        generated += between - before;
        decoded += seconds_now() - between;
    }
    if (bench->exporter.ops)
        bench->exporter.ops->end(&bench->exporter);
    printf("%-9s %-11s %11.0f %9.1f %8.1f %9.1f %8ld\n", format,
           to_null           ? "/dev/null"
           : bench->analysis ? "figures"
                             : "counted",
           (double)done / decoded, decoded / (double)done * 1e9, (double)bench->counter.bytes / decoded / 1e6,
           generated / (double)done * 1e9, rss_kib());
    fflush(stdout);
    free(bench->analysis);
    free(bench->exporter.changes.memory);
    if (to_null)
        close(bench->counter.fd);
    if (sum == 42)
        puts("");
}

int main(int argc, char **argv)
{
    static const char *const all[] = {"count",  "analyse", "text",     "jsonl", "csv", "text+",
                                      "jsonl+", "csv+",    "perfetto", "ctf",   "vcd", "vcd-wires"};
    static struct bench bench;
    static struct replay replay;
    uint64_t events = argc > 1 ? strtoull(argv[1], NULL, 10) : 100000000;
    bool replays = argc > 4 && strcmp(argv[2], "--trace") == 0;

    if (argc == 4 && strcmp(argv[2], "--ctf") == 0)
        return ctf_write(argv[3], events) ? 0 : 1;
    if (replays)
        replay_open(&replay, argv[3]);
    printf("%" PRIu64 " events, in rings of %u; without the time of making them, gen. ns\n", events, RING_ENTRIES);
    printf("%-9s %-11s %11s %9s %8s %9s %8s\n", "mode", "sink", "events/s", "ns/event", "MB/s", "gen. ns", "RSS KiB");
    if (argc > 2)
        for (int i = replays ? 4 : 2; i < argc; i++)
            run(&bench, replays ? &replay : NULL, argv[i], events);
    else
        for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
            run(&bench, NULL, all[i], events);
    return 0;
}
