/* SPDX-License-Identifier: MIT */
#include "attach.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "attach_gdb.h"
#include "image.h"
#include "locate_scan.h"
#include "world.h"

#define TIMEOUT_MS    3000
#define WAIT_RETRY_MS 250

static enum txtap_status open_source(const struct options *options, struct attachment *attachment,
                                     char error[static ERROR_TEXT_BYTES])
{
    enum txtap_status status;

    if (options->image_path) {
        struct image_source *image;

        status = image_open(&image, options->image_path, options->image_address, error);
        if (status == TXTAP_OK) {
            attachment->source = image_source_of(image);
            attachment->image = image_region(image);
        }
        return status;
    }
    attachment->live = true;
    if (options->gdb_port) {
        status = attach_gdb(options, TIMEOUT_MS, &attachment->gdb, &attachment->tcl, error);
        if (status == TXTAP_OK)
            attachment->source = gdb_source_of(attachment->gdb);
        return status;
    }
    status = tcl_open(&attachment->tcl, options->tcl_host, options->tcl_port, TIMEOUT_MS, error);
    if (status == TXTAP_OK)
        attachment->source = tcl_source_of(attachment->tcl);
    return status;
}

static void list_candidates(const struct locate_result *found)
{
    for (size_t i = 0; i < found->count; i++) {
        const struct locate_candidate *candidate = &found->candidates[i];

        if (candidate->status == TXTAP_OK)
            fprintf(stderr, "txtap: 0x%08" PRIx32 ": trace buffer of %" PRIu32 " entries, %" PRIu32 " objects\n",
                    candidate->address, txtap_header_ring_entries(&candidate->header),
                    txtap_header_registry_entries(&candidate->header));
        else
            fprintf(stderr, "txtap: 0x%08" PRIx32 ": not usable: %s\n", candidate->address, candidate->why);
    }
}

/* A damaged header can be plausible and yet describe more than there is: its last word must be readable. */
static enum txtap_status check_extent(const struct attachment *attachment, char error[static ERROR_TEXT_BYTES])
{
    uint32_t last = attachment->header.ring_end - 4;
    uint8_t word[4];
    enum txtap_status status = locate_read(attachment->source, last, word, sizeof word);

    if (status == TXTAP_ERROR_FAULT)
        return failure(error, TXTAP_ERROR_RING,
                       "trace buffer at 0x%08" PRIx32 ": its ring reaches to 0x%08" PRIx32
                       ", where nothing can be read: the header is damaged, or --address is wrong; search with --scan",
                       attachment->address, attachment->header.ring_end);
    if (status != TXTAP_OK)
        return failure(error, status, "%s", attachment->source.ops->error_text(attachment->source.self));
    return TXTAP_OK;
}

static enum txtap_status find_header(const struct options *options, struct attachment *attachment,
                                     char error[static ERROR_TEXT_BYTES])
{
    struct locate_request request = {
        .elf = attachment->elf,
        .symbol = options->symbol,
        .has_address = options->has_address,
        .address = options->address,
        .scan = options->scan,
        .ram = options->ram,
        .ram_count = options->ram_count,
    };
    const struct locate_result *found = &attachment->found;
    enum txtap_status status;

    if (options->image_path && options->ram_count == 0) {
        request.ram = &attachment->image;
        request.ram_count = 1;
    }
    status = locate(attachment->source, &request, &attachment->found, error);

    if (status == TXTAP_OK) {
        const struct locate_candidate *chosen = &found->candidates[found->chosen];

        attachment->address = chosen->address;
        attachment->header = chosen->header;
        attachment->how = chosen->how;
        status = check_extent(attachment, error);
    } else if (found->count > 1) {
        list_candidates(found);
    }
    return status;
}

static void close_source(struct attachment *attachment)
{
    if (attachment->source.ops)
        attachment->source.ops->close(attachment->source.self);
    if (attachment->tcl && attachment->gdb) /* which was asked, and is not the source */
        tcl_source_of(attachment->tcl).ops->close(attachment->tcl);
    attachment->source = (struct txtap_source){NULL, NULL};
    attachment->tcl = NULL;
    attachment->gdb = NULL;
}

