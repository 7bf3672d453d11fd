/* SPDX-License-Identifier: MIT */
/* Converts information words to values, according to the kinds of fields in events.def. */
#include "format/value.h"

#include "buffer/registry_parts.h"
#include "txtap/inner/user_value.h"

/*
 * Words that replace numbers: the constants of ThreadX, FileX, NetX and USBX, in lower case, without their prefix. If
 * two constants have the same number, only the first constant is listed.
 */

struct word_list {
    const struct txtap_word *words;
    size_t count;
};

/* common/inc/tx_api.h: return values of ThreadX services. 0x10 is also TX_START_ERROR. */
static const struct txtap_word tx_status[] = {
    {0x00, "success"},         {0x01, "deleted"},          {0x02, "pool_error"},      {0x03, "ptr_error"},
    {0x04, "wait_error"},      {0x05, "size_error"},       {0x06, "group_error"},     {0x07, "no_events"},
    {0x08, "option_error"},    {0x09, "queue_error"},      {0x0a, "queue_empty"},     {0x0b, "queue_full"},
    {0x0c, "semaphore_error"}, {0x0d, "no_instance"},      {0x0e, "thread_error"},    {0x0f, "priority_error"},
    {0x10, "no_memory"},       {0x11, "delete_error"},     {0x12, "resume_error"},    {0x13, "caller_error"},
    {0x14, "suspend_error"},   {0x15, "timer_error"},      {0x16, "tick_error"},      {0x17, "activate_error"},
    {0x18, "thresh_error"},    {0x19, "suspend_lifted"},   {0x1a, "wait_aborted"},    {0x1b, "wait_abort_error"},
    {0x1c, "mutex_error"},     {0x1d, "not_available"},    {0x1e, "not_owned"},       {0x1f, "inherit_error"},
    {0x20, "not_done"},        {0x21, "ceiling_exceeded"}, {0x22, "invalid_ceiling"}, {0xff, "feature_not_enabled"},
};

/* common/inc/fx_api.h: return values of FileX services */
static const struct txtap_word fx_status[] = {
    {0x00, "success"},         {0x01, "boot_error"},        {0x02, "media_invalid"},  {0x03, "fat_read_error"},
    {0x04, "not_found"},       {0x05, "not_a_file"},        {0x06, "access_error"},   {0x07, "not_open"},
    {0x08, "file_corrupt"},    {0x09, "end_of_file"},       {0x0a, "no_more_space"},  {0x0b, "already_created"},
    {0x0c, "invalid_name"},    {0x0d, "invalid_path"},      {0x0e, "not_directory"},  {0x0f, "no_more_entries"},
    {0x10, "dir_not_empty"},   {0x11, "media_not_open"},    {0x12, "invalid_year"},   {0x13, "invalid_month"},
    {0x14, "invalid_day"},     {0x15, "invalid_hour"},      {0x16, "invalid_minute"}, {0x17, "invalid_second"},
    {0x18, "ptr_error"},       {0x19, "invalid_attr"},      {0x20, "caller_error"},   {0x21, "buffer_error"},
    {0x22, "not_implemented"}, {0x23, "write_protect"},     {0x24, "invalid_option"}, {0x89, "sector_invalid"},
    {0x90, "io_error"},        {0x91, "not_enough_memory"}, {0x92, "error_fixed"},    {0x93, "error_not_fixed"},
    {0x94, "not_available"},   {0x95, "invalid_checksum"},  {0x96, "read_continue"},  {0x97, "invalid_state"},
};

