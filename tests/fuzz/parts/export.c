/* SPDX-License-Identifier: MIT */
#include "export.h"

#include <string.h>

#include "format_check.h"
#include "fuzz.h"
#include "perfetto_check.h"

static const char *const formats[] = {"perfetto", "vcd", "vcd-wires", "ctf", "jsonl", "text", "csv", "trx"};

#define FORMATS (sizeof formats / sizeof *formats)

static enum txtap_status look(void *self, const char *bytes, size_t length)
{
    const struct txtap_exporter *exporter = self;

    REQUIRE(length > 0 && (exporter->ops->binary || bytes[length - 1] == '\n'));
    if (strcmp(exporter->ops->name, "perfetto") == 0)
        perfetto_check((const uint8_t *)bytes, length);
    else if (strcmp(exporter->ops->name, "ctf") == 0)
        ctf_check((const uint8_t *)bytes, length);
    else if (strncmp(exporter->ops->name, "vcd", 3) == 0)
        vcd_check(bytes, length);
    return TXTAP_OK;
}

static enum txtap_status ignore(void *self, const char *bytes, size_t length)
{
    (void)self;
    REQUIRE(bytes != NULL && length > 0);
    return TXTAP_OK;
}

/*
 * Gives the exporter exactly the memory that it needs. The memory is allocated only once, because an allocation takes
 * longer than most runs.
 */
static void give_memory(struct txtap_exporter *exporter, size_t format)
{
    static void *memory[FORMATS];

    exporter->changes.limits = (struct txtap_change_limits){.threads = 8, .objects = 4};
    if (memory[format] == NULL)
        memory[format] = malloc(txtap_exporter_changes_bytes(exporter->ops, &exporter->changes.limits));
    REQUIRE(memory[format] != NULL);
    exporter->changes.memory = memory[format];
}

void export_open(struct txtap_exporter *exporter, size_t choice, bool whole_buffer)
{
    static struct txtap_exporter_memory memory;
    /* Metadata is written rarely: this takes longer than the rest of a run, and hardly depends on the input. */
    bool metadata = choice % 61 == 0;

    choice %= whole_buffer ? FORMATS : FORMATS - 1;
    exporter->ops = txtap_exporter_find(formats[choice]);
    exporter->writer = (struct txtap_writer){look, exporter};
    exporter->memory = &memory;
    if (metadata && exporter->ops->metadata != NULL)
        REQUIRE(exporter->ops->metadata(exporter, (struct txtap_writer){ignore, NULL}) == TXTAP_OK);
    perfetto_check_start();
    format_check_start();
    if (exporter->ops->change != NULL)
        give_memory(exporter, choice);
}

void export_close(const struct txtap_exporter *exporter)
{
    if (strcmp(exporter->ops->name, "perfetto") == 0)
        perfetto_check_end();
}
