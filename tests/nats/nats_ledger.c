/* SPDX-License-Identifier: MIT */
/*
 * Publishes numbered messages through the publisher, or reads them through the subscriber and checks them.
 *
 *   nats_ledger publish PLACE FIRST COUNT US [SPOOL [NOTE]]
 *       COUNT messages with the numbers from FIRST on, one each US microseconds; prints the number after the last
 *       message. SPOOL: a folder; "-": messages wait in memory. NOTE: a file that always has two numbers, also after
 *       the program was killed: the last message that the publisher has taken, and the last that a server has
 *       acknowledged.
 *   nats_ledger stream PLACE COPIES [BYTES]
 *       makes the stream "test" of all subjects "lab.>", of at most BYTES
 *   nats_ledger files PLACE FILE...
 *       publishes each file as a message, which begins a file
 *   nats_ledger count PLACE
 *       prints the number of messages that the server has, with repetitions
 *   nats_ledger read PLACE
 *       reads all stored messages; fails if a number comes twice or out of order; prints the ranges of numbers that
 *       are missing, and how often the publisher's clock went back
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/runtime.h"
#include "input/input.h"
#include "nats/connection.h"
#include "nats/publisher.h"
#include "nats/publisher_parts.h"
#include "nats/subscriber.h"

#define BYTES     200
#define FILE_SIZE 100 /* messages of a file */

static void tell(void *self, const char *text)
{
    (void)self;
    fprintf(stderr, "%s\n", text);
}

static int fail(const struct error *error)
{
    report_error(error);
    return status_exit_code(error->status);
}

/* Writes the two numbers to the note. The messages `first` to `last` were taken. */
static bool write_note(int note, struct publisher *publisher, uint64_t first, uint64_t last)
{
    char text[64];
    uint64_t waiting, taken = last + 1 - first;
    int length;

    if (note < 0)
        return true;
    pthread_mutex_lock(&publisher->lock);
    waiting = waiting_count(&publisher->waiting); /* a spool may also have messages of earlier runs */
    pthread_mutex_unlock(&publisher->lock);
    length =
        snprintf(text, sizeof text, "%20" PRIu64 " %20" PRIu64 "\n", last, last - (waiting < taken ? waiting : taken));
    return pwrite(note, text, (size_t)length, 0) == length;
}

/* Publishes the messages from `first` on. Returns the number after the last message. */
static uint64_t put_all(struct publisher *publisher, char **arguments, int note)
{
    const uint64_t first = strtoull(arguments[1], NULL, 10), most = strtoull(arguments[2], NULL, 10);
    const uint64_t us = strtoull(arguments[3], NULL, 10);
    struct error error = {0};
    char bytes[BYTES] = {0};
    uint64_t at = first;
    bool noted = write_note(note, publisher, first, first - 1);

    for (; at < first + most && noted && !stop_requested(); at++) {
        snprintf(bytes, sizeof bytes, "%" PRIu64 " %" PRIu64 "\n", at, wall_us());
        if (publisher_put(publisher, bytes, sizeof bytes, (at - first) % FILE_SIZE == 0, &error) != TXTAP_OK) {
            fail(&error);
            break;
        }
        noted = write_note(note, publisher, first, at);
        if (us > 0)
            pause_us(us);
        noted = noted && write_note(note, publisher, first, at);
    }
    if (!noted)
        perror("the note");
    return at;
}

static int publish(char **arguments, int count)
{
    const struct publisher_setup setup = {.place = arguments[0],
                                          .access = nats_access_of_environment(),
                                          .spool = count > 4 && strcmp(arguments[4], "-") != 0 ? arguments[4] : NULL,
                                          .spool_bytes = UINT64_C(1) << 30,
                                          .limits = {.bytes = UINT64_C(1) << 31},
                                          .tell = tell};
    const int note = count > 5 ? open(arguments[5], O_WRONLY | O_CREAT | O_CLOEXEC, 0666) : -1;
    uint64_t first = strtoull(arguments[1], NULL, 10), at;
    struct publisher *publisher;
    struct error error = {0};
    enum txtap_status status = publisher_open(&publisher, &setup, &error);

    if (status != TXTAP_OK)
        return fail(&error);
    at = put_all(publisher, arguments, note);
    status = publisher_finish(publisher, 10000000, &error);
    write_note(note, publisher, first, at - 1);
    publisher_close(publisher);
    printf("%" PRIu64 "\n", at);
    return status == TXTAP_OK ? 0 : fail(&error);
}

static int publish_files(char **arguments, int count)
{
    const struct publisher_setup setup = {.place = arguments[0], .access = nats_access_of_environment(), .tell = tell};
    struct publisher *publisher;
    struct error error = {0};
    enum txtap_status status = publisher_open(&publisher, &setup, &error);

    if (status != TXTAP_OK)
        return fail(&error);
    for (int i = 1; i < count && status == TXTAP_OK; i++) {
        uint8_t *bytes;
        size_t length;

        status = input_read_file(arguments[i], NATS_MESSAGE_BYTES, "give a smaller file", &bytes, &length, &error);
        if (status == TXTAP_OK)
            status = publisher_put(publisher, bytes, length, true, &error);
        free(bytes);
    }
    if (status == TXTAP_OK)
        status = publisher_finish(publisher, 10000000, &error);
    publisher_close(publisher);
    return status == TXTAP_OK ? 0 : fail(&error);
}

