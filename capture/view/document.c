/* SPDX-License-Identifier: MIT */
/* Assembles the document. Data from outside is written as JSON without '<', or as base64, so it cannot be markup. */
#include "view/document.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/text_maker.h"
#include "txtap/inner/escape.h"
#include "txtap/version.h"

/* ---- compressed ---- */

#define WINDOW_BITS_RAW (-15) /* zlib.h: deflateInit2() */
#define MEMORY_LEVEL    8
#define ROOM_BYTES      24576u /* a multiple of 3 */

struct packed {
    struct txtap_writer writer;
    z_stream stream;
    unsigned char room[ROOM_BYTES];
    char text[ROOM_BYTES / 3 * 4];
};

enum txtap_status packed_open(struct packed **out, struct txtap_writer writer, struct error *error)
{
    struct packed *packed = calloc(1, sizeof *packed);

    *out = packed;
    if (packed != NULL && deflateInit2(&packed->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW_BITS_RAW,
                                       MEMORY_LEVEL, Z_DEFAULT_STRATEGY) == Z_OK) {
        packed->writer = writer;
        packed->stream.next_out = packed->room;
        packed->stream.avail_out = ROOM_BYTES;
        return TXTAP_OK;
    }
    free(packed);
    *out = NULL;
    return failure(error, TXTAP_ERROR_SYSTEM, "no memory to compress the page");
}

/* Writes the first `length` bytes of packed->room as base64. */
static enum txtap_status write_base64(struct packed *packed, size_t length)
{
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *from = packed->room;
    char *to = packed->text;

    memset(packed->room + length, 0, (3 - length % 3) % 3);
    for (size_t i = 0; i < length; i += 3, from += 3) {
        unsigned bits = (unsigned)from[0] << 16 | (unsigned)from[1] << 8 | from[2];

        for (unsigned shift = 24; shift > 0; shift -= 6)
            *to++ = alphabet[bits >> (shift - 6) & 63];
    }
    for (size_t i = 0; i < (3 - length % 3) % 3; i++)
        to[-1 - (ptrdiff_t)i] = '=';
    return packed->writer.write(packed->writer.self, packed->text, (size_t)(to - packed->text));
}

/* Compresses the input into packed->room, and writes the contents of packed->room when it is full, and at the end.
 * ROOM_BYTES must be a multiple of 3, so that only the last write needs padding. */
static enum txtap_status compress_all(struct packed *packed, int flush)
{
    enum txtap_status status = TXTAP_OK;
    int done;

    do {
        done = deflate(&packed->stream, flush);
        if (done == Z_STREAM_ERROR)
            return TXTAP_ERROR_SYSTEM;
        if (packed->stream.avail_out > 0)
            break;
        status = write_base64(packed, ROOM_BYTES);
        packed->stream.next_out = packed->room;
        packed->stream.avail_out = ROOM_BYTES;
    } while (status == TXTAP_OK && done != Z_STREAM_END);
    if (status == TXTAP_OK && done == Z_STREAM_END && packed->stream.avail_out < ROOM_BYTES)
        status = write_base64(packed, ROOM_BYTES - packed->stream.avail_out);
    return status;
}

static enum txtap_status write_bytes(void *self, const char *bytes, size_t length)
{
    struct packed *packed = self;
    enum txtap_status status = TXTAP_OK;

    for (size_t part; length > 0 && status == TXTAP_OK; bytes += part, length -= part) {
        part = length < UINT_MAX ? length : UINT_MAX;
        packed->stream.next_in = (unsigned char *)(uintptr_t)bytes; /* zlib only reads it */
        packed->stream.avail_in = (uInt)part;
        status = compress_all(packed, Z_NO_FLUSH);
    }
    return status;
}

struct txtap_writer packed_writer(struct packed *packed)
{
    return (struct txtap_writer){write_bytes, packed};
}

enum txtap_status packed_close(struct packed *packed, enum txtap_status status)
{
    if (status == TXTAP_OK)
        status = compress_all(packed, Z_FINISH);
    (void)deflateEnd(&packed->stream);
    free(packed);
    return status;
}

#define PIECE_BYTES 512 /* text that is escaped at once */

