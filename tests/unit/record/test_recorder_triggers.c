/* SPDX-License-Identifier: MIT */
/* The files of txtap record around triggers, with a simulated clock. */
#include <criterion/criterion.h>
#include <string.h>

#include "record/recorder_fixture.h"
#include "txtap/event.h"

TestSuite(recording_triggers, .init = recording_set_up, .fini = recording_tear_down);

/* Writes `count` events, one per millisecond. */
static void milliseconds(unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        fixture.now_us += 1000;
        events(1);
    }
}

Test(recording_triggers, writes_only_events_around_a_trigger)
{
    wait_for("5000", 3000, 2000);
    start();
    milliseconds(20); /* 100 to 119 */
    fixture.now_us += 1000;
    cr_assert_eq(event(5000), TXTAP_OK); /* 120 */
    milliseconds(20);
    stop();
    cr_assert_str_eq(transcript(), "B O* 117-119 trigger120 120-122 E0:6 ");
    cr_assert_eq(fixture.recording.around.triggers, 1);
}

Test(recording_triggers, another_trigger_extends_it_and_nothing_is_written_twice)
{
    wait_for("5000", 3000, 2000);
    start();
    milliseconds(5);              /* 100 to 104 */
    for (int i = 0; i < 3; i++) { /* 105, 107, 109: after the trigger, in the time to record */
        fixture.now_us += 1000;
        cr_assert_eq(event(5000), TXTAP_OK);
        milliseconds(1);
    }
    milliseconds(3); /* 111 is the last recorded event; 112 and 113 are kept for a trigger */
    fixture.now_us += 1000;
    cr_assert_eq(event(5000), TXTAP_OK); /* 114 */
    stop();
    cr_assert_str_eq(transcript(), "B O* 102-104 trigger105 105-106 trigger107 107-108 trigger109 109-113 trigger114 "
                                   "114-114 E0:13 ");
}

Test(recording_triggers, events_left_out_between_two_triggers_leave_a_hole)
{
    wait_for("5000", 1000, 0);
    start();
    cr_assert_eq(event(5000), TXTAP_OK); /* 100 */
    milliseconds(10);                    /* 101 to 110 */
    fixture.now_us += 1000;
    cr_assert_eq(event(5000), TXTAP_OK); /* 111 */
    stop();
    cr_assert_str_eq(transcript(), "B O* trigger100 100-100 110-110 trigger111 111-111 E0:3 ");
}

Test(recording_triggers, a_trigger_uses_the_targets_clock_if_known)
{
    wait_for("5000", 3000, 2000);
    fixture.setup.config.tick_hz =
        1000; /* the stamps of events() are milliseconds; the host reads all events at once */
    start();
    events(20);
    cr_assert_eq(event(5000), TXTAP_OK);
    events(20);
    stop();
    cr_assert_str_eq(transcript(), "B rate1=1000+-0 O* 117-119 trigger120 120-122 E0:6 ");
}

Test(recording_triggers, a_check_records_events_around_it)
{
    fixture.setup.config.is_fired = true;
    fixture.setup.config.before_us = 3000;
    fixture.setup.config.after_us = 2000;
    start();
    milliseconds(20); /* 100 to 119 */
    cr_assert_eq(recording_fire(&fixture.recording, "check=lost == 0: 1", fixture.seq), TXTAP_OK);
    milliseconds(20);
    stop();
    cr_assert_str_eq(transcript(), "B O* 116-119 trigger120 120-121 E0:6 ");
}

Test(recording_triggers, gaps_and_marks_keep_their_place_around_triggers)
{
    wait_for("5000", 3000, 0);
    start();
    milliseconds(10); /* 100 to 109 */
    cr_assert_eq(gap(110, 7, false), TXTAP_OK);
    fixture.seq += 7;
    milliseconds(1); /* 117 */
    fixture.now_us += 1000;
    cr_assert_eq(event(5000), TXTAP_OK); /* 118 */
    milliseconds(1);                     /* 119 */
    cr_assert_eq(mark(TXTAP_MARK_RESET, 120), TXTAP_OK);
    stop();
    cr_assert_str_eq(transcript(), "B O* 108-109 gap110+7 117-117 trigger118 118-119 reset120 E0:5 ");
}

Test(recording_triggers, counts_histories_that_were_too_short)
{
    wait_for("5000", 60000000, 0);
    start();
    events(HISTORY_ITEMS + 10);
    cr_assert_eq(event(5000), TXTAP_OK);
    cr_assert_eq(fixture.recording.around.short_histories, 1);
    cr_assert_eq(fixture.recording.limit.events, HISTORY_ITEMS + 1);
    cr_assert_eq(event(5000), TXTAP_OK);
    cr_assert_eq(fixture.recording.around.short_histories, 1, "only the first was before the second");
    fixture.now_us += 70000000;
    events(10);
    cr_assert_eq(event(5000), TXTAP_OK);
    cr_assert_eq(fixture.recording.around.short_histories, 1, "what is older than requested is not missed");
    stop();
}

