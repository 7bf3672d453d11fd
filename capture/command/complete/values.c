/* SPDX-License-Identifier: MIT */
/* The values of options: words, names of events and probes, names in the files of the command line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/complete/complete.h"
#include "probe/chip.h"
#include "probe/probe.h"
#include "probe/usb/usb_bus.h"
#include "txtap/analysis.h"
#include "txtap/event.h"
#include "txtap/exporter.h"

/* Words of an option; the texts of --help name them, too. command: NULL: of all other commands. */
static const struct {
    const char *option, *command, *words;
} words[] = {
    {"color", NULL, "auto always never"},
    {"time", NULL, "relative delta absolute"},
    {"context", NULL, "thread isr idle init"},
    {"profile", NULL, "netxduo netx usbx usbx-6.1.7 usbx-legacy"},
    {"job-ends", NULL, "wait any"},
    {"instances", NULL, "response wake block hold isr"},
    {"check", NULL,
     "cpu load idle run response wake ready period jitter block hold wait depth stack stack_used isr inversion "
     "unbounded deadlock leak failed lost switches total_events faults value state"},
    {"format", "report", "text json csv html dot sqlite"},
    {"format", "lab", "text json"},
    {"format", "probes", "text json"},
    {"format", "kernel", "text json"},
    {"format", "info", "text json"},
    {"format", "why", "text json"},
    {"format", "compare", "text json markdown benchmark"},
    {"format", "profile", "text folded pprof json"},
};

/* Offers each of the words, which blanks or commas separate. */
static void offer_words(const struct completion *completion, const char *list)
{
    while (*list != '\0') {
        size_t length = strcspn(list, " ,");
        char word[64];

        snprintf(word, sizeof word, "%.*s", (int)length, list);
        completion_offer(completion, word, "");
        list += length;
        list += strspn(list, " ,");
    }
}

static bool offer_known_words(const struct completion *completion, const struct argp_option *option)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].option, option->name) == 0 &&
            (words[i].command == NULL || strcmp(words[i].command, completion->command->name) == 0)) {
            offer_words(completion, words[i].words);
            return true;
        }
    return false;
}

/* Offers the formats of events, but to a command without an end no format that needs the whole buffer. */
static void offer_formats(const struct completion *completion, const struct argp_option *option)
{
    const char *name = txtap_exporter_names();

    if (offer_known_words(completion, option))
        return;
    while (*name != '\0') {
        size_t length = strcspn(name, " ,");
        char word[64];

        snprintf(word, sizeof word, "%.*s", (int)length, name);
        if (!completion->command->streams || !txtap_exporter_find(word)->whole_buffer)
            completion_offer(completion, word, "");
        name += length;
        name += strspn(name, " ,");
    }
}

static void offer_ways(const struct completion *completion, const struct argp_option *option)
{
    const struct probe_way *way;

    (void)option;
    for (size_t i = 0; (way = probe_way_at(i)) != NULL; i++)
        completion_offer(completion, way->name, way->text);
}

static void offer_sections(const struct completion *completion, const struct argp_option *option)
{
    const struct txtap_analysis_section *section;

    (void)option;
    for (size_t i = 0; (section = txtap_analysis_section(i)) != NULL; i++)
        completion_offer(completion, section->name, section->brief);
}

static void offer_events(const struct completion *completion, const struct argp_option *option)
{
    size_t count;
    const struct txtap_event_info *table = txtap_event_table(&count);

    for (size_t i = 0; i < count && strcmp(option->arg, "EVENT") == 0; i++) /* --event of why is a number */
        completion_offer(completion, table[i].name, "");
}

static void offer_threads(const struct completion *completion, const struct argp_option *option)
{
    (void)option;
    completion_names(completion, NAMES_THREADS);
}

static void offer_objects(const struct completion *completion, const struct argp_option *option)
{
    (void)option;
    completion_names(completion, NAMES_OBJECTS);
}

