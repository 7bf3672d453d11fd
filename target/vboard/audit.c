/* SPDX-License-Identifier: MIT */
/* Writes the debugger's actions as JSON. */
#include "audit.h"
#include "messages.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LIST_MAX 100000 /* number of writes in the list (4 MB); further writes are only counted */

static const char *const class_names[ACCESS_CLASSES] = {"ram", "flash", "system", "debug", "peripheral", "fault"};

static int64_t now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

void audit_init(struct audit *audit)
{
    *audit = (struct audit){.started_us = now_us()};
}

void audit_free(struct audit *audit)
{
    free(audit->list);
    free(audit->faults);
    free(audit->stretches);
    audit->list = NULL;
    audit->faults = NULL;
    audit->stretches = NULL;
}

void audit_read(struct audit *audit, enum access_class class, uint32_t length)
{
    audit->reads[class].count++;
    audit->reads[class].bytes += length;
}

/* Makes room for one more item of `size` bytes. The list may move in memory. */
static bool make_room(void **list, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return true;
    size_t more = *room ? *room * 2 : 64;
    void *larger = count < LIST_MAX ? realloc(*list, more * size) : NULL;
    if (!larger)
        return false;
    *list = larger;
    *room = more;
    return true;
}

void audit_stretch(struct audit *audit, const char *cause, const char *elf, const struct counter_values *values)
{
    void *list = audit->stretches;
    if (make_room(&list, audit->stretches_count, &audit->stretches_room, sizeof *audit->stretches)) {
        audit->stretches = list;
        audit->stretches[audit->stretches_count++] =
            (struct audit_stretch){now_us() - audit->started_us, cause, elf, *values};
    }
}

size_t audit_fault_begin(struct audit *audit, const struct fault *fault, const char *by, uint64_t hits)
{
    void *list = audit->faults;
    if (!make_room(&list, audit->faults_count, &audit->faults_room, sizeof *audit->faults))
        return SIZE_MAX;
    audit->faults = list;
    audit->faults[audit->faults_count] = (struct audit_fault){
        now_us() - audit->started_us, -1, fault->kind, by, fault->path, false, fault->duration_us, hits};
    return audit->faults_count++;
}

void audit_fault_end(struct audit *audit, size_t number, bool failed, uint64_t hits)
{
    if (number >= audit->faults_count)
        return;
    struct audit_fault *fault = &audit->faults[number];
    fault->end_us = now_us() - audit->started_us;
    fault->failed = failed;
    fault->hits = hits - fault->hits;
}

void audit_write(struct audit *audit, enum access_class class, uint32_t address, const uint8_t *value, uint32_t length)
{
    audit->writes[class].count++;
    audit->writes[class].bytes += length;
    void *list = audit->list;
    if (!make_room(&list, audit->list_count, &audit->list_room, sizeof *audit->list)) {
        audit->list_dropped++;
        return;
    }
    audit->list = list;
    struct audit_write *entry = &audit->list[audit->list_count++];
    *entry = (struct audit_write){now_us() - audit->started_us, address, length, class, {0}};
    memcpy(entry->value, value, length < AUDIT_VALUE_BYTES ? length : AUDIT_VALUE_BYTES);
}

void audit_command(struct audit *audit, const char *name)
{
    for (size_t i = 0; i < AUDIT_COMMANDS_MAX; i++) {
        if (!audit->commands[i].name)
            audit->commands[i].name = name;
        if (audit->commands[i].name == name) {
            audit->commands[i].count++;
            return;
        }
    }
}

static void print_string(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text; text++) {
        if ((unsigned char)*text < 0x20)
            fprintf(file, "\\u%04x", (unsigned)*text);
        else
            fprintf(file, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    }
    fputc('"', file);
}

static void print_tallies(FILE *file, const char *name, const struct audit_tally *tallies)
{
    fprintf(file, "  \"%s\": {", name);
    for (int i = 0; i < ACCESS_CLASSES; i++)
        fprintf(file, "%s\"%s\": {\"count\": %" PRIu64 ", \"bytes\": %" PRIu64 "}", i ? ", " : "", class_names[i],
                tallies[i].count, tallies[i].bytes);
    fprintf(file, "},\n");
}

static void print_writes(FILE *file, const struct audit *audit)
{
    fprintf(file, "  \"write_list\": [");
    for (size_t i = 0; i < audit->list_count; i++) {
        const struct audit_write *entry = &audit->list[i];
        uint32_t shown = entry->length < AUDIT_VALUE_BYTES ? entry->length : AUDIT_VALUE_BYTES;
        fprintf(file,
                "%s\n    {\"time_us\": %" PRId64 ", \"class\": \"%s\", \"address\": \"0x%08" PRIx32
                "\", \"length\": %" PRIu32 ", \"bytes\": \"",
                i ? "," : "", entry->time_us, class_names[entry->class], entry->address, entry->length);
        for (uint32_t j = 0; j < shown; j++)
            fprintf(file, "%02x", entry->value[j]);
        fprintf(file, "\"}");
    }
    fprintf(file, "%s],\n  \"write_list_dropped\": %" PRIu64 ",\n", audit->list_count ? "\n  " : "",
            audit->list_dropped);
}

