/* SPDX-License-Identifier: MIT */
/* Figures from Zephyr's CTF: small streams whose sums are known. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "analysis/figure_list.h"
#include "instances/instance_check.h"
#include "txtap/inner/zephyr.h"

#define THREAD                  "uint32_t thread_id; text name[20];"
#define EVENT(name, id, fields) "event { name = " name "; id = " id "; fields := struct { " fields " }; };\n"
#define METADATA                                                                                                       \
    "typealias integer { size = 8; align = 8; signed = false; } := uint8_t;\n"                                         \
    "typealias integer { size = 32; align = 8; signed = false; } := uint32_t;\n"                                       \
    "typealias integer { size = 8; align = 8; encoding = ASCII; } := text;\n"                                          \
    "struct event_header { uint32_t timestamp; uint8_t id; };\n"                                                       \
    "trace { major = 1; minor = 8; byte_order = le; };\n"                                                              \
    "stream { event.header := struct event_header; };\n" EVENT("thread_switched_out", "0x10", THREAD)                  \
        EVENT("\"thread_switched_in\"", "0x11", THREAD) EVENT("thread_create", "0x13", THREAD)                         \
            EVENT("thread_suspend", "0x15", THREAD) EVENT("thread_ready", "0x17", THREAD)                              \
                EVENT("thread_pending", "0x18", THREAD) EVENT("semaphore_give_enter", "0x22", "uint32_t id;")          \
                    EVENT("semaphore_take_blocking", "0x25", "uint32_t id; uint32_t timeout;")                         \
                        EVENT("semaphore_take_exit", "0x26", "uint32_t id; uint32_t timeout; uint32_t ret;")           \
                            EVENT("mutex_lock_blocking", "0x2A", "uint32_t id; uint32_t timeout;")                     \
                                EVENT("mutex_lock_exit", "0x2B", "uint32_t id; uint32_t timeout; uint32_t ret;")       \
                                    EVENT("mutex_unlock_enter", "0x2C", "uint32_t id;")                                \
                                        EVENT("long_one", "0x70", "uint8_t bytes[4000];")
#define WITH_EXIT METADATA "event { name = isr_enter; id = 0x1B; };\nevent { name = isr_exit; id = 0x1C; };\n"
#define WITHOUT   METADATA "event { name = isr_enter; id = 0x1B; };\n"

#define A     "0x20000100"
#define B     "0x20000200"
#define SEM   "0x20001000"
#define MUTEX "0x20002000"

enum { THREAD_A = 0x20000100, THREAD_B = 0x20000200, IDLE = 0x20000300, OBJECT = 0x20001000, LOCK = 0x20002000 };
enum {
    OUT = 0x10,
    IN = 0x11,
    CREATE = 0x13,
    SUSPEND = 0x15,
    READY = 0x17,
    PENDING = 0x18,
    ENTER = 0x1B,
    EXIT = 0x1C,
    GIVE = 0x22,
    TAKE_BLOCKING = 0x25,
    TAKE_EXIT = 0x26,
    LOCK_BLOCKING = 0x2A,
    LOCK_EXIT = 0x2B,
    UNLOCK = 0x2C,
    LONG = 0x70
};

static struct txtap_ctf_layout layout;
static struct txtap_zephyr_ctf ctf;
static struct txtap_analysis *analysis;
static struct txtap_registry registry;
static struct txtap_object objects[16];
static struct figure_list list;
static size_t piece; /* bytes per call; 0: one whole record per call */

static void begin(const char *metadata)
{
    cr_assert_eq(txtap_ctf_layout_parse(&layout, metadata, strlen(metadata)), TXTAP_OK, "line %zu: %s",
                 layout.error_line, layout.complaint);
    instance_check_untyped = true;
    analysis = figure_list_analysis(&(struct txtap_analysis_options){0});
    txtap_registry_init(&registry, objects, 16);
    txtap_zephyr_ctf_init(&ctf, &layout, &registry, (struct txtap_sink){txtap_analysis_take, analysis});
    piece = 0;
}

