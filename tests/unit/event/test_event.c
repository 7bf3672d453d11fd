/* SPDX-License-Identifier: MIT */
#include "txtap/event.h"

#include <criterion/criterion.h>
#include <ctype.h>
#include <string.h>

#include "txtb_bytes.h"

static struct txtap_event parse(const uint32_t words[8], enum txtap_endian endian, uint32_t timer_mask)
{
    struct txtap_header header = {.endian = endian, .timer_mask = timer_mask};
    uint8_t entry[TXTB_ENTRY_BYTES];
    struct txtap_event event;

    put_entry(entry, endian, words);
    memset(&event, 0xA5, sizeof(event));
    txtap_event_parse(entry, &header, &event);
    return event;
}

Test(event, of_a_thread_has_its_priority_and_its_threshold)
{
    const uint32_t words[8] = {0x20000300, 0x80050008, 52, 0x12345678, 1, 2, 3, 0xFFFFFFFF};

    for (int endian = TXTAP_LITTLE; endian <= TXTAP_BIG; endian++) {
        struct txtap_event event = parse(words, (enum txtap_endian)endian, 0xFFFFFFFFu);

        cr_assert_eq(event.context, TXTAP_CONTEXT_THREAD);
        cr_assert_eq(event.thread, 0x20000300);
        cr_assert_eq(event.priority, 8);
        cr_assert_eq(event.threshold, 5);
        cr_assert_eq(event.id, 52);
        cr_assert_eq(event.stamp, 0x12345678);
        cr_assert(event.info[0] == 1 && event.info[1] == 2 && event.info[2] == 3 && event.info[3] == 0xFFFFFFFF);
        cr_assert(event.seq == 0 && event.ticks == 0);
    }
}

Test(event, without_a_recorded_threshold_uses_its_priority)
{
    struct txtap_event event = parse((const uint32_t[8]){0x6794, 0x00050010, 68, 0, 0, 0, 0, 0}, TXTAP_LITTLE, 0xFFFF);

    cr_assert_eq(event.priority, 16);
    cr_assert_eq(event.threshold, 16);
}

Test(event, keeps_ten_bits_of_a_priority_and_of_a_threshold)
{
    struct txtap_event event = parse((const uint32_t[8]){1, 0xFFFFFFFF, 1, 0, 0, 0, 0, 0}, TXTAP_BIG, 0);

    cr_assert_eq(event.priority, 0x3FF);
    cr_assert_eq(event.threshold, 0x3FF);
}

Test(event, points_to_the_entry_that_it_was_parsed_from)
{
    static const uint8_t entry[TXTB_ENTRY_BYTES];
    const struct txtap_header header = {.endian = TXTAP_BIG};
    struct txtap_event event;

    txtap_event_parse(entry, &header, &event);
    cr_assert_eq(event.entry, entry);
}

Test(event, of_an_interrupt_names_the_thread_it_interrupted)
{
    struct txtap_event event = parse((const uint32_t[8]){0xFFFFFFFF, 0x2000024C, 3, 0, 0, 0, 0, 0}, TXTAP_LITTLE, 0);

    cr_assert_eq(event.context, TXTAP_CONTEXT_ISR);
    cr_assert_eq(event.thread, 0x2000024C);
    cr_assert_eq(event.priority, 0);
}

Test(event, of_an_interrupt_that_found_no_thread_is_idle)
{
    struct txtap_event event = parse((const uint32_t[8]){0xFFFFFFFF, 0, 3, 0, 0, 0, 0, 0}, TXTAP_LITTLE, 0);

    cr_assert_eq(event.context, TXTAP_CONTEXT_IDLE);
    cr_assert_eq(event.thread, 0);
}

Test(event, before_the_first_thread_ran_is_initialization)
{
    struct txtap_event event = parse((const uint32_t[8]){0xF0F0F0F0, 7, 6, 0, 0, 0, 0, 0}, TXTAP_BIG, 0);

    cr_assert_eq(event.context, TXTAP_CONTEXT_INIT);
    cr_assert_eq(event.thread, 0);
    cr_assert_eq(event.priority, 0);
}

