/* SPDX-License-Identifier: MIT */
/* Frames of stlink-server, little-endian. A frame does not contain its length: each kind of frame has its own. */
#include "probe/stlink/stlink_server.h"

#include <stdlib.h>
#include <string.h>

#include "base/runtime.h"
#include "probe/stlink/stlink_command.h"

enum {
    FRAME_REFRESH,
    FRAME_COUNT_DEVICES,
    FRAME_DEVICE_INFO,
    FRAME_OPEN,
    FRAME_CLOSE,
    FRAME_USB,
    FRAME_VERSION,
    FRAME_COUNT_CLIENTS
};

#define STATUS_OK       0x00000001u
#define STATUS_BUSY     0x00002004u /* another client uses the ST-Link at this moment */
#define STATUS_BYTES    4
#define HEAD_BYTES      32 /* of a frame with a command */
#define DIRECTION_WRITE 0
#define DIRECTION_READ  1
#define API_OF_CLIENT   1
#define API_MAX         255
#define INFO_BYTES      41
#define SERIAL_BYTES    32
#define DEVICES_MAX     255
#define BUSY_PAUSE_US   500
#define BUSY_PAUSE_MAX  32000
#define CLOSE_MS        200

struct stlink_server {
    struct stream stream;
    uint32_t device, connection;
    bool opened;
    bool lost;        /* an answer did not arrive as a whole, so later answers cannot be recognised */
    bool counts_self; /* the server's number of clients includes txtap */
};

/* ---- frames ---- */

static void put_word(uint8_t *bytes, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
}

static enum stlink_result result_of(enum txtap_status status)
{
    if (status == TXTAP_OK)
        return STLINK_OK;
    if (status == ERROR_TIMEOUT)
        return STLINK_TIMEOUT;
    return status == ERROR_INTERRUPTED ? STLINK_INTERRUPTED : STLINK_GONE;
}

static enum stlink_result receive_all(struct stlink_server *server, uint8_t *bytes, size_t length, uint64_t deadline_ms)
{
    enum txtap_status status = TXTAP_OK;

    while (length > 0 && status == TXTAP_OK) {
        size_t got;

        status = stream_receive(&server->stream, (char *)bytes, length, &got, deadline_ms);
        bytes += got;
        length -= got;
        if (length > 0 && status == TXTAP_OK)
            status = stream_time(deadline_ms);
    }
    return result_of(status);
}

/* Sends a frame, and receives its answer in two parts. The server sends the second part even if the first part has an
 * error. */
static enum stlink_result exchange(struct stlink_server *server, const uint8_t *frame, size_t frame_bytes,
                                   uint8_t *head, size_t head_bytes, uint8_t *answer, size_t answer_bytes,
                                   uint64_t deadline_ms)
{
    enum stlink_result result;

    if (server->lost)
        return STLINK_TIMEOUT;
    result = result_of(stream_send(&server->stream, (const char *)frame, frame_bytes, deadline_ms));
    if (result == STLINK_OK)
        result = receive_all(server, head, head_bytes, deadline_ms);
    if (result == STLINK_OK)
        result = receive_all(server, answer, answer_bytes, deadline_ms);
    server->lost = result != STLINK_OK;
    return result;
}

/* Does an exchange whose answer begins with a status. Waits while another client uses the ST-Link. */
static enum stlink_result ask(struct stlink_server *server, const uint8_t *frame, size_t frame_bytes, uint8_t *answer,
                              size_t answer_bytes, uint32_t *status, uint64_t deadline_ms)
{
    uint8_t head[STATUS_BYTES];
    uint64_t wait_us = BUSY_PAUSE_US;

    for (;;) {
        enum stlink_result result =
            exchange(server, frame, frame_bytes, head, sizeof head, answer, answer_bytes, deadline_ms);

        *status = result == STLINK_OK ? stlink_word(head) : 0;
        if (result != STLINK_OK || *status != STATUS_BUSY)
            return result;
        if (stream_time(deadline_ms) != TXTAP_OK)
            return stop_requested() ? STLINK_INTERRUPTED : STLINK_BUSY;
        pause_us(wait_us);
        wait_us = wait_us < BUSY_PAUSE_MAX ? 2 * wait_us : wait_us;
    }
}

/* ---- the pipe ---- */