static void give(const uint8_t *bytes, size_t length)
{
    size_t step = piece > 0 ? piece : length;

    for (size_t at = 0; at < length; at += step) {
        struct txtap_item item = {.kind = TXTAP_ITEM_BYTES};

        item.bytes = (struct txtap_bytes){bytes + at, length - at < step ? length - at : step};
        cr_assert_eq(txtap_zephyr_ctf_take(&ctf, &item), TXTAP_OK);
    }
}

/* Adds a record. name NULL: the record has only numbers, which are the key and zeros. */
static void record(uint32_t stamp, uint8_t id, uint32_t key, const char *name)
{
    const struct txtap_ctf_event *event = txtap_ctf_find(&layout, id);
    uint8_t bytes[5 + 4096] = {(uint8_t)stamp, (uint8_t)(stamp >> 8), (uint8_t)(stamp >> 16), (uint8_t)(stamp >> 24),
                               id};

    cr_assert_not_null(event);
    for (unsigned i = 0; i < 4 && event->bytes >= 4; i++)
        bytes[5 + i] = (uint8_t)(key >> 8 * i);
    if (name != NULL)
        strncpy((char *)bytes + 9, name, 20);
    give(bytes, 5 + event->bytes);
}

static const char *name_of(uint32_t thread)
{
    return thread == IDLE ? "idle" : thread == THREAD_A ? "a" : "b";
}

static void switched(uint32_t stamp, uint32_t from, uint32_t to)
{
    record(stamp, OUT, from, name_of(from));
    record(stamp, IN, to, name_of(to));
}

static void thread_record(uint32_t stamp, uint8_t id, uint32_t thread)
{
    record(stamp, id, thread, name_of(thread));
}

static void end(void)
{
    cr_assert_eq(txtap_zephyr_ctf_end(&ctf), TXTAP_OK);
    figure_list_end(&list, analysis);
}

/* Returns a figure, or NULL if it does not exist. detail NULL: a figure with any detail. */
static const struct txtap_figure *figure(const char *name, const char *subject, const char *detail)
{
    for (size_t i = 0; i < list.count; i++) {
        const struct txtap_figure *at = &list.figures[i];

        if (strcmp(at->name, name) == 0 && figure_subject_is(&at->subject, subject) &&
            (detail == NULL || strcmp(at->detail, detail) == 0))
            return at;
    }
    return NULL;
}

/* Returns the value of a figure; -1: the figure does not exist. */
static double value(const char *name, const char *subject, const char *detail)
{
    const struct txtap_figure *found = figure(name, subject, detail);

    return found != NULL ? found->stat[TXTAP_STAT_VALUE].value : -1;
}

static double stat_of(const char *name, const char *subject, const char *detail, enum txtap_stat stat)
{
    const struct txtap_figure *found = figure(name, subject, detail);

    cr_assert_not_null(found, "%s of %s", name, subject);
    return found->stat[stat].value;
}

/* A waits for a semaphore. An interrupt, which interrupts the idle thread, gives the semaphore. */
static void story_of_a_semaphore(void)
{
    switched(1000, IDLE, THREAD_A);
    record(1300, TAKE_BLOCKING, OBJECT, NULL);
    thread_record(1310, PENDING, THREAD_A);
    switched(1320, THREAD_A, IDLE);
    record(2000, ENTER, 0, NULL);
    record(2010, GIVE, OBJECT, NULL);
    thread_record(2020, READY, THREAD_A);
    record(2050, EXIT, 0, NULL);
    switched(2070, IDLE, THREAD_A);
    record(2075, TAKE_EXIT, OBJECT, NULL);
    record(2090, TAKE_BLOCKING, OBJECT, NULL);
    thread_record(2095, PENDING, THREAD_A);
    switched(2100, THREAD_A, IDLE);
    record(3000, ENTER, 0, NULL);
    record(3040, EXIT, 0, NULL);
    end();
}

