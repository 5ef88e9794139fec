import type { PackState, Publisher, Signer } from '#src/admin/active/pack-state.ts';
import { DAY_MS } from '#src/core/base/clock.ts';
import { shortId } from '#src/core/base/public-key.ts';
import type { OpenPack } from './open-pack.ts';
import { PackError } from './pack-error.ts';

/** Clock difference between publisher and host that is tolerated. */
const TOLERANCE_MS = DAY_MS;

/**
 * Returns the publisher who signed, trusted or revoked. Throws PackError if the pack is unsigned, or the key unknown.
 */
export function knownSigner(signer: Signer | null, { publishers }: Pick<PackState, 'publishers'>): Publisher {
  if (signer === null) throw new PackError('not_signed', 'it is not signed');
  const known = publishers.find(({ fingerprint }) => fingerprint === signer.fingerprint);
  if (known) return known;
  const id = shortId(signer.fingerprint);
  throw new PackError('unknown_key', `it is signed by the key ${id}, which is not trusted here`);
}

/** Returns the trusted publisher who signed. Throws PackError if the pack is unsigned, or the key not trusted. */
export function trustedSigner(signer: Signer | null, state: Pick<PackState, 'publishers'>): Publisher {
  const known = knownSigner(signer, state);
  const signed = `it is signed by the key ${shortId(known.fingerprint)}`;
  if (known.revoked !== null) {
    throw new PackError('revoked_key', `${signed} of ${known.name}, which was revoked on ${day(known.revoked)}`);
  }
  const next = state.publishers.find(({ follows }) => follows === known.fingerprint);
  if (next === undefined) return known;
  throw new PackError(
    'replaced_key',
    `${signed}, which ${known.name} replaced by ${shortId(next.fingerprint)} on ${day(next.since)}`,
  );
}

/** Inputs of the decision on a pack. */
export interface AdmissionContext {
  readonly state: PackState;
  /** Current time, never before the latest time that this host has recorded. */
  readonly nowMs: number;
  /** Version of the program, such as 0.2.0. */
  readonly version: string;
  /** True to accept an older version than the active one. */
  readonly mayBeOlder: boolean;
}

/** Returns if a pack of a trusted publisher is new or already active. Throws a PackError if it may not be installed. */
export function admit(
  pack: Pick<OpenPack, 'manifest' | 'print'>,
  publisher: Publisher,
  by: AdmissionContext,
): 'new' | 'active' {
  const { manifest, print } = pack;
  const { state, nowMs, version, mayBeOlder } = by;
  if (manifest.needs !== undefined && isBefore(version, manifest.needs)) {
    throw new PackError(
      'newer_format',
      `it needs version ${manifest.needs} or newer of the program, and this is ${version}`,
    );
  }
  if (Date.parse(manifest.created) > nowMs + TOLERANCE_MS) {
    const now = new Date(nowMs).toISOString();
    throw new PackError(
      'from_the_future',
      `it was created on ${day(manifest.created)}, and the clock shows ${now}: set the clock if it is wrong`,
    );
  }
  if (hasExpired(manifest, nowMs)) throw new PackError('expired', `it expired on ${day(manifest.expires)}`);
  const known = state.active.find(({ name }) => name === manifest.name);
  if (known === undefined) return 'new';
  if (known.print === print) return 'active';
  if (firstKeyOf(known.signer, state) !== firstKeyOf(publisher.fingerprint, state)) {
    throw new PackError(
      'other_publisher',
      `the active pack ${manifest.name} is from another publisher: remove that pack first`,
    );
  }
  if (manifest.version === known.version) {
    throw new PackError('not_newer', `another pack ${manifest.name} of version ${known.version} is active`);
  }
  if (manifest.version < known.version && !mayBeOlder) {
    throw new PackError('not_newer', `version ${known.version} is active and newer; --older installs this one anyway`);
  }
  return 'new';
}

/** Returns true if a pack has expired. */
export function hasExpired({ expires }: Pick<OpenPack['manifest'], 'expires'>, nowMs: number): boolean {
  return Date.parse(expires) <= nowMs;
}

/** Returns the first key of a chain in which each key was introduced by the one before. */
function firstKeyOf(fingerprint: string, { publishers }: PackState): string {
  const seen = new Set<string>();
  let first = fingerprint;
  while (!seen.has(first)) {
    seen.add(first);
    first = publishers.find((one) => one.fingerprint === first)?.follows ?? first;
  }
  return first;
}

function isBefore(version: string, needed: string): boolean {
  return Bun.semver.order(version.split('-', 1)[0] ?? version, needed) < 0;
}

function day(time: string): string {
  return time.slice(0, 10);
}
