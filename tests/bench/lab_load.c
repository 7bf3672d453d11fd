/* SPDX-License-Identifier: MIT */
/*
 * Simulates boards whose recorders publish on a NATS server, and measures what gives first. Each board has a publisher
 * of its own, and replays the blocks of a recording at a constant rate of events. Some boards have a live reader.
 *
 *   lab_load PLACE RECORDING BOARDS EVENTS_PER_SECOND SECONDS READERS SERVER_PID
 *
 * PLACE: "nats://HOST:PORT/SUBJECT"; board N publishes on SUBJECT.bN. RECORDING: a file of txtap record. READERS: the
 * first boards that have a reader. SERVER_PID: the server's process, for its processor time; 0: it is not measured.
 * Prints a line of JSON. "late": the longest time that the replay was behind, because a publisher took no more. "left":
 * messages that were not stored in the end. The latency is the time between a publisher's call and the reader's return.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/runtime.h"
#include "file/block_stream.h"
#include "nats/publisher.h"
#include "nats/subscriber.h"

#define BOARDS_MAX   2000u
#define MESSAGES_MAX 100000u /* messages of a recording, and of a board with a reader */
#define FINISH_US    10000000u

/* A message of the recording: a whole block, or the blocks that begin the recording. */
struct message {
    const uint8_t *bytes;
    size_t length;
    uint32_t events;
};

static struct {
    struct message at[MESSAGES_MAX];
    size_t count;
    uint64_t events, bytes;
} replay;

struct board {
    struct publisher *publisher;
    char place[300];
    size_t next;       /* index of the next message in `replay` */
    uint64_t sent;     /* messages */
    uint64_t events;   /* events in them */
    uint64_t offset;   /* boards do not publish at the same time */
    uint64_t *sent_us; /* time of each message; NULL: no reader */
    pthread_t reader;
    uint32_t *latency_us;
    uint64_t received;
};

static struct board boards[BOARDS_MAX];
static volatile bool ends;

static void give_up(const struct error *error)
{
    report_error(error);
    exit(1);
}

/* ---- the recording ---- */

static void add_message(const uint8_t *bytes, size_t length, uint32_t events)
{
    if (replay.count == MESSAGES_MAX)
        return;
    replay.at[replay.count++] = (struct message){bytes, length, events};
    replay.events += events;
    replay.bytes += length;
}

/* Cuts the file into messages. All blocks before the first block of events belong to the first message. */
static void read_recording(const char *path)
{
    static struct block_stream stream;
    struct txtap_recording_block block;
    struct input input;
    struct error error = {0};
    uint8_t *bytes;
    size_t length, begun = 0;

    if (input_read_file(path, (size_t)1 << 30, "", &bytes, &length, &error) != TXTAP_OK ||
        input_open(&input, &path, 1, &error) != TXTAP_OK || block_stream_open(&stream, &input, &error) != TXTAP_OK ||
        block_stream_head(&stream, &error) != TXTAP_OK)
        give_up(&error);
    for (uint64_t before = stream.offset; block_stream_next(&stream, &block, &error) == TXTAP_OK;
         before = stream.offset) {
        uint32_t events = 0;

        if (block.type != TXTAP_RECORDING_EVENTS)
            continue;
        events = (uint32_t)((block.bytes - TXTAP_RECORDING_EVENTS_HEAD) / TXTB_ENTRY_BYTES);
        if (begun == 0)
            add_message(bytes, before, 0);
        add_message(bytes + (begun == 0 ? before : begun), stream.offset - (begun == 0 ? before : begun), events);
        begun = stream.offset;
    }
    block_stream_close(&stream);
    input_close(&input);
    if (replay.events == 0) {
        fprintf(stderr, "lab_load: %s: no events\n", path);
        exit(2);
    }
}

/* ---- readers ---- */

static void *read_board(void *self)
{
    struct board *board = self;
    const struct subscriber_setup setup = {.place = board->place, .access = nats_access_of_environment(), .live = true};
    struct subscriber *subscriber;
    struct subscriber_message message;
    struct error error = {0};

    if (subscriber_open(&subscriber, &setup, &error) != TXTAP_OK)
        give_up(&error);
    while (!ends || board->received < board->sent) {
        enum txtap_status status = subscriber_next(subscriber, 20, &message, &error);

        if (status == TXTAP_OK && board->received < MESSAGES_MAX)
            board->latency_us[board->received] = (uint32_t)(now_us() - board->sent_us[board->received]);
        board->received += status == TXTAP_OK;
        if (status != TXTAP_OK && (status != TXTAP_AGAIN || ends))
            break;
    }
    subscriber_close(subscriber);
    return NULL;
}

static int by_size(const void *a, const void *b)
{
    uint32_t first = *(const uint32_t *)a, second = *(const uint32_t *)b;

    return (first > second) - (first < second);
}

/* ---- boards ---- */

static void tell(void *self, const char *text)
{
    (void)self;
    fprintf(stderr, "%s\n", text);
}

static void open_board(struct board *board, const char *place, unsigned number, bool has_reader)
{
    const struct publisher_setup setup = {.place = board->place,
                                          .access = nats_access_of_environment(),
                                          .limits = {.bytes = UINT64_C(2) << 30},
                                          .tell = tell};
    struct error error = {0};

    snprintf(board->place, sizeof board->place, "%s.b%u", place, number);
    if (publisher_open(&board->publisher, &setup, &error) != TXTAP_OK)
        give_up(&error);
    if (!has_reader)
        return;
    board->sent_us = calloc(MESSAGES_MAX, sizeof *board->sent_us);
    board->latency_us = calloc(MESSAGES_MAX, sizeof *board->latency_us);
    if (board->sent_us == NULL || board->latency_us == NULL)
        exit(1);
}

