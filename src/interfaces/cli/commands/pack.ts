import { systemClock } from '#src/core/base/clock.ts';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import { openPack, proveMembers } from '#src/admin/packs/open-pack.ts';
import { PackError } from '#src/admin/packs/pack-error.ts';
import { changePackState, packsBefore, readPackState, withoutPack } from '#src/admin/packs/pack-state.ts';
import { readSeal } from '#src/admin/packs/seal.ts';
import type { ConfigFor } from '#src/app/config.ts';
import { openKnowledge } from '#src/admin/active/models.ts';
import { listPacks, requireOpen } from '#src/admin/pack-updates/list-packs.ts';
import { applyPackLists } from '#src/admin/pack-updates/pack-lists.ts';
import { audited } from '#src/admin/audit/audit-log.ts';
import { type Command, choice, type Invocation, UsageError } from '../command.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { Io } from '#src/core/base/io.ts';
import { installPack } from '../pack/install.ts';
import { buildPack, resignPack } from '../pack/make-pack.ts';
import { packLine, packsAsJson, packsAsText, publishersAsJson, publishersAsText } from '../pack/pack-text.ts';
import { revokeKey, trustKey } from '../pack/publishers.ts';
import { tellActive } from '../report-activation.ts';

/** How lists are written. */
const PACK_FORMATS = ['text', 'json'] as const;

/** `lurecheck pack` */
export const packCommand: Command<'pack'> = {
  name: 'pack',
  operands: 'build DIR | sign | verify | install | trust FILE | revoke HEX | remove NAME | list | keys | rollback',
  summary: 'makes and installs signed files of what a box is to know: model, thresholds, lists, brands',
  options: {
    key: { type: 'string', value: 'FILE', description: 'Private Ed25519 key, as PEM, with which to build or sign.' },
    output: { type: 'string', value: 'FILE', description: 'Where to write the pack that is built.' },
    name: { type: 'string', value: 'NAME', description: 'Whose key it is that is to be trusted.' },
    fingerprint: {
      type: 'string',
      value: 'HEX',
      description: 'What the publisher told of the key that is to be trusted: at least 16 digits of it.',
    },
    yes: { type: 'boolean', short: 'y', description: 'Install, or trust, without asking.' },
    older: { type: 'boolean', description: 'Install also what is older than the one in force.' },
    limit: { type: 'string', value: 'N', description: 'Compare by the newest N public checks. Default: 10000.' },
    format: { type: 'string', words: PACK_FORMATS, description: 'How to write a list. Default: text.' },
  },
  examples: [
    { line: 'lurecheck pack build DIR --key acme.key --output acme-7.pack', purpose: 'Make a pack of a folder.' },
    {
      line: 'lurecheck pack trust acme.pem --name Acme --fingerprint 3f9a…',
      purpose: 'Trust a publisher, by what it told you of its key.',
    },
    { line: 'lurecheck pack install acme-7.pack', purpose: 'See what it would change, and put it in force.' },
    { line: 'lurecheck pack rollback', purpose: 'Go back to what was in force before.' },
  ],
  changes: ['install', 'remove', 'trust', 'revoke', 'rollback'],
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
    throw new UsageError(`write pack ${ACTIONS.toSorted().join(', pack ')}${action && `, not "${action}"`}`);
  }
  const [operand, extra] = operands;
  const isPlain = WITHOUT_OPERAND.includes(action);
  if (isPlain && operand !== undefined)
    throw new UsageError(`pack ${action} takes no operand, and "${operand}" is one`);
  if (!isPlain && operand === undefined)
    throw new UsageError(`pack ${action} takes an operand; see lurecheck help pack`);
  if (extra !== undefined && action !== 'verify')
    throw new UsageError(`pack ${action} takes one operand, and "${extra}" is another`);
  const { data_dir: dataDir } = invocation.config;
  const named = operand ?? '';
  const isJson = choice(invocation, 'format', PACK_FORMATS) === 'json';
  if (action === 'build') return await buildPack(invocation, named, io);
  if (action === 'sign') return await resignPack(invocation, named, io);
  if (action === 'verify') return await verify(operands, invocation, io);
  if (action === 'install') return await installPack(invocation, named, io);
  if (action === 'trust') return await trustKey(invocation, dataDir, named, io);
  if (action === 'revoke') return await revokeKey(invocation, dataDir, named, io);
  if (action === 'remove') return await remove(invocation, named, io);
  if (action === 'rollback') return await rollBack(invocation, io);
  if (action === 'keys') {
    const { publishers } = readPackState(dataDir);
    await io.stdout.write(isJson ? publishersAsJson(publishers) : publishersAsText(publishers));
    return 0;
  }
  const packs = await listPacks(dataDir);
  await io.stdout.write(isJson ? packsAsJson(packs) : packsAsText(packs));
  return 0;
}

/** Whether packs are as they were signed; who of the signers is trusted here stands behind it. */
async function verify(paths: readonly string[], { config, place }: PackInvocation, io: Io): Promise<ExitCode> {
  let isSound = true;
  const { publishers } = readPackState(config.data_dir);
  for (const path of paths) {
    try {
      const pack = openPack(await readSeal(place(path)));
      await proveMembers(pack);
      const known = publishers.find(({ fingerprint }) => fingerprint === pack.signer?.fingerprint);
      const standing = known ? (known.revoked === null ? 'trusted here' : 'revoked here') : 'not trusted here';
      isSound &&= pack.signer !== null;
      await io.stdout.write(`${visibleInTerminal(path)}: ${packLine(pack.manifest, pack.signer)}, ${standing}\n`);
    } catch (error) {
      if (!(error instanceof PackError)) throw error;
      isSound = false;
      await io.stderr.write(`${visibleInTerminal(path)}: is NOT to be trusted: ${visibleInTerminal(error.message)}\n`);
    }
  }
  return isSound ? 0 : 1;
}

async function remove({ config, actor }: PackInvocation, name: string, io: Io): Promise<ExitCode> {
  const { data_dir: dataDir } = config;
  if (!readPackState(dataDir).inForce.some((pack) => pack.name === name)) {
    throw new UsageError(`no pack "${name}" is in force; see lurecheck pack list`);
  }
  audited(dataDir, actor, { action: 'pack.remove', subject: name }, () =>
    changePackState(dataDir, (state) => withoutPack(state, name)),
  );
  await applyPackLists(dataDir, systemClock);
  return await tellActive(`${name} is removed (undo: lurecheck pack rollback)`, dataDir, 'packs', io);
}

async function rollBack({ config, actor }: PackInvocation, io: Io): Promise<ExitCode> {
  const { data_dir: dataDir } = config;
  const knowledge = await openKnowledge();
  const before = packsBefore(readPackState(dataDir));
  if (before === null) throw new UsageError('there is nothing to take back; see lurecheck pack list');
  await requireOpen(dataDir, before, knowledge);
  const { inForce } = audited(dataDir, actor, { action: 'pack.rollback', subject: null }, () =>
    changePackState(dataDir, (state) => packsBefore(state) ?? state),
  );
  await applyPackLists(dataDir, systemClock);
  const names = inForce.map(({ name, version }) => `${name} ${version}`);
  const installed = names.length === 0 ? 'no pack is installed now' : `installed now: ${names.join(', ')}`;
  return await tellActive(installed, dataDir, 'packs', io);
}