static void offer_interrupts(const struct completion *completion, const struct argp_option *option)
{
    (void)option;
    completion_interrupts(completion);
}

static void offer_columns(const struct completion *completion, const struct argp_option *option)
{
    (void)option;
    offer_words(completion, txtap_columns_names());
}

/* Offers the names of OpenOCD's files for the chips of the table, such as rp2040 of target/rp2040.cfg. */
static void offer_chips(const struct completion *completion, const struct argp_option *option)
{
    const struct chip *chip;

    (void)option;
    for (size_t i = 0; (chip = chip_row(i)) != NULL; i++) {
        const char *slash = strrchr(chip->source, '/');
        char word[64];

        if (slash == NULL)
            continue;
        snprintf(word, sizeof word, "%.*s", (int)strcspn(slash + 1, "."), slash + 1);
        completion_offer(completion, word, chip->source);
    }
}

static void offer_variables(const struct completion *completion, const struct argp_option *option)
{
    if (option->arg != NULL && strcmp(option->arg, "TIME") != 0) /* --watch of kernel and probes has a time */
        completion_variables(completion);
}

/* Offers the serial numbers and the paths of the probes on USB. Opens no probe. */
static void offer_probes(const struct completion *completion, const struct argp_option *option)
{
    char path[USB_PATH_BYTES];
    struct usb_list list;
    struct error unused;

    (void)option;
    if (usb_list_read(&list, &unused) != TXTAP_OK)
        return;
    for (size_t i = 0; i < list.count; i++) {
        const struct usb_identity *identity = &list.probes[i].identity;

        if (identity->serial[0] != '\0')
            completion_offer(completion, identity->serial, identity->product_text);
        if (*usb_probe_path(&list.probes[i], path) != '\0')
            completion_offer(completion, path, identity->product_text);
    }
    usb_list_free(&list);
}

static const struct {
    const char *option;
    void (*offer)(const struct completion *completion, const struct argp_option *option);
} dynamic[] = {
    {"format", offer_formats},   {"way", offer_ways},
    {"section", offer_sections}, {"event", offer_events},
    {"thread", offer_threads},   {"object", offer_objects},
    {"watch", offer_variables},  {"symbol", offer_variables},
    {"probe", offer_probes},     {"semaphore-as-lock", offer_objects},
    {"isr", offer_interrupts},   {"fields", offer_columns},
    {"chip", offer_chips},
};

static bool is_file(const struct argp_option *option)
{
    static const char *const kinds[] = {"FILE", "PATH", "DIR", "FOLDER", "ELF", "LOG", "PROGRAM"};

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strstr(option->arg, kinds[i]) != NULL)
            return true;
    return false;
}

/* In a list of values, moves the beginning of the value at the cursor after the last comma. `before` is for the text
 * up to this comma. */
static void begin_at_comma(struct completion *completion, const struct argp_option *option, char *before, size_t bytes)
{
    const char *value = strrchr(completion->part, ',');

    if (value == NULL || (strstr(option->arg, ",...") == NULL && strcmp(option->arg, "LIST") != 0))
        return;
    value += 1 + strspn(value + 1, " ");
    snprintf(before, bytes, "%s%.*s", completion->before, (int)(value - completion->part), completion->part);
    completion->before = before;
    completion->part = value;
}

void completion_values(const struct completion *whole, const struct argp_option *option)
{
    struct completion value = *whole, *completion = &value;
    char before[2048];

    if (option->name == NULL || strlen(whole->before) + strlen(whole->part) >= sizeof before / 2)
        return;
    begin_at_comma(completion, option, before, sizeof before);
    for (size_t i = 0; i < sizeof dynamic / sizeof *dynamic; i++)
        if (strcmp(dynamic[i].option, option->name) == 0) {
            dynamic[i].offer(completion, option);
            return;
        }
    if (!offer_known_words(completion, option) && is_file(option))
        puts(":files");
}
