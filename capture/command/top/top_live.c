/* SPDX-License-Identifier: MIT */
/* Shows a target: the events of its trace, and the lists of its kernel. Without a trace, only the lists. */
#include "command/top/top_live.h"

#include <stdio.h>
#include <string.h>

#include "attach/attach.h"
#include "base/runtime.h"
#include "command/operands.h"
#include "command/run_loop.h"
#include "command/top/top_kernel.h"
#include "command/top/top_screen.h"
#include "kernel/kernel_names.h"
#include "output/report.h"
#include "output/translation.h"

/* ---- with a trace ---- */

struct top {
    struct top_screen screen;
    struct translation translation; /* translates items for `screen` */
    struct run_loop loop;
    struct identity identity;
    uint64_t unread; /* largest number of entries that waited in the ring since the last screen */
    uint64_t drawn;
    struct top_kernel kernel;
    uint64_t resets;    /* number of resets when the kernel was last forgotten */
    struct error error; /* error of after_step() */
};

/* Sets the figures that only the poller knows: losses, use of the ring, tick rate. */
static void take_figures(struct top *top)
{
    const struct poller *poller = &top->loop.stream.poller;
    const struct attachment *attachment = top->loop.attachment;
    uint32_t capacity = attachment->ring->laps ? txtap_header_ring_entries(&poller->header) : 0;
    const struct txtap_rate rate = run_loop_rate(&top->loop);

    if (top->drawn != top->screen.drawn)
        top->unread = 0;
    top->drawn = top->screen.drawn;
    if (poller->stats.unread > top->unread)
        top->unread = poller->stats.unread;
    if (top->screen.paused)
        return;
    top->screen.state.lost = poller->stats.lost;
    top->screen.state.lost_exact = poller->stats.lost_exact && !poller->stats.unseen;
    if (capacity > 0 && top->screen.drawn > 0) /* at first the ring is full of old entries */
        top->screen.state.ring_used = 100.0 * (double)top->unread / capacity;
    top_screen_rate(&top->screen, &rate);
}

/* Passes the result of the last walk to the screen and to the checks. */
static void show_kernel_values(struct top_screen *screen, const struct top_kernel *kernel)
{
    screen->kernel = kernel->known ? &kernel->found : NULL;
    txtap_analysis_stacks(screen->findings.analysis, kernel->stacks.list, kernel->stacks.count);
}

/* Reads a part of the kernel's lists. A failure is no failure of the run: the loop notices a lost connection itself. */
static void read_kernel(struct top *top)
{
    struct error unused;

    if (top->loop.options->target.probe.gdb.intrusive) /* the reads would stop the target for longer */
        return;
    if (top->resets != top->loop.stream.poller.stats.resets)
        top_kernel_forget(&top->kernel);
    top->resets = top->loop.stream.poller.stats.resets;
    (void)top_kernel_step(&top->kernel, top->loop.attachment, now_us(), &unused);
    show_kernel_values(&top->screen, &top->kernel);
}

static enum txtap_status after_step(void *self, bool idle)
{
    struct top *top = self;

    (void)idle;
    if (reopen_requested())
        return TXTAP_END;
    take_figures(top);
    read_kernel(top);
    return top_screen_step(&top->screen, now_us(), &top->error);
}

int top_live_run(const struct options *options, struct attachment *attachment, struct error *error)
{
    static struct top top;
    const char *elf = attachment->config.elf, *slash = elf ? strrchr(elf, '/') : NULL;
    enum exit_code verdict = EXIT_DONE;
    enum txtap_status status;
    int code;

    top.translation.next = (struct txtap_sink){top_screen_take, &top.screen};
    status = operands_translate(&top.translation, options, &top.loop.stream.poller.registry, error);
    if (status == TXTAP_OK)
        status = run_loop_begin(&top.loop, options, attachment, (struct txtap_sink){translation_take, &top.translation},
                                true, error);
    if (status != TXTAP_OK)
        return status_exit_code(status);
    attach_identity(attachment, &top.identity);
    status = top_screen_open(&top.screen, options, &top.identity, slash ? slash + 1 : elf ? elf : "target", error);
    if (status == TXTAP_OK) {
        top.screen.condition = "LIVE";
        top.screen.names = &top.loop.stream.poller.registry;
        status = run_loop_run(&top.loop, after_step, &top, error);
        if (options->top.rows && top.screen.drawn == 0 && status >= TXTAP_OK) /* ended before the first screen */
            status = top_screen_last(&top.screen, error);
        if (status >= TXTAP_OK)
            verdict = top_screen_verdict(&top.screen, error);
        top_screen_close(&top.screen);
    }
    top_kernel_close(&top.kernel);
    identity_free(&top.identity);
    if (error_is_set(&top.error))
        *error = top.error;
    if (status == TXTAP_ERROR_USAGE) {
        event_stream_free(&top.loop.stream);
        return EXIT_USAGE;
    }
    code = run_loop_end(&top.loop, status == TXTAP_END ? TXTAP_OK : status, error);
    return exit_code_with_checks(code, verdict);
}

