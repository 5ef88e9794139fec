import { openModelFiles } from '#src/admin/active/installed-models.ts';
import { openKnowledge } from '#src/admin/active/models.ts';
import { type Publisher, readPackState, type Signer } from '#src/admin/active/pack-state.ts';
import { perform } from '#src/admin/audit/act.ts';
import type { ConfigFor } from '#src/app/config.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { isCoded } from '#src/core/base/errors/operation-error.ts';
import type { Io } from '#src/core/base/io.ts';
import { shortId } from '#src/core/base/public-key.ts';
import { counted } from '#src/core/base/text/counted.ts';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import { type Command, type Invocation, UsageError } from '#src/interfaces/cli/command.ts';
import { commandPlace } from '#src/interfaces/cli/command-place.ts';
import type { ExitCode } from '#src/interfaces/cli/exit-codes.ts';
import { fileOf, pathKind } from '#src/interfaces/cli/named-paths.ts';
import { reportActivation } from '#src/interfaces/cli/report-activation.ts';
import { indentedJson, REPORT_FORMAT, wantsJson } from '#src/interfaces/cli/report-format.ts';
import type { Manifest } from '#src/parts/packs/packs/manifest.ts';
import { openPack, readSeal, verifyMembers } from '#src/parts/packs/packs/open-pack.ts';
import { factsIn, readContents } from '#src/parts/packs/packs/pack-contents.ts';
import { PackError } from '#src/parts/packs/packs/pack-error.ts';
import { packNotices } from '#src/parts/packs/packs/pack-status.ts';
import { readPackFolder, readPrivateKey, signPack, writePack } from '#src/parts/packs/packs/write-pack.ts';
import { type ListedPack, listPacks, packRow } from '#src/parts/packs/updates/list-packs.ts';
import { REMOVE_PACK, ROLL_BACK_PACKS } from '#src/parts/packs/updates/pack-acts.ts';
import { installPack } from './install.ts';
import { revokeKey, trustKey } from './publishers.ts';

/** `lurecheck pack` */
export const packCommand: Command<'pack'> = {
  name: 'pack',
  operands: 'build DIR | sign | verify | install | trust FILE | revoke HEX | remove NAME | list | keys | rollback',
  summary: 'build, verify and install signed update packs',
  options: {
    key: { type: 'string', value: 'FILE', description: 'Private Ed25519 key, as PEM, that signs the pack.' },
    output: { type: 'string', value: 'FILE', description: 'Output file of the pack.' },
    name: { type: 'string', value: 'NAME', description: 'Name of the publisher to trust.' },
    fingerprint: {
      type: 'string',
      value: 'HEX',
      description: 'Fingerprint of the key to trust, as the publisher announced it: at least 16 digits.',
    },
    yes: { type: 'boolean', short: 'y', description: 'Install or trust without confirmation.' },
    older: { type: 'boolean', description: 'Install a pack that is older than the active one, too.' },
    limit: { type: 'string', value: 'N', description: 'Compare on the latest N public checks. Default: 10000.' },
    format: { ...REPORT_FORMAT, description: 'Output format of a list. Default: text.' },
  },
  examples: [
    { line: 'lurecheck pack build DIR --key acme.key --output acme-7.pack', purpose: 'Build a pack from a folder.' },
    {
      line: 'lurecheck pack trust acme.pem --name Acme --fingerprint 3f9a…',
      purpose: 'Trust a publisher by the fingerprint of its key.',
    },
    { line: 'lurecheck pack install acme-7.pack', purpose: 'Preview what a pack would change, and install it.' },
    { line: 'lurecheck pack rollback', purpose: 'Roll back to what was active before.' },
  ],
  changes: ['install', 'remove', 'trust', 'revoke', 'rollback'],
  shares: ['packs', 'lists'],
  named({ positionals: [action = '', ...paths] }) {
    if (action === 'build' || action === 'sign') return null;
    return ['verify', 'install', 'trust'].includes(action) ? { reads: paths, isReadWhole: true } : {};
  },
  async run(invocation, io) {
    const [action = '', ...operands] = invocation.positionals;
    try {
      return await act(action, operands, invocation, io);
    } catch (error) {
      if (!(error instanceof PackError)) throw error;
      const what = operands[0] === undefined ? '' : `${visibleInTerminal(operands[0])}: `;
      await io.stderr.write(`lurecheck: ${what}${visibleInTerminal(error.message)}\n`);
      return 1;
    }
  },
};

type PackInvocation = Invocation<ConfigFor<'pack'>>;

const WITHOUT_OPERAND = ['list', 'rollback', 'keys'];

const ACTIONS = [...WITHOUT_OPERAND, 'build', 'sign', 'verify', 'install', 'remove', 'trust', 'revoke'];

async function act(action: string, operands: readonly string[], invocation: PackInvocation, io: Io): Promise<ExitCode> {
  if (!ACTIONS.includes(action)) {
    throw new UsageError(`expected pack ${ACTIONS.toSorted().join(', pack ')}${action && `, not "${action}"`}`);
  }
  const [operand, extra] = operands;
  const isPlain = WITHOUT_OPERAND.includes(action);
  if (isPlain && operand !== undefined)
    throw new UsageError(`pack ${action} takes no operand: unexpected "${operand}"`);
  if (!isPlain && operand === undefined)
    throw new UsageError(`pack ${action} takes an operand; see lurecheck help pack`);
  if (extra !== undefined && action !== 'verify')
    throw new UsageError(`pack ${action} takes one operand: unexpected "${extra}"`);
  const { data_dir: dataDir } = invocation.config;
  const named = operand ?? '';
  const isJson = wantsJson(invocation);
  if (action === 'build') return await buildPack(invocation, named, io);
  if (action === 'sign') return await resignPack(invocation, named, io);
  if (action === 'verify') return await verify(operands, invocation, io);
  if (action === 'install') return await installPack(invocation, named, io);
  if (action === 'trust') return await trustKey(invocation, named, io);
  if (action === 'revoke') return await revokeKey(invocation, named, io);
  if (action === 'remove') return await remove(invocation, named, io);
  if (action === 'rollback') return await rollBack(invocation, io);
  if (action === 'keys') {
    const { publishers } = readPackState(dataDir);
    await io.stdout.write(isJson ? indentedJson(publishers) : publishersAsText(publishers));
    return 0;
  }
  const packs = await listPacks(dataDir);
  const rows = packs.map((pack) => ({ ...packRow(pack), facts: pack.facts }));
  await io.stdout.write(isJson ? indentedJson(rows) : packsAsText(packs));
  return 0;
}

