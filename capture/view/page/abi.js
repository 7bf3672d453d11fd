// SPDX-License-Identifier: MIT
/* Numbers, names and layouts that the page shares with C. view/wasm/abi.c prints this file. */

/** enum txtap_row_state */
export const ROW_STATE = {
    UNKNOWN: 0,
    RUNNING: 1,
    INTERRUPTED: 2,
    READY: 3,
    BLOCKED: 4,
    IDLE: 5,
    ISR: 6,
    INIT: 7,
    OFF: 8,
    HELD: 9,
};

/** Names, by enum txtap_event_class. */
export const EVENT_CLASSES = /** @type {const} */ ([
    'none',
    'thread',
    'queue',
    'semaphore',
    'mutex',
    'flags',
    'pool',
    'time',
    'isr',
    'user',
    'file',
    'net',
    'usb',
    'other',
]);

/** Names, by enum txtap_value_form. */
export const VALUE_FORMS = /** @type {const} */ ([
    'unsigned',
    'signed',
    'float',
]);

/** Names, by enum txtap_wait. */
export const WAITS = /** @type {const} */ ([
    'ready',
    'completed',
    'terminated',
    'suspended',
    'sleep',
    'queue',
    'semaphore',
    'event_flags',
    'block_pool',
    'byte_pool',
    'io',
    'file',
    'tcp_ip',
    'mutex',
    'priority_change',
    'other',
]);

/** Names, by enum report_state. */
export const REPORT_STATES = /** @type {const} */ ([
    'more',
    'done',
    'none',
]);

/** Names, by enum csv_state. */
export const CSV_STATES = /** @type {const} */ ([
    'more',
    'done',
    'none',
]);

/** Names, by enum answer_alike. */
export const ALIKE_KINDS = /** @type {const} */ ([
    'event',
    'thread',
    'object',
    'switch',
]);

/** Names, by enum txtap_why_select. */
export const WHY_SELECTS = /** @type {const} */ ([
    'figure',
    'event',
    'time',
]);

/** No row: TXTAP_ROW_NONE; in a request, all rows. */
export const ROW_NONE = 65535;

/** A bit of RowColumns.flags(): TXTAP_COLUMNS_DENSE. */
export const PIECE_DENSE = 1;

/** The whole of a share: of RowColumns.run() and ready(), and of trace.shares(). */
export const SHARE_WHOLE = 65535;

/** Bits of RowValues.flags(): TXTAP_VALUES_*. */
export const VALUES_LAST = 1;
export const VALUES_PARTLY = 2;
export const VALUES_INFERRED = 4;

/** No event: ANSWER_NONE. */
export const EVENT_NONE = 4294967295;

/** The number of an interrupt that is not known. */
export const NUMBER_UNKNOWN = 4294967295;

/** Texts that trace.candidate() takes: ANSWER_TEXTS_MAX. */
export const TEXTS_MOST = 8;

/** Ticks per second that a rate can have. */
export const RATE_LEAST = 1;
export const RATE_MOST = 1000000000000;

/** Items of struct txtap_row_columns in the decoder's memory, valid until the next call of the decoder. */
export class RowColumns {
    /** @param {ArrayBuffer} buffer @param {number} at @param {number} length */
    constructor(buffer, at, length) {
        this.length = length;
        this.u8 = new Uint8Array(buffer, at, length * 20);
        this.u16 = new Uint16Array(buffer, at, length * 10);
        this.u32 = new Uint32Array(buffer, at, length * 5);
    }

    /** @param {number} i */
    x0(i) {
        return this.u16[i * 10];
    }

    /** @param {number} i */
    x1(i) {
        return this.u16[i * 10 + 1];
    }

    /** @param {number} i */
    state(i) {
        return this.u8[i * 20 + 4];
    }

    /** @param {number} i */
    reason(i) {
        return this.u8[i * 20 + 5];
    }

    /** @param {number} i */
    run(i) {
        return this.u16[i * 10 + 3];
    }

    /** @param {number} i */
    ready(i) {
        return this.u16[i * 10 + 4];
    }

    /** @param {number} i */
    object(i) {
        return this.u16[i * 10 + 5];
    }

    /** @param {number} i */
    flags(i) {
        return this.u16[i * 10 + 6];
    }

    /** @param {number} i */
    steps(i) {
        return this.u16[i * 10 + 7];
    }

    /** @param {number} i */
    index(i) {
        return this.u32[i * 5 + 4];
    }
}

/** Items of struct txtap_row_values in the decoder's memory, valid until the next call of the decoder. */
export class RowValues {
    /** @param {ArrayBuffer} buffer @param {number} at @param {number} length */
    constructor(buffer, at, length) {
        this.length = length;
        this.u8 = new Uint8Array(buffer, at, length * 20);
        this.u16 = new Uint16Array(buffer, at, length * 10);
        this.u32 = new Uint32Array(buffer, at, length * 5);
    }

    /** @param {number} i */
    x0(i) {
        return this.u16[i * 10];
    }

    /** @param {number} i */
    x1(i) {
        return this.u16[i * 10 + 1];
    }

    /** @param {number} i */
    min(i) {
        return this.u32[i * 5 + 1];
    }

    /** @param {number} i */
    max(i) {
        return this.u32[i * 5 + 2];
    }

    /** @param {number} i */
    last(i) {
        return this.u32[i * 5 + 3];
    }

    /** @param {number} i */
    flags(i) {
        return this.u32[i * 5 + 4];
    }
}

/** Items of struct txtap_row_samples in the decoder's memory, valid until the next call of the decoder. */
export class RowSamples {
    /** @param {ArrayBuffer} buffer @param {number} at @param {number} length */
    constructor(buffer, at, length) {
        this.length = length;
        this.u8 = new Uint8Array(buffer, at, length * 32);
        this.u16 = new Uint16Array(buffer, at, length * 16);
        this.u32 = new Uint32Array(buffer, at, length * 8);
        this.f64 = new Float64Array(buffer, at, length * 4);
    }

    /** @param {number} i */
    x0(i) {
        return this.u16[i * 16];
    }

    /** @param {number} i */
    x1(i) {
        return this.u16[i * 16 + 1];
    }

    /** @param {number} i */
    flags(i) {
        return this.u16[i * 16 + 2];
    }

    /** @param {number} i */
    count(i) {
        return this.u16[i * 16 + 3];
    }

    /** @param {number} i */
    min(i) {
        return this.f64[i * 4 + 1];
    }

    /** @param {number} i */
    max(i) {
        return this.f64[i * 4 + 2];
    }

    /** @param {number} i */
    last(i) {
        return this.f64[i * 4 + 3];
    }
}