Test(event, has_its_core_separate_from_its_id_and_no_invalid_bits_in_its_stamp)
{
    struct txtap_event event = parse((const uint32_t[8]){1, 0, 0x03000045, 0xABCD1234, 0, 0, 0, 0}, TXTAP_BIG, 0xFFFF);

    cr_assert_eq(event.id, 69);
    cr_assert_eq(event.core, 3);
    cr_assert_eq(event.stamp, 0x1234);
}

Test(event, table_has_every_row_of_every_component)
{
    static const size_t expected[] = {
        [TXTAP_COMPONENT_THREADX] = 88, [TXTAP_COMPONENT_FILEX] = 73,      [TXTAP_COMPONENT_NETX_BOTH] = 132,
        [TXTAP_COMPONENT_NETX] = 9,     [TXTAP_COMPONENT_NETXDUO] = 43,    [TXTAP_COMPONENT_NETXDUO_LEGACY] = 1,
        [TXTAP_COMPONENT_USBX] = 314,   [TXTAP_COMPONENT_USBX_LEGACY] = 8, [TXTAP_COMPONENT_USER] = 1,
    };
    size_t rows, count[sizeof(expected) / sizeof(expected[0])] = {0};
    const struct txtap_event_info *table = txtap_event_table(&rows);

    cr_assert_eq(rows, 669);
    for (size_t i = 0; i < rows; i++)
        count[table[i].component]++;
    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
        cr_assert_eq(count[i], expected[i], "component %zu has %zu rows", i, count[i]);
}

Test(event, table_is_sorted_and_has_no_duplicates)
{
    size_t rows;
    const struct txtap_event_info *table = txtap_event_table(&rows);

    for (size_t i = 1; i < rows; i++) {
        cr_assert_leq(table[i - 1].id, table[i].id);
        if (table[i - 1].id == table[i].id)
            cr_assert_lt(i < 2 ? 0 : table[i - 2].id, table[i].id, "%u has three rows", table[i].id);
    }
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < i; j++)
            cr_assert(table[i].component != table[j].component || strcmp(table[i].symbol, table[j].symbol) != 0, "%s",
                      table[i].symbol);
    }
}

static void assert_well_formed(const struct txtap_field_info *field, const char *symbol)
{
    cr_assert_lt(field->kind, TXTAP_FIELD_KINDS);
    cr_assert_not_null(field->label, "%s", symbol);
    cr_assert_eq(field->kind == TXTAP_FIELD_NONE, field->label[0] == '\0', "%s: %s", symbol, field->label);
    for (const char *c = field->label; *c != '\0'; c++)
        cr_assert(islower((unsigned char)*c) || isdigit((unsigned char)*c) || *c == '_', "%s: %s", symbol,
                  field->label);
}

Test(event, table_rows_are_named_and_their_labels_well_formed_and_different)
{
    size_t rows;
    const struct txtap_event_info *table = txtap_event_table(&rows);

    for (size_t i = 0; i < rows; i++) {
        const struct txtap_event_info *row = &table[i];

        cr_assert_not_null(strstr(row->symbol, "_TRACE_"), "%s", row->symbol);
        cr_assert_gt(strlen(row->name), 3, "%s", row->symbol);
        for (const char *c = row->name; *c != '\0'; c++)
            cr_assert(isgraph((unsigned char)*c) || *c == ' ', "%s", row->name);
        cr_assert_lt(row->patched, 16);
        for (size_t f = 0; f < 4; f++) {
            assert_well_formed(&row->field[f], row->symbol);
            if (row->patched & 1u << f)
                cr_assert_neq(row->field[f].kind, TXTAP_FIELD_NONE, "%s", row->symbol);
            for (size_t g = 0; g < f && row->field[f].label[0] != '\0'; g++)
                cr_assert_str_neq(row->field[f].label, row->field[g].label, "%s", row->symbol);
        }
    }
}