static void publish(struct board *board)
{
    const struct message *message = &replay.at[board->next];
    struct error error = {0};

    if (board->sent_us != NULL && board->sent < MESSAGES_MAX)
        board->sent_us[board->sent] = now_us();
    if (publisher_put(board->publisher, message->bytes, message->length, board->next == 0, &error) != TXTAP_OK)
        give_up(&error);
    board->sent++;
    board->events += message->events;
    board->next = (board->next + 1) % replay.count;
}

/* Publishes all messages that are due. Returns the longest delay. */
static uint64_t publish_due(unsigned count, uint64_t begun, double rate)
{
    uint64_t late = 0;

    for (unsigned i = 0; i < count; i++) {
        struct board *board = &boards[i];
        uint64_t since = now_us() - begun, due;

        while ((due = board->offset + (uint64_t)((double)board->events * 1e6 / rate)) <= since) {
            late = since - due > late ? since - due : late;
            publish(board);
        }
    }
    return late;
}

/* Returns the processor time of a process, in seconds. */
static double processor_seconds(const char *pid)
{
    unsigned long user = 0, kernel = 0;
    char path[64];
    FILE *file;

    snprintf(path, sizeof path, "/proc/%s/stat", pid);
    file = fopen(path, "r");
    if (file == NULL)
        return 0;
    if (fscanf(file, "%*d %*s %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &kernel) != 2)
        user = kernel = 0;
    fclose(file);
    return (double)(user + kernel) / (double)sysconf(_SC_CLK_TCK);
}

static double own_seconds(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/* Closes all publishers. Returns the number of boards of which not all messages were stored. */
static unsigned finish(unsigned count)
{
    unsigned left = 0;
    struct error error;

    for (unsigned i = 0; i < count; i++) {
        error_clear(&error);
        left += publisher_finish(boards[i].publisher, FINISH_US, &error) != TXTAP_OK;
    }
    return left;
}

static void print_latency(unsigned readers)
{
    static uint32_t all[MESSAGES_MAX * 4];
    size_t count = 0;

    for (unsigned i = 0; i < readers; i++)
        for (uint64_t k = 1; k < boards[i].received && k < MESSAGES_MAX && count < sizeof all / sizeof *all; k++)
            all[count++] = boards[i].latency_us[k]; /* without the first message, which came before the reader */
    if (count == 0)
        return;
    qsort(all, count, sizeof *all, by_size);
    printf(",\"read\":%zu,\"p50_ms\":%.2f,\"p99_ms\":%.2f,\"max_ms\":%.1f", count, all[count / 2] / 1e3,
           all[count * 99 / 100] / 1e3, all[count - 1] / 1e3);
}

int main(int argc, char **argv)
{
    unsigned count, readers, unstored;
    double rate, seconds, own, server;
    uint64_t begun, late = 0, delay, messages = 0;

    if (argc != 8) {
        fprintf(stderr, "usage: lab_load PLACE RECORDING BOARDS EVENTS_PER_SECOND SECONDS READERS SERVER_PID\n");
        return 2;
    }
    count = (unsigned)strtoul(argv[3], NULL, 10);
    rate = strtod(argv[4], NULL);
    seconds = strtod(argv[5], NULL);
    readers = (unsigned)strtoul(argv[6], NULL, 10);
    if (count == 0 || count > BOARDS_MAX || readers > count || !(rate > 0) || !(seconds > 0)) {
        fprintf(stderr, "lab_load: 1 to %u boards, at most as many readers, and a rate and a time above 0\n",
                BOARDS_MAX);
        return 2;
    }
    read_recording(argv[2]);
    for (unsigned i = 0; i < count; i++) {
        open_board(&boards[i], argv[1], i, i < readers);
        boards[i].offset = (uint64_t)(1e6 * replay.at[1].events / rate * i / count);
        publish(&boards[i]); /* so that the subject exists */
        if (i < readers && pthread_create(&boards[i].reader, NULL, read_board, &boards[i]) != 0)
            return 1;
    }
    own = own_seconds();
    server = processor_seconds(argv[7]);
    begun = now_us();
    while (now_us() - begun < (uint64_t)(seconds * 1e6)) {
        delay = publish_due(count, begun, rate);
        late = delay > late ? delay : late;
        pause_us(500);
    }
    seconds = (double)(now_us() - begun) / 1e6;
    own = own_seconds() - own;
    server = processor_seconds(argv[7]) - server;
    unstored = finish(count);
    ends = true;
    for (unsigned i = 0; i < count; i++) {
        if (i < readers)
            pthread_join(boards[i].reader, NULL);
        messages += boards[i].sent;
    }
    printf("{\"boards\":%u,\"events_per_second\":%.0f,\"seconds\":%.1f,\"messages_per_second\":%.0f,\"bytes_per_"
           "event\":%.1f,"
           "\"late_ms\":%.1f,\"boards_with_messages_left\":%u,\"cores_of_publishers_and_readers\":%.3f,"
           "\"cores_of_server\":%.3f",
           count, rate, seconds, (double)messages / seconds, (double)replay.bytes / (double)replay.events,
           (double)late / 1e3, unstored, own / seconds, server / seconds);
    print_latency(readers);
    printf("}\n");
    for (unsigned i = 0; i < count; i++)
        publisher_close(boards[i].publisher);
    return 0;
}