/* What may come by itself: the server, its target, the firmware's call of tx_trace_enable. */
static bool may_come(enum txtap_status status)
{
    switch (status) {
    case TXTAP_ERROR_UNREACHABLE:
    case TXTAP_ERROR_CLOSED:
    case TXTAP_ERROR_TIMEOUT:
    case TXTAP_ERROR_TARGET:
    case TXTAP_ERROR_NOT_FOUND:
        return true;
    default:
        return false;
    }
}

enum txtap_status attach(const struct options *options, struct attachment *attachment,
                         char error[static ERROR_TEXT_BYTES])
{
    enum txtap_status status = TXTAP_OK;
    bool said = false;

    memset(attachment, 0, sizeof *attachment);
    if (options->elf)
        status = elf_open(&attachment->elf, options->elf, error);
    if (status == TXTAP_ERROR_TRUNCATED)
        return TXTAP_ERROR_FORMAT; /* half an ELF file is none: not to be taken for a buffer that was not found */
    if (status != TXTAP_OK)
        return status;
    for (;;) {
        status = open_source(options, attachment, error);
        if (status == TXTAP_OK)
            status = find_header(options, attachment, error);
        if (status == TXTAP_OK)
            break;
        close_source(attachment);
        if (!options->wait || !may_come(status))
            break;
        if (!said && !options->quiet)
            fprintf(stderr, "txtap: waiting: %s\n", error);
        said = true;
        if (!sleep_us(WAIT_RETRY_MS * 1000))
            break; /* Ctrl-C */
    }
    if (status != TXTAP_OK) {
        attach_close(attachment);
        return status;
    }
    attachment->reports_stops = attachment->gdb && !options->quiet;
    if (attachment->reports_stops)
        attach_gdb_announce(options, attachment->gdb);
    return status;
}

void attach_account(const struct attachment *attachment, struct session_stats *stats)
{
    if (attachment->gdb) {
        struct gdb_counters counters = gdb_counters(attachment->gdb);

        stats->requests = counters.requests;
        stats->bytes_read = counters.bytes;
    } else if (attachment->tcl) {
        struct tcl_counters counters = tcl_counters(attachment->tcl);

        stats->requests = counters.requests;
        stats->bytes_read = counters.bytes;
    }
}

void attach_close(struct attachment *attachment)
{
    if (attachment->reports_stops && attachment->gdb)
        attach_gdb_report(attachment->gdb);
    close_source(attachment);
    elf_close(attachment->elf);
    attachment->elf = NULL;
}

int attach_exit_code(enum txtap_status status)
{
    switch (status) {
    case TXTAP_OK:
    case TXTAP_AGAIN:
    case TXTAP_END:
        return EXIT_DONE;
    case TXTAP_ERROR_USAGE:
        return EXIT_USAGE;
    case TXTAP_ERROR_SIGNATURE:
    case TXTAP_ERROR_REGISTRY:
    case TXTAP_ERROR_RING:
    case TXTAP_ERROR_POINTER:
    case TXTAP_ERROR_OVERLAP:
    case TXTAP_ERROR_TRUNCATED:
    case TXTAP_ERROR_FAULT: /* nothing to be read where it should be */
    case TXTAP_ERROR_NOT_FOUND:
    case TXTAP_ERROR_AMBIGUOUS:
    case TXTAP_ERROR_SYMBOL:
        return EXIT_NO_BUFFER;
    case TXTAP_ERROR_UNREACHABLE:
    case TXTAP_ERROR_PROTOCOL:
    case TXTAP_ERROR_TIMEOUT:
    case TXTAP_ERROR_CLOSED:
    case TXTAP_ERROR_TARGET:
    case TXTAP_ERROR_UNSAFE:
        return EXIT_NO_SERVER;
    default:
        return EXIT_FAILED;
    }
}