/* These rows were checked against the kernel's calls of the macros that register and unregister objects. */
Test(event, rows_say_which_objects_are_registered)
{
    size_t rows, usbx = 0, created = 0, deleted = 0;
    const struct txtap_event_info *table = txtap_event_table(&rows);

    for (size_t i = 0; i < rows; i++) {
        const struct txtap_event_info *row = &table[i];

        for (size_t f = 0; f < 4; f++)
            if ((row->creates | row->deletes | row->uses) >> f & 1)
                cr_expect_eq(row->field[f].kind, TXTAP_FIELD_OBJECT, "%s", row->symbol);
        cr_expect(row->creates == 0 || row->deletes == 0, "%s", row->symbol);
        cr_expect(row->registers || (row->creates | row->deletes) == 0, "%s", row->symbol);
        cr_expect(row->component == TXTAP_COMPONENT_FILEX || row->uses == 0, "%s", row->symbol);
        created += row->creates != 0;
        deleted += row->deletes != 0;
        usbx += row->registers && row->creates == 0 && row->deletes == 0;
    }
    cr_expect_eq(created, 14);
    cr_expect_eq(deleted, 14);
    cr_expect_eq(usbx, 59);
    cr_expect_eq(txtap_event_find(247, 0)->creates, 2, "the file");
    cr_expect_eq(txtap_event_find(247, 0)->uses, 1, "the media");
}

/*
 * Returns the API's name of a service that has another name in the kernel and in its trace, such as NetX Duo's services
 * with nxd_ in their names. NULL: the names are equal.
 */
static const char *name_in_api(uint32_t id)
{
    static const struct {
        uint32_t id;
        const char *name;
    } others[] = {
        {15, "tx_block_pool_performance_system_info_get"},
        {25, "tx_byte_pool_performance_system_info_get"},
        {35, "tx_event_flags_performance_system_info_get"},
        {86, "tx_semaphore_performance_system_info_get"},
        {111, "tx_thread_resume"},
        {114, "tx_thread_suspend"},
        {471, "nxd_icmp_ping"},
        {476, "nxd_nd_cache_entry_delete"},
        {478, "nxd_nd_cache_ip_address_find"},
        {485, "nxd_ipv6_enable"},
        {486, "nxd_ip_raw_packet_send"},
        {493, "nxd_ipv6_address_get"},
        {494, "nxd_ipv6_address_set"},
        {496, "nx_ip_max_payload_size_find"},
        {497, "nxd_ipv6_disable"},
        {501, "nx_ip_raw_packet_filter_set"},
    };

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (others[i].id == id)
            return others[i].name;
    return NULL;
}

/* Converts the name of an event to the name of its service: FX_TRACE_FILE_READ becomes fx_file_read. */
static void name_of_symbol(const char *symbol, char name[static 64])
{
    const char *trace = strstr(symbol, "_TRACE_");
    size_t length = (size_t)(trace - symbol);

    cr_assert_lt(strlen(symbol), 64);
    memcpy(name, symbol, length);
    strcpy(name + length, trace + strlen("_TRACE"));
    for (char *c = name; *c != '\0'; c++)
        *c = (char)tolower((unsigned char)*c);
}

Test(event, services_have_the_names_that_the_kernels_api_gives_them)
{
    size_t rows;
    const struct txtap_event_info *table = txtap_event_table(&rows);

    for (size_t i = 0; i < rows; i++) {
        const char *expected = name_in_api(table[i].id);
        char name[64];

        if (islower((unsigned char)table[i].name[0]) == 0 || table[i].component == TXTAP_COMPONENT_USER)
            continue; /* an internal event, or an event of USBX: these have no service */
        name_of_symbol(table[i].symbol, name);
        cr_expect_str_eq(table[i].name, expected != NULL ? expected : name, "%u", table[i].id);
    }
}