/* common/inc/nx_api.h of NetX Duo: return values of NetX services */
static const struct txtap_word nx_status[] = {
    {0x00, "success"},
    {0x01, "no_packet"},
    {0x02, "underflow"},
    {0x03, "overflow"},
    {0x04, "no_mapping"},
    {0x05, "deleted"},
    {0x06, "pool_error"},
    {0x07, "ptr_error"},
    {0x08, "wait_error"},
    {0x09, "size_error"},
    {0x0a, "option_error"},
    {0x10, "delete_error"},
    {0x11, "caller_error"},
    {0x12, "invalid_packet"},
    {0x13, "invalid_socket"},
    {0x14, "not_enabled"},
    {0x15, "already_enabled"},
    {0x16, "entry_not_found"},
    {0x17, "no_more_entries"},
    {0x18, "arp_timer_error"},
    {0x1a, "wait_aborted"},
    {0x20, "ip_internal_error"},
    {0x21, "ip_address_error"},
    {0x22, "already_bound"},
    {0x23, "port_unavailable"},
    {0x24, "not_bound"},
    {0x26, "socket_unbound"},
    {0x27, "not_created"},
    {0x28, "sockets_bound"},
    {0x29, "no_response"},
    {0x30, "pool_deleted"},
    {0x31, "already_released"},
    {0x33, "max_listen"},
    {0x34, "duplicate_listen"},
    {0x35, "not_closed"},
    {0x36, "not_listen_state"},
    {0x37, "in_progress"},
    {0x38, "not_connected"},
    {0x39, "window_overflow"},
    {0x40, "already_suspended"},
    {0x41, "disconnect_failed"},
    {0x42, "still_bound"},
    {0x43, "not_successful"},
    {0x44, "unhandled_command"},
    {0x45, "no_free_ports"},
    {0x46, "invalid_port"},
    {0x47, "invalid_relisten"},
    {0x48, "connection_pending"},
    {0x49, "tx_queue_depth"},
    {0x4a, "not_implemented"},
    {0x4b, "not_supported"},
    {0x4c, "invalid_interface"},
    {0x4d, "invalid_parameters"},
    {0x4e, "not_found"},
    {0x4f, "cannot_start"},
    {0x50, "no_interface_address"},
    {0x51, "invalid_mtu_data"},
    {0x52, "duplicated_entry"},
    {0x53, "packet_offset_error"},
    {0x54, "option_header_error"},
    {0x55, "continue"},
    {0x56, "tcpip_offload_error"},
};

/* common/core/inc/ux_api.h: return values and reports of USBX services, and completion codes of transfers */
static const struct txtap_word ux_status[] = {
    {0, "success"},
    {0xff, "error"},
    {0xfe, "busy"},
    {0xfd, "timeout"},
    {0xfc, "reentry"},
    {0xfb, "invalid_state"},
    {0xfa, "invalid_parameter"},
    {0xf9, "aborted"},
    {0xf8, "math_overflow"},
    {0xf7, "invalid_build_option"},
    {0x11, "too_many_devices"},
    {0x12, "memory_insufficient"},
    {0x13, "no_td_available"},
    {0x14, "no_ed_available"},
    {0x15, "semaphore_error"},
    {0x16, "thread_error"},
    {0x17, "mutex_error"},
    {0x18, "event_error"},
    {0x19, "memory_corrupted"},
    {0x1a, "memory_array_full"},
    {0x1b, "fatal_error"},
    {0x1c, "already_activated"},
    {0x21, "transfer_stalled"},
    {0x22, "transfer_no_answer"},
    {0x23, "transfer_error"},
    {0x24, "transfer_missed_frame"},
    {0x25, "transfer_not_ready"},
    {0x26, "transfer_bus_reset"},
    {0x27, "transfer_buffer_overflow"},
    {0x28, "transfer_application_reset"},
    {0x29, "transfer_data_less_than_expected"},
    {0x31, "port_reset_failed"},
    {0x32, "controller_init_failed"},
    {0x33, "controller_dead"},
    {0x41, "no_bandwidth_available"},
    {0x42, "descriptor_corrupted"},
    {0x43, "over_current_condition"},
    {0x44, "device_enumeration_failure"},
    {0x45, "too_many_hub_ports"},
    {0x50, "device_handle_unknown"},
    {0x51, "configuration_handle_unknown"},
    {0x52, "interface_handle_unknown"},
    {0x53, "endpoint_handle_unknown"},
    {0x54, "function_not_supported"},
    {0x55, "controller_unknown"},
    {0x56, "port_index_unknown"},
    {0x57, "no_class_match"},
    {0x58, "host_class_already_installed"},
    {0x59, "host_class_unknown"},
    {0x5a, "connection_incompatible"},
    {0x5b, "host_class_instance_unknown"},
    {0x5c, "transfer_timeout"},
    {0x5d, "buffer_overflow"},
    {0x5e, "no_alternate_setting"},
    {0x5f, "no_device_connected"},
    {0x60, "host_class_protocol_error"},
    {0x61, "host_class_memory_error"},
    {0x62, "host_class_media_not_supported"},
    {0x63, "class_malformed_packet_received_error"},
    {0x70, "host_class_hid_report_overflow"},
    {0x71, "host_class_hid_usage_overflow"},
    {0x72, "host_class_hid_tag_unsupported"},
    {0x73, "host_class_hid_push_overflow"},
    {0x74, "host_class_hid_pop_underflow"},
    {0x75, "host_class_hid_collection_overflow"},
    {0x76, "host_class_hid_collection_underflow"},
    {0x77, "host_class_hid_min_max_error"},
    {0x78, "host_class_hid_delimiter_error"},
    {0x79, "host_class_hid_report_error"},
    {0x7a, "host_class_hid_periodic_report_error"},
    {0x7b, "host_class_hid_unknown"},
    {0x80, "host_class_audio_wrong_type"},
    {0x81, "host_class_audio_wrong_interface"},
    {0x82, "host_class_audio_wrong_frequency"},
    {0x90, "class_cdc_ecm_link_state_down_error"},
    {0x91, "class_eth_packet_pool_error"},
    {0x92, "class_eth_packet_error"},
    {0x93, "class_eth_size_error"},
};

