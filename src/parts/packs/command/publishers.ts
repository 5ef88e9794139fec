import { createPublicKey } from 'node:crypto';
import { readPackState, type Signer } from '#src/admin/active/pack-state.ts';
import { perform } from '#src/admin/audit/act.ts';
import type { ConfigFor } from '#src/app/config.ts';
import type { Io } from '#src/core/base/io.ts';
import { keysIn } from '#src/core/base/public-key.ts';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import { type Invocation, UsageError } from '#src/interfaces/cli/command.ts';
import { commandPlace } from '#src/interfaces/cli/command-place.ts';
import { confirm } from '#src/interfaces/cli/confirm.ts';
import type { ExitCode } from '#src/interfaces/cli/exit-codes.ts';
import { pathKind } from '#src/interfaces/cli/named-paths.ts';
import { readPackManifest } from '#src/parts/packs/packs/manifest.ts';
import { readSeal, readSigner } from '#src/parts/packs/packs/open-pack.ts';
import { PackError } from '#src/parts/packs/packs/pack-error.ts';
import { REVOKE_PUBLISHER, TRUST_PUBLISHER } from '#src/parts/packs/updates/pack-acts.ts';

type PackInvocation = Invocation<ConfigFor<'pack'>>;

/** Minimum digits of a fingerprint: for fewer, an attacker can find a key. */
const MIN_DIGITS = 16;

/**
 * `lurecheck pack trust FILE`: trusts the key that signed a pack, or that a PEM file contains, if its fingerprint was
 * given or a person confirms it.
 */
export async function trustKey(invocation: PackInvocation, path: string, io: Io): Promise<ExitCode> {
  const { signer, publisher } = await readSignerOf(path, invocation.resolvePath(path));
  const name = invocation.text('name') ?? publisher;
  if (name === null) throw new UsageError('--name NAME is required: the publisher of the key');
  if (!(await mayTrustAgain(signer, invocation, io))) return 1;
  const given = invocation.text('fingerprint');
  if (given !== undefined) {
    if (!isPartOf(given, signer.fingerprint)) {
      throw new PackError('unknown_key', `its fingerprint is ${signer.fingerprint}, not ${given}; nothing was changed`);
    }
  } else if (!invocation.flag('yes')) {
    const question = `The key of ${visibleInTerminal(name)} has the fingerprint ${signer.fingerprint}. Does it match the one that the publisher announced?`;
    if (!(await confirm(question, io))) {
      await io.stderr.write('lurecheck: cancelled, the key is not trusted\n');
      return 1;
    }
  }
  await perform(TRUST_PUBLISHER, commandPlace(invocation), invocation.actor, { ...signer, name });
  await io.stderr.write(`lurecheck: trusted: packs of ${visibleInTerminal(name)} signed with ${signer.fingerprint}\n`);
  return 0;
}

/** Returns true if the key was never revoked here, or the operator trusts it again. */
async function mayTrustAgain({ fingerprint }: Signer, invocation: PackInvocation, io: Io): Promise<boolean> {
  const known = readPackState(invocation.config.data_dir).publishers.find((one) => one.fingerprint === fingerprint);
  if (known === undefined || known.revoked === null) return true;
  const revoked = `the key ${fingerprint} of ${visibleInTerminal(known.name)} was revoked on ${known.revoked.slice(0, 10)}`;
  if (invocation.flag('yes')) {
    await io.stderr.write(`lurecheck: ${revoked}; it is trusted again\n`);
    return true;
  }
  if (await confirm(`Note that ${revoked}. Trust it again?`, io)) return true;
  await io.stderr.write(`lurecheck: ${revoked}; it remains revoked\n`);
  return false;
}

/** `lurecheck pack revoke FINGERPRINT` */
export async function revokeKey(invocation: PackInvocation, digits: string, io: Io): Promise<ExitCode> {
  const { publishers, active } = readPackState(invocation.config.data_dir);
  const found = publishers.filter(({ fingerprint }) => isPartOf(digits, fingerprint));
  const [publisher, other] = found;
  if (publisher === undefined || other) {
    throw new UsageError(
      `no single trusted key begins with "${digits}": expected at least ${MIN_DIGITS} digits of its fingerprint; see lurecheck pack keys`,
    );
  }
  await perform(REVOKE_PUBLISHER, commandPlace(invocation), invocation.actor, publisher.fingerprint);
  const signed = active.filter(({ signer }) => signer === publisher.fingerprint);
  const left = signed.map(({ name, version }) => `; ${name} ${version} is still active: lurecheck pack remove ${name}`);
  // The owner of the old key could have introduced the new one.
  const next = publishers.filter(({ follows, revoked }) => follows === publisher.fingerprint && revoked === null);
  left.push(...next.map(({ fingerprint }) => `; its successor ${fingerprint} is still trusted`));
  await io.stderr.write(
    `lurecheck: revoked: packs of ${visibleInTerminal(publisher.name)} signed with ${publisher.fingerprint}${left.join('')}\n`,
  );
  return 0;
}

async function readSignerOf(path: string, place: string): Promise<{ signer: Signer; publisher: string | null }> {
  if ((await pathKind(place)) !== 'file') throw new UsageError(`file not found: ${path}`);
  const [pem, ...more] = keysIn(await Bun.file(place).slice(0, MAX_PEM_BYTES).text());
  if (more.length > 0) throw new UsageError(`${path} contains several keys; expected one`);
  if (pem !== undefined) {
    const der = createPublicKey(pem).export({ type: 'spki', format: 'der' });
    const { fingerprint, key } = readSigner(der.toString('base64'));
    return { signer: { fingerprint, key }, publisher: null };
  }
  const { signer, manifest } = await readSeal(place);
  if (signer === null) throw new PackError('not_signed', 'it is not signed');
  return { signer, publisher: readPackManifest(manifest).publisher };
}

const MAX_PEM_BYTES = 16_384;

/** Returns true if digits, as people copy them, are part of a fingerprint: in groups, and in either case. */
function isPartOf(digits: string, fingerprint: string): boolean {
  const plain = digits.replaceAll(/[\s:]/g, '').toLowerCase();
  return plain.length >= MIN_DIGITS && fingerprint.startsWith(plain);
}
