/* SPDX-License-Identifier: MIT */
/* Value change dumps of small traces: their lines, their times, and hostile names. */
#include <stdlib.h>

#include "format/memory_sink.h"

#define A       0x100u
#define B       0x200u
#define QUEUE   0x300u
#define SUSPEND 2u
#define RECEIVE 68u
#define LATE    8u /* number of rows for threads that appear only later */

static const struct txtap_change_limits limits = {.threads = 16, .objects = 8};

static void open_dump(const char *format, double tick_hz)
{
    open_exporter(format, tick_hz);
    exporter.changes.limits = limits;
    exporter.changes.memory = malloc(txtap_exporter_changes_bytes(exporter.ops, &limits));
    cr_assert_not_null(exporter.changes.memory);
}

static void begin(void)
{
    cr_assert_eq(exporter.ops->begin(&exporter), TXTAP_OK);
}

static void event(uint64_t ticks, uint32_t thread, uint32_t id, uint32_t info1, uint32_t info2, uint32_t info4)
{
    struct txtap_item item = {.kind = TXTAP_ITEM_EVENT};
    static uint64_t seq;

    item.event = event_of(id, info1, info2, 0, info4);
    item.event.ticks = ticks;
    item.event.thread = thread;
    item.event.seq = seq++;
    cr_assert_eq(txtap_exporter_take(&exporter, &item), TXTAP_OK);
}

/* Ends the dump, and returns all of it. */
static const char *ended(void)
{
    cr_assert_eq(exporter.ops->end(&exporter), TXTAP_OK);
    free(exporter.changes.memory);
    return written();
}

static void assert_has(const char *dump, const char *part)
{
    cr_assert_not_null(strstr(dump, part), "no '%s' in: %s", part, dump);
}

static void assert_lacks(const char *dump, const char *part)
{
    cr_assert_null(strstr(dump, part), "'%s' in: %s", part, dump);
}

static void two_threads(void)
{
    add_object(TXTAP_OBJECT_THREAD, A, "reader one");
    add_object(TXTAP_OBJECT_THREAD, B, "writer");
    add_object(TXTAP_OBJECT_QUEUE, QUEUE, "jobs");
}

static void hand_over(void)
{
    event(0, A, RECEIVE, QUEUE, 0, 0);
    event(10, A, SUSPEND, A, 5, B);
    event(20, B, 6, 0, 0, 0);
    event(30, B, 6, 0, 0, 0);
}

Test(vcd, shows_states_with_reasons)
{
    const char *dump;

    open_dump("vcd", 0);
    two_threads();
    begin();
    hand_over();
    dump = ended();
    assert_has(dump, "$timescale 1 us $end\n");
    assert_has(dump, "$var string 1 k reader_one $end\n");
    assert_has(dump, " queue_jobs $end\n");
    assert_has(dump, "#0\n0a\nxb\nsunknown e\n");
    assert_has(dump, "1i\n0j\nsrunning k\nsreader_one e\n");
    assert_has(dump, "#10\n0i\n0j\nsblocked:queue:jobs k\n$comment writer was ready from 0 on $end\n1l\n");
    assert_has(dump, "#30\n0a\n");
}

Test(vcd, with_wires_has_only_wires)
{
    const char *dump;

    open_dump("vcd-wires", 0);
    two_threads();
    begin();
    hand_over();
    dump = ended();
    assert_has(dump, "$var wire 1 c reader_one_running $end\n$var wire 1 d reader_one_ready $end\n");
    assert_has(dump, "#10\n0c\n0d\n1e\n0f\n");
    assert_lacks(dump, "string");
    assert_lacks(dump, "integer");
    assert_lacks(strstr(dump, "$enddefinitions $end\n") + 21, "$");
}

