/* SPDX-License-Identifier: MIT */
/* Asks the streams for their subjects, and for the last message of each subject. */
#include "nats/subjects.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/runtime.h"
#include "nats/connection.h"
#include "nats/message.h"

/* Which subjects of a stream are added. */
struct search {
    const char *pattern;
    uint64_t since_us; /* only subjects with a newer message; 0: all */
    size_t most;       /* subjects with recordings */
    int looked;        /* most subjects, with or without recordings */
    bool has_older;    /* result: a subject has no newer message */
};

static bool is_alarm(const char *subject)
{
    static const char alarm[] = ".alarm";
    size_t length = strlen(subject), end = sizeof alarm - 1;

    return length > end && strcmp(subject + length - end, alarm) == 0;
}

/* Finds out whether the subject has recordings: its last message is of a recorder. newest_us: when it was stored. */
static natsStatus look(const struct nats_connection *connection, const char *stream, const char *subject, bool *has,
                       uint64_t *newest_us, jsErrCode *code)
{
    natsMsg *last = NULL;
    struct nats_mark mark;
    const char *text;
    natsStatus status = nats_last_message(&last, connection, stream, subject, code);

    *has = false;
    if (status == NATS_OK) {
        text = nats_mark_of(last);
        *has = text != NULL && nats_mark_parse(&mark, text);
        *newest_us = (uint64_t)natsMsg_GetTime(last) / 1000;
    } else if (status == NATS_NOT_FOUND || *code == JSNoMessageFoundErr) {
        status = NATS_OK;
    }
    natsMsg_Destroy(last);
    return status;
}

static bool add(struct nats_subjects *subjects, const char *name)
{
    if (subjects->count == subjects->room) {
        size_t room = subjects->room > 0 ? 2 * subjects->room : 16;
        char(*names)[NATS_SUBJECT_MAX + 1] = realloc(subjects->names, room * sizeof *names);

        if (names == NULL)
            return false;
        subjects->names = names;
        subjects->room = room;
    }
    snprintf(subjects->names[subjects->count++], sizeof *subjects->names, "%s", name);
    return true;
}

static int by_subject(const void *a, const void *b)
{
    return strcmp(((const jsStreamStateSubject *)a)->Subject, ((const jsStreamStateSubject *)b)->Subject);
}

static natsStatus add_stream(struct nats_subjects *subjects, const struct nats_connection *connection,
                             const char *stream, struct search *search, jsErrCode *code)
{
    jsOptions wishes = nats_request(search->pattern);
    jsStreamInfo *about = NULL;
    natsStatus status = js_GetStreamInfo(&about, connection->jetstream, stream, &wishes, code);
    int count = status == NATS_OK && about->State.Subjects != NULL ? about->State.Subjects->Count : 0;

    if (count > 1)
        qsort(about->State.Subjects->List, (size_t)count, sizeof *about->State.Subjects->List, by_subject);
    count = count < search->looked ? count : search->looked;
    for (int i = 0; i < count && subjects->count < search->most && status == NATS_OK && !stop_requested(); i++) {
        const char *subject = about->State.Subjects->List[i].Subject;
        uint64_t newest_us;
        bool has;

        if (!nats_is_subject(subject) || is_alarm(subject))
            continue;
        status = look(connection, stream, subject, &has, &newest_us, code);
        if (status != NATS_OK || !has)
            continue;
        if (newest_us + NATS_EARLIER_US < search->since_us)
            search->has_older = true;
        else if (!add(subjects, subject))
            status = NATS_NO_MEMORY;
    }
    jsStreamInfo_Destroy(about);
    return status;
}

/* ---- a subject without messages ---- */

#define SUBJECTS_SHOWN  5
#define SUBJECTS_LOOKED 64

