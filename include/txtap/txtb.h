/* SPDX-License-Identifier: MIT */
/*
 * The TXTB trace buffer as ThreadX lays it out in target memory (common/inc/tx_trace.h), with 32-bit ULONGs. This
 * header defines only offsets, sizes and fixed values. It includes nothing, so host code and target code can use it.
 * docs/reference/txtb.md describes it.
 *
 *   control header (48 bytes) | object registry (n x (16 + name size)) | ring (m x 32 bytes)
 */
#ifndef TXTAP_TXTB_H
#define TXTAP_TXTB_H

/* Control header. All words are in the target's byte order. */
#define TXTB_HEADER_BYTES          48
#define TXTB_HEADER_ID             0  /* u32, TXTB_ID; it shows the byte order of the buffer */
#define TXTB_HEADER_TIMER_MASK     4  /* u32, valid bits of a time stamp */
#define TXTB_HEADER_BASE           8  /* u32, address given to tx_trace_enable */
#define TXTB_HEADER_REGISTRY_START 12 /* u32 = base + 48 */
#define TXTB_HEADER_LAPS           16 /* u16; ThreadX writes 0; txtap's recorder writes laps % 65536 */
#define TXTB_HEADER_NAME_BYTES     18 /* u16, bytes of a registry entry's name, 32 by default */
#define TXTB_HEADER_REGISTRY_END   20 /* u32 */
#define TXTB_HEADER_RING_START     24 /* u32 = registry end */
#define TXTB_HEADER_RING_END       28 /* u32 = ring start + a multiple of the entry size */
#define TXTB_HEADER_CURRENT        32 /* u32, next entry to write; the oldest entry once the ring has wrapped */
#define TXTB_HEADER_RESERVED2      36 /* u32, TXTB_RESERVED2 */
#define TXTB_HEADER_RESERVED3      40 /* u32, TXTB_RESERVED3 */
#define TXTB_HEADER_RESERVED4      44 /* u32, TXTB_RESERVED4, written last */

#define TXTB_ID        0x54585442u
#define TXTB_RESERVED2 0xAAAAAAAAu
#define TXTB_RESERVED3 0xBBBBBBBBu
#define TXTB_RESERVED4 0xCCCCCCCCu

/* Object registry entry: 16 bytes and the name. */
#define TXTB_OBJECT_FIXED_BYTES 16
#define TXTB_OBJECT_AVAILABLE   0 /* u8, 1 = free or deleted, 0 = in use */
#define TXTB_OBJECT_TYPE        1 /* u8, enum txtap_object_type; 0 = never used */
#define TXTB_OBJECT_RESERVED1   2 /* u8; thread: 0x80 | priority >> 8; idle thread of txtap's recorder: 0x40 */
#define TXTB_OBJECT_RESERVED2   3 /* u8, thread: priority & 0xFF */
#define TXTB_OBJECT_POINTER     4 /* u32, the object's address */
#define TXTB_OBJECT_PARAMETER1  8
#define TXTB_OBJECT_PARAMETER2  12
#define TXTB_OBJECT_NAME        16

/* Ring entry. */
#define TXTB_ENTRY_BYTES    32
#define TXTB_ENTRY_THREAD   0 /* u32, the thread's address or one of TXTB_THREAD_* */
#define TXTB_ENTRY_PRIORITY 4 /* u32, thread: 0x80000000 | threshold << 16 | priority; ISR: interrupted thread */
#define TXTB_ENTRY_ID       8
#define TXTB_ENTRY_STAMP    12
#define TXTB_ENTRY_INFO     16 /* 4 x u32 */

#define TXTB_THREAD_NONE 0u          /* the slot was never written since the trace was enabled */
#define TXTB_THREAD_INIT 0xF0F0F0F0u /* the event was recorded before the first thread ran */
#define TXTB_THREAD_ISR  0xFFFFFFFFu

/*
 * The same structures if ULONG has 64 bits (RISC-V 64 up to ThreadX 6.4, the SMP port for Linux). All words are u64,
 * except the two u16 and the four u8. Padding follows the two u16, and also the four u8.
 */
#define TXTB64_HEADER_BYTES          96
#define TXTB64_HEADER_ID             0
#define TXTB64_HEADER_TIMER_MASK     8
#define TXTB64_HEADER_BASE           16
#define TXTB64_HEADER_REGISTRY_START 24
#define TXTB64_HEADER_LAPS           32 /* u16 */
#define TXTB64_HEADER_NAME_BYTES     34 /* u16, then 4 bytes of padding */
#define TXTB64_HEADER_REGISTRY_END   40
#define TXTB64_HEADER_RING_START     48
#define TXTB64_HEADER_RING_END       56
#define TXTB64_HEADER_CURRENT        64
#define TXTB64_HEADER_RESERVED2      72
#define TXTB64_HEADER_RESERVED3      80
#define TXTB64_HEADER_RESERVED4      88
#define TXTB64_OBJECT_FIXED_BYTES    32 /* 4 x u8, 4 of padding, 3 x u64; then the name, padded to 8 */
#define TXTB64_OBJECT_POINTER        8
#define TXTB64_OBJECT_NAME           32
#define TXTB64_ENTRY_BYTES           64

#define TXTB_USER_EVENT_FIRST 4096u
#define TXTB_USER_EVENT_LAST  65535u

#endif