static const char *const modes[] = {[DOCUMENT_EMPTY] = "empty",
                                    [DOCUMENT_EMBEDDED] = "embedded",
                                    [DOCUMENT_FILE] = "file",
                                    [DOCUMENT_LIVE] = "live",
                                    [DOCUMENT_COMPARED] = "compared"};

/* ---- files of the build, included by the assembler, because a C17 compiler cannot include them ---- */

struct embedded {
    const char *at;
    size_t length;
};

/* The symbols are global and hidden: for a local symbol of the assembler, GCC for aarch64 reads the address from the
 * GOT, where both symbols of a section would have the same address. */
#define EMBED(symbol, file)                                                                                            \
    __asm__(".pushsection .rodata\n.globl " #symbol ", " #symbol "_end\n.hidden " #symbol ", " #symbol                 \
            "_end\n" #symbol ":\n.incbin \"" file "\"\n" #symbol "_end:\n.popsection\n")

EMBED(txtap_embedded_page, PAGE_FILE);
EMBED(txtap_embedded_policy, POLICY_FILE);
EMBED(txtap_embedded_decoder, WASM_FILE);

#define HIDDEN __attribute__((visibility("hidden")))

extern const char txtap_embedded_page[] HIDDEN, txtap_embedded_page_end[] HIDDEN;
extern const char txtap_embedded_policy[] HIDDEN, txtap_embedded_policy_end[] HIDDEN;
extern const char txtap_embedded_decoder[] HIDDEN, txtap_embedded_decoder_end[] HIDDEN;

/* Returns HTML, which contains %POLICY% and %DATA% once each. */
static struct embedded embedded_page(void)
{
    return (struct embedded){txtap_embedded_page, (size_t)(txtap_embedded_page_end - txtap_embedded_page)};
}

/* Returns a Content-Security-Policy with the hashes of the page's script and style. */
static struct embedded embedded_policy(void)
{
    return (struct embedded){txtap_embedded_policy, (size_t)(txtap_embedded_policy_end - txtap_embedded_policy)};
}

/* WebAssembly. */
static struct embedded embedded_decoder(void)
{
    return (struct embedded){txtap_embedded_decoder, (size_t)(txtap_embedded_decoder_end - txtap_embedded_decoder)};
}

/* ---- the setup ---- */

/* Writes a piece of a JSON string, without any '<' that could end the enclosing element. */
static void put_piece(FILE *out, const char *text, size_t length)
{
    char piece[PIECE_BYTES + 1], escaped[TXTAP_ESCAPED_JSON_BYTES(PIECE_BYTES)];

    memcpy(piece, text, length);
    piece[length] = '\0';
    txtap_escape_json(escaped, sizeof escaped, piece);
    escaped[strlen(escaped) - 1] = '\0'; /* without its quotes */
    for (const char *at = escaped + 1; *at != '\0'; at++)
        if (*at == '<')
            fputs("\\u003c", out);
        else
            fputc(*at, out);
}

/* Writes a JSON string of any length. Does not split characters of UTF-8. */
static void put_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (size_t length = strlen(text), part; length > 0; text += part, length -= part) {
        part = length < PIECE_BYTES ? length : PIECE_BYTES;
        for (size_t back = 0; part < length && back < 3 && ((unsigned char)text[part] & 0xC0) == 0x80; back++)
            part--;
        put_piece(out, text, part);
    }
    fputc('"', out);
}

static void put_strings(FILE *out, const char *key, char *const *texts, size_t count)
{
    fprintf(out, ",\"%s\":[", key);
    for (size_t i = 0; i < count; i++) {
        fputs(i > 0 ? "," : "", out);
        put_string(out, texts[i]);
    }
    fputc(']', out);
}

static void put_files(FILE *out, const struct document *document)
{
    fputs(",\"files\":[", out);
    for (size_t i = 0; i < document->file_count; i++) {
        /* readers of the page must not see the folder */
        const char *slash = strrchr(document->files[i], '/');

        fputs(i > 0 ? ",{\"name\":" : "{\"name\":", out);
        put_string(out, slash != NULL ? slash + 1 : document->files[i]);
        fputc('}', out);
    }
    fputc(']', out);
}

