/* SPDX-License-Identifier: MIT */
/* The exporter for Perfetto. Packets must be complete, have the right times, and identify their tracks. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "memory_sink.h"

#define A       0x100u
#define B       0x200u
#define QUEUE   0x300u
#define FOREVER 0xFFFFFFFFu

enum { RESUME = 1, SUSPEND = 2, RECEIVE = 68, SEND = 69 };

static uint64_t seq;

static void open_perfetto(const char *name)
{
    static const struct txtap_change_limits limits = {.threads = 8, .objects = 8};

    open_exporter("perfetto", 0);
    add_object(TXTAP_OBJECT_THREAD, A, name);
    add_object(TXTAP_OBJECT_THREAD, B, "consumer");
    add_object(TXTAP_OBJECT_QUEUE, QUEUE, "samples");
    exporter.changes.limits = limits;
    exporter.changes.memory = malloc(txtap_exporter_changes_bytes(exporter.ops, &limits));
    cr_assert_not_null(exporter.changes.memory);
    cr_assert_eq(exporter.ops->begin(&exporter), TXTAP_OK);
    seq = 0;
}

static void event(uint64_t ticks, uint32_t thread, uint32_t id, uint32_t i1, uint32_t i2, uint32_t i3, uint32_t i4)
{
    struct txtap_item item = {.kind = TXTAP_ITEM_EVENT};

    item.event = (struct txtap_event){
        .seq = seq++, .ticks = ticks, .thread = thread, .id = id, .info = {i1, i2, i3, i4}, .priority = 4};
    cr_assert_eq(txtap_exporter_take(&exporter, &item), TXTAP_OK);
}

/* Records that B waits for a message, which A sends. */
static void hand_over(void)
{
    event(0, B, RECEIVE, QUEUE, 0, FOREVER, 0);
    event(10, B, SUSPEND, B, 5, 0, A);
    event(20, A, SEND, QUEUE, 0, 0, 0);
    event(20, A, RESUME, B, 5, 0, B);
    event(20, B, RECEIVE, QUEUE, 0, FOREVER, 0);
}

static uint64_t number_at(const uint8_t **at)
{
    uint64_t value = 0;

    for (unsigned shift = 0;; shift += 7) {
        value |= (uint64_t)(**at & 0x7f) << shift;
        if (*(*at)++ < 0x80)
            return value;
    }
}

/* Results over all packets: how often each field occurs, and the times of states. */
static struct {
    unsigned packets, fields[128], states, begins, ends, doubles;
    uint64_t time; /* time of the last packet; the next packet's time is relative to it, unless it names a clock */
    struct {
        uint64_t task, time;
    } state[256];
} seen;

/* Checks the time of a thread's state. Two states at the same time would be ambiguous for Perfetto. */
static void look_at_state(const uint8_t *at, const uint8_t *end, uint64_t time)
{
    uint64_t task = 0;

    while (at < end) {
        uint64_t key = number_at(&at), value = number_at(&at);

        cr_assert_eq(key % 8, 0);
        if (key / 8 == 3)
            task = value;
    }
    cr_assert_lt(seen.states, 256);
    for (unsigned i = 0; i < seen.states; i++)
        cr_assert(seen.state[i].task != task || seen.state[i].time != time, "two states at the same time");
    seen.state[seen.states].task = task;
    seen.state[seen.states++].time = time;
}

static void look_at_event(const uint8_t *at, const uint8_t *end)
{
    while (at < end) {
        uint64_t key = number_at(&at), value = key % 8 == 1 ? 8 : number_at(&at);

        seen.begins += key / 8 == 9 && value == 1;
        seen.ends += key / 8 == 9 && value == 2;
        seen.doubles += key / 8 == 44;
        if (key % 8 != 0)
            at += value;
    }
}

static void look_at_packet(const uint8_t *at, const uint8_t *end)
{
    uint64_t time = seen.time, stamp = 0;
    bool absolute = false;

    seen.packets++;
    while (at < end) {
        uint64_t key = number_at(&at), value = number_at(&at);

        cr_assert(key % 8 == 0 || key % 8 == 2);
        cr_assert_lt(key / 8, 128);
        seen.fields[key / 8]++;
        if (key / 8 == 8)
            time += stamp = value;
        if (key / 8 == 58) {
            absolute = true;
            time = stamp;
        }
        if (key / 8 == 11)
            look_at_event(at, at + value);
        if (key / 8 == 117)
            look_at_state(at, at + value, time);
        if (key % 8 == 2)
            at += value;
    }
    cr_assert_eq(at, end);
    if (!absolute)
        seen.time = time;
}