static void check_semaphore(void)
{
    cr_expect_eq(value("cpu_ticks", A, NULL), 320 + 30);
    cr_expect_eq(value("idle_ticks", "-", NULL), 680 + 20 + 900);
    cr_expect_eq(value("interrupts_ticks", "-", NULL), 50 + 40);
    cr_expect_eq(stat_of("isr", "*", NULL, TXTAP_STAT_N), 2);
    cr_expect_eq(value("isr", "*", NULL), 50);
    cr_expect_eq(value("wake", A, NULL), 50);
    cr_expect_eq(value("block", A, "semaphore"), 2020 - 1310);
    cr_expect_eq(figure("block", A, "semaphore")->stat[TXTAP_STAT_MAX].lower, 3040 - 2095, "the last one goes on");
    cr_expect_eq(figure("block", A, "semaphore")->other.number, OBJECT);
    cr_expect_eq(value("waits", SEM, "semaphore"), 2020 - 1310);
    cr_expect_eq(value("response", A, NULL), 2095 - 2020);
    cr_expect_eq(value("run", A, NULL), 2095 - 2070);
    cr_expect_eq(value("switches", "-", NULL), 3);
    cr_expect_eq(value("woken_by", A, ""), 1);
    cr_expect_eq(value("time_ticks", A, "semaphore"), (2020 - 1320) + (3040 - 2100));
    cr_expect_eq(value("time_ticks", A, "ready"), 50);
}

Test(zephyr_ctf, a_wait_for_a_semaphore_lasts_from_the_call_until_the_thread_runs)
{
    begin(WITH_EXIT);
    story_of_a_semaphore();
    check_semaphore();
    cr_assert_str_eq(txtap_registry_find(&registry, THREAD_A)->name, "a");
    cr_assert_null(strstr(txtap_zephyr_ctf_lacks(&ctf), "ready"));
}

Test(zephyr_ctf, a_stream_may_arrive_in_pieces_of_any_size)
{
    for (size_t bytes = 1; bytes <= 7; bytes++) {
        begin(WITH_EXIT);
        piece = bytes;
        story_of_a_semaphore();
        check_semaphore();
    }
}

/* Zephyr does not record sleep. If a thread leaves the core and is made ready later, it has slept. If it is not made
 * ready, it was ready all the time. */
Test(zephyr_ctf, a_thread_that_is_resumed_has_slept_and_one_that_is_not_was_ready)
{
    begin(WITH_EXIT);
    thread_record(0, READY, THREAD_B);
    switched(100, IDLE, THREAD_A);
    switched(200, THREAD_A, THREAD_B); /* A sleeps */
    switched(250, THREAD_B, IDLE);     /* B sleeps */
    thread_record(400, READY, THREAD_A);
    switched(405, IDLE, THREAD_A);
    thread_record(450, READY, THREAD_B);
    switched(460, THREAD_A, THREAD_B); /* B displaces A */
    switched(500, THREAD_B, THREAD_A);
    switched(520, THREAD_A, IDLE);
    thread_record(700, READY, THREAD_A);
    switched(710, IDLE, THREAD_A);
    end();
    cr_expect_eq(stat_of("block", A, "sleep", TXTAP_STAT_N), 2);
    cr_expect_eq(stat_of("block", A, "sleep", TXTAP_STAT_SUM), 200 + 180);
    cr_expect_eq(stat_of("block", B, "sleep", TXTAP_STAT_MAX), 200);
    cr_expect_eq(stat_of("ready", A, NULL, TXTAP_STAT_SUM), 5 + 40 + 10);
    cr_expect_eq(stat_of("wake", A, NULL, TXTAP_STAT_N), 2);
    cr_expect_eq(stat_of("run", A, NULL, TXTAP_STAT_SUM), 55 + 20);
    cr_expect_eq(stat_of("response", A, NULL, TXTAP_STAT_MAX), 520 - 400);
    cr_expect_eq(value("time_ticks", A, "ready"), 55);
    cr_expect_eq(value("time_ticks", A, "sleep"), 380);
    cr_expect_eq(value("preemptions", "-", NULL), -1);
}