/* docs/reference/page.md describes these members. */
static void put_check(FILE *out, const struct document_check *check)
{
    static const char *const verdicts[] = {
        [TXTAP_VERDICT_OK] = "ok", [TXTAP_VERDICT_FAILED] = "failed", [TXTAP_VERDICT_UNDECIDED] = "unknown"};

    fputs("{\"check\":", out);
    put_string(out, check->check);
    fprintf(out, ",\"verdict\":\"%s\",\"text\":", verdicts[check->verdict]);
    put_string(out, check->text);
    fputs(",\"subject\":", out);
    put_string(out, check->subject);
    if (check->has_event)
        fprintf(out, ",\"event\":%" PRIu64, check->event);
    if (check->has_event && check->seconds >= 0)
        fprintf(out, ",\"time\":%.12g", check->seconds);
    fputc('}', out);
}

static void put_checks(FILE *out, const struct document *document)
{
    fputs(",\"checks\":[", out);
    for (size_t i = 0; i < document->check_count; i++) {
        fputs(i > 0 ? "," : "", out);
        put_check(out, &document->checks[i]);
    }
    fputc(']', out);
}

static void put_sides(FILE *out, const struct document *document)
{
    fputs(",\"sides\":[", out);
    document_put_setup(out, &document->sides[0], "");
    fputc(',', out);
    document_put_setup(out, &document->sides[1], "");
    fprintf(out, "],\"comparison\":%s", document->comparison);
}

void document_put_setup(FILE *out, const struct document *document, const char *more)
{
    fprintf(out, "{\"version\":\"" TXTAP_VERSION "\",\"mode\":\"%s\",\"name\":", modes[document->mode]);
    put_string(out, document->name);
    fprintf(out, ",\"hz\":%.17g,\"hz_found\":%s,\"profile\":%u", document->tick_hz,
            document->hz_found ? "true" : "false", document->profile);
    put_strings(out, "definitions", document->definitions, document->definitions_count);
    if (document->interrupts != NULL) {
        fputs(",\"interrupts\":", out);
        put_string(out, document->interrupts);
    }
    if (document->functions != NULL) {
        fputs(",\"functions\":", out);
        put_string(out, document->functions);
    }
    if (document->panel != NULL)
        fprintf(out, ",\"panel\":\"%s\"", document->panel);
    if (document->data != NULL)
        fprintf(out, ",\"format\":\"%s\",\"bytes\":%" PRIu64, document->data->recording ? "recording" : "trx",
                document->data->bytes);
    put_files(out, document);
    if (document->check_count > 0)
        put_checks(out, document);
    if (document->sides != NULL)
        put_sides(out, document);
    if (document->advice != NULL) {
        fputs(",\"advice\":", out);
        put_string(out, document->advice);
    }
    fprintf(out, "%s}", more);
}

/* ---- elements ---- */

static enum txtap_status put(struct txtap_writer writer, const char *text, size_t length)
{
    return length > 0 ? writer.write(writer.self, text, length) : TXTAP_OK;
}

static enum txtap_status put_text(struct txtap_writer writer, const char *text)
{
    return put(writer, text, strlen(text));
}

static enum txtap_status put_setup(const struct document *document, struct txtap_writer writer, struct error *error)
{
    struct text_maker maker;
    enum txtap_status status;

    if (!text_maker_begin(&maker))
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory to write the page");
    fputs("<script type=\"application/json\" id=\"setup\">", maker.out);
    document_put_setup(maker.out, document, "");
    fputs("</script>\n", maker.out);
    if (!text_maker_end(&maker))
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory to write the page");
    status = put(writer, maker.text, maker.length);
    free(maker.text);
    return status;
}

typedef enum txtap_status put_bytes(const struct document *document, struct txtap_writer writer, struct error *error);

static enum txtap_status put_decoder(const struct document *document, struct txtap_writer writer, struct error *error)
{
    struct embedded decoder = embedded_decoder();

    (void)document;
    (void)error;
    return put(writer, decoder.at, decoder.length);
}