Test(vcd, a_gap_makes_all_unknown)
{
    struct txtap_item gap = {.kind = TXTAP_ITEM_GAP, .gap = {.lost = 3, .exact = true}};
    const char *dump;

    open_dump("vcd-wires", 0);
    two_threads();
    begin();
    event(0, A, 6, 0, 0, 0);
    event(10, A, 6, 0, 0, 0);
    cr_assert_eq(txtap_exporter_take(&exporter, &gap), TXTAP_OK);
    event(50, B, 6, 0, 0, 0);
    event(60, B, 6, 0, 0, 0);
    dump = ended();
    assert_has(dump, "#10\n1a\nxb\nxc\nxd\nxe\nxf\n");
    assert_has(dump, "#50\n0a\n1e\n0f\n");
}

Test(vcd, a_new_thread_gets_a_spare_row)
{
    const char *dump;

    open_dump("vcd", 0);
    begin();
    event(0, A, 6, 0, 0, 0);
    event(10, A, 6, 0, 0, 0);
    dump = ended();
    assert_has(dump, "$var string 1 k late_1 $end\n");
    assert_has(dump, "s0x00000100:running k\n");
    assert_has(dump, "sunknown n\n");
}

Test(vcd, threads_without_a_row_are_counted)
{
    const char *dump;

    open_dump("vcd", 0);
    add_object(TXTAP_OBJECT_THREAD, 0x900, "known");
    begin();
    for (uint32_t i = 0; i < LATE + 2; i++) {
        event(10 * i, A + i, SUSPEND, A + i, 4, A + i + 1);
        event(10 * i + 5, A + i + 1, 6, 0, 0, 0);
    }
    dump = ended();
    assert_has(dump, "$comment threads without a row: 3 $end\n");
}

Test(vcd, hostile_names_stay_inert)
{
    const char *dump;

    open_dump("vcd", 0);
    add_object(TXTAP_OBJECT_THREAD, A, "$end\n#99\n1a");
    add_object(TXTAP_OBJECT_THREAD, B, "\xff\xfe\"[3:0].x");
    add_object(TXTAP_OBJECT_QUEUE, QUEUE, "$dumpoff $end");
    begin();
    hand_over();
    dump = ended();
    assert_has(dump, " _end__99_1a_running $end\n");
    assert_has(dump, " ____3_0__x_running $end\n");
    assert_has(dump, " queue__dumpoff__end $end\n");
    assert_has(dump, "\nsblocked:queue:$dumpoff_$end k\n");
    assert_lacks(dump, "#99\n");
    for (const char *at = dump; *at != '\0'; at++)
        cr_assert((*at >= ' ' && *at < 0x7F) || *at == '\n');
}

Test(vcd, duplicate_names_get_the_address)
{
    const char *dump;

    open_dump("vcd", 0);
    add_object(TXTAP_OBJECT_THREAD, A, "worker 1");
    add_object(TXTAP_OBJECT_THREAD, B, "worker-1");
    add_object(TXTAP_OBJECT_THREAD, 0x400, "a_running");
    add_object(TXTAP_OBJECT_THREAD, 0x500, "late_1");
    add_object(TXTAP_OBJECT_THREAD, 0x600, "7");
    add_object(TXTAP_OBJECT_THREAD, 0x700, "");
    begin();
    dump = ended();
    assert_has(dump, " worker_1_0x00000100 $end\n");
    assert_has(dump, " worker_1_0x00000200 $end\n");
    assert_has(dump, " a_running_0x00000400 $end\n");
    assert_has(dump, " late_1_0x00000500 $end\n");
    assert_has(dump, " thread_7 $end\n");
    assert_has(dump, " thread_0x00000700 $end\n");
}