static void look(void)
{
    const uint8_t *at = (const uint8_t *)captured.text, *end;
    const uint8_t *const all = at + captured.length;

    memset(&seen, 0, sizeof seen);
    while (at < all) {
        uint64_t length;

        cr_assert_eq(*at++, 0x0a);
        length = number_at(&at);
        end = at + length;
        cr_assert_leq(end, all);
        look_at_packet(at, end);
        at = end;
    }
}

static void close_perfetto(void)
{
    cr_assert_eq(exporter.ops->end(&exporter), TXTAP_OK);
    look();
    free(exporter.changes.memory);
}

static bool has(const char *text)
{
    return memmem(captured.text, captured.length, text, strlen(text)) != NULL;
}

Test(perfetto, shows_states_waits_events_and_counters)
{
    open_perfetto("producer");
    hand_over();
    close_perfetto();
    cr_assert(has("producer") && has("consumer"));
    cr_assert(has("blocked: queue samples"));
    cr_assert(has("tx_queue_send") && has("Internal Thread Resume") && has("woken"));
    cr_assert(has("queue samples") && has("messages"));
    cr_assert_geq(seen.fields[117], 6, "%u states", seen.fields[117]);
}

Test(perfetto, writes_a_text_once)
{
    const char *first;

    open_perfetto("producer");
    hand_over();
    hand_over();
    close_perfetto();
    first = memmem(captured.text, captured.length, "tx_queue_send", 13);
    cr_assert_not_null(first);
    cr_assert_null(memmem(first + 1, captured.length - (size_t)(first + 1 - captured.text), "tx_queue_send", 13));
}

Test(perfetto, hostile_names_are_valid_text)
{
    open_perfetto("\x1b]0;x\x07\xff\"</script>");
    hand_over();
    close_perfetto();
    cr_assert_not(has("\x1b") && has("\x1b]"));
    cr_assert(has("]0;x\xef\xbf\xbd\xef\xbf\xbd\"</script>"));
}

Test(perfetto, shows_gaps)
{
    struct txtap_item gap = {.kind = TXTAP_ITEM_GAP, .gap = {.seq = 5, .lost = 300, .exact = false}};

    open_perfetto("producer");
    hand_over();
    cr_assert_eq(txtap_exporter_take(&exporter, &gap), TXTAP_OK);
    event(500, A, SEND, QUEUE, 0, 0, 0);
    close_perfetto();
    cr_assert(has("(lost events)"));
    cr_assert(has("at least 300 events lost"));
}

Test(perfetto, a_name_that_is_known_later_is_written)
{
    open_perfetto("");
    hand_over();
    cr_assert_eq(txtap_exporter_flush(&exporter), TXTAP_OK);
    cr_assert(has("0x00000100") && !has("producer"));
    strcpy(objects[0].name, "producer");
    registry.generation++;
    close_perfetto();
    cr_assert(has("producer"));
}

Test(perfetto, shows_marks)
{
    struct txtap_item mark = {.kind = TXTAP_ITEM_MARK, .mark = {.kind = TXTAP_MARK_RESET, .text = "reset run"}};

    open_perfetto("producer");
    cr_assert_eq(txtap_exporter_take(&exporter, &mark), TXTAP_OK);
    close_perfetto();
    cr_assert(has("reset: reset run"));
}

static void sample(const struct txtap_channel *channel, enum txtap_sample_state state, uint64_t bits, const char *text)
{
    const struct txtap_item item = {
        .kind = TXTAP_ITEM_SAMPLE,
        .sample = {.channel = channel, .state = state, .ticks = 15, .bits = bits, .text = text, .seq = seq}};

    cr_assert_eq(txtap_exporter_take(&exporter, &item), TXTAP_OK);
}

