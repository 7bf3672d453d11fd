// SPDX-License-Identifier: MIT
// Makes an operator with an account for NATS, and files with the credentials of its users. The JWTs are signed with
// Ed25519; the names of keys are base32 of a prefix, the key and a CRC-16.   usage: node credentials.mjs FOLDER STREAM
//
//   operator.conf     lines for the configuration of a server that trusts the operator
//   all.creds         a user who may do everything
//   reader.creds      a user who may read "lab.>", but not publish there
//   stranger.creds    a user of an account that another operator has signed
//   mixed.creds       the JWT of all.creds, with the key of another user
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';

const [folder, stream] = process.argv.slice(2);
const OPERATOR = 14 << 3, ACCOUNT = 0, USER = 20 << 3, SEED = 18 << 3;

function base32(bytes) {
    const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
    return bits.match(/.{1,5}/g).map((five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[parseInt(five.padEnd(5, '0'), 2)]).join('');
}

function withChecksum(bytes) {
    let crc = 0;
    for (const byte of bytes) {
        crc ^= byte << 8;
        for (let i = 0; i < 8; i++)
            crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
    }
    return base32([...bytes, crc & 255, crc >> 8]);
}

function makeKey(prefix) {
    const { privateKey } = generateKeyPairSync('ed25519');
    const { x, d } = privateKey.export({ format: 'jwk' });
    return {
        name: withChecksum([prefix, ...Buffer.from(x, 'base64url')]),
        seed: withChecksum([SEED | (prefix >> 5), (prefix & 31) << 3, ...Buffer.from(d, 'base64url')]),
        privateKey,
    };
}

function makeToken(issuer, subject, name, nats) {
    const claims = { iat: Math.floor(Date.now() / 1000), iss: issuer.name, name, sub: subject.name, nats: { version: 2, ...nats } };
    claims.jti = base32(createHash('sha512-256').update(JSON.stringify(claims)).digest());
    const text = [{ typ: 'JWT', alg: 'ed25519-nkey' }, claims]
        .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
    return `${text}.${sign(null, Buffer.from(text), issuer.privateKey).toString('base64url')}`;
}

function makeAccount(operator, name, storage) {
    const key = makeKey(ACCOUNT);
    const limits = { subs: -1, data: -1, payload: -1, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 };
    if (storage)
        Object.assign(limits, { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 });
    return { ...key, token: makeToken(operator, key, name, { type: 'account', limits }) };
}

function write(name, token, seed) {
    writeFileSync(`${folder}/${name}.creds`, `-----BEGIN NATS USER JWT-----\n${token}\n------END NATS USER JWT------\n\n` +
        `-----BEGIN USER NKEY SEED-----\n${seed}\n------END USER NKEY SEED------\n`, { mode: 0o600 });
}

function writeUser(account, name, permissions) {
    const key = makeKey(USER);
    const token = makeToken(account, key, name, { type: 'user', subs: -1, data: -1, payload: -1, ...permissions });
    write(name, token, key.seed);
    return token;
}

const operator = makeKey(OPERATOR), other = makeKey(OPERATOR);
const system = makeAccount(operator, 'SYS', false), lab = makeAccount(operator, 'LAB', true);
const trust = makeToken(operator, operator, 'operator', { type: 'operator', system_account: system.name });
writeFileSync(`${folder}/operator.conf`, `operator: "${trust}"\nsystem_account: ${system.name}\nresolver: MEMORY\n` +
    `resolver_preload: { ${system.name}: "${system.token}", ${lab.name}: "${lab.token}" }\n`);
const all = writeUser(lab, 'all', { pub: {}, sub: {} });
writeUser(lab, 'reader', {
    pub: {
        allow: ['NAMES', 'INFO.' + stream, 'MSG.GET.' + stream].map((api) => '$JS.API.STREAM.' + api)
            .concat(['CREATE.' + stream, 'DELETE.' + stream + '.>'].map((api) => '$JS.API.CONSUMER.' + api), '$JS.FC.>'),
    },
    sub: { allow: ['_INBOX.>'] },
});
writeUser(makeAccount(other, 'LAB', true), 'stranger', { pub: {}, sub: {} });
write('mixed', all, makeKey(USER).seed);
