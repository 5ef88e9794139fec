import { describe, expect, test } from 'bun:test';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { extract } from 'tar-stream';
import { OPENRC } from '#src/parts/host/installation/openrc.ts';
import { settingsFiles } from '#src/parts/host/installation/plan-install.ts';
import { SYSTEMD } from '#src/parts/host/installation/systemd.ts';
import { checkAgainstSums } from '#src/parts/host/upgrade/released-file.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { type ArchiveEntry, tarOf } from '../../.ci/release/archive.ts';
import { readContents } from '../../.ci/release/contents.ts';
import { debianPackage } from '../../.ci/release/debian-package.ts';
import { imageArchive } from '../../.ci/release/image-archive.ts';
import { makeSigningKey, readSigningKey } from '../../.ci/release/signing-key.ts';

const DAY = new Date('2026-01-31T12:00:00Z');

const FILES: readonly ArchiveEntry[] = [
  { path: 'usr/share/doc/a/LICENSE', content: 'may be used' },
  { path: 'usr/bin/a', content: new Uint8Array([0x7f, 0x45]), mode: 0o755 },
  { path: 'lib64/ld.so', content: '', linkTo: '/lib/ld.so' },
  { path: 'var/lib/a', content: null, mode: 0o700, owner: 65532 },
];