/* Numbers are graphs, except for NaN and unreadable values. A state is one slice as long as it does not change. */
Test(perfetto, shows_samples)
{
    static const struct txtap_channel_word words[] = {{0, "IDLE"}, {1, "RUNNING"}};
    static const struct txtap_channel
        level = {.form = TXTAP_FORM_FLOAT, .name = "level", .unit = "V"},
        state = {.number = 1, .form = TXTAP_FORM_STATE, .name = "state", .words = words, .word_count = 2},
        uart = {.number = 2, .kind = TXTAP_CHANNEL_LOG, .name = "ttyACM0"},
        pc = {.number = 3, .kind = TXTAP_CHANNEL_PC, .form = TXTAP_FORM_ADDRESS, .name = "pc"};
    struct txtap_item item = {.kind = TXTAP_ITEM_SAMPLE};

    open_perfetto("producer");
    sample(&level, TXTAP_SAMPLE_VALID, txtap_sample_bits(0.25), "");
    sample(&level, TXTAP_SAMPLE_VALID, txtap_sample_bits(0.0 / 0.0), "");
    sample(&level, TXTAP_SAMPLE_UNREADABLE, 0, "");
    for (uint64_t i = 0; i < 4; i++)
        sample(&state, TXTAP_SAMPLE_VALID, i / 2, "");
    sample(&state, TXTAP_SAMPLE_UNREADABLE, 0, "");
    sample(&uart, TXTAP_SAMPLE_VALID, 0, "booted");
    item.sample =
        (struct txtap_sample){.channel = &pc, .ticks = 16, .bits = 0x8000100, .thread = A, .text = "", .seq = seq};
    cr_assert_eq(txtap_exporter_take(&exporter, &item), TXTAP_OK);
    close_perfetto();
    cr_assert_eq(seen.doubles, 1);
    cr_assert_eq(seen.begins, 3);
    cr_assert_eq(seen.ends, 3);
    cr_assert(has("Samples") && has("level") && has("IDLE") && has("RUNNING") && has("unreadable") && has("ttyACM0") &&
              has("booted") && has("0x08000100 in producer"));
}

Test(perfetto, leaves_fields_out_if_asked)
{
    open_perfetto("producer");
    exporter.options.columns = TXTAP_COLUMN_EVENT;
    hand_over();
    close_perfetto();
    cr_assert_not(has("wait_option"));
    cr_assert(has("tx_queue_send"));
}

Test(perfetto, times_beyond_perfettos_range_are_limited)
{
    open_perfetto("producer");
    exporter.options.tick_hz = 1;
    event(0, A, SEND, QUEUE, 0, 0, 0);
    event(UINT64_MAX - 5, A, SEND, QUEUE, 0, 0, 0);
    event(UINT64_MAX - 1, A, SEND, QUEUE, 0, 0, 0);
    close_perfetto();
}

/* A span that begins twice must end twice. An end without a beginning and NaN must not be written. */
Test(perfetto, shows_slices_and_counters_of_the_definitions)
{
    static const char text[] = "event 4096 \"begin\"\nevent 4097 \"end\"\nevent 4098 \"fill\" \"{0=fill:f %}\"\n"
                               "slice 4096 4097 \"a job\"\ncounter 4098 0 \"level\"\n";
    static struct txtap_definition events[4];
    static char strings[256];
    static struct txtap_definitions definitions;
    struct txtap_definitions_memory room = {events, 4, NULL, 0, strings, sizeof strings};
    struct txtap_definitions_problem problem;

    txtap_definitions_init(&definitions, room);
    cr_assert_eq(txtap_definitions_parse(&definitions, text, strlen(text), &problem), TXTAP_OK, "%s", problem.text);
    open_perfetto("producer");
    exporter.definitions = &definitions;
    event(0, A, 4097, 0, 0, 0, 0);
    event(10, A, 4096, 0, 0, 0, 0);
    event(20, A, 4096, 0, 0, 0, 0);
    event(30, A, 4098, 0x7fc00000, 0, 0, 0);
    event(40, A, 4098, 0x40000000, 0, 0, 0);
    event(50, A, 4097, 0, 0, 0, 0);
    close_perfetto(); /* ends the other span */
    cr_assert(has("a job") && has("level") && has("%"));
    cr_assert_eq(seen.begins, 2);
    cr_assert_eq(seen.ends, 2);
    cr_assert_eq(seen.doubles, 1);
}