static enum stlink_result server_run(void *self, const struct stlink_command *command, uint8_t *answer,
                                     unsigned timeout_ms)
{
    struct stlink_server *server = self;
    uint8_t frame[HEAD_BYTES + STLINK_DATA_BYTES_MAX] = {FRAME_USB};
    uint32_t status;
    enum stlink_result result;

    put_word(frame + 4, server->connection);
    memcpy(frame + 8, command->bytes, STLINK_COMMAND_BYTES);
    frame[24] = command->data_bytes > 0 ? DIRECTION_WRITE : DIRECTION_READ;
    put_word(frame + 28, (uint32_t)(command->data_bytes > 0 ? command->data_bytes : command->answer_bytes));
    memcpy(frame + HEAD_BYTES, command->data, command->data_bytes);
    result = ask(server, frame, HEAD_BYTES + command->data_bytes, answer, command->answer_bytes, &status,
                 stream_deadline(timeout_ms));
    return result == STLINK_OK && status != STATUS_OK ? STLINK_GONE : result;
}

/* The frames of a connection are always in step, until one answer is not complete. */
static enum stlink_result server_reset(void *self)
{
    const struct stlink_server *server = self;

    return server->lost ? STLINK_TIMEOUT : STLINK_OK;
}

/* Asks for the number of clients, txtap included or not. If the server cannot count, there may be one more client. */
static enum stlink_result count_clients(struct stlink_server *server, uint32_t *count, uint64_t deadline_ms)
{
    uint8_t frame[8] = {FRAME_COUNT_CLIENTS}, answer[4] = {0};
    uint32_t status;
    enum stlink_result result;

    put_word(frame + 4, server->device);
    result = ask(server, frame, sizeof frame, answer, sizeof answer, &status, deadline_ms);
    *count = status == STATUS_OK ? stlink_word(answer) : server->counts_self + 1u;
    return result;
}

static enum stlink_result server_others(void *self, unsigned *count, unsigned timeout_ms)
{
    struct stlink_server *server = self;
    uint32_t clients = 0;
    enum stlink_result result = count_clients(server, &clients, stream_deadline(timeout_ms));

    *count = clients > server->counts_self ? clients - server->counts_self : 0;
    return result;
}

static void server_pause(void *self, uint64_t us)
{
    (void)self;
    pause_us(us);
}

static void server_close(void *self)
{
    struct stlink_server *server = self;
    uint8_t frame[8] = {FRAME_CLOSE};
    uint32_t status;

    put_word(frame + 4, server->connection);
    if (server->opened && !server->lost)
        (void)ask(server, frame, sizeof frame, NULL, 0, &status, stream_deadline(CLOSE_MS));
    stream_close(&server->stream);
    free(server);
}

/* ---- opening ---- */

/* The state of stlink_server_open(). */
struct opening {
    struct stlink_server *server;
    const struct stlink_server_settings *settings;
    uint64_t deadline_ms;
    struct error *error;
};

static enum txtap_status fail(const struct opening *opening, enum stlink_result result)
{
    const char *name = opening->settings->name;

    switch (result) {
    case STLINK_TIMEOUT:
        return failure(opening->error, ERROR_TIMEOUT, "%s does not answer within %u ms\nis it really an stlink-server?",
                       name, opening->settings->timeout_ms);
    case STLINK_INTERRUPTED:
        return failure(opening->error, ERROR_INTERRUPTED, "%s: interrupted", name);
    case STLINK_BUSY:
        return failure(opening->error, ERROR_TARGET,
                       "another program keeps the ST-Link of %s busy\nis a download running?", name);
    default:
        return failure(opening->error, ERROR_CLOSED, "%s closed the connection\nis it really an stlink-server?", name);
    }
}

static enum txtap_status check_version(const struct opening *opening)
{
    const uint8_t frame[] = {FRAME_VERSION, API_OF_CLIENT, 0, 0};
    uint8_t answer[16];
    enum stlink_result result =
        exchange(opening->server, frame, sizeof frame, answer, sizeof answer, NULL, 0, opening->deadline_ms);

    if (result != STLINK_OK)
        return fail(opening, result);
    if (stlink_word(answer) == 0 || stlink_word(answer) > API_MAX)
        return failure(opening->error, ERROR_PROTOCOL,
                       "%s does not answer as an stlink-server does\nis the port right?", opening->settings->name);
    return TXTAP_OK;
}

static enum txtap_status count_devices(const struct opening *opening, uint32_t *count)
{
    const uint8_t refresh[] = {FRAME_REFRESH, 0}, frame[] = {FRAME_COUNT_DEVICES};
    uint8_t answer[4];
    uint32_t status;
    enum stlink_result result = ask(opening->server, refresh, sizeof refresh, NULL, 0, &status, opening->deadline_ms);

    if (result == STLINK_OK)
        result = exchange(opening->server, frame, sizeof frame, answer, sizeof answer, NULL, 0, opening->deadline_ms);
    *count = result == STLINK_OK ? stlink_word(answer) : 0;
    if (*count > DEVICES_MAX)
        return failure(opening->error, ERROR_PROTOCOL,
                       "%s does not answer as an stlink-server does\nis the port right?", opening->settings->name);
    return result == STLINK_OK ? TXTAP_OK : fail(opening, result);
}

