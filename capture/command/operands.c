/* SPDX-License-Identifier: MIT */
/* Looks at the first bytes of the first operand to find out what it is. */
#include "command/operands.h"

#include <elf.h>
#include <stddef.h>
#include <string.h>

#include "attach/firmware_identity.h"
#include "file/ctf_directory.h"
#include "ring/ring_kind.h"

_Static_assert(INPUT_HEAD_BYTES >= offsetof(Elf32_Ehdr, e_type) + 2, "the head tells a firmware from a core file");

bool operands_is_firmware(const struct input *input)
{
    const uint8_t *type = input->head + offsetof(Elf32_Ehdr, e_type); /* e_type is at the same offset in 64-bit files */
    unsigned low = input->head[EI_DATA] == ELFDATA2MSB;

    if (input->head_bytes < INPUT_HEAD_BYTES || memcmp(input->head, ELFMAG, SELFMAG) != 0)
        return false;
    return (type[low] | type[1 - low] << 8) != ET_CORE;
}

enum txtap_status operands_take_firmware(struct options *options, struct error *error)
{
    const char *last = options->file_count > 1 ? options->files[options->file_count - 1] : NULL;
    struct input input;
    bool found;

    if (options->file_count < 2 || strcmp(last, "-") == 0 || ctf_directory_is(last) ||
        input_open(&input, &last, 1, error) != TXTAP_OK)
        return TXTAP_OK; /* the file is opened again, and then the failure is reported */
    found = operands_is_firmware(&input);
    input_close(&input);
    if (!found)
        return TXTAP_OK;
    options->file_count--;
    options->target.elf = last;
    return firmware_identity_read(options->identity, last, error);
}

/* Refuses options that apply only to a running target, because with files they would be ignored silently. */
static enum txtap_status check_files(const struct options *options, struct error *error)
{
    if (options->target.ring.kind->name != NULL)
        return failure(error, TXTAP_ERROR_USAGE, "%.160s is a file\n--%s works only with a running target",
                       options->files[0], options->target.ring.kind->name);
    if (options->seconds > 0)
        return failure(error, TXTAP_ERROR_USAGE, "%.160s is a file\n--seconds works only with a running target",
                       options->files[0]);
    if (options->variables.count > 0)
        return failure(error, TXTAP_ERROR_USAGE, "%.160s is a file\n--watch works only with a running target",
                       options->files[0]);
    return TXTAP_OK;
}

int operands_run(const struct options *given, attached_run *on_target, files_run *on_files)
{
    struct options own = *given;
    const struct options *options = &own;
    struct error error = {0};
    struct input input;
    enum txtap_status status;
    int code;

    if (options->file_count == 0)
        return run_attached(options, NULL, on_target);
    status = operands_take_firmware(&own, &error);
    if (status != TXTAP_OK)
        return report_unopened(options, status, &error);
    if (options->file_count == 1 && ctf_directory_is(options->files[0]))
        return on_files(options, &(struct input){.fd = -1, .name = options->files[0]});
    status = input_open(&input, options->files, options->file_count, &error);
    input.board = input.board || options->board;
    if (status == TXTAP_OK && operands_is_firmware(&input)) {
        input_close(&input);
        if (on_target == NULL)
            status = failure(&error, TXTAP_ERROR_USAGE,
                             "%.120s: this is firmware, not a trace\nrecord a trace first: 'txtap record -o FILE "
                             "%.90s'",
                             options->files[0], options->files[0]);
        else if (options->file_count == 1)
            return run_attached(options, options->files[0], on_target);
        else
            status =
                failure(&error, TXTAP_ERROR_USAGE, "%.160s: a firmware's ELF file\ngive it alone", options->files[0]);
    } else if (status == TXTAP_OK) {
        status = check_files(options, &error);
        if (status != TXTAP_OK)
            input_close(&input);
    }
    if (status != TXTAP_OK)
        return report_unopened(options, status, &error);
    code = on_files(options, &input);
    input_close(&input);
    return code;
}

enum txtap_status operands_check_metadata(const struct ring_config *ring, struct error *error)
{
    if (!ring->kind->bytes || ring->ctf_metadata != NULL)
        return TXTAP_OK;
    return failure(error, TXTAP_ERROR_USAGE,
                   "--%s needs --ctf-metadata FILE: subsys/tracing/ctf/tsdl/metadata of the Zephyr that the firmware "
                   "was built with",
                   ring->kind->name);
}

enum txtap_status operands_translate(struct translation *translation, const struct options *options,
                                     struct txtap_registry *registry, struct error *error)
{
    const struct ring_config *ring = &options->target.ring;
    enum txtap_status status = operands_check_metadata(ring, error);

    if (status != TXTAP_OK)
        return status;
    if (ring->kind->bytes)
        return translation_from_ctf(translation, ring->ctf_metadata, registry, error);
    return ring->kind->definitions != NULL ? translation_from_logger(translation, error) : TXTAP_OK;
}
