import { expect, test } from 'bun:test';
import { createPublicKey } from 'node:crypto';
import { join } from 'node:path';
import { fingerprintOf } from '#src/core/base/public-key.ts';
import { openPack, readSeal } from '#src/parts/packs/packs/open-pack.ts';
import { modelVersionIn, readContents } from '#src/parts/packs/packs/pack-contents.ts';
import type { NewMember } from '#src/parts/packs/packs/write-pack.ts';
import { knowledge } from '#test/support/knowledge.ts';
import { member, publisherKey, smallPack } from '#test/support/packs.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const pemOf = () => createPublicKey(publisherKey()).export({ type: 'spki', format: 'pem' }).toString();

async function contentsOf(members: readonly NewMember[]) {
  await using directory = temporaryDirectory();
  const pack = openPack(await readSeal(await smallPack(join(directory.path, 'one.pack'), { members })));
  const contents = await readContents(pack, knowledge);
  const lists = await Promise.all(
    contents.lists.map(async ({ list, action, read }) => [list, action, Buffer.from(await read()).toString()]),
  );
  return { ...contents, lists };
}

test('a pack without known members is empty', async () => {
  const contents = await contentsOf([member('other', 'a.txt', 'alpha')]);
  expect(contents).toEqual({
    ...{ model: null, brands: [], lists: [], thresholds: null, tables: [], nextKey: null },
    unknownMembers: ['a.txt'],
  });
  expect(modelVersionIn({ ...contents, lists: [] })).toBeNull();
});

test('a list blocks or allows according to its folder, and is named after the pack and its file', async () => {
  const { lists } = await contentsOf([
    member('list', 'lists/block/feed.txt', 'evil.example'),
    member('list', 'lists/allow/own.csv', 'good.example'),
  ]);
  expect(lists).toEqual([
    ['acme-bank.feed', 'block', 'evil.example'],
    ['acme-bank.own', 'allow', 'good.example'],
  ]);
});

test('two lists with the same name are refused', async () => {
  const members = [member('list', 'lists/block/a.txt', ''), member('list', 'lists/allow/a.txt', '')];
  await expect(contentsOf(members)).rejects.toThrow('acme-bank.a');
});

test('thresholds must be two numbers between 0 and 1, the first below the second', async () => {
  const thresholdsOf = async (text: string) =>
    (await contentsOf([member('thresholds', 'thresholds.json', text)])).thresholds;
  expect(await thresholdsOf('{"warn": 0.25, "block": 0.75, "note": 1}')).toEqual({ warn: 0.25, block: 0.75 });
  for (const text of [
    '{"warn": 0.5, "block": 0.5}',
    '{"warn": 0.6, "block": 0.5}',
    '{"warn": 0, "block": 0.5}',
    '{"warn": 0.5, "block": 1}',
    '{"warn": 0.5, "block": 1.5}',
    '{"warn": "0.1", "block": 0.5}',
    '{"warn": 0.1}',
    'null',
    '',
  ])
    await expect(thresholdsOf(text)).rejects.toThrow('thresholds.json');
});

test('the next key must be exactly one public key', async () => {
  const pem = pemOf();
  const nextKeyOf = async (text: string) => (await contentsOf([member('key', 'next-key.pem', text)])).nextKey;
  const next = await nextKeyOf(pem);
  expect(next).toEqual({
    fingerprint: fingerprintOf(createPublicKey(pem)),
    key: createPublicKey(pem).export({ type: 'spki', format: 'der' }).toString('base64'),
  });
  for (const text of ['', 'no key', pem + pemOf()])
    await expect(nextKeyOf(text)).rejects.toThrow('its next-key.pem must contain one public key');
});

test('half a model, or an unreadable brands file, makes a pack unusable', async () => {
  await expect(contentsOf([member('model', 'model/lexical.bin', 'x')])).rejects.toThrow('half of the model');
  await expect(contentsOf([member('model', 'model/fusion.json', '{}')])).rejects.toThrow('half of the model');
  await expect(contentsOf([member('brands', 'brands.json', 'x')])).rejects.toThrow('its brands.json cannot be used');
});

test('brands of a pack keep their names, domains and pages, and a domain of a platform is refused', async () => {
  const brandsOf = async (...domains: string[]) => {
    const file = { version: 1, brands: [{ name: 'Acme Bank', domains, pages: [] }] };
    return (await contentsOf([member('brands', 'brands.json', JSON.stringify(file))])).brands;
  };
  expect(await brandsOf('ACME.example', 'b.example')).toEqual([
    { name: 'Acme Bank', domains: ['acme.example', 'b.example'], pages: [] },
  ]);
  await expect(brandsOf('acme.example', 'github.io')).rejects.toThrow('its brands.json cannot be used');
});