/* *device is unchanged if the server has no such device any more. */
static enum stlink_result describe(const struct opening *opening, uint32_t index, struct stlink_device *device,
                                   bool *exists)
{
    uint8_t frame[8] = {FRAME_DEVICE_INFO, (uint8_t)index}, answer[INFO_BYTES];
    uint32_t status;
    enum stlink_result result;

    put_word(frame + 4, INFO_BYTES);
    result = ask(opening->server, frame, sizeof frame, answer, sizeof answer, &status, opening->deadline_ms);
    *exists = result == STLINK_OK && status == STATUS_OK;
    if (!*exists)
        return result;
    device->id = stlink_word(answer);
    printable(device->serial, sizeof device->serial, (const char *)answer + 4,
              strnlen((const char *)answer + 4, SERIAL_BYTES));
    device->vendor = (uint16_t)(answer[36] | answer[37] << 8);
    device->product = (uint16_t)(answer[38] | answer[39] << 8);
    device->exclusive = answer[40] != 0;
    return result;
}

static enum txtap_status choose(const struct opening *opening, struct stlink_device *chosen)
{
    const char *serial = opening->settings->serial, *name = opening->settings->name;
    bool any = serial == NULL || serial[0] == '\0';
    uint32_t count = 0, fits = 0;
    enum txtap_status status = count_devices(opening, &count);

    for (uint32_t i = 0; i < count && status == TXTAP_OK; i++) {
        struct stlink_device device;
        bool exists;
        enum stlink_result result = describe(opening, i, &device, &exists);

        if (result != STLINK_OK)
            return fail(opening, result);
        if (!exists || (!any && strcmp(device.serial, serial) != 0))
            continue;
        *chosen = device;
        fits++;
    }
    if (status != TXTAP_OK)
        return status;
    if (fits == 0)
        return failure(opening->error, ERROR_UNREACHABLE, "%s has no ST-Link%s%.40s\nplug it in", name,
                       any ? "" : " with the serial number ", any ? "" : serial);
    if (fits > 1)
        return failure(opening->error, TXTAP_ERROR_USAGE,
                       "%s has %u ST-Links\nchoose: --stlink-server=[HOST:]PORT/SERIAL", name, (unsigned)fits);
    if (chosen->exclusive)
        return failure(opening->error, ERROR_TARGET,
                       "a program has the ST-Link of %s for itself\nlet that program share it", name);
    return TXTAP_OK;
}

/* Opens the device. Compares the number of clients before and after, because a server may count txtap or not. */
static enum txtap_status open_device(const struct opening *opening, uint32_t id)
{
    struct stlink_server *server = opening->server;
    uint8_t frame[8] = {FRAME_OPEN}, answer[4];
    uint32_t before = 0, after = 0, status = STATUS_OK;
    enum stlink_result result;

    server->device = id;
    result = count_clients(server, &before, opening->deadline_ms);
    put_word(frame + 4, id);
    if (result == STLINK_OK)
        result = ask(server, frame, sizeof frame, answer, sizeof answer, &status, opening->deadline_ms);
    if (result != STLINK_OK)
        return fail(opening, result);
    if (status != STATUS_OK)
        return failure(opening->error, ERROR_TARGET, "%s cannot open its ST-Link (error 0x%04x)\nplug it in again",
                       opening->settings->name, (unsigned)status);
    server->connection = stlink_word(answer);
    server->opened = true;
    result = count_clients(server, &after, opening->deadline_ms);
    server->counts_self = after > before;
    return result == STLINK_OK ? TXTAP_OK : fail(opening, result);
}

enum txtap_status stlink_server_open(struct stlink_pipe *pipe, struct stream stream,
                                     const struct stlink_server_settings *settings, struct stlink_device *device,
                                     struct error *error)
{
    static const struct stlink_pipe_ops ops = {server_run, server_reset, server_others, server_pause, server_close};
    struct stlink_server *server = calloc(1, sizeof *server);
    struct opening opening = {server, settings, stream_deadline(settings->timeout_ms), error};
    enum txtap_status status;

    if (server == NULL) {
        stream_close(&stream);
        return failure(error, TXTAP_ERROR_SYSTEM, "out of memory");
    }
    server->stream = stream;
    *pipe = (struct stlink_pipe){&ops, server};
    status = check_version(&opening);
    if (status == TXTAP_OK)
        status = choose(&opening, device);
    if (status == TXTAP_OK)
        status = open_device(&opening, device->id);
    if (status != TXTAP_OK)
        server_close(server);
    return status;
}
