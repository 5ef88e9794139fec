import { DAY_MS } from '#src/core/base/clock.ts';
import { shortId } from '#src/core/base/public-key.ts';
import type { OpenPack } from './open-pack.ts';
import { PackError } from './pack-error.ts';
import type { PackState, Publisher } from './pack-state.ts';
import type { Signer } from './seal.ts';

/** Two machines that are right need not agree to the hour. */
const TOLERANCE_MS = DAY_MS;

/** The publisher who signed, trusted or not any more. Throws a PackError where nobody did, or nobody who is known here. */
export function knownSigner(signer: Signer | null, { publishers }: Pick<PackState, 'publishers'>): Publisher {
  if (signer === null) throw new PackError('not_signed', 'nobody has signed it');
  const known = publishers.find(({ fingerprint }) => fingerprint === signer.fingerprint);
  if (known) return known;
  const id = shortId(signer.fingerprint);
  throw new PackError('unknown_key', `it is signed by the key ${id}, which is not trusted here`);
}

/** The trusted publisher who signed. Throws a PackError where nobody did, or nobody who is trusted. */
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
    `${signed}, in place of which ${known.name} has signed with ${shortId(next.fingerprint)} since ${day(next.since)}`,
  );
}

/** What it is held against whether a pack may be installed. */
export interface AdmittedBy {
  readonly state: PackState;
  /** The time, never before the newest that this box has seen. */
  readonly nowMs: number;
  /** Of the program, such as 0.1.0. */
  readonly version: string;
  /** Whether an older one than that in force is meant. */
  readonly isOlderMeant: boolean;
}

/** Whether a pack of a trusted publisher is to come into force, or is already. Throws a PackError where it may not. */
export function admit(
  pack: Pick<OpenPack, 'manifest' | 'print'>,
  publisher: Publisher,
  by: AdmittedBy,
): 'new' | 'in_force' {
  const { manifest, print } = pack;
  const { state, nowMs, version, isOlderMeant } = by;
  if (manifest.needs !== undefined && isBefore(version, manifest.needs)) {
    throw new PackError(
      'newer_format',
      `it is for version ${manifest.needs} of the program and newer, and this is ${version}`,
    );
  }
  if (Date.parse(manifest.created) > nowMs + TOLERANCE_MS) {
    const now = new Date(nowMs).toISOString();
    throw new PackError(
      'from_the_future',
      `it was made on ${day(manifest.created)}, and here it is ${now}: set the clock, if that is wrong`,
    );
  }
  if (hasExpired(manifest, nowMs)) throw new PackError('expired', `it expired on ${day(manifest.expires)}`);
  const known = state.inForce.find(({ name }) => name === manifest.name);
  if (known === undefined) return 'new';
  if (known.print === print) return 'in_force';
  if (lineOf(known.signer, state) !== lineOf(publisher.fingerprint, state)) {
    throw new PackError(
      'other_publisher',
      `the pack ${manifest.name} that is in force is of another publisher: remove that one first`,
    );
  }
  if (manifest.version === known.version) {
    throw new PackError('not_newer', `another pack ${manifest.name} of version ${known.version} is in force`);
  }
  if (manifest.version < known.version && !isOlderMeant) {
    throw new PackError(
      'not_newer',
      `version ${known.version} is in force, which is newer: --older installs it all the same`,
    );
  }
  return 'new';
}

/** Whether a pack's time is over. */
export function hasExpired({ expires }: Pick<OpenPack['manifest'], 'expires'>, nowMs: number): boolean {
  return Date.parse(expires) <= nowMs;
}

/** The key at the beginning of the line of keys, each signed in by the one before. */
function lineOf(fingerprint: string, { publishers }: PackState): string {
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
