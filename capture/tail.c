/* SPDX-License-Identifier: MIT */
/* txtap tail: follow the events of a running target. */
#include <errno.h>
#include <string.h>

#include "attach.h"
#include "commands.h"
#include "printer.h"
#include "report.h"
#include "world.h"

#define FLUSH_US 20000   /* a probe that cannot keep up leaves no quiet moment: what there is is shown all the same */
#define DRAIN_US 1000000 /* for what the target had written when the end was asked for, through a slow probe */

static enum txtap_status follow(struct session *session, struct printer *printer, uint64_t deadline_us,
                                char error[static ERROR_TEXT_BYTES])
{
    enum txtap_status status = TXTAP_OK;
    uint64_t flushed_us = 0;

    while (status == TXTAP_OK && !stop_requested() && now_us() < deadline_us) {
        uint64_t delay;

        status = session_step(session, error);
        if (status == TXTAP_OK && (!session->hurry || now_us() - flushed_us > FLUSH_US)) {
            status = printer_flush(printer);
            flushed_us = now_us();
        }
        delay = session_delay_us(session);
        if (status != TXTAP_OK || delay == 0)
            continue;
        if (deadline_us - now_us() < delay)
            delay = deadline_us > now_us() ? deadline_us - now_us() : 0;
        sleep_us(delay);
    }
    if (status == TXTAP_OK)
        return session_drain(session, DRAIN_US, error);
    /* The source is gone: what was read is still good, and what is known to be written is lost. */
    if (status < TXTAP_OK && *error)
        session_finish(session, session->ring.head);
    return status;
}

static int run(const struct options *options, struct attachment *attachment, char error[static ERROR_TEXT_BYTES])
{
    static struct printer printer;
    static struct session session;
    uint64_t begin = now_us();
    uint64_t deadline = options->seconds > 0 ? begin + (uint64_t)(options->seconds * 1e6) : UINT64_MAX;
    double seconds;
    enum txtap_status status = printer_open(&printer, options, &attachment->header, error);
    int code;

    if (status != TXTAP_OK)
        return EXIT_FAILED;
    status = session_init(&session, attachment->source, &attachment->header, attachment->address,
                          options->only_new ? TXTAP_RING_FROM_NOW : TXTAP_RING_FROM_OLDEST, printer_taker(&printer),
                          now_us, error);
    if (status != TXTAP_OK) {
        output_close(&printer.output);
        return attach_exit_code(status);
    }
    status = printer_begin(&printer, &session.registry);
    if (status == TXTAP_OK)
        status = follow(&session, &printer, deadline, error);
    if (status == TXTAP_ERROR_SYSTEM && !*error)
        failure(error, status, "%s: cannot be written: %s", printer.output.name, strerror(errno));
    status = printer_close(&printer, status, error);
    seconds = (double)(now_us() - begin) / 1e6;
    attach_account(attachment, &session.stats);
    printer_warn(&printer, options);
    report_summary(options, &session.stats, seconds);
    code = attach_exit_code(status);
    if (code != EXIT_DONE && code != EXIT_NO_SERVER) /* the buffer was found, whatever became of it */
        code = EXIT_FAILED;
    if (!report_stats_json(options, &session.stats, seconds))
        code = EXIT_FAILED;
    if (code == EXIT_DONE && options->strict && session.stats.lost > 0)
        code = EXIT_LOST;
    session_free(&session);
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