/* fx_api.h: FX_OPEN_FOR_*, parameter of fx_file_open */
static const struct txtap_word open_types[] = {{0, "read"}, {1, "write"}, {2, "read_fast"}};

/* fx_api.h: FX_SEEK_*, parameter of fx_file_relative_seek */
static const struct txtap_word seek_origins[] = {{0, "begin"}, {1, "end"}, {2, "forward"}, {3, "back"}};

/* fx_api.h: FX_BOOT_SECTOR and FX_DIRECTORY_SECTOR, parameter of fx_media_volume_get */
static const struct txtap_word volume_sources[] = {{1, "boot_sector"}, {3, "directory_sector"}};

/* fx_api.h: FX_READ_ONLY to FX_ARCHIVE */
static const struct txtap_word attributes[] = {
    {0x01, "read_only"}, {0x02, "hidden"}, {0x04, "system"}, {0x08, "volume"}, {0x10, "directory"}, {0x20, "archive"},
};

/* fx_api.h: FX_FAT_CHAIN_ERROR to FX_FILE_SIZE_ERROR, result of fx_media_check */
static const struct txtap_word media_errors[] = {
    {0x01, "fat_chain"},
    {0x02, "directory"},
    {0x04, "lost_cluster"},
    {0x08, "file_size"},
};

/* nx_api.h: NX_IP_INITIALIZE_DONE to NX_IP_INTERFACE_LINK_ENABLED, parameter of nx_ip_status_check; 0x80: classic
 * NetX */
static const struct txtap_word ip_status[] = {
    {0x001, "initialize_done"}, {0x002, "address_resolved"}, {0x004, "link_enabled"},
    {0x008, "arp_enabled"},     {0x010, "udp_enabled"},      {0x020, "tcp_enabled"},
    {0x040, "igmp_enabled"},    {0x080, "rarp_complete"},    {0x100, "interface_link_enabled"},
};

/* nx_api.h: NX_LINK_*, parameter of nx_ip_driver_direct_command */
static const struct txtap_word link_commands[] = {
    {0, "packet_send"},
    {1, "initialize"},
    {2, "enable"},
    {3, "disable"},
    {4, "packet_broadcast"},
    {5, "arp_send"},
    {6, "arp_response_send"},
    {7, "rarp_send"},
    {8, "multicast_join"},
    {9, "multicast_leave"},
    {10, "get_status"},
    {11, "get_speed"},
    {12, "get_duplex_type"},
    {13, "get_error_count"},
    {14, "get_rx_count"},
    {15, "get_tx_count"},
    {16, "get_alloc_errors"},
    {17, "uninitialize"},
    {18, "deferred_processing"},
    {19, "interface_attach"},
    {20, "set_physical_address"},
    {21, "interface_capability_get"},
    {22, "interface_capability_set"},
    {23, "interface_detach"},
    {24, "factory_address_get"},
    {25, "rx_enable"},
    {26, "rx_disable"},
    {27, "6lowpan_command"},
    {28, "get_interface_type"},
    {29, "raw_packet_send"},
};

/* tx_api.h: TX_READY to TX_PRIORITY_CHANGE */
static const struct txtap_word thread_states[] = {
    {0, "ready"},      {1, "completed"},      {2, "terminated"}, {3, "suspended"},    {4, "sleep"},
    {5, "queue_susp"}, {6, "semaphore_susp"}, {7, "event_flag"}, {8, "block_memory"}, {9, "byte_memory"},
    {10, "io_driver"}, {11, "file"},          {12, "tcp_ip"},    {13, "mutex_susp"},  {14, "priority_change"},
};

