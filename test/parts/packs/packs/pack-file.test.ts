import { describe, expect, test } from 'bun:test';
import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprintOf } from '#src/core/base/public-key.ts';
import { type OpenPack, openPack, readSeal, verifyMembers } from '#src/parts/packs/packs/open-pack.ts';
import { PackError } from '#src/parts/packs/packs/pack-error.ts';
import { readPrivateKey, signPack } from '#src/parts/packs/packs/write-pack.ts';
import { ABOUT, member, publisherKey, smallPack } from '#test/support/packs.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

/** Opens a pack and looks at every byte of it. */
async function readWhole(path: string): Promise<OpenPack> {
  const pack = openPack(await readSeal(path));
  await verifyMembers(pack);
  return pack;
}

/** The code and the words with which a pack is refused; fails where it is not. */
async function refusal(path: string): Promise<PackError> {
  const error = await readWhole(path).then(
    () => new Error('the pack was not refused'),
    (cause) => cause,
  );
  if (error instanceof PackError) return error;
  throw error;
}

test('a built pack is read back unchanged, with the fingerprint of its signer', async () => {
  await using directory = temporaryDirectory();
  const key = publisherKey();
  const pack = await readWhole(await smallPack(join(directory.path, 'one.pack'), { key }));
  expect(pack.manifest).toMatchObject({ ...ABOUT, format: 1 });
  expect(pack.manifest.members.map(({ name, bytes }) => [name, bytes])).toEqual([
    ['a.txt', 5],
    ['b.txt', 0],
  ]);
  const texts = await Promise.all(
    pack.manifest.members.map(async (one) => Buffer.from(await pack.read(one)).toString()),
  );
  expect(texts).toEqual(['alpha', '']);
  expect(pack.signer?.fingerprint).toBe(fingerprintOf(createPublicKey(key)));
});

describe('a pack is refused with a reason', () => {
  test('if it is truncated at any byte', async () => {
    await using directory = temporaryDirectory();
    const path = await smallPack(join(directory.path, 'one.pack'));
    const whole = readFileSync(path);
    for (let length = 0; length < whole.length; length++) {
      writeFileSync(path, whole.subarray(0, length));
      expect(['cut_short', 'not_a_pack', 'forged']).toContain((await refusal(path)).code);
    }
    const [inManifest, inSeal] = [100, whole.indexOf('\ned25519 ') + 10];
    for (const length of [inManifest, inSeal, whole.length - 1]) {
      writeFileSync(path, whole.subarray(0, length));
      expect([length, (await refusal(path)).code]).toEqual([length, 'cut_short']);
    }
  });

  test('if any byte differs', async () => {
    await using directory = temporaryDirectory();
    const path = await smallPack(join(directory.path, 'one.pack'));
    const whole = readFileSync(path);
    for (let at = 0; at < whole.length; at++) {
      for (const bit of [0x01, 0x20]) {
        const changed = Buffer.from(whole);
        changed[at] = (changed[at] ?? 0) ^ bit;
        writeFileSync(path, changed);
        expect((await refusal(path)).message).not.toBe('');
      }
    }
  });

  test('if bytes follow its end', async () => {
    await using directory = temporaryDirectory();
    const path = await smallPack(join(directory.path, 'one.pack'));
    writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.from('x')]));
    expect(await refusal(path)).toMatchObject({ code: 'damaged', message: '1 bytes follow its end' });
  });

  test('if it has the format of a newer program, in its first line or in its manifest', async () => {
    await using directory = temporaryDirectory();
    const path = await smallPack(join(directory.path, 'one.pack'));
    writeFileSync(path, readFileSync(path, 'latin1').replace('pack 1\n', 'pack 2\n'), 'latin1');
    expect((await refusal(path)).message).toContain('it has format 2, and this program reads format 1');
    writeSigned(path, { ...ABOUT, format: 2, members: 'of another shape' });
    expect((await refusal(path)).code).toBe('newer_format');
  });

  test.each([
    ['names a member twice', { members: [listed('a.txt'), listed('A.txt')] }, 'it names "a.txt" twice'],
    ['names a path that climbs', { members: [listed('../a.txt')] }, '"members.0.name"'],
    ['names a path from the root', { members: [listed('/etc/passwd')] }, '"members.0.name"'],
    ['names a path with a hidden part', { members: [listed('lists/.x')] }, '"members.0.name"'],
    ['holds nothing', { members: [] }, '"members"'],
    ['promises more than fits', { members: [listed('a.txt', 2 ** 27), listed('b.txt', 2 ** 27 + 1)] }, 'promises more'],
    ['has a size below nothing', { members: [listed('a.txt', -1)] }, '"members.0.bytes"'],
    ['expires before it was created', { expires: ABOUT.created }, 'it expires before it was created'],
    ['has an invalid date', { expires: '2027-13-41T00:00:00.000Z' }, 'an invalid date'],
    ['has no version', { version: 0 }, '"version"'],
    ['is called by a path', { name: '../up' }, '"name"'],
  ])('if its manifest %s, even with a valid signature', async (_, change, words) => {
    await using directory = temporaryDirectory();
    const path = join(directory.path, 'one.pack');
    writeSigned(path, { ...ABOUT, format: 1, members: [listed('a.txt')], ...change });
    const { code, message } = await refusal(path);
    expect(code).toBe('not_a_pack');
    expect(message).toContain(words);
  });

  test('if one of its header lines never ends', async () => {
    await using directory = temporaryDirectory();
    const path = join(directory.path, 'one.pack');
    writeFileSync(path, Buffer.concat([Buffer.from('lurecheck pack 1\n'), Buffer.alloc(2 * 1024 * 1024, 0x20)]));
    expect((await refusal(path)).message).toContain('longer than');
  });

  test('if it is a folder, missing, or another kind of file', async () => {
    await using directory = temporaryDirectory();
    mkdirSync(join(directory.path, 'folder'));
    expect((await refusal(join(directory.path, 'folder'))).message).toBe('it is not a file');
    expect((await refusal(join(directory.path, 'none'))).message).toBe('it does not exist');
    expect((await refusal(import.meta.path)).message).toBe('it is not a pack of lurecheck');
  });

  test('if it is signed with a key of another type', async () => {
    await using directory = temporaryDirectory();
    const path = await smallPack(join(directory.path, 'one.pack'));
    const x25519 = generateKeyPairSync('x25519').publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
    writeFileSync(path, readFileSync(path, 'latin1').replace(/ed25519 \S+/, `ed25519 ${x25519}`), 'latin1');
    expect(await refusal(path)).toMatchObject({ code: 'forged', message: 'its key is not an Ed25519 key' });
  });
});

