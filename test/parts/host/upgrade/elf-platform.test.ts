import { expect, test } from 'bun:test';
import { HEAD_BYTES, platformOf } from '#src/parts/host/upgrade/prepare.ts';

/** The head of a program: its processor by its number (elf(5)), and the loader that it names. */
function program(machine: number, loader: string): Buffer {
  const bytes = Buffer.alloc(512);
  bytes.write('\x7fELF\x02\x01\x01', 'latin1');
  bytes.writeUInt16LE(machine, 18);
  bytes.writeBigUInt64LE(64n, 32);
  bytes.writeUInt16LE(56, 54);
  bytes.writeUInt16LE(2, 56);
  // A header of another kind first, then that of the loader.
  bytes.writeUInt32LE(6, 64);
  bytes.writeUInt32LE(3, 120);
  bytes.writeBigUInt64LE(200n, 128);
  bytes.writeBigUInt64LE(BigInt(loader.length), 152);
  bytes.write(loader, 200);
  return bytes;
}

test('the platform of an executable is that of its processor and its C library', async () => {
  expect(platformOf(program(62, '/lib64/ld-linux-x86-64.so.2'))).toBe('linux-x64');
  expect(platformOf(program(62, '/lib/ld-musl-x86_64.so.1'))).toBe('linux-x64-musl');
  expect(platformOf(program(183, '/lib/ld-linux-aarch64.so.1'))).toBe('linux-arm64');
  expect(platformOf(program(183, '/lib/ld-musl-aarch64.so.1'))).toBe('linux-arm64-musl');
  const own = await Bun.file(process.execPath).slice(0, HEAD_BYTES).bytes();
  expect(platformOf(own)).toStartWith(`linux-${process.arch}`);
});

test('a file that is not a supported Linux executable has no platform, and no content throws', () => {
  const whole = program(62, '/lib64/ld-linux-x86-64.so.2');
  for (const other of ['', 'MZ', '\x7fELF', '#!/bin/sh\n'.padEnd(100)])
    expect(platformOf(Buffer.from(other, 'latin1'))).toBeNull();
  expect(platformOf(program(8, '/lib/ld.so.1'))).toBeNull();
  const of32Bits = Buffer.from(whole);
  of32Bits[4] = 1;
  expect(platformOf(of32Bits)).toBeNull();
  for (let length = 0; length < whole.length; length++) platformOf(whole.subarray(0, length));
  for (let at = 6; at < 200; at++) {
    const changed = Buffer.from(whole);
    changed[at] = 0xff;
    expect(() => platformOf(changed)).not.toThrow();
  }
});