/* tx_api.h: TX_OR, TX_OR_CLEAR, TX_AND, TX_AND_CLEAR, parameter of tx_event_flags_get; the set call uses only two of
 * them */
static const struct txtap_word flags_get[] = {{0, "or"}, {1, "or_clear"}, {2, "and"}, {3, "and_clear"}};
static const struct txtap_word flags_set[] = {{0, "or"}, {2, "and"}};

/* tx_api.h: TX_NO_INHERIT, TX_INHERIT */
static const struct txtap_word inherit[] = {{0, "none"}, {1, "inherit"}};

/* tx_api.h: TX_NO_WAIT, TX_WAIT_FOREVER; all other values are ticks */
static const struct txtap_word waits[] = {{0, "none"}, {0xFFFFFFFF, "forever"}};

/* nx_api.h: NX_TCP_CLOSED to NX_TCP_LAST_ACK */
static const struct txtap_word tcp_states[] = {
    {1, "closed"},     {2, "listen"},     {3, "syn_sent"}, {4, "syn_received"}, {5, "established"}, {6, "close_wait"},
    {7, "fin_wait_1"}, {8, "fin_wait_2"}, {9, "closing"},  {10, "timed_wait"},  {11, "last_ack"},
};

/* nx_packet.h. Any other value is the address of the next packet in a queue that contains this packet. */
static const struct txtap_word packet_status[] = {
    {0xFFFFFFFF, "free"},        {0xAAAAAAAA, "allocated"}, {0xEEEEEEEE, "enqueued"},
    {0xDDDDDDDD, "transmitted"}, {0xBBBBBBBB, "ready"},
};

#define LIST(words)                                                                                                    \
    {                                                                                                                  \
        words, sizeof(words) / sizeof((words)[0])                                                                      \
    }

/* Index: kind of field. The words come from the headers of the components. A field of bits has one word per bit. Most
 * kinds have no words. */
static const struct word_list word_lists[TXTAP_FIELD_KINDS] = {
    [TXTAP_FIELD_WAIT] = LIST(waits),
    [TXTAP_FIELD_THREAD_STATE] = LIST(thread_states),
    [TXTAP_FIELD_FLAGS_GET] = LIST(flags_get),
    [TXTAP_FIELD_FLAGS_SET] = LIST(flags_set),
    [TXTAP_FIELD_INHERIT] = LIST(inherit),
    [TXTAP_FIELD_TCP_STATE] = LIST(tcp_states),
    [TXTAP_FIELD_PACKET_STATUS] = LIST(packet_status),
    [TXTAP_FIELD_TX_STATUS] = LIST(tx_status),
    [TXTAP_FIELD_FX_STATUS] = LIST(fx_status),
    [TXTAP_FIELD_NX_STATUS] = LIST(nx_status),
    [TXTAP_FIELD_UX_STATUS] = LIST(ux_status),
    [TXTAP_FIELD_OPEN_TYPE] = LIST(open_types),
    [TXTAP_FIELD_SEEK_FROM] = LIST(seek_origins),
    [TXTAP_FIELD_VOLUME_SOURCE] = LIST(volume_sources),
    [TXTAP_FIELD_ATTRIBUTES] = LIST(attributes),
    [TXTAP_FIELD_MEDIA_ERRORS] = LIST(media_errors),
    [TXTAP_FIELD_IP_STATUS] = LIST(ip_status),
    [TXTAP_FIELD_LINK_COMMAND] = LIST(link_commands),
};

/* Returns the word for `number`, or NULL. */
static const char *words_find(struct word_list list, uint32_t number)
{
    for (size_t i = 0; i < list.count; i++) {
        if (list.words[i].number == number)
            return list.words[i].word;
    }
    return NULL;
}

/* ---- values ---- */

#define NAN_BITS 0x7F800000u /* a binary32 (IEEE 754) with this exponent is infinite or not a number */

static const struct txtap_field_info no_field = {TXTAP_FIELD_NONE, NULL, NULL};

static struct value value_of_object(const struct txtap_object *object, uint32_t pointer)
{
    struct value value = {.form = VALUE_ADDRESS, .number = pointer, .field = &no_field};

    if (object != NULL && object->name[0] != '\0') {
        value.form = VALUE_NAME;
        value.text = object->name;
    }
    return value;
}

