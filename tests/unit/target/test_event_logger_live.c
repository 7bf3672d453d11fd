/* SPDX-License-Identifier: MIT */
/*
 * The kernel event logger seen by a debug probe that reads between any two stores. Also: interrupts and threads that
 * use the logger at the same time.
 */
#include "kernel_event_logger.h"
#include "seeds.h"
#include "target/event_logger_port.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = CONFIG_KERNEL_EVENT_LOGGER_BUFFER_SIZE, LOG_MAX = 64 };

static struct event_logger_ring *const ring = &sys_k_event_logger.ring_buf;

/* ---------------------------------------------------------------------------------- order of the stores */

/* One letter per step: 'd' header or data, 't' tail, 'h' head, 'c' counts, 'i' fields that init sets, 'b' buf, '|'
 * barrier. */
static char log_text[LOG_MAX];
static unsigned log_length;

static char letter(enum port_step step, const volatile void *place)
{
    if (step == PORT_BARRIER) {
        return '|';
    }
    if (place == &ring->tail || place == &ring->head) {
        return place == &ring->tail ? 't' : 'h';
    }
    const uintptr_t at = (uintptr_t)place;
    const uintptr_t buffer = (uintptr_t)_sys_k_event_logger_buffer;
    if (at >= buffer && at < buffer + sizeof _sys_k_event_logger_buffer) {
        return 'd';
    }
    return place == &ring->buf ? 'b' : 'c';
}

static void log_step(enum port_step step, const volatile void *place)
{
    if (step != PORT_UNLOCKED && log_length < LOG_MAX - 1) {
        log_text[log_length++] = letter(step, place);
    }
}

Test(event_logger_live, moves_the_tail_after_the_words_and_the_head_after_copying)
{
    sys_k_event_logger_init();
    port_on_step = log_step;
    sys_k_event_logger_put(9, (const uint32_t[]){1, 2}, 2);
    cr_expect_str_eq(log_text, "ddd|t|cccc");
    memset(log_text, 0, sizeof log_text);
    log_length = 0;
    cr_assert_eq(get_event(2), 2);
    cr_expect_str_eq(log_text, "|hc");
    memset(log_text, 0, sizeof log_text);
    log_length = 0;
    sys_k_event_logger_put(9, got.data, WORDS);
    cr_expect_str_eq(log_text, "cc", "a dropped event touches its counts only");
}

Test(event_logger_live, shows_a_buffer_only_with_a_complete_ring)
{
    port_on_step = log_step;
    sys_k_event_logger_init();
    cr_expect_eq(log_text[0], 'b');
    cr_expect_eq(log_text[1], '|');
    cr_expect_eq(log_text[log_length - 2], '|');
    cr_expect_eq(log_text[log_length - 1], 'b');
    cr_expect_eq(port_stores_unlocked, 0);
}

/* ------------------------------------------------------------------------------- any moment, any load */

/* Numbers of the events between head and tail. Event n has the id n and 1 + n % 9 words, which all are n. */
static uint32_t model_first, model_next;
static uint32_t views;

static uint32_t words_of(uint32_t n)
{
    return 1 + n % 9;
}

/*
 * Checks that a probe sees whole events in order between head and tail. The event that is being put or collected may be
 * missing.
 */
static void look(enum port_step step, const volatile void *place)
{
    (void)step;
    (void)place;
    if (ring->buf == NULL) {
        return;
    }
    uint32_t n = 0, at = ring->head, seen = 0;
    while (at != ring->tail) {
        uint32_t header = _sys_k_event_logger_buffer[at];
        if (seen == 0) {
            n = model_first;
            if ((header & 0xFFFF) != (n & 0xFFFF)) {
                n++; /* event n is being collected, and the head has already passed it */
            }
        }
        cr_assert_eq(header & 0xFFFF, n & 0xFFFF);
        cr_assert_eq(header >> 16 & 0xFF, words_of(n));
        for (uint32_t i = 0; i < words_of(n); i++) {
            at = (at + 1) % WORDS;
            cr_assert_eq(_sys_k_event_logger_buffer[at], n);
        }
        at = (at + 1) % WORDS;
        n++;
        cr_assert_lt(seen++, WORDS);
    }
    cr_assert(seen == 0 || n == model_next || n == model_next + 1);
    views++;
}

static bool model_put(void)
{
    uint32_t n = model_next, data[9];
    for (uint32_t i = 0; i < words_of(n); i++) {
        data[i] = n;
    }
    uint32_t before = txtap_event_logger_totals.events_dropped;
    sys_k_event_logger_put((uint16_t)n, data, (uint8_t)words_of(n));
    if (txtap_event_logger_totals.events_dropped != before) {
        return false;
    }
    model_next++;
    return true;
}

static void model_get(void)
{
    int result = get_event(9);
    cr_assert_eq(result, model_first == model_next ? 0 : (int)words_of(model_first));
    if (result > 0) {
        cr_assert_eq(got.id, model_first & 0xFFFF);
        model_first++;
    }
}

Test(event_logger_live, is_consistent_between_any_two_stores)
{
    unsigned seed = (unsigned)setting("TXTAP_SEED", 20);
    sys_k_event_logger_init();
    port_on_step = look;
    uint32_t full = 0;
    srand(seed);
    for (unsigned i = 0; i < 20000; i++) {
        unsigned gets = (unsigned)rand() % (i / 5000 % 2 == 0 ? 2 : 4);
        full += model_put() ? 0 : 1;
        while (gets-- > 0) {
            model_get();
        }
    }
    cr_expect_gt(full, 100, "seed %u never filled the ring", seed);
    cr_expect_gt(views, 100000);
    cr_expect_eq(port_stores_unlocked, 0);
}