Test(zephyr_ctf, a_mutex_is_waited_for_until_it_is_unlocked)
{
    begin(WITH_EXIT);
    switched(0, IDLE, THREAD_A);
    record(10, LOCK_BLOCKING, LOCK, NULL);
    thread_record(12, PENDING, THREAD_A);
    switched(15, THREAD_A, THREAD_B);
    record(100, UNLOCK, LOCK, NULL);
    thread_record(110, READY, THREAD_A);
    switched(120, THREAD_B, THREAD_A);
    end();
    cr_expect_eq(value("block", A, "mutex"), 98);
    cr_expect_eq(figure("block", A, "mutex")->other.number, LOCK);
    cr_expect_eq(value("woken_by", A, ""), 1);
    cr_expect_eq(figure("woken_by", A, "")->other.number, THREAD_B);
    cr_expect_eq(stat_of("hold", MUTEX, NULL, TXTAP_STAT_N), 0);
    cr_expect_eq(figure("hold", MUTEX, NULL)->stat[TXTAP_STAT_MAX].lower, 0, "since when is not recorded");
    cr_expect_eq(figure("hold", MUTEX, NULL)->censored, 1);
    cr_expect_eq(value("wait", MUTEX, NULL), 100);
}

/* Records the end of a lock. ret: its result. */
static void locked(uint32_t stamp, uint8_t ret)
{
    const uint8_t bytes[] = {
        (uint8_t)stamp, (uint8_t)(stamp >> 8), 0, 0, LOCK_EXIT, 0, 0x20, 0, 0x20, 0, 0, 0, 0, ret, 0xFF, 0xFF, 0xFF};

    if (ret != 0)
        give(bytes, sizeof bytes);
    else
        record(stamp, LOCK_EXIT, LOCK, NULL);
}

Test(zephyr_ctf, a_mutex_is_held_from_the_lock_that_returned_0_to_the_last_unlock_of_its_owner)
{
    begin(WITH_EXIT);
    switched(0, IDLE, THREAD_A);
    locked(10, 0);
    locked(20, 0); /* locks the mutex a second time */
    record(30, UNLOCK, LOCK, NULL);
    switched(40, THREAD_A, THREAD_B);
    locked(50, 0xF0);               /* the mutex is busy */
    record(60, UNLOCK, LOCK, NULL); /* fails, because B does not own the mutex */
    switched(70, THREAD_B, THREAD_A);
    record(110, UNLOCK, LOCK, NULL);
    locked(200, 0);
    record(205, UNLOCK, LOCK, NULL);
    locked(300, 0);
    switched(310, THREAD_A, THREAD_B);
    record(320, LOCK_BLOCKING, LOCK, NULL);
    thread_record(321, PENDING, THREAD_B);
    switched(330, THREAD_B, THREAD_A);
    record(340, UNLOCK, LOCK, NULL);
    thread_record(341, READY, THREAD_B);
    switched(350, THREAD_A, THREAD_B);
    locked(355, 0);
    record(425, UNLOCK, LOCK, NULL);
    locked(450, 0);
    switched(500, THREAD_B, IDLE);
    end();
    cr_expect_eq(stat_of("hold", MUTEX, NULL, TXTAP_STAT_N), 4);
    cr_expect_eq(stat_of("hold", MUTEX, NULL, TXTAP_STAT_MIN), 5);
    cr_expect_eq(stat_of("hold", MUTEX, NULL, TXTAP_STAT_MAX), 100);
    cr_expect_eq(stat_of("hold", MUTEX, NULL, TXTAP_STAT_SUM), 100 + 5 + 40 + 70);
    cr_expect_eq(figure("waits_for", B, NULL)->other.number, THREAD_A);
    cr_expect_eq(figure("hold", MUTEX, NULL)->censored, 1, "the last one goes on");
    cr_expect_eq(value("gets", MUTEX, NULL), -1);
}