static void print_faults(FILE *file, const struct audit *audit, const struct trouble *trouble)
{
    fprintf(file, "  \"faults\": [");
    for (size_t i = 0; i < audit->faults_count; i++) {
        const struct audit_fault *fault = &audit->faults[i];
        bool over = fault->end_us >= 0;
        fprintf(file, "%s\n    {\"time_us\": %" PRId64 ", \"end_us\": ", i ? "," : "", fault->time_us);
        fprintf(file, over ? "%" PRId64 : "null", fault->end_us);
        fprintf(file,
                ", \"kind\": \"%s\", \"by\": \"%s\", \"done\": %s, \"duration_us\": %" PRId64 ", \"hits\": %" PRIu64,
                fault_name(fault->kind), fault->by, fault->failed ? "false" : "true", fault->duration_us,
                over ? fault->hits : trouble->hits[fault->kind] - fault->hits);
        if (fault->path) {
            fprintf(file, ", \"path\": ");
            print_string(file, fault->path);
        }
        fprintf(file, "}");
    }
    fprintf(file, "%s],\n", audit->faults_count ? "\n  " : "");
}

static void print_counters(FILE *file, const struct counter_values *values)
{
    for (int i = 0; i < COUNTERS; i++) {
        fprintf(file, "%s\"%s\": ", i ? ", " : "", counter_name(i));
        fprintf(file, values->known[i] ? "%" PRIu32 : "null", values->value[i]);
    }
}

static void print_stretches(FILE *file, const struct audit *audit, const struct counter_values *now)
{
    fprintf(file, "  \"stretches\": [");
    for (size_t i = 0; i < audit->stretches_count; i++) {
        const struct audit_stretch *stretch = &audit->stretches[i];
        fprintf(file, "%s\n    {\"time_us\": %" PRId64 ", \"cause\": \"%s\", \"elf\": ", i ? "," : "", stretch->time_us,
                stretch->cause);
        print_string(file, stretch->elf);
        fprintf(file, ", ");
        print_counters(file, &stretch->values);
        fprintf(file, "}");
    }
    fprintf(file, "%s],\n  \"counters\": {", audit->stretches_count ? "\n  " : "");
    print_counters(file, now);
    fprintf(file, "},\n");
}

static void print_commands(FILE *file, const struct audit *audit)
{
    fprintf(file, "  \"commands\": {");
    for (size_t i = 0; i < AUDIT_COMMANDS_MAX && audit->commands[i].name; i++)
        fprintf(file, "%s\"%s\": %" PRIu64, i ? ", " : "", audit->commands[i].name, audit->commands[i].count);
    fprintf(file, "},\n");
}

static void print_all(FILE *file, const struct audit *audit, const struct audit_context *context)
{
    const struct core_counts *counts = &context->core->counts;
    const struct wire *wire = context->wire;
    fprintf(file, "{\n  \"format\": 1,\n  \"edition\": %u,\n  \"elf\": ", audit->editions);
    print_string(file, context->elf);
    fprintf(file, ",\n  \"machine\": ");
    print_string(file, context->options->machine);
    fprintf(file, ",\n  \"qemu_pid\": %d,\n  \"memory\": \"%s\",\n  \"seconds\": %.3f,\n", context->qemu_pid,
            context->direct ? "direct" : "memsave", (double)(now_us() - audit->started_us) / 1e6);
    fprintf(file, "  \"connections\": %" PRIu64 ",\n", audit->connections);
    print_tallies(file, "reads", audit->reads);
    print_tallies(file, "writes", audit->writes);
    print_writes(file, audit);
    fprintf(file, "  \"register_writes\": %" PRIu64 ",\n", audit->register_writes);
    fprintf(file,
            "  \"halts\": %" PRIu64 ",\n  \"resumes\": %" PRIu64 ",\n  \"steps\": %" PRIu64 ",\n  \"resets\": %" PRIu64
            ",\n  \"target_resets\": %" PRIu64 ",\n",
            counts->halts, counts->resumes, counts->steps, counts->resets, counts->target_resets);
    print_faults(file, audit, context->trouble);
    print_stretches(file, audit, context->counters);
    print_commands(file, audit);
    fprintf(file,
            "  \"wire\": {\"probe\": \"%s\", \"swd_khz\": %" PRIu32 ", \"command_us\": %" PRIu32
            ", \"commands\": %" PRIu64 ", \"swd_clocks\": %" PRIu64 ", \"busy_us\": %" PRIu64 "}\n}\n",
            context->options->probe.name, wire_khz(wire), wire->command_us, wire->commands, wire->swd_clocks,
            wire->busy_ns / 1000);
}

bool audit_save(struct audit *audit, const struct audit_context *context)
{
    const char *path = context->options->audit;
    char temporary[4096];
    if (!path)
        return true;
    int length = snprintf(temporary, sizeof temporary, "%s.tmp", path);
    FILE *file = length > 0 && (size_t)length < sizeof temporary ? fopen(temporary, "we") : NULL;
    if (!file)
        return fail("cannot write the audit %s: %s; give a path in a writable folder", path, strerror(errno));
    audit->editions++;
    print_all(file, audit, context);
    bool failed = ferror(file);
    failed |= fclose(file) != 0;
    if (!failed && rename(temporary, path) == 0)
        return true;
    int cause = errno;
    remove(temporary);
    return fail("cannot write the audit %s: %s", path, strerror(cause));
}
