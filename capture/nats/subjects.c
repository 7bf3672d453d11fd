/* SPDX-License-Identifier: MIT */
/* Asks the streams for their subjects, and for the last message of each subject. */
#include "nats/subjects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nats/connection.h"
#include "nats/message.h"

/* Which subjects of a stream are added. */
struct search {
    const char *pattern;
    size_t most; /* subjects with recordings */
    int looked;  /* most subjects, with or without recordings */
};

static bool is_alarm(const char *subject)
{
    static const char alarm[] = ".alarm";
    size_t length = strlen(subject), end = sizeof alarm - 1;

    return length > end && strcmp(subject + length - end, alarm) == 0;
}

/* Finds out whether the subject has recordings: its last message is of a recorder. */
static natsStatus look(const struct nats_connection *connection, const char *stream, const char *subject, bool *has,
                       jsErrCode *code)
{
    natsMsg *last = NULL;
    struct nats_mark mark;
    const char *text;
    natsStatus status = js_GetLastMsg(&last, connection->jetstream, stream, subject, NULL, code);

    *has = false;
    if (status == NATS_OK) {
        text = nats_mark_of(last);
        *has = text != NULL && nats_mark_parse(&mark, text);
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
                             const char *stream, const struct search *search, jsErrCode *code)
{
    jsOptions wishes = nats_request(search->pattern);
    jsStreamInfo *about = NULL;
    natsStatus status = js_GetStreamInfo(&about, connection->jetstream, stream, &wishes, code);
    int count = status == NATS_OK && about->State.Subjects != NULL ? about->State.Subjects->Count : 0;

    if (count > 1)
        qsort(about->State.Subjects->List, (size_t)count, sizeof *about->State.Subjects->List, by_subject);
    count = count < search->looked ? count : search->looked;
    for (int i = 0; i < count && subjects->count < search->most && status == NATS_OK; i++) {
        const char *subject = about->State.Subjects->List[i].Subject;
        bool has;

        if (!nats_is_subject(subject) || is_alarm(subject))
            continue;
        status = look(connection, stream, subject, &has, code);
        if (status == NATS_OK && has && !add(subjects, subject))
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
    const struct search search = {.pattern = ">", .most = SUBJECTS_SHOWN, .looked = SUBJECTS_LOOKED};
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
    free(subjects.names);
    if (count == 0)
        return failure(error, ERROR_UNREACHABLE, "%.120s: no recording on this subject\nrecord with --store %.120s%s",
                       place->text, place->text, *place->subject == '\0' ? "lab.b1" : "");
    return failure(error, ERROR_UNREACHABLE, "%.120s: no recording on this subject\nthe server has %s%s", place->text,
                   text, count == SUBJECTS_SHOWN ? ", ..." : "");
}