static enum txtap_status put_data(const struct document *document, struct txtap_writer writer, struct error *error)
{
    return trace_data_write(document->data, writer, error);
}

static enum txtap_status put_packed(const struct document *document, const char *id, put_bytes *bytes,
                                    struct txtap_writer writer, struct error *error)
{
    struct packed *packed;
    enum txtap_status status = packed_open(&packed, writer, error);

    if (status != TXTAP_OK)
        return status;
    status = put_text(writer, "<script type=\"text/plain\" id=\"");
    if (status == TXTAP_OK)
        status = put_text(writer, id);
    if (status == TXTAP_OK)
        status = put_text(writer, "\" data-format=\"deflate-raw\">");
    if (status == TXTAP_OK)
        status = bytes(document, packed_writer(packed), error);
    status = packed_close(packed, status);
    return status == TXTAP_OK ? put_text(writer, "</script>\n") : status;
}

/* ---- the document ---- */

static bool fetches(const struct document *document)
{
    return document->mode == DOCUMENT_LIVE || document->mode == DOCUMENT_FILE;
}

char *document_policy(bool may_fetch)
{
    struct embedded policy = embedded_policy();
    char *text = NULL;

    if (asprintf(&text, "%.*s%s", (int)policy.length, policy.at, may_fetch ? "; connect-src 'self'" : "") < 0)
        return NULL;
    return text;
}

static enum txtap_status put_policy(const struct document *document, struct txtap_writer writer, struct error *error)
{
    char *policy = document_policy(fetches(document));
    enum txtap_status status;

    if (policy == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory to write the page");
    status = put_text(writer, policy);
    free(policy);
    return status;
}

static enum txtap_status put_elements(const struct document *document, struct txtap_writer writer, struct error *error)
{
    enum txtap_status status = put_setup(document, writer, error);

    if (status == TXTAP_OK)
        status = put_packed(document, "wasm", put_decoder, writer, error);
    if (status == TXTAP_OK && document->mode == DOCUMENT_EMBEDDED)
        status = put_packed(document, "data", put_data, writer, error);
    for (size_t i = 0; i < 2 && status == TXTAP_OK && document->mode == DOCUMENT_COMPARED; i++)
        status = put_packed(&document->sides[i], i == 0 ? "data_a" : "data_b", put_data, writer, error);
    return status;
}

static enum txtap_status write_document(const struct document *document, struct txtap_writer writer,
                                        struct error *error)
{
    static const struct {
        const char *mark;
        put_bytes *put;
    } places[] = {{"%POLICY%", put_policy}, {"%DATA%", put_elements}};
    struct embedded page = embedded_page();
    enum txtap_status status = TXTAP_OK;

    for (size_t i = 0; i < sizeof places / sizeof *places && status == TXTAP_OK; i++) {
        const char *mark = memmem(page.at, page.length, places[i].mark, strlen(places[i].mark));
        size_t before = (size_t)(mark - page.at), taken = before + strlen(places[i].mark);

        status = put(writer, page.at, before);
        if (status == TXTAP_OK)
            status = places[i].put(document, writer, error);
        page.at += taken;
        page.length -= taken;
    }
    return status == TXTAP_OK ? put(writer, page.at, page.length) : status;
}

/* ---- into memory ---- */

static enum txtap_status write_stream(void *self, const char *bytes, size_t length)
{
    return fwrite(bytes, 1, length, self) == length ? TXTAP_OK : TXTAP_ERROR_SYSTEM;
}

enum txtap_status document_make(const struct document *document, char **text, size_t *length, struct error *error)
{
    struct text_maker maker;
    enum txtap_status status = TXTAP_ERROR_SYSTEM;

    if (text_maker_begin(&maker))
        status = write_document(document, (struct txtap_writer){write_stream, maker.out}, error);
    if (!text_maker_end(&maker) && status == TXTAP_OK)
        status = TXTAP_ERROR_SYSTEM;
    *text = maker.text;
    *length = maker.length;
    if (status == TXTAP_OK)
        return status;
    free(*text);
    *text = NULL;
    return error_is_set(error) ? status : failure(error, status, "no memory to write the page");
}
