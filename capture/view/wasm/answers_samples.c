/* SPDX-License-Identifier: MIT */
/* Answers about the rows of samples: a value as text, and the sample at a time. */
#include <inttypes.h>
#include <math.h>

#include "txtap/inner/rows_samples.h"
#include "view/wasm/answers.h"

bool answer_is_sampled(const struct txtap_row *row)
{
    return row->channel != NULL;
}

/* Writes the value of a sample, with its unit. */
static void value_text(const struct txtap_sample *sample, struct text *out)
{
    char value[TXTAP_SAMPLE_VALUE_BYTES];

    (void)txtap_sample_value_text(sample, value);
    text_print(out, "%s%s%s", value, sample->channel->unit[0] != '\0' ? " " : "", sample->channel->unit);
}

/* Returns the bits of a number in the channel's form. A number outside the form's range becomes the nearest number in
 * the range. */
static uint64_t bits_of(const struct txtap_channel *channel, double number)
{
    if (channel->form == TXTAP_FORM_FLOAT)
        return txtap_sample_bits(number);
    if (channel->form == TXTAP_FORM_SIGNED || channel->form == TXTAP_FORM_STATE)
        return number <= -0x1p63 ? (uint64_t)INT64_MIN : number >= 0x1p63 ? INT64_MAX : (uint64_t)(int64_t)number;
    return number <= 0 ? 0 : number >= 0x1p64 ? UINT64_MAX : (uint64_t)number;
}

void answer_sample_value(struct view_trace *trace, uint32_t number, double value)
{
    struct txtap_row row;
    struct txtap_sample sample = {.text = ""};

    text_clear(&trace->out);
    if (!txtap_rows_row(trace->timeline.rows, number, &row) || !answer_is_sampled(&row) || isnan(value))
        return;
    sample.channel = row.channel;
    sample.bits = bits_of(row.channel, value);
    if (row.channel->form == TXTAP_FORM_FLOAT) /* a label has less room than the card */
        text_print(&trace->out, "%.6g%s%s", value, row.channel->unit[0] != '\0' ? " " : "", row.channel->unit);
    else
        value_text(&sample, &trace->out);
}

/* Writes a sample's value, text and window as members of the row's step. */
static void add_sample(struct view_trace *trace, const struct txtap_row_sample *of)
{
    const struct txtap_sample *sample = &of->sample;
    struct text *out = &trace->out, text = {0};

    if (sample->channel->kind == TXTAP_CHANNEL_LOG)
        text_print(&text, "%s", sample->text);
    else if (!of->known)
        text_print(&text, "not known");
    else if (sample->state == TXTAP_SAMPLE_UNREADABLE)
        text_print(&text, "cannot be read");
    else
        value_text(sample, &text);
    text_print(out, ",\"text\":");
    text_json(out, text.at != NULL ? text.at : "");
    trace->out.failed = trace->out.failed || text.failed;
    text_free(&text);
    if (sample->channel->kind != TXTAP_CHANNEL_LOG && of->known && sample->state == TXTAP_SAMPLE_VALID &&
        isfinite(txtap_sample_number(sample)))
        text_print(out, ",\"value\":%.17g", txtap_sample_number(sample));
    if (of->window != UINT64_MAX)
        text_print(out, ",\"window\":%" PRIu64, of->window);
}

void answer_sample(struct view_trace *trace, uint32_t row, uint64_t ticks)
{
    const struct txtap_rows *rows = trace->timeline.rows;
    uint32_t number = txtap_rows_first_sample(rows, row, ticks < UINT64_MAX ? ticks + 1 : ticks);
    struct txtap_row_sample of;

    text_clear(&trace->out);
    if (number == 0 || !txtap_rows_sample(rows, row, number - 1, &of) ||
        (of.last && of.sample.channel->kind == TXTAP_CHANNEL_VALUE && ticks > of.to_ticks)) {
        text_print(&trace->out, "null");
        return;
    }
    text_print(&trace->out, "{\"from\":%" PRIu64 ",\"to\":%" PRIu64 ",\"state\":0,\"reason\":0,\"object\":-1",
               of.sample.ticks, of.to_ticks);
    text_print(&trace->out, ",\"index\":%" PRIu32 ",\"next\":%" PRIu32 ",\"fromKnown\":true,\"toKnown\":%s",
               store_at(&trace->store, of.sample.ticks), store_at(&trace->store, of.to_ticks),
               of.last ? "false" : "true");
    add_sample(trace, &of);
    text_print(&trace->out, "}");
}