static int read_all(char **arguments)
{
    const struct subscriber_setup setup = {.place = arguments[0], .access = nats_access_of_environment()};
    struct subscriber_message message;
    struct subscriber *subscriber;
    struct error error = {0};
    enum txtap_status status = subscriber_open(&subscriber, &setup, &error);
    uint64_t next = 1, count = 0, number, us, last_us = 0, back = 0;
    char *end;
    int code = 0;

    if (status != TXTAP_OK)
        return fail(&error);
    while ((status = subscriber_next(subscriber, 100, &message, &error)) == TXTAP_OK || status == TXTAP_AGAIN) {
        if (status == TXTAP_AGAIN)
            continue;
        number = strtoull((const char *)message.bytes, &end, 10);
        us = strtoull(end, NULL, 10);
        back += us < last_us;
        last_us = us;
        if (number < next) {
            printf("%" PRIu64 " came after %" PRIu64 "\n", number, next - 1);
            code = 1;
        }
        if (number > next)
            printf("missing %" PRIu64 " to %" PRIu64 "\n", next, number - 1);
        next = number + 1;
        count++;
    }
    if (back > 0)
        printf("the clock of the publisher went back %" PRIu64 " times\n", back);
    printf("%" PRIu64 " messages, the last is %" PRIu64 "; missing %" PRIu64 ", skipped %" PRIu64 ", foreign %" PRIu64
           "\n",
           count, next - 1, subscriber_order(subscriber)->missing, subscriber_order(subscriber)->skipped,
           subscriber_order(subscriber)->foreign);
    subscriber_close(subscriber);
    return status == TXTAP_END ? code : fail(&error);
}

/* Connects to the servers of `place`. Returns 0, or the exit code. */
static int connect_to(struct nats_connection *connection, struct nats_place *place, const char *name)
{
    struct nats_access access = nats_access_of_environment();
    struct error error = {0};

    if (nats_place_parse(place, name, &error) != TXTAP_OK ||
        nats_connect(connection, &(struct nats_connection_setup){.place = place, .access = &access, .name = "test"},
                     &error) != TXTAP_OK)
        return fail(&error);
    return 0;
}

static int count_stored(char **arguments)
{
    char stream[NATS_STREAM_BYTES];
    struct nats_connection connection;
    struct nats_place place;
    struct error error = {0};
    jsOptions wishes;
    jsStreamInfo *about = NULL;
    natsStatus status;
    int code = connect_to(&connection, &place, arguments[0]);

    if (code != 0)
        return code;
    if (nats_find_stream(&connection, &place, stream, &error) != TXTAP_OK)
        return fail(&error);
    wishes = nats_request(place.subject);
    status = js_GetStreamInfo(&about, connection.jetstream, stream, &wishes, NULL);
    if (status == NATS_OK && about->State.Subjects != NULL && about->State.Subjects->Count == 1)
        printf("%" PRIu64 "\n", about->State.Subjects->List[0].Msgs);
    else
        code = EXIT_FAILED;
    jsStreamInfo_Destroy(about);
    nats_disconnect(&connection);
    return code;
}

static int make_stream(char **arguments, int count)
{
    const char *subjects[] = {"lab.>"};
    struct nats_connection connection;
    struct nats_place place;
    jsStreamConfig config;
    jsErrCode code = 0;
    natsStatus status;
    int failed = connect_to(&connection, &place, arguments[0]);

    if (failed != 0)
        return failed;
    jsStreamConfig_Init(&config);
    config.Name = "test";
    config.Subjects = subjects;
    config.SubjectsLen = 1;
    config.Replicas = strtol(arguments[1], NULL, 10);
    config.MaxBytes = count > 2 ? strtoll(arguments[2], NULL, 10) : -1;
    config.AllowDirect = true;
    status = js_AddStream(NULL, connection.jetstream, &config, NULL, &code);
    if (status != NATS_OK)
        fprintf(stderr, "no stream: %s, %d\n", natsStatus_GetText(status), (int)code);
    nats_disconnect(&connection);
    return status == NATS_OK ? 0 : EXIT_FAILED;
}

int main(int count, char **arguments)
{
    runtime_init();
    if (count >= 6 && strcmp(arguments[1], "publish") == 0)
        return publish(arguments + 2, count - 2);
    if (count >= 4 && strcmp(arguments[1], "stream") == 0)
        return make_stream(arguments + 2, count - 2);
    if (count >= 4 && strcmp(arguments[1], "files") == 0)
        return publish_files(arguments + 2, count - 2);
    if (count == 3 && strcmp(arguments[1], "read") == 0)
        return read_all(arguments + 2);
    if (count == 3 && strcmp(arguments[1], "count") == 0)
        return count_stored(arguments + 2);
    return EXIT_USAGE;
}