Test(zephyr_ctf, without_ready_records_a_wait_in_a_call_lasts_until_the_thread_runs_again)
{
    begin(WITH_EXIT);
    switched(0, IDLE, THREAD_A);
    record(10, LOCK_BLOCKING, LOCK, NULL);
    switched(15, THREAD_A, THREAD_B);
    record(100, UNLOCK, LOCK, NULL);
    switched(120, THREAD_B, THREAD_A);
    switched(150, THREAD_A, THREAD_B);
    switched(170, THREAD_B, THREAD_A);
    end();
    cr_expect_eq(stat_of("block", A, "mutex", TXTAP_STAT_N), 1);
    cr_expect_eq(value("block", A, "mutex"), 105);
    cr_expect_eq(figure("block", A, "mutex")->other.number, LOCK);
    cr_expect_eq(value("time_ticks", A, "mutex"), 105);
    cr_expect_eq(value("time_ticks", A, "unknown"), 20);
    cr_expect_eq(value("woken_by", A, NULL), -1);
    cr_expect_eq(value("wake", A, NULL), -1);
    cr_expect_eq(value("ready", A, NULL), -1);
    cr_assert_not_null(strstr(txtap_zephyr_ctf_lacks(&ctf), "until the thread runs again"));
}

Test(zephyr_ctf, without_ready_records_nothing_is_known_of_threads_that_do_not_run)
{
    static const char *const names[] = {"wake",   "ready", "response", "run",       "block",
                                        "period", "isr",   "isr_load", "interrupts"};

    begin(WITHOUT);
    switched(0, THREAD_B, THREAD_A);
    record(10, ENTER, 0, NULL);
    switched(100, THREAD_A, THREAD_B);
    record(210, ENTER, 0, NULL);
    switched(300, THREAD_B, THREAD_A);
    switched(310, THREAD_A, THREAD_B);
    end();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        cr_expect_eq(value(names[i], "*", NULL), -1, "%s", names[i]);
    cr_expect_eq(value("cpu_ticks", A, NULL), 110);
    cr_expect_eq(value("cpu_ticks", B, NULL), 200);
    cr_expect_eq(value("isr_interval", "*", NULL), 200);
    cr_expect_eq(value("time_ticks", A, "ready"), -1);
    cr_assert_not_null(strstr(txtap_zephyr_ctf_lacks(&ctf), "become ready"));
    cr_assert_not_null(strstr(txtap_zephyr_ctf_lacks(&ctf), "when it ends"));
}

/* Returns a figure of the flow that this caller causes; -1: there is no such figure. */
static double flow_of(const char *name, const char *object, const char *caller, const char *action)
{
    for (size_t i = 0; i < list.count; i++)
        if (strcmp(list.figures[i].name, name) == 0 && figure_subject_is(&list.figures[i].subject, object) &&
            figure_subject_is(&list.figures[i].other, caller) && strcmp(list.figures[i].detail, action) == 0)
            return list.figures[i].stat[TXTAP_STAT_N].value;
    return -1;
}

Test(zephyr_ctf, calls_show_who_uses_which_object)
{
    begin(WITH_EXIT EVENT("semaphore_take_enter", "0x24", "uint32_t id; uint32_t timeout;")
              EVENT("mutex_lock_enter", "0x29", "uint32_t id; uint32_t timeout;")
                  EVENT("queue_append_enter", "0x60", "uint32_t id;") EVENT("fifo_put_enter", "0x61", "uint32_t id;"));
    switched(0, IDLE, THREAD_A);
    record(10, 0x24, OBJECT, NULL);
    record(20, TAKE_BLOCKING, OBJECT, NULL);
    thread_record(30, PENDING, THREAD_A);
    switched(40, THREAD_A, THREAD_B);
    record(50, 0x29, LOCK, NULL);
    record(55, LOCK_EXIT, LOCK, NULL);
    record(60, 0x61, OBJECT + 0x100, NULL); /* the call of a FIFO calls its queue */
    record(61, 0x60, OBJECT + 0x100, NULL);
    record(70, ENTER, 0, NULL);
    record(80, GIVE, OBJECT, NULL);
    record(85, GIVE, OBJECT, NULL);
    record(90, EXIT, 0, NULL);
    end();
    cr_expect_eq(flow_of("flow", SEM, A, "get"), 1);
    cr_expect_eq(flow_of("flow_blocked", SEM, A, "get"), 1);
    cr_expect_eq(flow_of("flow", SEM, "isr:4294967295", "put"), 2);
    cr_expect_eq(flow_of("flow", MUTEX, B, "own"), 1);
    cr_expect_eq(flow_of("flow", "0x20001100", B, "send"), 1);
    cr_expect(!figure("flow_failed", SEM, "get")->stat[TXTAP_STAT_N].known);
}

