/* SPDX-License-Identifier: MIT */
/* txtap tail: follow the events of a running target. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "attach.h"
#include "commands.h"
#include "follow.h"
#include "printer.h"
#include "report.h"
#include "world.h"

#define FLUSH_US 20000   /* a probe that cannot keep up leaves no quiet moment: what there is is shown all the same */
#define DRAIN_US 1000000 /* for what the target had written when the end was asked for, through a slow probe */

/* The printer's taker; what happens to the stream is said on standard error too. */
struct teller {
    struct session_taker printer;
    bool quiet;
};

static enum txtap_status tell_entry(void *self, const uint8_t entry[TXTB_ENTRY_BYTES], uint64_t seq)
{
    const struct teller *teller = self;

    return teller->printer.entry(teller->printer.self, entry, seq);
}

static enum txtap_status tell_gap(void *self, const struct txtap_gap *gap)
{
    const struct teller *teller = self;

    return teller->printer.gap(teller->printer.self, gap);
}

static enum txtap_status tell_mark(void *self, const struct txtap_mark *mark)
{
    const struct teller *teller = self;

    if (!teller->quiet)
        fprintf(stderr, "txtap: %s%s%s\n", txtap_mark_name(mark->kind), *mark->text ? ": " : "", mark->text);
    return teller->printer.mark(teller->printer.self, mark);
}

static void tell_anew(void *self, const struct txtap_header *header)
{
    const struct teller *teller = self;

    teller->printer.anew(teller->printer.self, header);
}

static void tell_window(void *self, uint64_t from_us, uint64_t to_us)
{
    const struct teller *teller = self;

    teller->printer.window(teller->printer.self, from_us, to_us);
}

static enum txtap_status follow_until(struct follower *follower, struct printer *printer, uint64_t deadline_us,
                                      char error[static ERROR_TEXT_BYTES])
{
    enum txtap_status status = TXTAP_OK;
    uint64_t flushed_us = 0;

    while (status == TXTAP_OK && !stop_requested() && now_us() < deadline_us) {
        uint64_t delay;

        status = follow_step(follower, error);
        delay = follow_delay_us(follower);
        if (status == TXTAP_OK && (delay > 0 || now_us() - flushed_us > FLUSH_US)) {
            status = printer_flush(printer);
            flushed_us = now_us();
        }
        if (status != TXTAP_OK || delay == 0)
            continue;
        if (deadline_us - now_us() < delay)
            delay = deadline_us > now_us() ? deadline_us - now_us() : 0;
        sleep_us(delay);
    }
    if (status == TXTAP_OK)
        return follow_finish(follower, DRAIN_US, error);
    if (status < TXTAP_OK && *error) {
        /* The source is gone: what was read is still good, and what is known to be written is lost. */
        session_finish(&follower->session, follower->session.ring.head);
    }
    return status;
}

static int run(const struct options *options, struct attachment *attachment, char error[static ERROR_TEXT_BYTES])
{
    static struct printer printer;
    static struct follower follower;
    static struct teller teller;
    const struct follow_ports ports = attach_ports(attachment);
    const struct follow_clocks clocks = {now_us, unix_now_us};
    const struct follow_place place = attach_place(attachment);
    struct session_stats *stats = &follower.session.stats;
    uint64_t begin = now_us();
    uint64_t deadline = options->seconds > 0 ? begin + (uint64_t)(options->seconds * 1e6) : UINT64_MAX;
    double seconds;
    enum txtap_status status = printer_open(&printer, options, &attachment->header, error);
    int code;

    if (status != TXTAP_OK)
        return EXIT_FAILED;
    teller = (struct teller){printer_taker(&printer), options->quiet};
    status =
        follow_init(&follower, &ports, &clocks, attachment->live && !options->no_reconnect, &place,
                    options->only_new ? TXTAP_RING_FROM_NOW : TXTAP_RING_FROM_OLDEST,
                    (struct session_taker){tell_entry, tell_gap, tell_mark, tell_anew, &teller, tell_window}, error);
    if (status != TXTAP_OK) {
        output_close(&printer.output);
        return attach_exit_code(status);
    }
    status = printer_begin(&printer, &follower.session.registry);
    if (status == TXTAP_OK)
        status = follow_until(&follower, &printer, deadline, error);
    if (status == TXTAP_ERROR_SYSTEM && !*error)
        failure(error, status, "%s: cannot be written: %s", printer.output.name, strerror(errno));
    status = printer_close(&printer, status, error);
    seconds = (double)(now_us() - begin) / 1e6;
    attach_account(attachment, stats);
    printer_warn(&printer, options);
    printer_rate(&printer, &stats->tick_hz_low, &stats->tick_hz_high);
    report_summary(options, stats, seconds);
    code = attach_exit_code(status);
    if (code != EXIT_DONE && code != EXIT_NO_SERVER) /* the buffer was found, whatever became of it */
        code = EXIT_FAILED;
    if (!report_stats_json(options, stats, seconds))
        code = EXIT_FAILED;
    if (code == EXIT_DONE && options->strict && (stats->lost > 0 || stats->resets > 0))
        code = EXIT_LOST;
    follow_free(&follower);
    return code;
}

int command_tail(const struct options *options)
{
    static struct attachment attachment;
    char error[ERROR_TEXT_BYTES] = "";
    enum txtap_status status = attach(options, &attachment, error);
    int code;

    if (status != TXTAP_OK) {
        if (!stop_requested())
            report_error(error);
        return stop_requested() ? EXIT_DONE : attach_exit_code(status);
    }
    code = run(options, &attachment, error);
    if (*error)
        report_error(error);
    attach_close(&attachment);
    return code;
}
