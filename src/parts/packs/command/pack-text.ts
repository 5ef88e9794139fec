import type { Publisher, Signer } from '#src/admin/active/pack-state.ts';
import { shortId } from '#src/core/base/public-key.ts';
import { counted } from '#src/core/base/text/counted.ts';
import { visibleInTerminal, visibleJson } from '#src/core/base/text/untrusted-text.ts';
import type { Manifest } from '#src/parts/packs/packs/manifest.ts';
import { packNotices } from '#src/parts/packs/packs/pack-status.ts';
import { type ListedPack, packRow } from '#src/parts/packs/updates/list-packs.ts';

/** Describes the signer. */
export function sealText(signer: Signer | null): string {
  return signer === null
    ? 'not signed; sign it with lurecheck pack sign'
    : `signed by the key ${shortId(signer.fingerprint)}`;
}

/** A pack in a line. */
export function packLine(
  { name, version, publisher, created, expires, members }: Manifest,
  signer: Signer | null,
): string {
  const bytes = members.reduce((sum, member) => sum + member.bytes, 0);
  const of = `${name} ${version} of ${publisher}, created ${created.slice(0, 10)}, expires ${expires.slice(0, 10)}`;
  const held = `${counted(members.length, 'member')} of ${counted(bytes, 'byte')}`;
  return visibleInTerminal(`${of}, ${held}, ${sealText(signer)}`);
}

/** A line for each pack. */
export function packsAsText(packs: readonly ListedPack[]): string {
  return packs
    .map((pack) => {
      const { name, version, isActive, publisher, fingerprint, expires } = pack;
      const words = [isActive ? 'active' : 'stored', `of ${publisher} (${shortId(fingerprint)})`];
      if (expires !== null) words.push(`expires ${expires.slice(0, 10)}`);
      const facts = pack.facts.map(
        ({ table, retrieved, in_use }) => `${table} of ${retrieved}${in_use || !isActive ? '' : ', not used'}`,
      );
      const columns = [`${name} ${version}`, words.join(', '), ...facts, ...packNotices(pack).map(({ text }) => text)];
      return `${columns.map(visibleInTerminal).join('\t')}\n`;
    })
    .join('');
}

/** The same for machines. */
export function packsAsJson(packs: readonly ListedPack[]): string {
  return `${visibleJson(
    JSON.stringify(
      packs.map((pack) => ({ ...packRow(pack), facts: pack.facts })),
      null,
      2,
    ),
  )}\n`;
}

/** A line for each key that is trusted, or was. */
export function publishersAsText(publishers: readonly Publisher[]): string {
  return publishers
    .map(({ name, fingerprint, since, revoked, follows }) => {
      const words = [`trusted since ${since.slice(0, 10)}`];
      if (follows !== null) words.push(`replaces ${shortId(follows)}`);
      if (publishers.some((other) => other.follows === fingerprint)) words.push('replaced');
      if (revoked !== null) words.push(`revoked ${revoked.slice(0, 10)}`);
      return `${fingerprint}\t${visibleInTerminal(name)}\t${words.join(', ')}\n`;
    })
    .join('');
}

/** The same for machines. */
export function publishersAsJson(publishers: readonly Publisher[]): string {
  return `${visibleJson(JSON.stringify(publishers, null, 2))}\n`;
}