/** Verifies the signatures of packs, and prints whether each signer is trusted here. */
async function verify(paths: readonly string[], { config, resolvePath }: PackInvocation, io: Io): Promise<ExitCode> {
  let isSound = true;
  const { publishers } = readPackState(config.data_dir);
  for (const path of paths) {
    try {
      const pack = openPack(await readSeal(resolvePath(path)));
      await verifyMembers(pack);
      const facts = (await factsIn(pack)).map(({ name, retrieved }) => `, ${name} of ${retrieved}`).join('');
      const known = publishers.find(({ fingerprint }) => fingerprint === pack.signer?.fingerprint);
      const standing = known ? (known.revoked === null ? 'trusted here' : 'revoked here') : 'not trusted here';
      isSound &&= pack.signer !== null;
      await io.stdout.write(
        `${visibleInTerminal(path)}: ${packLine(pack.manifest, pack.signer)}${facts}, ${standing}\n`,
      );
    } catch (error) {
      if (!(error instanceof PackError)) throw error;
      isSound = false;
      await io.stderr.write(`${visibleInTerminal(path)}: is NOT trustworthy: ${visibleInTerminal(error.message)}\n`);
    }
  }
  return isSound ? 0 : 1;
}

async function remove(invocation: PackInvocation, name: string, io: Io): Promise<ExitCode> {
  const { data_dir: dataDir } = invocation.config;
  await asUsage(perform(REMOVE_PACK, commandPlace(invocation), invocation.actor, name));
  return await reportActivation(`${name} is removed (undo: lurecheck pack rollback)`, dataDir, 'packs', io);
}

async function rollBack(invocation: PackInvocation, io: Io): Promise<ExitCode> {
  const { data_dir: dataDir } = invocation.config;
  const active = await asUsage(perform(ROLL_BACK_PACKS, commandPlace(invocation), invocation.actor, null));
  const names = active.map(({ name, version }) => `${name} ${version}`);
  const installed = names.length === 0 ? 'no pack is installed' : `installed now: ${names.join(', ')}`;
  return await reportActivation(installed, dataDir, 'packs', io);
}

/** Waits for an act; without the pack that it is about, the command line is wrong. */
async function asUsage<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const isUsage = isCoded(error) && ['pack_not_found', 'nothing_to_roll_back'].includes(error.errorCode);
    throw isUsage ? new UsageError(error.message, { cause: error }) : error;
  }
}

/** Runs `lurecheck pack build DIR --key FILE --output FILE`; without a key, the pack is signed later. */
async function buildPack(invocation: Invocation, folder: string, io: Io): Promise<ExitCode> {
  const output = invocation.text('output');
  if (output === undefined) throw new UsageError('--output FILE is required');
  if ((await pathKind(folder)) !== 'folder') throw new UsageError(`folder not found: ${folder}`);
  const key = await keyOf(invocation);
  const { about, members } = await readPackFolder(folder, systemClock.now());
  await writePack(output, about, members, key);
  const sealed = await readSeal(output);
  // The publisher, not the operators who trust the pack, learns of content that no host can use.
  await readContents(openPack(sealed), await openKnowledge(), openModelFiles);
  await io.stderr.write(`lurecheck: ${visibleInTerminal(output)} is ${sealText(sealed.signer)}\n`);
  return 0;
}

/** `lurecheck pack sign FILE --key FILE` */
async function resignPack(invocation: Invocation, path: string, io: Io): Promise<ExitCode> {
  const key = await keyOf(invocation);
  if (key === null) throw new UsageError('--key FILE is required: the private key that signs');
  const sealed = await readSeal(path);
  await verifyMembers(openPack(sealed));
  await signPack(sealed, key);
  await io.stderr.write(`lurecheck: ${visibleInTerminal(path)} is ${sealText((await readSeal(path)).signer)}\n`);
  return 0;
}

async function keyOf(invocation: Invocation) {
  const path = await fileOf(invocation, 'key');
  return path === undefined ? null : readPrivateKey(await Bun.file(path).text());
}

/** Describes the signer. */
function sealText(signer: Signer | null): string {
  return signer === null
    ? 'not signed; sign it with lurecheck pack sign'
    : `signed by the key ${shortId(signer.fingerprint)}`;
}

/** A pack in a line. */
function packLine({ name, version, publisher, created, expires, members }: Manifest, signer: Signer | null): string {
  const bytes = members.reduce((sum, member) => sum + member.bytes, 0);
  const of = `${name} ${version} of ${publisher}, created ${created.slice(0, 10)}, expires ${expires.slice(0, 10)}`;
  const held = `${counted(members.length, 'member')} of ${counted(bytes, 'byte')}`;
  return visibleInTerminal(`${of}, ${held}, ${sealText(signer)}`);
}

/** A line for each pack. */
function packsAsText(packs: readonly ListedPack[]): string {
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

/** A line for each key that is trusted, or was. */
function publishersAsText(publishers: readonly Publisher[]): string {
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
