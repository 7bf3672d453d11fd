/* SPDX-License-Identifier: MIT */
/* Asks JetStream for a stream, and writes its limits as text. */
#include "nats/stream.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SECONDS_DEFAULT   (UINT64_C(7) * 24 * 3600)
#define BYTES_DEFAULT     (UINT64_C(10) << 30)
#define BYTES_MIN         (INT64_C(64) << 20) /* a smaller stream is made only if the user asks for it */
#define DUPLICATE_SECONDS 120
#define NS                INT64_C(1000000000)
#define LIMITS_BYTES      96

/* ---- text ---- */

/* Writes a limit of JetStream, which is not limited if the number is not positive. */
static const char *limits_text(char text[static LIMITS_BYTES], const jsStreamConfig *config)
{
    const int64_t seconds = config->MaxAge / NS;
    size_t used;

    if (config->MaxAge <= 0)
        used = (size_t)snprintf(text, LIMITS_BYTES, "messages of any age");
    else if (seconds % 86400 == 0)
        used = (size_t)snprintf(text, LIMITS_BYTES, "%" PRId64 " day%s", seconds / 86400, seconds > 86400 ? "s" : "");
    else if (seconds % 3600 == 0)
        used = (size_t)snprintf(text, LIMITS_BYTES, "%" PRId64 " h", seconds / 3600);
    else
        used = (size_t)snprintf(text, LIMITS_BYTES, "%" PRId64 " s", seconds);
    if (config->MaxBytes >= 1 << 20)
        used += (size_t)snprintf(text + used, LIMITS_BYTES - used, ", at most %" PRId64 " MiB", config->MaxBytes >> 20);
    else if (config->MaxBytes > 0)
        used += (size_t)snprintf(text + used, LIMITS_BYTES - used, ", at most %" PRId64 " bytes", config->MaxBytes);
    if (config->Replicas > 1)
        snprintf(text + used, LIMITS_BYTES - used, ", in %" PRId64 " copies", config->Replicas);
    return text;
}

/* ---- make ---- */

/* Sets the error for a stream that was not made. */
static enum txtap_status not_made(const struct nats_place *place, const struct stream_limits *limits, natsStatus status,
                                  jsErrCode code, struct error *error)
{
    if (limits->copies > 1 &&
        (code == JSClusterNoPeersErr || code == JSStreamReplicasNotSupportedErr || code == JSInsufficientResourcesErr))
        return failure(
            error, ERROR_UNREACHABLE,
            "%.120s: the NATS server cannot keep %u copies\ngive --stream-replicas 1, or use a cluster of at "
            "least %u servers with JetStream",
            place->text, limits->copies, limits->copies);
    return nats_failure(place, status, code, error);
}

enum txtap_status stream_make(const struct nats_connection *connection, const struct nats_place *place,
                              const struct stream_limits *limits, char name[NATS_STREAM_BYTES],
                              char text[static STREAM_TEXT_BYTES], struct error *error)
{
    const uint64_t seconds = limits->seconds > 0 ? limits->seconds : SECONDS_DEFAULT;
    const size_t first = strcspn(place->subject, ".");
    char part[NATS_SUBJECT_MAX + 1], pattern[NATS_SUBJECT_MAX + 3], kept[LIMITS_BYTES];
    const char *subjects[] = {part, pattern};
    jsStreamConfig config;
    jsErrCode code = 0;
    natsStatus status;

    snprintf(name, NATS_STREAM_BYTES, "TXTAP_%.*s", (int)first, place->subject);
    snprintf(part, sizeof part, "%.*s", (int)first, place->subject);
    snprintf(pattern, sizeof pattern, "%s.>", part);
    jsStreamConfig_Init(&config);
    config.Name = name;
    config.Subjects = subjects;
    config.SubjectsLen = 2;
    config.MaxAge = (int64_t)seconds * NS;
    config.MaxBytes = (int64_t)(limits->bytes > 0 ? limits->bytes : BYTES_DEFAULT);
    config.Replicas = limits->copies > 0 ? limits->copies : 1;
    config.Duplicates = (seconds < DUPLICATE_SECONDS ? (int64_t)seconds : DUPLICATE_SECONDS) * NS;
    config.AllowDirect = true;
    do { /* takes less if the server has less storage */
        status = js_AddStream(NULL, connection->jetstream, &config, NULL, &code);
        config.MaxBytes = status == NATS_OK ? config.MaxBytes : config.MaxBytes / 2;
    } while ((code == JSStorageResourcesExceededErr || code == JSInsufficientResourcesErr) &&
             config.MaxBytes >= BYTES_MIN);
    if (status != NATS_OK)
        return not_made(place, limits, status, code, error);
    snprintf(text, STREAM_TEXT_BYTES, "%.120s: made the stream %.60s: it keeps %s", place->text, name,
             limits_text(kept, &config));
    return TXTAP_OK;
}

/* ---- compare ---- */

void stream_compare(const struct nats_connection *connection, const struct nats_place *place,
                    const struct stream_limits *limits, const char *name, char text[static STREAM_TEXT_BYTES])
{
    jsOptions wishes = nats_request(NULL);
    jsStreamInfo *about = NULL;
    jsErrCode code = 0;
    char kept[LIMITS_BYTES];

    *text = '\0';
    if (limits->seconds == 0 && limits->bytes == 0 && limits->copies == 0)
        return;
    if (js_GetStreamInfo(&about, connection->jetstream, name, &wishes, &code) != NATS_OK)
        snprintf(text, STREAM_TEXT_BYTES,
                 "%.120s: the stream %.60s exists, and its limits cannot be read: --stream-... does not change them",
                 place->text, name);
    else if ((limits->seconds > 0 && about->Config->MaxAge != (int64_t)limits->seconds * NS) ||
             (limits->bytes > 0 && about->Config->MaxBytes != (int64_t)limits->bytes) ||
             (limits->copies > 0 && about->Config->Replicas != limits->copies))
        snprintf(text, STREAM_TEXT_BYTES,
                 "%.120s: the stream %.60s exists, and keeps %s: --stream-... does not change it", place->text, name,
                 limits_text(kept, about->Config));
    jsStreamInfo_Destroy(about);
}