struct value value_of_thread(const struct txtap_registry *registry, const struct txtap_event *event)
{
    return value_of_object(txtap_registry_find_at(registry, event->thread, TXTAP_OBJECT_THREAD, event->seq),
                           event->thread);
}

static struct value value_of_pointer(const struct txtap_registry *registry, const struct txtap_event *event,
                                     const struct txtap_event_info *info, size_t i)
{
    uint32_t pointer = event->info[i];
    const struct txtap_object *object = txtap_registry_find_at(registry, pointer, TXTAP_OBJECT_NONE, event->seq);

    if (object != NULL && !lifetime_fits(info, i, object->type))
        object = NULL;
    return value_of_object(object, pointer);
}

static struct word_list words_of(const struct txtap_field_info *field)
{
    if (field->format == NULL)
        return word_lists[field->kind];
    return (struct word_list){field->format->words, field->format->word_count};
}

/*
 * Index: kind of field. form: how its numbers are written; bare: its numbers are never replaced by a name or a word. A
 * kind without an element here is written in decimal or as a word.
 */
static const struct {
    enum value_form form;
    bool bare;
} forms[TXTAP_FIELD_KINDS] = {
    [TXTAP_FIELD_NONE] = {VALUE_HEX, true},
    [TXTAP_FIELD_OBJECT] = {VALUE_NOTHING, false},
    [TXTAP_FIELD_ADDRESS] = {VALUE_ADDRESS, true},
    [TXTAP_FIELD_NUMBER] = {VALUE_NUMBER, true},
    [TXTAP_FIELD_HEX] = {VALUE_HEX, true},
    [TXTAP_FIELD_IPV4] = {VALUE_IPV4, true},
    [TXTAP_FIELD_PACKET_STATUS] = {VALUE_ADDRESS, false},
    [TXTAP_FIELD_TX_STATUS] = {VALUE_HEX, false},
    [TXTAP_FIELD_FX_STATUS] = {VALUE_HEX, false},
    [TXTAP_FIELD_NX_STATUS] = {VALUE_HEX, false},
    [TXTAP_FIELD_UX_STATUS] = {VALUE_HEX, false},
    [TXTAP_FIELD_ATTRIBUTES] = {VALUE_BITS, false},
    [TXTAP_FIELD_MEDIA_ERRORS] = {VALUE_BITS, false},
    [TXTAP_FIELD_IP_STATUS] = {VALUE_BITS, false},
    [TXTAP_FIELD_SIGNED] = {VALUE_SIGNED, true},
    [TXTAP_FIELD_FLOAT] = {VALUE_FLOAT, false},
    [TXTAP_FIELD_FLAGS] = {VALUE_BITS, false},
    [TXTAP_FIELD_FUNCTION] = {VALUE_ADDRESS, true},
};

/* Returns the word for the number, or NULL. */
static const char *word_for(uint32_t number, const struct txtap_field_info *field)
{
    if (field->kind == TXTAP_FIELD_FLOAT && (number & NAN_BITS) == NAN_BITS)
        return number << 9 != 0 ? "nan" : number >> 31 ? "-inf" : "inf";
    return words_find(words_of(field), number);
}

struct value value_of_field(const struct txtap_registry *registry, const struct txtap_event *event,
                            const struct txtap_event_info *info, const struct txtap_field_info *field, size_t i)
{
    uint32_t number = event->info[i];
    struct value value = {.form = forms[field->kind].form, .number = number, .field = field};
    const char *word;

    if (forms[field->kind].bare)
        return value;
    if (field->kind == TXTAP_FIELD_OBJECT)
        return number == 0 ? value : value_of_pointer(registry, event, info, i);
    word = word_for(number, field);
    if (word != NULL) {
        value.form = VALUE_WORD;
        value.text = word;
    }
    return value;
}

bool value_of_word(const struct txtap_registry *registry, const struct txtap_event *event,
                   const struct txtap_event_info *info, size_t i, const char **label, struct value *value)
{
    static const struct txtap_field_info undescribed[] = {
        {TXTAP_FIELD_HEX, "info1", NULL},
        {TXTAP_FIELD_HEX, "info2", NULL},
        {TXTAP_FIELD_HEX, "info3", NULL},
        {TXTAP_FIELD_HEX, "info4", NULL},
    };
    const struct txtap_field_info *field = info != NULL ? &info->field[i] : &undescribed[i];

    if (event->words != NULL && i >= event->word_count)
        return false;
    if (field->kind == TXTAP_FIELD_NONE) {
        if (event->words == NULL && event->info[i] == 0)
            return false;
        field = &undescribed[i];
    }
    *label = field->label;
    *value = value_of_field(registry, event, info, field, i);
    return true;
}