Test(zephyr_ctf, stamps_continue_after_their_last_value_and_never_go_back)
{
    begin(WITH_EXIT);
    switched(0xFFFFFF00u, IDLE, THREAD_A);
    switched(0x00000100u, THREAD_A, THREAD_B);
    record(0x000000F0u, TAKE_EXIT, OBJECT, NULL); /* the stamp is earlier than that of the previous record */
    switched(0x00000200u, THREAD_B, THREAD_A);
    end();
    cr_expect_eq(value("window", "-", NULL), 0x300);
    cr_expect_eq(value("cpu_ticks", A, NULL), 0x200);
    cr_expect_eq(value("gaps", "-", NULL), 0);
}

Test(zephyr_ctf, after_a_gap_or_in_another_stream_the_running_thread_is_unknown)
{
    begin(WITH_EXIT);
    switched(0, IDLE, THREAD_A);
    switched(50, THREAD_A, THREAD_B);
    record(60, ENTER, 0, NULL);
    cr_assert_eq(txtap_zephyr_ctf_take(&ctf, &(struct txtap_item){.kind = TXTAP_ITEM_GAP, .gap = {15, 1, false, 0}}),
                 TXTAP_OK);
    give((const uint8_t[]){1, 2, 3}, 3); /* a part of a record */
    cr_assert_eq(txtap_zephyr_ctf_take(&ctf, &(struct txtap_item){.kind = TXTAP_ITEM_RESTART}), TXTAP_OK);
    record(7, EXIT, 0, NULL);
    switched(10, IDLE, THREAD_A);
    switched(30, THREAD_A, IDLE);
    end();
    cr_expect_eq(value("cpu_ticks", A, NULL), 50 + 20);
    cr_expect_eq(value("gaps", "-", NULL), 1);
}

/* The events of the records, as a sink gets them. */
static char told[512];

static enum txtap_status tell(void *self, const struct txtap_item *item)
{
    char line[64] = "";

    (void)self;
    if (item->kind == TXTAP_ITEM_EVENT) {
        const uint8_t *fields;
        size_t length;
        const struct txtap_ctf_event *event = txtap_zephyr_ctf_record(&ctf, &item->event, &fields, &length);

        (void)snprintf(line, sizeof line, "%u@%u:%s,%zu,%u ", (unsigned)item->event.seq, (unsigned)item->event.ticks,
                       event->name, length, length > 1 ? fields[1] : 0u);
    } else {
        strcpy(line, item->kind == TXTAP_ITEM_MARK ? "mark " : "gap ");
    }
    cr_assert_lt(strlen(told) + strlen(line), sizeof told);
    strcat(told, line);
    return TXTAP_OK;
}

Test(zephyr_ctf, a_sink_can_ask_for_the_record_of_each_event)
{
    begin(WITH_EXIT);
    ctf.next.take = tell;
    for (piece = 0; piece < 8; piece += 7) {
        told[0] = '\0';
        record(5, OUT, THREAD_A, "a"); /* this record becomes an event only after the next record */
        record(7, IN, THREAD_B, "b");
        record(9, LONG, 0x4200, NULL);
        record(11, OUT, THREAD_B, "b");
        record(11, ENTER, 0, NULL);
        cr_assert_str_eq(told, piece == 0
                                   ? "0@0:thread_switched_out,24,1 1@2:thread_switched_in,24,2 2@4:long_one,64,66 "
                                     "3@6:thread_switched_out,24,2 4@6:isr_enter,0,0 "
                                   : "5@6:thread_switched_out,24,1 6@6:thread_switched_in,24,2 "
                                     "7@6:long_one,64,66 8@6:thread_switched_out,24,2 9@6:isr_enter,0,0 ");
    }
}