/* ---- without a trace ---- */

#define KEYS_US  40000  /* longest delay until a key is read */
#define RETRY_US 250000 /* between two attempts to attach again */

struct kernel_top {
    const struct options *options;
    struct attachment attachment;
    struct top_screen screen;
    struct top_kernel kernel;
    struct txtap_registry names; /* empty: the names come from the kernel */
    uint64_t retry_us;           /* time of the next attempt to attach again; 0: attached */
    uint64_t deadline_us;
};

static const char *condition_of(const struct top_kernel *kernel)
{
    const struct txtap_kernel_ops *ops = kernel->reader.layout.ops;

    if (kernel->open && ops->is_started != NULL && !ops->is_started(kernel->reader.kernel))
        return "NOT STARTED";
    return kernel->known ? "LIVE" : "ATTACHED";
}

/* Reads a part of the lists, or tries to attach again. */
static enum txtap_status read_or_attach(struct kernel_top *top, struct error *error)
{
    uint64_t now = now_us();
    enum txtap_status status;

    if (top->retry_us > now)
        return TXTAP_OK;
    if (top->retry_us > 0) {
        status = attach_retry(&top->attachment, error);
        top->retry_us = status == TXTAP_OK ? 0 : now_us() + RETRY_US;
        top_kernel_forget(&top->kernel);
    } else {
        status = top_kernel_step(&top->kernel, &top->attachment, now, error);
        if (attach_may_pass(status))
            top->retry_us = now;
    }
    if (top->retry_us > 0 && top->options->no_reconnect)
        return status;
    if (top->retry_us > 0)
        error_clear(error);
    top->screen.exception = top->retry_us > 0 ? "DETACHED" : NULL;
    top->screen.condition = condition_of(&top->kernel);
    show_kernel_values(&top->screen, &top->kernel);
    return top->retry_us > 0 ? TXTAP_OK : status;
}

static enum txtap_status follow(struct kernel_top *top, struct error *error)
{
    enum txtap_status status = TXTAP_OK;

    while (status == TXTAP_OK && !stop_requested() && !reopen_requested() && now_us() < top->deadline_us) {
        status = read_or_attach(top, error);
        if (status == TXTAP_OK && top->kernel.known)
            status = top_screen_step(&top->screen, now_us(), error);
        if (status == TXTAP_OK && !top->kernel.walking)
            (void)sleep_us(KEYS_US);
    }
    if (status == TXTAP_OK && top->options->top.rows && top->screen.drawn == 0)
        status = top_screen_last(&top->screen, error);
    return status == TXTAP_END || status == ERROR_INTERRUPTED ? TXTAP_OK : status;
}

static int show_kernel(struct kernel_top *top, struct error *error)
{
    const char *elf = top->attachment.config.elf, *slash = strrchr(elf, '/');
    struct identity identity = {.texts = NULL};
    char version[KERNEL_NAME_BYTES];
    enum exit_code verdict = EXIT_DONE;
    enum txtap_status status;

    attach_identity(&top->attachment, &identity);
    status = top_screen_open(&top->screen, top->options, &identity, slash != NULL ? slash + 1 : elf, error);
    if (status == TXTAP_OK) {
        kernel_version(&top->kernel.reader, version);
        snprintf(top->screen.state.kernel, sizeof top->screen.state.kernel, "%.47s", version);
        top->screen.names = &top->names;
        status = follow(top, error);
        if (status == TXTAP_OK)
            verdict = top_screen_verdict(&top->screen, error);
        top_screen_close(&top->screen);
    }
    identity_free(&identity);
    return status == TXTAP_OK ? (int)verdict : status_exit_code(status);
}

int top_live_run_kernel(const struct options *options, const char *elf)
{
    static struct kernel_top top;
    struct attach_config config = options->target;
    struct error error = {0};
    int code;

    if (config.ring.wished.scan || config.ring.wished.has_address || config.ring.wished.symbol != NULL ||
        options->stats_json != NULL)
        return -1;
    config.elf = elf;
    config.quiet = true;
    top.options = options;
    top.kernel.objects = true;
    top.deadline_us = options->seconds > 0 ? now_us() + (uint64_t)(options->seconds * 1e6) : UINT64_MAX;
    if (attach_memory(&config, &top.attachment, &error) != TXTAP_OK)
        return -1;
    if (top_kernel_open(&top.kernel, &top.attachment, &error) != TXTAP_OK) {
        attach_close(&top.attachment);
        return -1;
    }
    code = show_kernel(&top, &error);
    if (error_is_set(&error))
        report_error(&error);
    top_kernel_close(&top.kernel);
    attach_close(&top.attachment);
    return code;
}