void value_write_more(struct line *line, const struct txtap_event *event, bool first)
{
    for (size_t i = 4; event->words != NULL && i < event->word_count; i++) {
        line_text(line, first ? "info" : " info");
        line_decimal(line, i + 1);
        line_text(line, "=");
        line_hex(line, event->words[i], 1);
        first = false;
    }
}

bool value_is_number(const struct value *value)
{
    return value->form == VALUE_NUMBER || value->form == VALUE_SIGNED || value->form == VALUE_FLOAT;
}

static void write_bits(const struct value *value, struct line *line)
{
    const struct word_list list = words_of(value->field);
    uint32_t left = value->number;
    const char *separator = "";

    for (size_t i = 0; i < list.count && left != 0; i++) {
        uint32_t bits = list.words[i].number;

        if (bits == 0 || (left & bits) != bits)
            continue;
        line_text(line, separator);
        line_text(line, list.words[i].word);
        left &= ~bits;
        separator = "|";
    }
    if (left != 0 || value->number == 0) {
        line_text(line, separator);
        line_hex(line, left, 1);
    }
}

static void write_number(const struct value *value, struct line *line)
{
    const struct txtap_field_format *format = value->field->format;
    bool negative = value->form == VALUE_SIGNED && value->number >> 31 != 0;
    uint32_t number = negative ? 0u - value->number : value->number;

    if (negative)
        line_text(line, "-");
    if (format == NULL || format->decimals == 0)
        line_decimal(line, number);
    else
        line_scaled(line, number, format->decimals);
}

/* Writes a number that has no word. The number is signed only if some words of the field are for negative numbers. */
static void write_wordless(const struct value *value, struct line *line)
{
    const struct word_list list = words_of(value->field);
    bool negative = false;

    for (size_t i = 0; i < list.count && !negative && value->number >> 31 != 0; i++)
        negative = value->field->kind == TXTAP_FIELD_ENUM && list.words[i].number >> 31 != 0;
    if (negative)
        line_text(line, "-");
    line_decimal(line, negative ? 0u - value->number : value->number);
}

void value_write(const struct value *value, struct line *line)
{
    switch (value->form) {
    case VALUE_NAME:
        break;
    case VALUE_WORD:
        line_text(line, value->text);
        break;
    case VALUE_SIGNED:
    case VALUE_NUMBER:
        write_number(value, line);
        break;
    case VALUE_FLOAT:
        line_float(line, value->number);
        break;
    case VALUE_DECIMAL:
        write_wordless(value, line);
        break;
    case VALUE_HEX:
        line_hex(line, value->number, 1);
        break;
    case VALUE_ADDRESS:
        line_hex(line, value->number, 8);
        break;
    case VALUE_IPV4:
        line_ipv4(line, value->number);
        break;
    case VALUE_BITS:
        write_bits(value, line);
        break;
    case VALUE_NOTHING:
        line_text(line, "none");
        break;
    }
}

size_t txtap_value_text(const struct txtap_registry *registry, const struct txtap_definition *definition, unsigned word,
                        uint32_t number, char text[static TXTAP_VALUE_TEXT_BYTES])
{
    static const struct txtap_field_info plain = {TXTAP_FIELD_NUMBER, "", NULL};
    const struct txtap_definition_part *part = txtap_definition_part_of(definition, word);
    struct txtap_event event = {.id = definition->info.id, .seq = UINT64_MAX};
    struct value value;
    struct line line = {.start = text, .at = text, .end = text + TXTAP_VALUE_TEXT_BYTES - LINE_SLACK_BYTES};

    event.info[word] = number;
    value = value_of_field(registry, &event, &definition->info, part != NULL ? &part->field : &plain, word);
    if (value.form == VALUE_NAME)
        line_text(&line, value.text);
    else
        value_write(&value, &line);
    if (part != NULL && part->format.unit[0] != '\0') {
        line_text(&line, " ");
        line_text(&line, part->format.unit);
    }
    *line.at = '\0';
    return (size_t)(line.at - line.start);
}
