/* SPDX-License-Identifier: MIT */
/* What the server and the firmware's variables say about a target. Decides nothing about reading the ring. */
#include "attach/attach.h"

#include "probe/source_base.h"

/* A variable of the firmware. */
struct variable {
    bool there;
    uint32_t address;
    uint8_t bytes[4];
};

static struct variable variable_of(const struct elf_file *elf, const char *name)
{
    struct variable variable = {.there = false};
    struct elf_symbol symbol;

    if (name != NULL && elf_symbol_find(elf, name, &symbol) == TXTAP_OK && symbol.address % 4 == 0)
        variable = (struct variable){.there = true, .address = symbol.address};
    return variable;
}

/* The first of the kind's variables that the ELF file has. */
static struct variable uptime_of(const struct attachment *attachment)
{
    struct variable variable = {.there = false};

    for (const char *const *name = attachment->ring->uptime_symbols; *name != NULL && !variable.there; name++)
        variable = variable_of(attachment->elf, *name);
    return variable;
}

static enum txtap_status read_variables(const struct attachment *attachment, struct variable *const variables[],
                                        size_t count, struct error *error)
{
    struct txtap_read reads[3];
    size_t used = 0;
    enum txtap_status status;

    for (size_t i = 0; i < count; i++)
        if (variables[i]->there)
            reads[used++] = (struct txtap_read){variables[i]->address, 4, variables[i]->bytes};
    if (used == 0)
        return TXTAP_OK;
    status = attachment->source.ops->read(attachment->source.self, reads, used);
    return status == TXTAP_OK ? status : memory_failure(attachment->source, status, NULL, error);
}

/* If the trace is suddenly off, other firmware may run by now, about which the symbols say nothing. */
static bool is_recording(struct attachment *attachment, bool recording)
{
    if (!recording && attachment->recording)
        (void)firmware_check(attachment->source, attachment->elf, &attachment->firmware);
    attachment->recording = recording || attachment->firmware.firmware == FIRMWARE_OTHER;
    return attachment->recording;
}

enum txtap_status attach_check_variables(struct attachment *attachment, struct target_state *target,
                                         struct error *error)
{
    struct variable header, current, uptime;
    enum txtap_endian endian;
    enum txtap_status status;

    endian = elf_endian(attachment->elf);
    header = (struct variable){.there = attachment->place.pointer != 0, .address = attachment->place.pointer};
    current = variable_of(attachment->elf, attachment->ring->enabled_symbol);
    uptime = uptime_of(attachment);
    status = read_variables(attachment, (struct variable *const[]){&header, &current, &uptime}, 3, error);
    if (status != TXTAP_OK)
        return status;
    if (current.there)
        target->enabled = is_recording(attachment, memory_word(current.bytes, endian) != 0);
    if (attachment->firmware.firmware == FIRMWARE_OTHER)
        return TXTAP_OK;
    if (header.there) {
        uint32_t pointer = memory_word(header.bytes, endian);

        target->moved = pointer != 0 && pointer != attachment->place.address;
    }
    target->has_uptime = uptime.there;
    if (uptime.there)
        target->uptime = memory_word(uptime.bytes, endian);
    return TXTAP_OK;
}

enum core_state attach_core(const struct attachment *attachment)
{
    const struct probe *probe = &attachment->probe;

    return probe->kind->core != NULL ? probe->kind->core(probe->self) : CORE_UNKNOWN;
}

const char *attach_silence(struct attachment *attachment)
{
    const struct event_stream_ports ports = attach_ports(attachment);
    struct target_state target = {.wants_core = true};
    struct error unused;

    if (ports.check(ports.self, &target, &unused) != TXTAP_OK)
        return NULL;
    if (!target.enabled)
        return "the firmware switched its trace off";
    return core_state_text(target.core);
}