/* ------------------------------------------------------------------ how a reader learns what it missed */

/*
 * Returns the number of words written between two reads, by the formula in README.md. Each read takes totals.words_put
 * first, then the tail.
 */
static uint32_t words_between(uint32_t words_before, uint32_t tail_before, uint32_t words, uint32_t tail)
{
    uint32_t counted = words - words_before;
    return counted + (tail + WORDS - (tail_before + counted) % WORDS) % WORDS;
}

static uint32_t look_words, look_tail, true_words;

static void compare_words(enum port_step step, const volatile void *place)
{
    (void)step;
    uint32_t words = txtap_event_logger_totals.words_put;
    uint32_t moved = words_between(look_words, look_tail, words, ring->tail);
    true_words += place == &ring->tail ? 3 : 0;
    cr_assert_eq(moved, true_words);
}

Test(event_logger_live, shows_how_many_words_were_put_at_any_moment)
{
    sys_k_event_logger_init();
    txtap_event_logger_totals.words_put = 0xFFFFFF00u; /* this count wraps during the test */
    for (unsigned laps = 0; laps < 30; laps++) {
        look_words = txtap_event_logger_totals.words_put;
        look_tail = ring->tail;
        true_words = 0;
        port_on_step = compare_words;
        for (unsigned i = 0; i < 13 * laps; i++) {
            sys_k_event_logger_put(9, got.data, 2);
            cr_assert_eq(get_event(2), 2);
        }
        port_on_step = NULL;
        cr_assert_eq(true_words, 39 * laps);
    }
}

/* --------------------------------------------------------------------------- interrupts and threads */

static unsigned interrupts;

static void interrupt_at_the_last_moment(void)
{
    void (*self)(void) = port_on_lock;
    port_on_lock = NULL; /* the interrupt must not interrupt itself */
    interrupts++;
    sys_k_event_logger_put(1000, (const uint32_t[]){interrupts}, 1);
    port_on_lock = self;
}

Test(event_logger_live, loses_nothing_to_interrupts_before_each_lock)
{
    sys_k_event_logger_init();
    port_on_lock = interrupt_at_the_last_moment;
    uint32_t of_thread = 0, of_interrupt = 0;
    for (uint32_t n = 1; n <= 1000; n++) {
        sys_k_event_logger_put(50, (const uint32_t[]){n, ~n}, 2);
        /* Interrupts also come during the first three gets. Then they stop, because otherwise the ring would never be
         * empty. */
        for (unsigned gets = 0; sys_k_event_logger.sync_sema.count != 0; gets++) {
            port_on_lock = gets < 3 ? interrupt_at_the_last_moment : NULL;
            cr_assert_gt(get_event(2), 0);
            cr_assert_eq(got.dropped, 0);
            cr_assert_eq(got.data[0], got.id == 50 ? ++of_thread : ++of_interrupt);
        }
        port_on_lock = interrupt_at_the_last_moment;
    }
    cr_expect_eq(of_thread, 1000);
    cr_expect_eq(of_interrupt, interrupts);
}

enum { WRITERS = 4, EVENTS_EACH = 50000 };
static volatile unsigned writers_left = WRITERS;

static void *write_many(void *argument)
{
    uint16_t id = *(const uint16_t *)argument;
    for (uint32_t n = 0; n < EVENTS_EACH; n++) {
        uint32_t data[] = {n, ~n, n * 3u, id, n};
        sys_k_event_logger_put(id, data, (uint8_t)(3 + n % 3));
    }
    __atomic_sub_fetch(&writers_left, 1, __ATOMIC_SEQ_CST);
    return NULL;
}

/* next_of: for each writer the lowest possible next number. Only dropped events may be missing before it. */
static uint32_t received, dropped_seen, next_of[WRITERS];

static bool collect_one(void)
{
    int result = get_event(5);
    if (result == 0) {
        return false;
    }
    cr_assert_eq(result, (int)(3 + got.data[0] % 3));
    cr_assert_eq(got.data[1], ~got.data[0]);
    cr_assert_eq(got.data[2], got.data[0] * 3u);
    cr_assert_geq(got.data[0], next_of[got.id]);
    next_of[got.id] = got.data[0] + 1;
    received++;
    dropped_seen += got.dropped;
    return true;
}

Test(event_logger_live, keeps_concurrent_writers_and_the_collector_apart, .timeout = 1200)
{
    static uint16_t ids[WRITERS] = {0, 1, 2, 3};
    pthread_t writers[WRITERS];
    sys_k_event_logger_init();
    for (unsigned i = 0; i < WRITERS; i++) {
        cr_assert_eq(pthread_create(&writers[i], NULL, write_many, &ids[i]), 0);
    }
    while (writers_left != 0 || collect_one()) {
        collect_one();
    }
    for (unsigned i = 0; i < WRITERS; i++) {
        pthread_join(writers[i], NULL);
    }
    while (collect_one()) {
    }
    cr_expect_eq(received + txtap_event_logger_totals.events_dropped, WRITERS * EVENTS_EACH);
    cr_expect_leq(dropped_seen + ring->dropped_put_count, txtap_event_logger_totals.events_dropped);
    cr_expect_gt(received, 0);
    cr_expect_eq(ring->head, ring->tail);
    cr_expect_eq(sys_k_event_logger.sync_sema.count, 0);
}