Test(recording_triggers, without_a_trigger_the_file_is_empty)
{
    wait_for("5000", 1000, 1000);
    start();
    events(50);
    stop();
    cr_assert_str_eq(transcript(), "B O* E0:0 ");
}

/* ---- the event of a trigger ---- */

Test(recording_triggers, may_be_named_by_definitions)
{
    static const char text[] = "event 5000 \"sample ready\" \"channel {0=channel}\"\n";
    static struct txtap_definitions definitions;
    static struct txtap_definition rows[4];
    static struct txtap_word words[4];
    static char strings[1000];
    struct txtap_definitions_problem problem;

    txtap_definitions_init(&definitions, (struct txtap_definitions_memory){rows, 4, words, 4, strings, sizeof strings});
    cr_assert_eq(txtap_definitions_parse(&definitions, text, strlen(text), &problem), TXTAP_OK, "%s", problem.text);
    wait_for("sample*", 0, 0);
    start();
    milliseconds(3);
    fixture.now_us += 1000;
    cr_assert_eq(event(5000), TXTAP_OK);
    stop();
    cr_assert_str_eq(transcript(), "B O* E0:0 ", "without them it has no name");
    fixture.setup.definitions = &definitions;
    fixture.setup.config.force = true;
    start();
    milliseconds(3);
    fixture.now_us += 1000;
    cr_assert_eq(event(5000), TXTAP_OK); /* 107 */
    milliseconds(3);
    stop();
    cr_assert_str_eq(transcript(), "B O* trigger107 107-107 E0:1 ");
}

Test(recording_triggers, the_profile_decides_an_id_with_two_meanings)
{
    wait_for("nx_ip_static_route_add", 0, 0); /* id 441 in NetX, 443 in NetX Duo */
    start();
    cr_assert_eq(event(441), TXTAP_OK);
    fixture.now_us += 1000;
    cr_assert_eq(event(443), TXTAP_OK); /* 101 */
    stop();
    cr_assert_str_eq(transcript(), "B O* trigger101 101-101 E0:1 ");
    fixture.setup.config.profile = TXTAP_PROFILE_NETX;
    fixture.setup.config.force = true;
    start();
    cr_assert_eq(event(441), TXTAP_OK); /* 102 */
    fixture.now_us += 1000;
    cr_assert_eq(event(443), TXTAP_OK);
    stop();
    cr_assert_str_eq(transcript(), "B O* trigger102 102-102 E0:1 ");
}

/* USBX has ids up to 1033. Without an object of USBX in the registry, these ids are user events. */
Test(recording_triggers, an_id_of_usbx_is_a_user_event_without_usbx)
{
    wait_for("UX_*", 0, 0);
    start();
    cr_assert_eq(event(1025), TXTAP_OK);
    stop();
    cr_assert_str_eq(transcript(), "B O* E0:0 ");
    fixture.registry.usbx = true;
    fixture.setup.config.force = true;
    start();
    cr_assert_eq(event(1025), TXTAP_OK); /* 101 */
    stop();
    cr_assert_str_eq(transcript(), "B O* trigger101 101-101 E0:1 ");
}

Test(recording_triggers, kept_events_have_their_words)
{
    wait_for("5000", 3000000, 0);
    start();
    for (int i = 0; i < 10; i++)
        cr_assert_eq(event_of_words(4096, (uint8_t)(i * 28)), TXTAP_OK);
    cr_assert_eq(event_of_words(5000, 5), TXTAP_OK);
    stop();
    cr_assert_str_eq(transcript(), "B O* W10 100-109 trigger110 W1 110-110 E0:11 ");
}

/* The kept events have 2056 times 255 words, and the trigger has words, too. Only eight more words would fit. */
Test(recording_triggers, the_oldest_make_room_for_the_words_of_the_newest)
{
    wait_for("5000", 3000000, 0);
    start();
    for (int i = 0; i < 3000; i++)
        cr_assert_eq(event_of_words(4096, 255), TXTAP_OK);
    cr_assert_eq(event_of_words(5000, 5), TXTAP_OK);
    stop();
    cr_assert_eq(strstr(transcript(), "wrong"), NULL, "%s", transcript());
    cr_assert_neq(strstr(transcript(), "W1 3100-3100 E0:2057 "), NULL, "%s", transcript() + strlen(transcript()) - 80);
    cr_assert_eq(fixture.recording.around.short_histories, 1);
}

Test(recording_triggers, samples_before_a_trigger_are_recorded)
{
    wait_for("5000", 3000, 2000);
    start();
    for (unsigned i = 0; i < 20; i++) {
        milliseconds(1);
        cr_assert_eq(sample_of(0, i, "a line"), TXTAP_OK);
    }
    fixture.now_us += 1000;
    cr_assert_eq(event(5000), TXTAP_OK); /* 120 */
    milliseconds(2);
    cr_assert_eq(sample_of(1, 1, ""), TXTAP_OK);
    milliseconds(20);
    stop();
    cr_assert_str_eq(transcript(), "B O* C0 S3 117-119 trigger120 C1 S1 120-122 E0:6 ");
}
