/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "view/document.h"

enum { BYTES = 200000 };

struct text {
    char at[2 * BYTES];
    size_t length;
};

static struct text text;
static unsigned char bytes[BYTES], back[BYTES + 1];

static enum txtap_status take_text(void *self, const char *at, size_t length)
{
    struct text *to = self;

    cr_assert(to->length + length <= sizeof to->at);
    memcpy(to->at + to->length, at, length);
    to->length += length;
    return TXTAP_OK;
}

static enum txtap_status take_nothing(void *self, const char *at, size_t length)
{
    (void)self;
    (void)at;
    (void)length;
    return TXTAP_END;
}

static void pack(size_t length, size_t piece)
{
    struct error error;
    struct packed *packed;
    struct txtap_writer writer;
    enum txtap_status status = TXTAP_OK;

    text.length = 0;
    cr_assert_eq(packed_open(&packed, (struct txtap_writer){take_text, &text}, &error), TXTAP_OK);
    writer = packed_writer(packed);
    for (size_t at = 0, part; at < length && status == TXTAP_OK; at += part) {
        part = length - at < piece ? length - at : piece;
        status = writer.write(writer.self, (const char *)bytes + at, part);
    }
    cr_assert_eq(packed_close(packed, status), TXTAP_OK);
}

static unsigned value_of(char c)
{
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = strchr(alphabet, c);

    cr_assert(c != '\0' && at != NULL, "'%c' is not of base64", c);
    return (unsigned)(at - alphabet);
}

/* Decodes the text in place. Returns its length in bytes. Padding may be only at the end. */
static size_t decode(void)
{
    size_t used = 0, padding = 0;

    cr_assert_eq(text.length % 4, 0);
    while (padding < 2 && padding < text.length && text.at[text.length - 1 - padding] == '=')
        padding++;
    for (size_t i = 0; i < padding; i++)
        text.at[text.length - 1 - i] = 'A';
    for (size_t i = 0; i < text.length; i += 4) {
        unsigned bits = value_of(text.at[i]) << 18 | value_of(text.at[i + 1]) << 12 | value_of(text.at[i + 2]) << 6 |
                        value_of(text.at[i + 3]);

        for (unsigned shift = 24; shift > 0; shift -= 8)
            text.at[used++] = (char)(bits >> (shift - 8));
    }
    return used - padding;
}

static void comes_back(size_t length, size_t piece)
{
    z_stream stream = {.next_out = back, .avail_out = sizeof back};
    int done;

    pack(length, piece);
    stream.avail_in = (uInt)decode();
    stream.next_in = (unsigned char *)text.at;
    cr_assert_eq(inflateInit2(&stream, -15), Z_OK);
    done = inflate(&stream, Z_FINISH);
    cr_assert_eq(done, Z_STREAM_END, "%zu bytes in pieces of %zu", length, piece);
    cr_assert_eq(stream.total_out, length);
    cr_assert_eq(stream.avail_in, 0, "nothing stands behind the end");
    cr_assert_eq(memcmp(back, bytes, length), 0);
    inflateEnd(&stream);
}

Test(packed, any_number_of_bytes_is_restored)
{
    unsigned seed = 4711;

    for (size_t i = 0; i < BYTES; i++)
        bytes[i] = (unsigned char)rand_r(&seed);
    for (size_t length = 0; length < 70; length++)
        comes_back(length, 7);
    /* The data cannot be compressed. One of these lengths fills the output buffer exactly. */
    for (size_t length = 24540; length < 24580; length++)
        comes_back(length, 65536);
    comes_back(BYTES, 1000);
    comes_back(BYTES, BYTES);
}

Test(packed, passes_on_that_the_text_is_refused)
{
    struct error error;
    struct packed *packed;

    cr_assert_eq(packed_open(&packed, (struct txtap_writer){take_nothing, NULL}, &error), TXTAP_OK);
    cr_assert_eq(packed_close(packed, TXTAP_OK), TXTAP_END);
}
