import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { type NewManifest, type NewMember, writePack } from '#src/parts/packs/packs/write-pack.ts';

/** What the packs of tests say of themselves where they need not say something else. */
export const ABOUT: NewManifest = {
  name: 'acme-bank',
  version: 1,
  created: '2026-01-01T00:00:00.000Z',
  expires: '2027-01-01T00:00:00.000Z',
  publisher: 'Acme',
};

/** The private half of a new key of a publisher. */
export function publisherKey(): KeyObject {
  return generateKeyPairSync('ed25519').privateKey;
}

/** A member that holds a text. */
export function member(kind: string, name: string, text: string): NewMember {
  return { kind, name, content: Buffer.from(text) };
}

/** Writes a small pack, and answers with its path. */
export async function smallPack(
  path: string,
  {
    key = publisherKey(),
    about = {},
    members = [member('other', 'a.txt', 'alpha'), member('other', 'b.txt', '')],
  }: {
    readonly key?: KeyObject | null;
    readonly about?: Partial<NewManifest>;
    readonly members?: readonly NewMember[];
  } = {},
): Promise<string> {
  await writePack(path, { ...ABOUT, ...about }, members, key);
  return path;
}
