import { describe, expect, test } from 'bun:test';
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keyId, keysIn } from '#src/core/base/public-key.ts';
import { checkAgainstSums, verifyReleased } from '#src/parts/host/upgrade/released-file.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { minisignature } from '../../../.ci/release/minisign.ts';

const pemOf = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString();
const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');

const ours = generateKeyPairSync('ed25519');
const theirs = generateKeyPairSync('ed25519');
const FILES = { 'lurecheck-1.tar.gz': 'the executable', 'lurecheck-1.cdx.json': 'the bill' };
const SUMS = Object.entries(FILES)
  .map(([name, text]) => `${digestOf(text)}  ${name}\n`)
  .join('');

/** The list with a signature of `key` over `signed`, for who believes `keys`. */
const signedBy = (key: KeyObject, keys = pemOf(ours.publicKey), sums = SUMS, signed = sums) => ({
  sums,
  signature: sign(null, Buffer.from(signed), key),
  keys,
});

describe('a release file', () => {
  const name = 'lurecheck-1.tar.gz';
  const sha256 = digestOf(FILES[name]);
  const genuine = { kind: 'genuine', key: keyId(pemOf(ours.publicKey)) } as const;

  test('is genuine if a trusted key signed the checksum list that contains its name and digest', () => {
    expect(checkAgainstSums(name, sha256, signedBy(ours.privateKey))).toEqual(genuine);
    expect(checkAgainstSums('SHA256SUMS', digestOf(SUMS), signedBy(ours.privateKey))).toEqual(genuine);
  });

  test('is genuine by each of several trusted keys, and by no other key', () => {
    const both = `the old one\n${pemOf(theirs.publicKey)}the new one\n${pemOf(ours.publicKey)}`;
    expect(keysIn(both).map(keyId)).toEqual([theirs, ours].map(({ publicKey }) => keyId(pemOf(publicKey))));
    for (const { privateKey } of [ours, theirs]) {
      expect(checkAgainstSums(name, sha256, signedBy(privateKey, both)).kind).toBe('genuine');
    }
    expect(checkAgainstSums(name, sha256, signedBy(theirs.privateKey))).toEqual({ kind: 'not_signed' });
    expect(checkAgainstSums(name, sha256, signedBy(ours.privateKey, 'no key yet\n'))).toEqual({ kind: 'no_key' });
  });

  test('is not genuine if any byte of the file, the list or the signature was changed', () => {
    expect(checkAgainstSums(name, digestOf('another'), signedBy(ours.privateKey))).toEqual({ kind: 'different' });
    for (const changed of [SUMS.replace('cdx', 'cdy'), `${SUMS}\n`, SUMS.toUpperCase(), '']) {
      const list = signedBy(ours.privateKey, pemOf(ours.publicKey), changed, SUMS);
      expect(checkAgainstSums(name, sha256, list)).toEqual({ kind: 'not_signed' });
    }
    const { signature, ...list } = signedBy(ours.privateKey);
    for (let at = 0; at < signature.length; at++) {
      const changed = Uint8Array.from(signature, (byte, index) => (index === at ? byte ^ 1 : byte));
      expect(checkAgainstSums(name, sha256, { ...list, signature: changed })).toEqual({ kind: 'not_signed' });
    }
    for (const signature of [new Uint8Array(), new Uint8Array(64), new Uint8Array(65)]) {
      expect(checkAgainstSums(name, sha256, { ...list, signature })).toEqual({ kind: 'not_signed' });
    }
  });

  test('is not genuine under another name, or if the list contains two digests of it', () => {
    for (const other of ['lurecheck-1.tar', ' lurecheck-1.tar.gz', 'lurecheck-2.tar.gz', '', 'tar.gz']) {
      expect(checkAgainstSums(other, sha256, signedBy(ours.privateKey))).toEqual({ kind: 'not_listed' });
    }
    const twice = `${SUMS}${digestOf('another')}  ${name}\n`;
    const list = signedBy(ours.privateKey, pemOf(ours.publicKey), twice);
    expect(checkAgainstSums(name, sha256, list)).toEqual({ kind: 'different' });
    const swapped = checkAgainstSums(name, digestOf(FILES['lurecheck-1.cdx.json']), signedBy(ours.privateKey));
    expect(swapped).toEqual({ kind: 'different' });
  });
});

test('verifies a file by the checksums and the signature in its folder, and reports missing ones', async () => {
  await using directory = temporaryDirectory();
  const path = join(directory.path, 'lurecheck-1.tar.gz');
  const keys = pemOf(ours.publicKey);
  const kindOf = async (file = path) => (await verifyReleased(file, keys)).kind;
  expect(await kindOf()).toBe('no_sums');
  writeFileSync(join(directory.path, 'SHA256SUMS'), SUMS);
  expect(await kindOf()).toBe('no_sums');
  writeFileSync(join(directory.path, 'SHA256SUMS.sig'), sign(null, Buffer.from(SUMS), ours.privateKey));
  expect(await kindOf()).toBe('not_readable');
  writeFileSync(path, FILES['lurecheck-1.tar.gz']);
  expect(await kindOf()).toBe('genuine');
  for (const name of ['SHA256SUMS', 'SHA256SUMS.sig']) expect(await kindOf(join(directory.path, name))).toBe('genuine');
  const other = join(directory.path, 'SHA256SUMS.minisig');
  expect(await kindOf(other)).toBe('not_readable');
  const minisigOver = (key: KeyObject, text: string) => minisignature(key, Buffer.from(text), 'lurecheck 1');
  writeFileSync(other, minisigOver(ours.privateKey, SUMS));
  expect(await kindOf(other)).toBe('genuine');
  const changed = [
    minisigOver(theirs.privateKey, SUMS),
    minisigOver(ours.privateKey, `${SUMS}\n`),
    minisigOver(ours.privateKey, SUMS).replace('lurecheck 1', 'lurecheck 2'),
    sign(null, Buffer.from(SUMS), ours.privateKey),
    '',
  ];
  for (const text of changed) {
    writeFileSync(other, text);
    expect(await kindOf(other)).toBe('other_signature');
  }
  writeFileSync(path, 'something else');
  expect(await kindOf()).toBe('different');
});
