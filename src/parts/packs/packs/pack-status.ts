import type { PacksOverview } from '#src/admin/active/active-packs.ts';
import type { InstalledPack, PackState, Publisher } from '#src/admin/active/pack-state.ts';
import { type Notice, notice } from '#src/core/base/text/condition.ts';

/** Status of an active pack. */
export interface PackStatus {
  readonly name: string;
  readonly version: number;
  /** Name of the publisher who signed it. */
  readonly publisher: string;
  /** Fingerprint of the key that signed it. */
  readonly fingerprint: string;
  /** ISO 8601 UTC; null if the pack cannot be read. */
  readonly expires: string | null;
  readonly isExpired: boolean;
  readonly isRevoked: boolean;
  /** Why it cannot be used; null if it can. */
  readonly problem: string | null;
}

/** Returns the status of each active pack at a time. */
export function packStatuses({ state, packs, unusable }: PacksOverview, nowMs: number): PackStatus[] {
  const usable = packs.map(({ installed, manifest: { expires } }) => ({
    ...signedBy(installed, state),
    expires,
    isExpired: Date.parse(expires) <= nowMs,
    problem: null,
  }));
  const others = unusable.map(({ installed, problem }) => ({
    ...signedBy(installed, state),
    expires: null,
    isExpired: false,
    problem,
  }));
  return [...usable, ...others].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns warnings about a pack; none if it is valid. */
export function packNotices({
  name,
  version,
  expires,
  isExpired,
  isRevoked,
  publisher,
  problem,
}: PackStatus): Notice[] {
  const pack = `The pack ${name} ${version}`;
  const args = { pack: `${name} ${version}` };
  const notes: Notice[] = [];
  if (problem !== null)
    notes.push(notice('pack_unusable', `${pack} cannot be used: ${problem}.`, { ...args, cause: problem }));
  if (isExpired)
    notes.push(
      notice(
        'pack_expired',
        `${pack} expired on ${expires?.slice(0, 10)}: its content stays active, but its lists no longer decide alone.`,
        { ...args, date: expires?.slice(0, 10) ?? '' },
      ),
    );
  if (isRevoked)
    notes.push(
      notice('pack_key_revoked', `${pack} is active, and the key of ${publisher} that signed it was revoked.`, {
        ...args,
        publisher,
      }),
    );
  return notes;
}

/** Returns the publisher of an installed pack. */
export function publisherOf({ signer }: InstalledPack, { publishers }: PackState): Publisher | null {
  return publishers.find(({ fingerprint }) => fingerprint === signer) ?? null;
}

function signedBy(installed: InstalledPack, state: PackState) {
  const publisher = publisherOf(installed, state);
  return {
    name: installed.name,
    version: installed.version,
    publisher: publisher?.name ?? '',
    fingerprint: installed.signer,
    isRevoked: publisher?.revoked !== null,
  };
}