enum txtap_status nats_nothing(const struct nats_connection *connection, const struct nats_place *place,
                               struct error *error)
{
    const struct nats_place all = {.subject = ">"};
    struct search search = {.pattern = ">", .most = SUBJECTS_SHOWN, .looked = SUBJECTS_LOOKED};
    char streams[NATS_STREAMS_MAX][NATS_STREAM_BYTES], text[SUBJECTS_SHOWN * 64] = "";
    struct nats_subjects subjects = {0};
    struct error unused = {0};
    jsErrCode code = 0;
    size_t count = 0, used = 0;

    if (nats_find_streams(connection, &all, streams, &count, &unused) != TXTAP_OK)
        count = 0;
    for (size_t i = 0; i < count; i++)
        (void)add_stream(&subjects, connection, streams[i], &search, &code);
    for (size_t i = 0; i < subjects.count && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%.60s", i > 0 ? ", " : "", subjects.names[i]);
    count = subjects.count;
    nats_subjects_free(&subjects);
    if (count == 0 && *place->subject != '\0' && strpbrk(place->subject, "*>") == NULL)
        return failure(error, ERROR_UNREACHABLE, "%.120s: no recording on this subject\nrecord with --store %.120s",
                       place->text, place->text);
    if (count == 0)
        return failure(error, ERROR_UNREACHABLE, "%.120s: no recording on this subject\nrecord with --store %.*slab.b1",
                       place->text, (int)(strrchr(place->text, '/') + 1 - place->text), place->text);
    return failure(error, ERROR_UNREACHABLE, "%.120s: no recording on this subject\nthe server has %s%s", place->text,
                   text, count == SUBJECTS_SHOWN ? ", ..." : "");
}

/* ---- the subjects of a pattern ---- */

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Asks all streams that may have subjects of the place. */
static enum txtap_status ask(struct nats_subjects *subjects, const struct nats_connection *connection,
                             const struct nats_place *place, uint64_t since_us, struct error *error)
{
    struct search search = {.pattern = place->subject, .since_us = since_us, .most = SIZE_MAX, .looked = INT_MAX};
    char streams[NATS_STREAMS_MAX][NATS_STREAM_BYTES];
    natsStatus got = NATS_OK;
    jsErrCode code = 0;
    size_t count;
    enum txtap_status status = nats_find_streams(connection, place, streams, &count, error);

    if (status < TXTAP_OK)
        return status;
    for (size_t i = 0; i < count && got == NATS_OK; i++)
        got = add_stream(subjects, connection, streams[i], &search, &code);
    if (stop_requested())
        return failure(error, ERROR_INTERRUPTED, "%.120s: interrupted", place->text);
    if (got != NATS_OK)
        return nats_failure(place, got, code, error);
    if (subjects->count > 0)
        return TXTAP_OK;
    if (search.has_older)
        return failure(error, ERROR_UNREACHABLE, "%.120s: no recording of this time\nchoose an earlier --since",
                       place->text);
    return nats_nothing(connection, place, error);
}

enum txtap_status nats_subjects_find(struct nats_subjects *subjects, const char *name, uint64_t since_us,
                                     struct error *error)
{
    const struct nats_access access = nats_access_of_environment();
    struct nats_connection connection;
    struct nats_place place;
    enum txtap_status status;

    *subjects = (struct nats_subjects){0};
    status = nats_pattern_parse(&place, name, &subjects->fixed, error);
    if (status == TXTAP_OK)
        status = nats_connect(
            &connection, &(struct nats_connection_setup){.place = &place, .access = &access, .name = "txtap"}, error);
    if (status != TXTAP_OK)
        return status;
    if (place.subject[subjects->fixed] == '\0')
        subjects->fixed = 0;
    status = ask(subjects, &connection, &place, since_us, error);
    nats_disconnect(&connection);
    if (status != TXTAP_OK)
        nats_subjects_free(subjects);
    else
        qsort(subjects->names, subjects->count, sizeof *subjects->names, by_name);
    return status;
}

void nats_subjects_free(struct nats_subjects *subjects)
{
    free(subjects->names);
    *subjects = (struct nats_subjects){0};
}