/** What a tar archive holds, by path, in its order. */
async function readTar(tar: Uint8Array) {
  const archive = extract();
  archive.end(tar);
  const entries = new Map<string, { header: object; content: Buffer }>();
  for await (const entry of archive)
    entries.set(entry.header.name, { header: entry.header, content: await buffer(entry) });
  return entries;
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('an archive', () => {
  test('is independent of the order of its files, and contains no trace of its creator and time', async () => {
    const tar = await tarOf(FILES, DAY);
    expect(Buffer.from(await tarOf(FILES.toReversed(), DAY))).toEqual(Buffer.from(tar));
    const headers = [...(await readTar(tar)).values()].map(({ header }) => header);
    for (const header of headers) expect(header).toMatchObject({ mtime: DAY, uname: '', gname: '' });
  });

  test('contains each folder before its content, with the given modes, owners and links', async () => {
    const entries = await readTar(await tarOf(FILES, DAY, './'));
    const paths = [...entries.keys()];
    expect(paths).toEqual([
      './lib64/',
      './lib64/ld.so',
      './usr/',
      './usr/bin/',
      './usr/bin/a',
      './usr/share/',
      './usr/share/doc/',
      './usr/share/doc/a/',
      './usr/share/doc/a/LICENSE',
      './var/',
      './var/lib/',
      './var/lib/a/',
    ]);
    expect(entries.get('./usr/bin/a')).toMatchObject({ header: { mode: 0o755, uid: 0, gid: 0 } });
    expect(entries.get('./var/lib/a/')).toMatchObject({ header: { mode: 0o700, uid: 65532, type: 'directory' } });
    expect(entries.get('./lib64/ld.so')).toMatchObject({ header: { type: 'symlink', linkname: '/lib/ld.so' } });
    expect(entries.get('./usr/share/doc/a/LICENSE')?.content.toString()).toBe('may be used');
  });
});

test('the manual in a release links only to files of the release', () => {
  const entries = readContents().folder('lurecheck', new Uint8Array());
  const texts = new Map(entries.map(({ path, content }) => [path, String(content)]));
  const wrong = [...texts].flatMap(([path, text]) =>
    [...(/INSTALL\.md$|\/manual\//.test(path) ? text : '').matchAll(/\]\(<?([\w/.-]+\.md)/g)]
      .map(([, link = '']) => join(path, '..', link))
      .filter((link) => !texts.has(link)),
  );
  expect(texts.get('lurecheck/INSTALL.md')).toContain('(<manual/data.md>)');
  expect(wrong).toEqual([]);
});

test('a release contains the same files for service managers as an installation writes', () => {
  const released = new Map(
    readContents()
      .folder('lurecheck', new Uint8Array())
      .map(({ path, content }) => [path, content]),
  );
  const files = [...SYSTEMD.files('/usr/local/bin/lurecheck'), ...OPENRC.files('/usr/local/bin/lurecheck')];
  const names = ['lurecheck.service', 'lurecheck@.service', 'lurecheck.sysusers', 'lurecheck.openrc'];
  expect(files.map(({ text }) => text)).toEqual(names.map((name) => String(released.get(`lurecheck/${name}`))));
  for (const { text } of files.filter(({ path }) => !path.includes('sysusers'))) {
    expect([text.includes('/usr/local/bin/lurecheck'), text.includes('/usr/bin/lurecheck')]).toEqual([true, false]);
  }
});

test('the runtime is configured alike by the unit, the script of OpenRC and the image', () => {
  const { folder, image } = readContents();
  const text = (name: string) =>
    String(folder('', new Uint8Array()).find(({ path }) => path === `/lurecheck.${name}`)?.content);
  const options = [...text('service').matchAll(/^Environment=((?:BUN|MIMALLOC)_\S+)$/gm)].map(([, option]) => option);
  expect(options).not.toEqual([]);
  expect([...text('openrc').matchAll(/^\texport ((?:BUN|MIMALLOC)_\S+)$/gm)].map(([, option]) => option)).toEqual(
    options,
  );
  expect(image('amd64', new Uint8Array(), { files: [], version: '' }).config).toMatchObject({
    Env: expect.arrayContaining(options),
  });
});

test('a Debian package is an ar archive of its version, its control files and its files', async () => {
  const one = { control: { Package: 'a', Version: '1' }, scripts: { postinst: '#!/bin/sh\n' }, files: FILES };
  const bytes = Buffer.from(await debianPackage(one, DAY));
  expect(bytes).toEqual(Buffer.from(await debianPackage(one, DAY)));
  expect(bytes.subarray(0, 8).toString()).toBe('!<arch>\n');
  const members = new Map<string, Buffer>();
  for (let at = 8; at < bytes.length; ) {
    const header = bytes.subarray(at, at + 60).toString();
    const size = Number(header.slice(48, 58));
    expect(header).toMatch(/^\S+ +1769860800 +0 +0 +100644 +\d+ +`\n$/);
    members.set(header.slice(0, 16).trim(), bytes.subarray(at + 60, at + 60 + size));
    at += 60 + size + (size % 2);
  }
  expect([...members.keys()]).toEqual(['debian-binary', 'control.tar.gz', 'data.tar.gz']);
  expect(members.get('debian-binary')?.toString()).toBe('2.0\n');
  const control = await readTar(gunzipSync(members.get('control.tar.gz') ?? ''));
  expect([...control.keys()]).toEqual(['./control', './md5sums', './postinst']);
  expect(control.get('./control')?.content.toString()).toBe('Package: a\nVersion: 1\nInstalled-Size: 1\n');
  expect(control.get('./postinst')).toMatchObject({ header: { mode: 0o755 } });
  expect((await readTar(gunzipSync(members.get('data.tar.gz') ?? ''))).has('./usr/bin/a')).toBe(true);
});

test('the package brings the settings that an installation writes, as files of the operator', async () => {
  const origin = { maintainer: 'a <a@lurecheck.invalid>', date: DAY };
  const one = readContents().debian('amd64', new Uint8Array(), origin);
  for (const { path, text } of settingsFiles(SYSTEMD)) {
    expect(one.files.find((file) => `/${file.path}` === path)).toMatchObject({ content: text, mode: 0o640 });
  }
  expect(Object.keys(one.scripts).toSorted()).toEqual(['postinst', 'postrm', 'prerm']);
  const bytes = Buffer.from(await debianPackage(one, DAY));
  // Its member control.tar.gz, behind that of the version.
  const control = await readTar(gunzipSync(bytes.subarray(132, 132 + Number(bytes.subarray(120, 130)))));
  expect(control.get('./conffiles')?.content.toString()).toBe(
    '/etc/lurecheck/environment\n/etc/lurecheck/lurecheck.toml\n',
  );
  expect(control.get('./md5sums')?.content.toString()).not.toContain(' etc/');
});

test('an image is an OCI layout with correct digests and sizes, which older Docker versions read too', async () => {
  const layers = [[{ path: 'lib/libc.so.6', content: 'libc' }], FILES];
  const image = { architecture: 'arm64', reference: 'lurecheck:1', layers, config: { User: '65532' } };
  const entries = await readTar(await imageArchive(image, DAY));
  const json = (path: string) => JSON.parse(entries.get(path)?.content.toString() ?? '');
  const blob = ({ digest, size }: { digest: string; size: number }) => {
    const content = entries.get(`blobs/${digest.replace(':', '/')}`)?.content ?? Buffer.from('');
    expect([`sha256:${sha256(content)}`, content.length]).toEqual([digest, size]);
    return content;
  };
  expect(json('oci-layout')).toEqual({ imageLayoutVersion: '1.0.0' });
  const [described, ...others] = json('index.json').manifests;
  expect(others).toEqual([]);
  expect(described.platform).toEqual({ architecture: 'arm64', os: 'linux' });
  const manifest = JSON.parse(blob(described).toString());
  const config = JSON.parse(blob(manifest.config).toString());
  const tars = manifest.layers.map((layer: { digest: string; size: number }) => gunzipSync(blob(layer)));
  expect(config).toMatchObject({
    architecture: 'arm64',
    os: 'linux',
    config: { User: '65532' },
    created: DAY.toJSON(),
  });
  expect(config.rootfs.diff_ids).toEqual(tars.map((tar: Buffer) => `sha256:${sha256(tar)}`));
  expect((await readTar(tars[1])).has('usr/bin/a')).toBe(true);
  const path = ({ digest }: { digest: string }) => `blobs/${digest.replace(':', '/')}`;
  expect(json('manifest.json')).toEqual([
    { Config: path(manifest.config), RepoTags: ['lurecheck:1'], Layers: manifest.layers.map(path) },
  ]);
  // The index, what it leads to, and nothing else.
  expect([...entries.keys()].filter((name) => name.startsWith('blobs/sha256/') && !name.endsWith('/')).length).toBe(4);
});

describe('a signing key for releases', () => {
  test('is created for its owner only, does not overwrite another, and is trusted afterwards', async () => {
    await using directory = temporaryDirectory();
    const [path, believed] = [join(directory.path, 'key.pem'), join(directory.path, 'believed.pem')];
    writeFileSync(believed, 'a remark\n');
    const id = makeSigningKey(path, believed);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(() => makeSigningKey(path, believed)).toThrow('EEXIST');
    const sums = `${sha256(Buffer.from('x'))}  x\n`;
    const signed = {
      sums,
      signature: sign(null, Buffer.from(sums), readSigningKey(path, believed)),
      keys: readFileSync(believed, 'utf8'),
    };
    expect(checkAgainstSums('x', sha256(Buffer.from('x')), signed)).toEqual({ kind: 'genuine', key: id });
    // A second key is added to the first.
    makeSigningKey(`${path}.2`, believed);
    expect(sign(null, Buffer.from(sums), readSigningKey(path, believed))).toEqual(signed.signature);
  });

  test('is refused if no executable trusts it, or if it is of another type', async () => {
    await using directory = temporaryDirectory();
    const [path, believed] = [join(directory.path, 'key.pem'), join(directory.path, 'believed.pem')];
    writeFileSync(believed, '');
    makeSigningKey(path, join(directory.path, 'elsewhere.pem'));
    expect(() => readSigningKey(path, believed)).toThrow('no executable of this release would believe it');
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    writeFileSync(path, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    expect(() => readSigningKey(path, believed)).toThrow('no Ed25519 key');
  });
});
