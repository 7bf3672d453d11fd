// SPDX-License-Identifier: MIT
/* Computes the CRC-32 of gzip and PNG. node's zlib has this function only since version 22. */
const table = Uint32Array.from({ length: 256 }, (_, n) => {
    let crc = n;

    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
    return crc;
});

export function crc32(bytes) {
    let crc = 0xffffffff;

    for (const byte of bytes) crc = table[(crc ^ byte) & 255] ^ (crc >>> 8);
    return (crc ^ 0xffffffff) >>> 0;
}