Test(event, rows_describe_the_words_of_the_kernel)
{
    const struct txtap_event_info *send = txtap_event_find(69, 0), *resume = txtap_event_find(1, 0);

    cr_assert_str_eq(send->symbol, "TX_TRACE_QUEUE_SEND");
    cr_assert_str_eq(send->name, "tx_queue_send");
    cr_assert_eq(send->component, TXTAP_COMPONENT_THREADX);
    cr_assert_eq(send->field[0].kind, TXTAP_FIELD_OBJECT);
    cr_assert_str_eq(send->field[0].label, "queue");
    cr_assert_eq(send->field[1].kind, TXTAP_FIELD_ADDRESS);
    cr_assert_eq(send->field[2].kind, TXTAP_FIELD_WAIT);
    cr_assert_str_eq(send->field[2].label, "wait_option");
    cr_assert_eq(send->field[3].kind, TXTAP_FIELD_NUMBER);
    cr_assert_eq(send->patched, 0);
    cr_assert_eq(resume->patched, 8, "the next thread");
    cr_assert_str_eq(resume->field[3].label, "next_thread");
    cr_assert_eq(txtap_event_find(2, 0)->patched, 8);
    cr_assert_eq(txtap_event_find(10, 0)->patched, 2, "the allocated block");
    cr_assert_eq(txtap_event_find(20, 0)->patched, 2);
    cr_assert_eq(txtap_event_find(32, 0)->field[3].kind, TXTAP_FIELD_FLAGS_GET);
    cr_assert_eq(txtap_event_find(36, 0)->field[2].kind, TXTAP_FIELD_FLAGS_SET);
    cr_assert_eq(txtap_event_find(50, 0)->field[1].kind, TXTAP_FIELD_INHERIT);
    cr_assert_eq(txtap_event_find(323, 0)->field[3].kind, TXTAP_FIELD_TCP_STATE);
    cr_assert_eq(txtap_event_find(394, 0)->field[1].kind, TXTAP_FIELD_PACKET_STATUS);
    cr_assert_eq(txtap_event_find(419, 0)->patched, 14);
    cr_assert_eq(txtap_event_find(471, 0)->field[1].kind, TXTAP_FIELD_HEX,
                 "a part of an IPv6 address is not an IPv4 address");
}

Test(event, ids_of_two_meanings_are_resolved_by_the_profile)
{
    for (uint32_t id = 441; id <= 448; id++) {
        cr_assert_eq(txtap_event_find(id, 0)->component, TXTAP_COMPONENT_NETXDUO, "%u", id);
        cr_assert_eq(txtap_event_find(id, TXTAP_PROFILE_USBX_LEGACY)->component, TXTAP_COMPONENT_NETXDUO, "%u", id);
        cr_assert_eq(txtap_event_find(id, TXTAP_PROFILE_NETX)->component, TXTAP_COMPONENT_NETX, "%u", id);
    }
    for (uint32_t id = 950; id <= 957; id++) {
        cr_assert_eq(txtap_event_find(id, 0)->component, TXTAP_COMPONENT_USBX, "%u", id);
        cr_assert_eq(txtap_event_find(id, TXTAP_PROFILE_NETX)->component, TXTAP_COMPONENT_USBX, "%u", id);
        cr_assert_eq(txtap_event_find(id, TXTAP_PROFILE_USBX_LEGACY)->component, TXTAP_COMPONENT_USBX_LEGACY, "%u", id);
    }
    cr_assert_str_eq(txtap_event_find(441, 0)->name, "nx_ip_static_route_enable");
    cr_assert_str_eq(txtap_event_find(441, TXTAP_PROFILE_NETX)->name, "nx_ip_static_route_add");
}

