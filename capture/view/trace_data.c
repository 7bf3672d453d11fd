/* SPDX-License-Identifier: MIT */
/* Makes one file of several files: decompresses all blocks, and then numbers and seals them again. */
#include "view/trace_data.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input/input.h"
#include "file/ctf_directory.h"
#include "file/recording_reader.h"
#include "record/blocks.h"
#include "txtap/inner/recording.h"

#define READ_BYTES 65536

static enum txtap_status no_room(struct error *error)
{
    return failure(error, TXTAP_ERROR_SYSTEM, "the trace cannot be kept for the page: %s", strerror(errno));
}

static enum txtap_status keep(struct trace_data *data, const void *bytes, size_t length, struct error *error)
{
    if (fwrite(bytes, 1, length, data->file) != length)
        return no_room(error);
    data->bytes += length;
    return TXTAP_OK;
}

/* ---- a recording ---- */

static enum txtap_status keep_head(struct trace_data *data, uint32_t version, struct error *error)
{
    uint8_t head[TXTAP_RECORDING_HEAD_BYTES];

    data->recording = true;
    txtap_recording_put_head(head, version);
    return keep(data, head, sizeof head, error);
}

static enum txtap_status keep_block(struct trace_data *data, const struct txtap_recording_block *block,
                                    struct error *error)
{
    uint8_t head[TXTAP_RECORDING_BLOCK_BYTES];
    enum txtap_status status;

    txtap_recording_seal(head, block, data->blocks++);
    status = keep(data, head, sizeof head, error);
    return status == TXTAP_OK ? keep(data, block->stored, block->stored_bytes, error) : status;
}

/* Drops the END block of each file except the last. */
static enum txtap_status keep_blocks(struct trace_data *data, struct recording_reader *reader, struct error *error)
{
    struct txtap_recording_block block;
    struct txtap_recording_block end = {.type = 0};
    uint8_t end_payload[64];
    enum txtap_status status =
        keep_head(data, reader->ctf ? TXTAP_RECORDING_VERSION_CTF : TXTAP_RECORDING_VERSION, error);

    while (status == TXTAP_OK && (status = recording_reader_block(reader, &block, error)) == TXTAP_OK) {
        if (block.type != TXTAP_RECORDING_END) {
            status = keep_block(data, &block, error);
            continue;
        }
        end = block;
        end.stored = end_payload;
        end.stored_bytes = end.bytes = block.bytes < sizeof end_payload ? block.bytes : sizeof end_payload;
        memcpy(end_payload, block.stored, end.bytes);
    }
    if (status == TXTAP_END)
        status = end.type != 0 && !reader->cut ? keep_block(data, &end, error) : TXTAP_OK;
    return status;
}

static enum txtap_status read_recording(struct trace_data *data, const struct trace_file_request *request,
                                        struct error *error)
{
    struct recording_reader *reader = malloc(sizeof *reader);
    enum txtap_status status;

    if (reader == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: no memory to read it", request->input->name);
    if (request->has_base || request->has_address)
        status = failure(error, TXTAP_ERROR_USAGE,
                         "%.120s: a recording has addresses of its own\ndo not use --base and --address here",
                         request->input->name);
    else
        status = recording_reader_open(reader, request->input, error);
    if (status == TXTAP_OK) {
        status = keep_blocks(data, reader, error);
        data->cut = reader->cut;
        data->notes = reader->notes;
        if (status == TXTAP_OK && data->blocks == 0) { /* the recording has no blocks to show */
            *error = data->notes.at[--data->notes.count];
            status = error->status = TXTAP_ERROR_TRUNCATED;
        }
        recording_reader_close(reader);
    }
    free(reader);
    return status;
}

/* ---- CTF ---- */

struct ctf_keeper {
    struct trace_data *data;
    struct error *error;
    struct txtap_ctf_layout layout;
    struct ctf_blocks blocks;
    struct ctf_metadata metadata;
    uint8_t *stream;
    size_t stream_bytes;
    uint8_t payload[TXTAP_RECORDING_PAYLOAD_MAX];
};

static enum txtap_status keep_payload(struct ctf_keeper *keeper, enum txtap_recording_type type, const uint8_t *payload,
                                      size_t length)
{
    const struct txtap_recording_block block = {
        .type = type, .stored = payload, .stored_bytes = length, .bytes = length};

    return keep_block(keeper->data, &block, keeper->error);
}

static enum txtap_status keep_ctf(void *self, const struct ctf_block *block)
{
    return keep_payload(self, TXTAP_RECORDING_CTF, block->payload, block->bytes);
}

static enum txtap_status keep_metadata(struct ctf_keeper *keeper)
{
    const struct ctf_metadata *metadata = &keeper->metadata;
    enum txtap_status status = TXTAP_OK;