test('unknown members of a manifest from a newer program are ignored', async () => {
  await using directory = temporaryDirectory();
  const path = join(directory.path, 'one.pack');
  writeSigned(path, { ...ABOUT, format: 1, members: [{ ...listed('a.txt', 0), note: 1 }], colour: 'red' });
  expect((await readWhole(path)).manifest.name).toBe('acme-bank');
});

test('a seal line is valid only as a whole, and a signature only with the canonical encoding of its key', async () => {
  await using directory = temporaryDirectory();
  const path = await smallPack(join(directory.path, 'one.pack'));
  const text = readFileSync(path, 'latin1');
  const seal = text.split('\n')[2] ?? '';
  for (const changed of [
    `${seal} `,
    `${seal}=`,
    `${seal}x`,
    ` ${seal}`,
    `x${seal}`,
    `${seal}\r`,
    seal.slice(0, -1),
    '',
  ]) {
    writeFileSync(
      path,
      text.replace(seal, () => changed),
      'latin1',
    );
    expect([changed, (await refusal(path)).code]).toEqual([changed, 'forged']);
  }
  // The last digit of the key has two bits that belong to no byte.
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const respelt = seal.replace(/(\S)= /, (_, digit: string) => `${digits[digits.indexOf(digit) + 1]}= `);
  writeFileSync(path, text.replace(seal, respelt), 'latin1');
  expect((await refusal(path)).message).toBe('its signature cannot be read');
});

test('the header lines have maximum lengths: 32 bytes for the first line, 200 for the seal', async () => {
  await using directory = temporaryDirectory();
  const path = await smallPack(join(directory.path, 'one.pack'));
  const text = readFileSync(path, 'latin1');
  const seal = text.split('\n')[2] ?? '';
  const codeOf = async (changed: string) => {
    writeFileSync(path, changed, 'latin1');
    const { code, message } = await refusal(path);
    return [code, message.includes('longer than 200 bytes')];
  };
  const withSeal = (length: number) => text.replace(seal, 'x'.repeat(length));
  expect(await codeOf(withSeal(200))).toEqual(['forged', false]);
  expect(await codeOf(withSeal(201).padEnd(2000))).toEqual(['not_a_pack', true]);
  expect(await codeOf(text.replace('pack 1', 'pack 999999999'))).toEqual(['newer_format', false]);
  for (const first of ['pack 01', 'pack 0', 'pack 1 ', 'xpack 1', 'pack 1234567890'])
    expect([first, ...(await codeOf(text.replace('pack 1', first)))]).toEqual([first, 'not_a_pack', false]);
  expect(await codeOf(` ${text}`)).toEqual(['not_a_pack', false]);
});

test('a manifest may have 1 MiB and no more', async () => {
  await using directory = temporaryDirectory();
  const path = join(directory.path, 'one.pack');
  const manifest = { ...ABOUT, format: 1, members: [listed('a.txt')], note: '' };
  const room = 1024 * 1024 - JSON.stringify(manifest).length;
  writeSigned(path, { ...manifest, note: 'x'.repeat(room) });
  expect((await readWhole(path)).manifest.name).toBe('acme-bank');
  writeSigned(path, { ...manifest, note: 'x'.repeat(room + 1) });
  expect((await refusal(path)).code).toBe('not_a_pack');
});

test('an unsigned pack can be signed later, and is otherwise unchanged', async () => {
  await using directory = temporaryDirectory();
  const path = await smallPack(join(directory.path, 'one.pack'), { key: null });
  const unsigned = await readWhole(path);
  expect(unsigned.signer).toBeNull();
  const key = publisherKey();
  await signPack(await readSeal(path), key);
  const signed = await readWhole(path);
  expect(signed.signer?.fingerprint).toBe(fingerprintOf(createPublicKey(key)));
  expect(signed.print).toBe(unsigned.print);
});

test('a pack that readers would refuse is not built', async () => {
  await using directory = temporaryDirectory();
  const path = join(directory.path, 'one.pack');
  await expect(smallPack(path, { members: [member('other', '../a', '')] })).rejects.toThrow('"members.0.name"');
  expect(await Bun.file(path).exists()).toBeFalse();
});

test('a private key of another type is refused', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  expect(() => readPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())).toThrow('another type');
  expect(() => readPrivateKey('no key')).toThrow('cannot be read');
});

const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

function listed(name: string, bytes = 0) {
  return { kind: 'other', name, bytes, sha256: EMPTY_SHA256 };
}

/** A file with any manifest, signed as it should be. */
function writeSigned(path: string, manifest: object): void {
  const key = publisherKey();
  const text = Buffer.from(JSON.stringify(manifest));
  const publicHalf = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
  const seal = `ed25519 ${publicHalf} ${sign(null, text, key).toString('base64')}`;
  writeFileSync(path, `lurecheck pack 1\n${text}\n${seal}\n`);
}