/* The event does not show which of NetX Duo's functions wrote it. So it does not show which word is the packet. */
Test(event, words_of_a_raw_packet_have_the_labels_of_all_calls_that_write_it)
{
    const struct txtap_event_info *duo = txtap_event_find(384, 0), *netx = txtap_event_find(384, TXTAP_PROFILE_NETX);
    static const char *const labels[] = {"packet_or_destination", "destination_or_service", "service_or_packet"};

    cr_assert_eq(duo->field[0].kind, TXTAP_FIELD_OBJECT);
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        cr_assert_eq(duo->field[i + 1].kind, TXTAP_FIELD_HEX);
        cr_assert_str_eq(duo->field[i + 1].label, labels[i]);
    }
    cr_assert_str_eq(netx->field[1].label, "packet");
    cr_assert_str_eq(netx->field[2].label, "destination_ip");
    cr_assert_str_eq(netx->field[3].label, "type_of_service");
}

Test(event, the_device_stack_of_usbx_up_to_6_1_7_has_its_ids_one_lower)
{
    static const struct {
        uint32_t id;
        const char *old, *current;
    } ids[] = {
        {855, "UX_TRACE_DEVICE_STACK_CONFIGURATION_GET", "UX_TRACE_DEVICE_STACK_CONFIGURATION_GET"},
        {856, "UX_TRACE_DEVICE_STACK_CONNECT", "UX_TRACE_DEVICE_STACK_CONFIGURATION_SET"},
        {869, "UX_TRACE_DEVICE_STACK_TRANSFER_REQUEST", "UX_TRACE_DEVICE_STACK_TRANSFER_ALL_REQUEST_ABORT"},
        {870, "UX_TRACE_DEVICE_STACK_TRANSFER_REQUEST", "UX_TRACE_DEVICE_STACK_TRANSFER_REQUEST"},
        {901, "UX_TRACE_DEVICE_CLASS_DPUMP_ACTIVATE", "UX_TRACE_DEVICE_CLASS_DPUMP_ACTIVATE"},
    };

    for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
        cr_assert_str_eq(txtap_event_find(ids[i].id, TXTAP_PROFILE_USBX_6_1_7)->symbol, ids[i].old);
        cr_assert_str_eq(txtap_event_find(ids[i].id, 0)->symbol, ids[i].current);
    }
}

Test(event, ids_of_one_meaning_are_found_in_every_profile)
{
    size_t rows;
    const struct txtap_event_info *table = txtap_event_table(&rows);

    for (unsigned profile = 0; profile < 4; profile++) {
        for (size_t i = 0; i < rows; i++) {
            const struct txtap_event_info *found = txtap_event_find(table[i].id, profile);

            cr_assert_not_null(found);
            cr_assert_eq(found->id, table[i].id);
        }
    }
}

/* Finds an event by a plain linear search of the table. */
static const struct txtap_event_info *search(uint32_t id, bool second)
{
    size_t count;
    const struct txtap_event_info *table = txtap_event_table(&count), *found = NULL;

    for (size_t i = 0; i < count; i++)
        if (table[i].id == id && (found == NULL || second))
            found = &table[i];
    return found;
}

Test(event, every_id_in_the_table_is_found_and_no_other)
{
    for (uint32_t id = 0; id < 4096; id++) {
        cr_assert_eq(txtap_event_find(id, 0), search(id, false), "%u", id);
        cr_assert_eq(txtap_event_find(id, TXTAP_PROFILE_NETX | TXTAP_PROFILE_USBX_LEGACY), search(id, true), "%u", id);
    }
    for (uint32_t id = 65536; id < 70000; id++)
        cr_assert_null(txtap_event_find(id, 0));
}

Test(event, user_events_share_one_row_and_unknown_ids_have_none)
{
    static const uint32_t unknown[] = {0, 7, 130, 307, 600, 1034, 4095, 65536, 0x00FFFFFF, UINT32_MAX};
    const struct txtap_event_info *user = txtap_event_find(4096, 0);

    cr_assert_eq(user->component, TXTAP_COMPONENT_USER);
    for (uint32_t id = 4096; id <= 65535; id++)
        cr_assert_eq(txtap_event_find(id, 3), user, "%u", id);
    for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
        cr_assert_null(txtap_event_find(unknown[i], 0), "%u", unknown[i]);
}