    for (size_t at = 0; at < metadata->length && status == TXTAP_OK;) {
        size_t length = txtap_recording_put_metadata(keeper->payload, metadata->text, metadata->length, &at);

        status = keep_payload(keeper, TXTAP_RECORDING_METADATA, keeper->payload, length);
    }
    return status;
}

static enum txtap_status keep_directory(struct ctf_keeper *keeper, const char *path, struct error *error)
{
    enum txtap_status status = ctf_directory_metadata(path, &keeper->layout, &keeper->metadata, error);

    if (status == TXTAP_OK)
        status = ctf_directory_stream(path, &keeper->stream, &keeper->stream_bytes, error);
    if (status == TXTAP_OK)
        status = keep_head(keeper->data, TXTAP_RECORDING_VERSION_CTF, error);
    if (status == TXTAP_OK)
        status = keep_metadata(keeper);
    ctf_blocks_open(&keeper->blocks, &keeper->layout, (struct ctf_blocks_sink){keep_ctf, keeper});
    if (status == TXTAP_OK)
        status = ctf_blocks_take(&keeper->blocks, keeper->stream, keeper->stream_bytes);
    if (status != TXTAP_OK)
        return status;
    return keep_payload(
        keeper, TXTAP_RECORDING_END, keeper->payload,
        txtap_recording_put_end(keeper->payload, TXTAP_RECORDING_DONE, ctf_blocks_seq(&keeper->blocks), 0));
}

static enum txtap_status read_directory(struct trace_data *data, const char *path, struct error *error)
{
    struct ctf_keeper *keeper = calloc(1, sizeof *keeper);
    enum txtap_status status;

    if (keeper == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: no memory to read it", path);
    keeper->data = data;
    keeper->error = error;
    status = keep_directory(keeper, path, error);
    free(keeper->metadata.text);
    free(keeper->stream);
    free(keeper);
    return status;
}

/* ---- a trace buffer ---- */

static enum txtap_status read_buffer(struct trace_data *data, const struct trace_file_request *request, bool quiet,
                                     struct error *error)
{
    struct trace_file *file = calloc(1, sizeof *file);
    enum txtap_status status;

    if (file == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: no memory to read it", request->input->name);
    status = trace_file_open(file, request, error);
    if (status == TXTAP_OK) {
        if (!quiet)
            trace_file_report(file);
        status = keep(data, file->bytes, file->length, error);
        trace_file_close(file);
    }
    free(file);
    return status;
}

/* ---- all kinds ---- */

enum txtap_status trace_data_open(struct trace_data *data, const struct trace_file_request *request, bool quiet,
                                  struct error *error)
{
    enum txtap_status status;

    *data = (struct trace_data){.file = tmpfile()};
    if (data->file == NULL || fcntl(fileno(data->file), F_SETFD, FD_CLOEXEC) != 0)
        return no_room(error);
    if (ctf_directory_is(request->input->name))
        status = read_directory(data, request->input->name, error);
    else if (txtap_recording_signature(request->input->head, request->input->head_bytes))
        status = read_recording(data, request, error);
    else
        status = read_buffer(data, request, quiet, error);
    if (status == TXTAP_OK && fflush(data->file) != 0)
        status = no_room(error);
    if (status != TXTAP_OK)
        trace_data_close(data);
    return status;
}

void trace_data_close(struct trace_data *data)
{
    if (data->file != NULL)
        fclose(data->file);
    data->file = NULL;
}

enum txtap_status trace_data_write(const struct trace_data *data, struct txtap_writer writer, struct error *error)
{
    char bytes[READ_BYTES];
    enum txtap_status status = TXTAP_OK;

    for (uint64_t at = 0; at < data->bytes && status == TXTAP_OK;) {
        ssize_t got = pread(fileno(data->file), bytes, sizeof bytes, (off_t)at);

        if (got <= 0)
            return failure(error, TXTAP_ERROR_SYSTEM, "the trace cannot be read again: %s", strerror(errno));
        at += (uint64_t)got;
        status = writer.write(writer.self, bytes, (size_t)got);
    }
    return status;
}
