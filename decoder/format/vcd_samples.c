/* SPDX-License-Identifier: MIT */
/*
 * Samples in a dump. Each channel that is known at the start has a variable: a wire for a flag, a vector for a whole
 * number, a real, or a string. vcd-wires has only the wires.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "format/vcd.h"

/* Returns the type and the size of the channel's variable. */
static const char *type_of(const struct txtap_channel *channel)
{
    static const char *const types[TXTAP_FORMS] = {
        [TXTAP_FORM_UNSIGNED] = "integer 64", [TXTAP_FORM_SIGNED] = "integer 64", [TXTAP_FORM_FLOAT] = "real 64",
        [TXTAP_FORM_BOOL] = "wire 1",         [TXTAP_FORM_ADDRESS] = "reg 64",    [TXTAP_FORM_STATE] = "string 1"};

    return channel->kind == TXTAP_CHANNEL_LOG ? "string 1" : types[channel->form];
}

static bool is_wire(const struct txtap_channel *channel)
{
    return channel->kind == TXTAP_CHANNEL_VALUE && channel->form == TXTAP_FORM_BOOL;
}

/* ---- declarations ---- */

/* Writes the channel's name as an identifier. Ends the line with a NUL. */
static void write_plain_name(struct line *line, const struct txtap_channel *channel)
{
    if (channel->name[0] >= '0' && channel->name[0] <= '9')
        line_text(line, "_");
    vcd_write_word(line, channel->name, true);
    *line->at = '\0';
}

/* Returns true if the name ends like a name with the channel's number. */
static bool ends_with_number(const char *name)
{
    const char *end = strrchr(name, '_');

    return end != NULL && end[1] != '\0' && end[1 + strspn(end + 1, "0123456789")] == '\0';
}

/* Returns true if the channel's number must follow its name, so that no other channel has the same name. */
static bool needs_number(const struct txtap_channels *channels, size_t i)
{
    char own[LINE_ROOM_BYTES], other[LINE_ROOM_BYTES];
    struct line line;

    line_start(&line, own);
    write_plain_name(&line, &channels->at[i]);
    for (size_t j = 0; j < channels->count; j++) {
        line_start(&line, other);
        write_plain_name(&line, &channels->at[j]);
        if (j != i && strcmp(own, other) == 0)
            return true;
    }
    return ends_with_number(own);
}

static void declare(struct txtap_exporter *self, size_t i, uint32_t var)
{
    const struct txtap_channel *channel = &self->channels->at[i];
    struct line line;

    exporter_line_start(self, &line);
    line_text(&line, "$var ");
    line_text(&line, type_of(channel));
    line_text(&line, " ");
    vcd_write_identifier(&line, var);
    line_text(&line, " ");
    write_plain_name(&line, channel);
    if (needs_number(self->channels, i)) {
        line_text(&line, "_");
        line_decimal(&line, channel->number);
    }
    line_text(&line, " $end");
    vcd_end_line(self, &line);
}

void vcd_declare_channels(struct txtap_exporter *self, uint32_t first)
{
    size_t count = self->channels != NULL ? self->channels->count : 0;
    bool any = false;

    for (size_t i = 0; i < count; i++) {
        const struct txtap_channel *channel = &self->channels->at[i];

        if (vcd_only_wires(self) && !is_wire(channel))
            continue;
        if (!any)
            vcd_write_line(self, "$scope module samples $end");
        any = true;
        declare(self, i, first);
        vcd_of(self)->channel_vars[channel->number] = ++first;
    }
    if (any)
        vcd_write_line(self, "$upscope $end");
}

/* ---- values ---- */

/* Writes a number in binary. "x": the number is unknown. */
static void write_vector(struct txtap_exporter *self, uint32_t var, bool known, uint64_t value)
{
    char digits[65], *at = digits + sizeof digits - 1;
    struct line line;

    *at = '\0';
    do
        *--at = (char)('0' + value % 2);
    while ((value /= 2) > 0);
    vcd_start_value(self, &line, "b");
    line_text(&line, known ? at : "x");
    vcd_end_value(self, &line, " ", var);
}

/* Writes a real. NaN: the number is unknown. */
static void write_real(struct txtap_exporter *self, uint32_t var, double value)
{
    char text[32];
    struct line line;

    snprintf(text, sizeof text, "%.17g", value);
    vcd_start_value(self, &line, "r");
    line_text(&line, isnan(value) ? "nan" : text);
    vcd_end_value(self, &line, " ", var);
}

/* Writes a text as one word. */
static void write_string(struct txtap_exporter *self, uint32_t var, const char *text)
{
    struct line line;

    vcd_start_value(self, &line, "s");
    vcd_write_word(&line, text[0] != '\0' ? text : "_", false); /* a string without characters is invalid */
    vcd_end_value(self, &line, " ", var);
}

static void write_text(struct txtap_exporter *self, uint32_t var, const struct txtap_sample *sample)
{
    char value[TXTAP_SAMPLE_VALUE_BYTES];

    (void)txtap_sample_value_text(sample, value);
    write_string(self, var, sample->state == TXTAP_SAMPLE_UNREADABLE ? "unreadable" : value);
}

static void write_value(struct txtap_exporter *self, uint32_t var, const struct txtap_sample *sample)
{
    const struct txtap_channel *channel = sample->channel;
    bool known = sample->state == TXTAP_SAMPLE_VALID;

    if (channel->kind == TXTAP_CHANNEL_LOG)
        write_string(self, var, sample->text);
    else if (channel->form == TXTAP_FORM_STATE)
        write_text(self, var, sample);
    else if (channel->form == TXTAP_FORM_FLOAT)
        write_real(self, var, known ? txtap_sample_number(sample) : (double)NAN);
    else if (channel->form == TXTAP_FORM_BOOL)
        vcd_write_bit(self, var, known, sample->bits != 0);
    else
        write_vector(self, var, known, sample->bits);
}

void vcd_clear_channels(struct txtap_exporter *self)
{
    size_t count = self->channels != NULL ? self->channels->count : 0;

    for (size_t i = 0; i < count; i++) {
        const struct txtap_channel *channel = &self->channels->at[i];
        const struct txtap_sample sample = {.channel = channel, .state = TXTAP_SAMPLE_UNREADABLE, .text = ""};
        uint32_t var = vcd_of(self)->channel_vars[channel->number];

        if (var > 0)
            write_value(self, var - 1, &sample);
    }
}

enum txtap_status vcd_sample(struct txtap_exporter *self, const struct txtap_sample *sample)
{
    struct vcd *vcd = vcd_of(self);
    uint32_t var = vcd->channel_vars[sample->channel->number];

    vcd_set_time(self, sample->ticks);
    if (var > 0)
        write_value(self, var - 1, sample);
    else
        vcd->samples_left_out++;
    return vcd->status;
}