Test(vcd, interrupts_and_marks_are_texts)
{
    const struct txtap_item mark = {.kind = TXTAP_ITEM_MARK,
                                    .mark = {.kind = TXTAP_MARK_CHECK, .text = "cpu < 5 %\n#99 is\xff 7 %"}};
    const char *dump;

    open_dump("vcd", 0);
    begin();
    cr_assert_eq(exporter.ops->event(&exporter, &(struct txtap_event){.ticks = 3, .id = 3, .info = {0, 22}}), TXTAP_OK);
    cr_assert_eq(txtap_exporter_take(&exporter, &mark), TXTAP_OK);
    dump = ended();
    assert_has(dump, "$var string 1 c newest_interrupt $end\n");
    assert_has(dump, "\ns22 c\n");
    assert_has(dump, "\nscheck:cpu_<_5_%_#99_is__7_% d\n");
}

Test(vcd, needs_memory_for_changes)
{
    open_exporter("vcd", 0);
    cr_assert_eq(exporter.ops->begin(&exporter), TXTAP_ERROR_USAGE);
}

/* Checks the times in a dump of two events. tick_hz: the rate of ticks. */
static void assert_times(double tick_hz, const char *timescale, uint64_t ticks, const char *time)
{
    const char *dump;

    open_dump("vcd-wires", tick_hz);
    two_threads();
    begin();
    event(0, A, 6, 0, 0, 0);
    event(ticks, A, 6, 0, 0, 0);
    dump = ended();
    assert_has(dump, timescale);
    assert_has(dump, time);
}

Test(vcd, a_tick_is_a_whole_number_of_units_where_nanoseconds_allow)
{
    assert_times(0, "$timescale 1 us $end", 7, "\n#7\n");
    assert_times(1, "$timescale 1 s $end", 7, "\n#7\n");
    assert_times(10, "$timescale 100 ms $end", 7, "\n#7\n");
    assert_times(50, "$timescale 10 ms $end", 7, "\n#14\n");
    assert_times(1000, "$timescale 1 ms $end", 7, "\n#7\n");
    assert_times(1e6, "$timescale 1 us $end", 7, "\n#7\n");
    assert_times(8e6, "$timescale 1 ns $end", 7, "\n#875\n");
    assert_times(168e6, "$timescale 1 ns $end", 168000001, "\n#1000000005\n");
    assert_times(32768, "$timescale 1 ns $end", 32768, "\n#1000000000\n");
    assert_times(0.5, "$timescale 1 ns $end", 1, "\n#2000000000\n");
    assert_times(2.5, "$timescale 1 ns $end", 3, "\n#1200000000\n");
}

Test(vcd, times_beyond_the_range_of_viewers_become_the_maximum)
{
    static const double rates[] = {0, 3, 1e-3, 1};

    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        assert_times(rates[i], "$timescale ", UINT64_MAX, "\n#9223372036854775807\n");
}

/* ---- samples ---- */

static struct txtap_channels channels;

static const struct txtap_channel *channel_of(enum txtap_channel_kind kind, enum txtap_channel_form form,
                                              const char *name)
{
    static const struct txtap_channel_word words[] = {{0, "IDLE"}, {1, "FULL SPEED"}};
    struct txtap_channel channel = {.number = (uint32_t)channels.count, .kind = kind, .form = form};

    strncpy(channel.name, name, sizeof channel.name - 1);
    if (form == TXTAP_FORM_STATE) {
        channel.words = words;
        channel.word_count = 2;
    }
    return txtap_channels_add(&channels, &channel);
}

static void sample(uint64_t ticks, const struct txtap_channel *channel, enum txtap_sample_state state, uint64_t bits,
                   const char *text)
{
    const struct txtap_item item = {
        .kind = TXTAP_ITEM_SAMPLE,
        .sample = {.channel = channel, .state = state, .ticks = ticks, .bits = bits, .text = text}};

    cr_assert_eq(txtap_exporter_take(&exporter, &item), TXTAP_OK);
}

