/* SPDX-License-Identifier: MIT */
/* zstd, one block at a time. */
#include "base/compress.h"

#include <stdlib.h>
#include <zstd.h>

struct compressor {
    int level;
    ZSTD_CCtx *pack;
    ZSTD_DCtx *unpack;
};

struct compressor *compressor_new(int level)
{
    struct compressor *compressor = calloc(1, sizeof *compressor);

    if (!compressor)
        return NULL;
    compressor->level = level;
    compressor->pack = ZSTD_createCCtx();
    compressor->unpack = ZSTD_createDCtx();
    if (compressor->pack && compressor->unpack)
        return compressor;
    compressor_free(compressor);
    return NULL;
}

void compressor_free(struct compressor *compressor)
{
    if (!compressor)
        return;
    ZSTD_freeCCtx(compressor->pack);
    ZSTD_freeDCtx(compressor->unpack);
    free(compressor);
}

size_t compressor_pack(struct compressor *compressor, uint8_t *out, size_t room, const uint8_t *bytes, size_t length)
{
    size_t packed = ZSTD_compressCCtx(compressor->pack, out, room, bytes, length, compressor->level);

    return ZSTD_isError(packed) ? 0 : packed;
}

/* Decompresses with one call directly into `out`, so that no window is allocated, whatever size the frame specifies. */
bool compressor_unpack(struct compressor *compressor, uint8_t *out, size_t length, const uint8_t *packed,
                       size_t packed_length)
{
    size_t got = ZSTD_decompressDCtx(compressor->unpack, out, length, packed, packed_length);

    return !ZSTD_isError(got) && got == length;
}