Test(event, gives_user_events_their_documented_range_only_without_usbx)
{
    cr_assert_eq(txtap_event_find(1025, 0)->component, TXTAP_COMPONENT_USBX);
    cr_assert_eq(txtap_event_find(1025, TXTAP_PROFILE_USER_1025)->component, TXTAP_COMPONENT_USER);
    cr_assert_eq(txtap_event_find(1024, TXTAP_PROFILE_USER_1025)->component, TXTAP_COMPONENT_USBX);
    cr_assert_eq(txtap_event_find(4095, TXTAP_PROFILE_USER_1025)->component, TXTAP_COMPONENT_USER);
    cr_assert_null(txtap_event_find(4095, 0));
}

Test(event, takes_the_core_from_the_top_byte_of_the_id_as_smp_writes_it)
{
    uint8_t entry[TXTB_ENTRY_BYTES];
    const struct txtap_header header = {.endian = TXTAP_BIG, .timer_mask = 0xFFFFFFFF};
    const uint32_t words[8] = {0x20000100, 5, 0x03000053, 7, 0, 0, 0, 0};
    struct txtap_event event;

    put_entry(entry, TXTAP_BIG, words);
    txtap_event_parse(entry, &header, &event);
    cr_assert_eq(event.core, 3);
    cr_assert_eq(event.id, 0x53);
}

static unsigned pending(uint32_t id, uint32_t late, uint32_t wait, bool unsettled)
{
    struct txtap_event event = {.id = id, .info = {1, 2, 3, 4}, .unsettled = unsettled};
    const struct txtap_event_info *info = txtap_event_find(id, 0);

    for (size_t i = 0; i < 4; i++) {
        if (info->patched >> i & 1)
            event.info[i] = late;
        if (info->field[i].kind == TXTAP_FIELD_WAIT)
            event.info[i] = wait;
    }
    return txtap_event_pending(info, &event);
}

Test(event, a_late_word_is_0_if_another_late_word_has_been_written)
{
    struct txtap_event receive = {.id = 434, .info = {1, 2, 3, 0}}; /* a packet without data */
    struct txtap_event find = {.id = 354, .info = {1, 2, 0, 3}};    /* an address that begins with zeros */

    cr_assert_eq(txtap_event_pending(txtap_event_find(434, 0), &receive), 0);
    cr_assert_eq(txtap_event_pending(txtap_event_find(354, 0), &find), 0);
    receive.unsettled = true;
    cr_assert_eq(txtap_event_pending(txtap_event_find(434, 0), &receive), 12, "read too early to know");
}

Test(event, knows_which_words_may_still_be_written)
{
    struct txtap_event unknown = {.unsettled = true};

    cr_assert_eq(pending(10, 0, 1, false), 2, "the memory that is waited for");
    cr_assert_eq(pending(10, 7, 1, false), 0, "it came");
    cr_assert_eq(pending(10, 0, 0, false), 0, "it was not waited for");
    cr_assert_eq(pending(10, 0, 0, true), 2, "read too early to know");
    cr_assert_eq(pending(1, 0, 1, false), 0, "no next thread: idle");
    cr_assert_eq(pending(1, 7, 1, true), 8);
    cr_assert_eq(pending(1, 1, 1, false), 0, "a resumed thread may be next");
    cr_assert_eq(pending(2, 1, 1, false), 8, "a suspended thread cannot be next");
    cr_assert_eq(pending(2, 7, 1, false), 0);
    cr_assert_eq(pending(419, 0, 1, false), 14, "a service without a wait option");
    cr_assert_eq(pending(64, 0, 1, true), 0, "nothing of it comes late");
    cr_assert_eq(txtap_event_pending(NULL, &unknown), 0);
}
