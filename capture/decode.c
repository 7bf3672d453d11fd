/* SPDX-License-Identifier: MIT */
/* txtap decode: the events of a file, through the same ring reader as those of a target. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "attach.h"
#include "commands.h"
#include "image.h"
#include "printer.h"
#include "report.h"
#include "txtap/header.h"
#include "world.h"

/* The file begins with the header; the header says at which address it lay. */
static enum txtap_status parse_file(const char *path, const uint8_t *bytes, size_t length, struct txtap_header *header,
                                    char error[static ERROR_TEXT_BYTES])
{
    enum txtap_status status;

    if (length < TXTB_HEADER_BYTES)
        return failure(error, TXTAP_ERROR_TRUNCATED,
                       "%s: %zu bytes are no trace file: give what 'txtap snapshot' or a debugger saved", path, length);
    status = txtap_header_parse(bytes, header);
    if (status != TXTAP_OK)
        return failure(error, status,
                       "%s: does not begin with a usable trace buffer header: %s: give what 'txtap snapshot' or a "
                       "debugger saved from the buffer's start",
                       path, txtap_status_text(status));
    if (length < txtap_header_total_bytes(header))
        return failure(error, TXTAP_ERROR_TRUNCATED,
                       "%s: has %zu bytes of the %" PRIu32 " that its header describes: save the whole buffer", path,
                       length, txtap_header_total_bytes(header));
    return TXTAP_OK;
}

static enum txtap_status note_entry(void *self, const uint8_t entry[TXTB_ENTRY_BYTES], uint64_t seq)
{
    struct session *session = self;
    struct txtap_event event;

    txtap_event_parse(entry, &session->header, &event);
    event.seq = seq;
    txtap_registry_note(&session->registry, &event);
    return TXTAP_OK;
}

static enum txtap_status ignore_gap(void *self, const struct txtap_gap *gap)
{
    (void)self;
    (void)gap;
    return TXTAP_OK;
}

static enum txtap_status read_all(struct session *session, char error[static ERROR_TEXT_BYTES])
{
    enum txtap_status status = TXTAP_OK;

    while (status == TXTAP_OK && txtap_ring_unread(&session->ring) > 0)
        status = session_step(session, error);
    return status == TXTAP_OK ? session_finish(session, session->ring.head) : status;
}

/* A first pass: since when each of the printing session's objects is what it is, for the events before that. */
static enum txtap_status note_all(struct session *printing, char error[static ERROR_TEXT_BYTES])
{
    static struct session session;
    struct session_taker taker = {note_entry, ignore_gap, printing};
    enum txtap_status status = session_init(&session, printing->source, &printing->header, printing->header.base,
                                            TXTAP_RING_STILL, taker, now_us, error);

    if (status != TXTAP_OK)
        return status;
    status = read_all(&session, error);
    session_free(&session);
    return status;
}

static enum txtap_status print_all(const struct options *options, struct txtap_source source,
                                   const struct txtap_header *header, struct session_stats *stats,
                                   char error[static ERROR_TEXT_BYTES])
{
    static struct printer printer;
    static struct session session;
    enum txtap_status status = printer_open(&printer, options, header, error);

    if (status != TXTAP_OK)
        return status;
    status =
        session_init(&session, source, header, header->base, TXTAP_RING_STILL, printer_taker(&printer), now_us, error);
    if (status == TXTAP_OK)
        status = note_all(&session, error);
    if (status == TXTAP_OK)
        status = printer_begin(&printer, &session.registry);
    if (status == TXTAP_OK)
        status = read_all(&session, error);
    if (status == TXTAP_ERROR_SYSTEM && !*error)
        failure(error, status, "%s: cannot be written: %s", printer.output.name, strerror(errno));
    status = printer_close(&printer, status, error);
    *stats = session.stats;
    session_free(&session);
    return status;
}

int command_decode(const struct options *options)
{
    char error[ERROR_TEXT_BYTES] = "";
    struct image_source *image = NULL;
    struct txtap_header header;
    struct session_stats stats = {0};
    uint64_t begin = now_us();
    size_t length;
    const uint8_t *bytes;
    enum txtap_status status = image_open(&image, options->file, 0, error);

    if (status == TXTAP_OK) {
        bytes = image_bytes(image, &length);
        status = parse_file(options->file, bytes, length, &header, error);
    }
    if (status == TXTAP_OK)
        status = image_rebase(image, header.base, error);
    if (status == TXTAP_OK)
        status = print_all(options, image_source_of(image), &header, &stats, error);
    if (status < TXTAP_OK)
        report_error(*error ? error : txtap_status_text(status));
    else if (!report_stats_json(options, &stats, (double)(now_us() - begin) / 1e6))
        status = TXTAP_ERROR_SYSTEM;
    if (image)
        image_source_of(image).ops->close(image);
    return attach_exit_code(status);
}