Test(zephyr_ctf, a_restart_is_marked_once)
{
    static const struct txtap_item restart = {.kind = TXTAP_ITEM_RESTART};
    static const struct txtap_item mark = {.kind = TXTAP_ITEM_MARK, .mark = {TXTAP_MARK_RESET, 0, 0, "a reset"}};

    begin(WITH_EXIT);
    ctf.next.take = tell;
    told[0] = '\0';
    record(5, OUT, THREAD_A, "a");
    cr_assert_eq(txtap_zephyr_ctf_take(&ctf, &mark), TXTAP_OK);
    cr_assert_eq(txtap_zephyr_ctf_take(&ctf, &restart), TXTAP_OK);
    record(2, ENTER, 0, NULL);
    cr_assert_eq(txtap_zephyr_ctf_take(&ctf, &restart), TXTAP_OK);
    record(3, ENTER, 0, NULL);
    cr_assert_str_eq(told, "0@0:thread_switched_out,24,1 mark 1@0:isr_enter,0,0 mark 2@0:isr_enter,0,0 ");
}

Test(zephyr_ctf, continues_at_another_place_in_the_stream)
{
    const uint8_t header[] = {150, 0, 0, 0, GIVE};

    begin(WITH_EXIT);
    ctf.next.take = tell;
    told[0] = '\0';
    record(100, GIVE, OBJECT, NULL);
    record(130, OUT, THREAD_A, "a");
    cr_expect_eq(txtap_zephyr_ctf_ticks(&ctf, header), 50);
    give((const uint8_t[]){1, 2, 3}, 3); /* a part of a record */
    cr_expect_eq(txtap_zephyr_ctf_seq(&ctf), 2);
    cr_assert_eq(txtap_zephyr_ctf_go_on(&ctf, 40, 7000), TXTAP_OK);
    cr_expect_eq(txtap_zephyr_ctf_ticks(&ctf, header), 7000);
    record(5000, GIVE, OBJECT, NULL);
    record(5010, GIVE, OBJECT, NULL);
    cr_assert_str_eq(told, "0@0:semaphore_give_enter,4,16 1@30:thread_switched_out,24,1 "
                           "40@7000:semaphore_give_enter,4,16 41@7010:semaphore_give_enter,4,16 ");
}

Test(zephyr_ctf, a_long_record_is_skipped_and_an_unknown_one_ends_the_stream)
{
    begin(WITH_EXIT);
    switched(0, IDLE, THREAD_A);
    record(10, LONG, 1, NULL);
    switched(50, THREAD_A, IDLE);
    give((const uint8_t[]){60, 0, 0, 0, 0xEE}, 5);
    switched(100, IDLE, THREAD_A);
    end();
    cr_expect_eq(value("cpu_ticks", A, NULL), 50);
    cr_expect_eq(value("window", "-", NULL), 50);
    cr_expect_eq(value("gaps", "-", NULL), 1);
    cr_expect_eq(value("lost", "-", NULL), 1);
}

Test(zephyr_ctf, the_name_of_a_record_determines_its_meaning)
{
    static const struct {
        const char *name;
        enum txtap_event_class about;
    } rows[] = {
        {"thread_switched_in", TXTAP_CLASS_THREAD},
        {"idle", TXTAP_CLASS_THREAD},
        {"isr_exit_to_scheduler", TXTAP_CLASS_ISR},
        {"semaphore_take_exit", TXTAP_CLASS_SEMAPHORE},
        {"mutex_init", TXTAP_CLASS_MUTEX},
        {"msgq_put_enter", TXTAP_CLASS_QUEUE},
        {"event_post_enter", TXTAP_CLASS_FLAGS},
        {"mem_slab_free_exit", TXTAP_CLASS_POOL},
        {"timer_start", TXTAP_CLASS_TIME},
        {"named_event", TXTAP_CLASS_USER},
        {"socket_init", TXTAP_CLASS_NET},
        {"gpio_pin_set_enter", TXTAP_CLASS_OTHER},
        {"thread", TXTAP_CLASS_OTHER},
        {"", TXTAP_CLASS_OTHER},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        cr_expect_eq(txtap_zephyr_ctf_class(rows[i].name), rows[i].about, "%s", rows[i].name);
}