/* Opens a dump with a channel of each form. */
static void open_channels(const char *format)
{
    open_dump(format, 0);
    memset(&channels, 0, sizeof channels);
    (void)channel_of(TXTAP_CHANNEL_VALUE, TXTAP_FORM_SIGNED, "motor.speed");
    (void)channel_of(TXTAP_CHANNEL_VALUE, TXTAP_FORM_FLOAT, "current");
    (void)channel_of(TXTAP_CHANNEL_VALUE, TXTAP_FORM_BOOL, "ready");
    (void)channel_of(TXTAP_CHANNEL_VALUE, TXTAP_FORM_STATE, "state");
    (void)channel_of(TXTAP_CHANNEL_LOG, TXTAP_FORM_UNSIGNED, "ttyACM0");
    exporter.channels = &channels;
    begin();
    for (size_t i = 0; i < channels.count; i++)
        sample(10, &channels.at[i], TXTAP_SAMPLE_VALID, i == 1 ? txtap_sample_bits(-0.5) : 1, i == 4 ? "a b\xff" : "");
    sample(20, &channels.at[0], TXTAP_SAMPLE_VALID, (uint64_t)-1, "");
    for (size_t i = 0; i < 4; i++)
        sample(30, &channels.at[i], TXTAP_SAMPLE_UNREADABLE, 0, "");
}

Test(vcd, samples_are_variables)
{
    const char *dump;

    open_channels("vcd");
    dump = ended();
    assert_has(dump, "$scope module samples $end\n$var integer 64 ");
    assert_has(dump, " motor_speed $end\n$var real 64 ");
    assert_has(dump, " current $end\n$var wire 1 ");
    assert_has(dump, " ready $end\n$var string 1 ");
    assert_has(dump, " state $end\n$var string 1 ");
    assert_has(dump, " ttyACM0 $end\n$upscope $end\n$enddefinitions $end\n");
    assert_has(dump, "\nbx aC\nrnan aD\nxaE\nsunreadable aF\ns_ aG\n#10\n");
    assert_has(dump,
               "#10\nb1 aC\nr-0.5 aD\n1aE\nsFULL_SPEED aF\nsa_b_ aG\n#20\nb1111111111111111111111111111111111111111111"
               "111111111111111111111 aC\n#30\nbx aC\nrnan aD\nxaE\nsunreadable aF\n");
}

Test(vcd, with_wires_has_only_flags_of_the_samples)
{
    const char *dump;

    open_channels("vcd-wires");
    dump = ended();
    assert_has(dump, "$scope module samples $end\n$var wire 1 Y ready $end\n$upscope $end\n");
    assert_has(dump, "\n#10\n1Y\n#30\nxY\n");
    assert_lacks(dump, "ttyACM0");
}

Test(vcd, channels_with_similar_names_get_their_numbers)
{
    const char *dump;

    open_dump("vcd", 0);
    memset(&channels, 0, sizeof channels);
    (void)channel_of(TXTAP_CHANNEL_VALUE, TXTAP_FORM_BOOL, "a.b");
    (void)channel_of(TXTAP_CHANNEL_VALUE, TXTAP_FORM_BOOL, "a_b");
    (void)channel_of(TXTAP_CHANNEL_VALUE, TXTAP_FORM_BOOL, "a_b_0");
    (void)channel_of(TXTAP_CHANNEL_VALUE, TXTAP_FORM_BOOL, "7");
    exporter.channels = &channels;
    begin();
    dump = ended();
    assert_has(dump, " a_b_0 $end\n");
    assert_has(dump, " a_b_1 $end\n");
    assert_has(dump, " a_b_0_2 $end\n");
    assert_has(dump, " _7_3 $end\n");
}

/* A dump declares all variables before the first value. */
Test(vcd, samples_of_channels_that_appear_later_are_counted)
{
    static const struct txtap_channel late = {.name = "late"};
    const char *dump;

    open_dump("vcd", 0);
    begin();
    sample(5, &late, TXTAP_SAMPLE_VALID, 1, "");
    dump = ended();
    assert_has(dump, "$comment samples without a variable: 1 $end\n");
    assert_lacks(dump, "module samples");
}
