import type { KeptPack, PackState, Publisher } from './pack-state.ts';
import type { PacksOverview } from './active-packs.ts';

/** How a pack that is in force stands. */
export interface PackStanding {
  readonly name: string;
  readonly version: number;
  /** What the operator, or the key before, called who signed it. */
  readonly publisher: string;
  /** Of the key that signed it. */
  readonly fingerprint: string;
  /** ISO 8601 UTC; null where the pack cannot be read. */
  readonly expires: string | null;
  readonly isExpired: boolean;
  readonly isRevoked: boolean;
  /** Why it cannot be used; null where it can. */
  readonly problem: string | null;
}

/** How each pack that is in force stands, at a time. */
export function standingOf({ state, packs, unusable }: PacksOverview, nowMs: number): PackStanding[] {
  const usable = packs.map(({ kept, manifest: { expires } }) => ({
    ...signedBy(kept, state),
    expires,
    isExpired: Date.parse(expires) <= nowMs,
    problem: null,
  }));
  const others = unusable.map(({ kept, problem }) => ({
    ...signedBy(kept, state),
    expires: null,
    isExpired: false,
    problem,
  }));
  return [...usable, ...others].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** What is to be known of a pack, a sentence each; none where all is well. */
export function notesOn({ name, version, expires, isExpired, isRevoked, publisher, problem }: PackStanding): string[] {
  const pack = `The pack ${name} ${version}`;
  const notes: string[] = [];
  if (problem !== null) notes.push(`${pack} cannot be used: ${problem}.`);
  if (isExpired)
    notes.push(
      `${pack} expired on ${expires?.slice(0, 10)}: what it says goes on, and its lists decide nothing by themselves.`,
    );
  if (isRevoked) notes.push(`${pack} is in force, and the key of ${publisher} that signed it was revoked.`);
  return notes;
}

/** The publisher of a pack that is kept. */
export function publisherOf({ signer }: KeptPack, { publishers }: PackState): Publisher | null {
  return publishers.find(({ fingerprint }) => fingerprint === signer) ?? null;
}

function signedBy(kept: KeptPack, state: PackState) {
  const publisher = publisherOf(kept, state);
  return {
    name: kept.name,
    version: kept.version,
    publisher: publisher?.name ?? '',
    fingerprint: kept.signer,
    isRevoked: publisher?.revoked !== null,
  };
}
