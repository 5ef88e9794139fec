import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { visibleJson } from '#src/core/base/text/untrusted-text.ts';
import { IS_EXECUTABLE } from '#src/core/base/is-executable.ts';
import { type Command, choice, type Invocation, UsageError } from '../command.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { Io } from '#src/core/base/io.ts';
import { carryOut } from '#src/admin/installation/apply-change.ts';
import type { Manager } from '#src/admin/installation/manager.ts';
import { MANAGERS } from '#src/admin/installation/managers.ts';
import { planInstall } from '#src/admin/installation/plan-install.ts';
import { planRemoval } from '#src/admin/installation/plan-removal.ts';
import { describeStatus, type ServiceStatus, statusOf } from '../service/status.ts';
import { describeChange, isDeed, type SystemChange } from '#src/admin/installation/system-change.ts';
import { serveCommand } from './serve.ts';

const MANAGER_NAMES = ['systemd', 'openrc'] as const;

/** How the status is written. */
const STATUS_FORMATS = ['text', 'json'] as const;

/** `lurecheck service` */
export const serviceCommand: Command<'service'> = {
  name: 'service',
  operands: 'install | status | remove',
  summary: 'has this machine run lurecheck as a user of its own from its start on, by systemd or OpenRC',
  options: {
    'dry-run': { type: 'boolean', description: 'Say what would be done, with the text of each file, and do nothing.' },
    root: { type: 'string', value: 'DIR', description: 'Install into, or remove from, the tree of another machine.' },
    manager: { type: 'string', words: MANAGER_NAMES, description: 'What runs that machine. Default: what is there.' },
    'no-start': { type: 'boolean', description: 'Install it so that it starts with the machine, and not before.' },
    replace: { type: 'boolean', description: 'Write anew what somebody has changed, and keep that beside it.' },
    purge: { type: 'boolean', description: 'With remove: data, settings and user go, too. Nothing brings them back.' },
    format: { type: 'string', words: STATUS_FORMATS, description: 'How to write the status. Default: text.' },
  },
  examples: [
    { line: 'lurecheck service install', purpose: 'As root: user, unit, settings and data directory; start it.' },
    { line: 'lurecheck service install --dry-run', purpose: 'Show all of that, and change nothing.' },
    {
      line: 'lurecheck service status || echo "exit code $?"',
      purpose: 'Which unit, which version, is it ready, where are the data? 0, 1, 3 or 4 tells scripts.',
    },
    { line: 'lurecheck service remove', purpose: 'Stop it and take the unit away; data and settings stay.' },
  ],
  async run(invocation, io) {
    const [action, extra] = invocation.positionals;
    if (extra !== undefined) throw new UsageError(`service ${action} takes no operand, and "${extra}" is one`);
    if (action === 'status') return await status(invocation, io);
    if (action !== 'install' && action !== 'remove') {
      throw new UsageError(`service takes install, status or remove${action === undefined ? '' : `, not "${action}"`}`);
    }
    const isDry = invocation.flag('dry-run');
    if (!isDry && process.geteuid?.() !== 0) {
      throw new UsageError(
        `service ${action} changes files of the system: run it as root, or look with --dry-run at what it would do`,
      );
    }
    const root = rootOf(invocation);
    const manager = managerOf(invocation, root);
    const plan = action === 'install' ? install(invocation, root, manager) : removal(invocation, root, manager);
    return isDry ? await show(plan, io) : await carry(plan, root, io);
  },
};

function rootOf(invocation: Pick<Invocation, 'text'>): string {
  const text = invocation.text('root');
  if (text !== undefined && !existsSync(text)) throw new UsageError(`--root is "${text}", and there is no such folder`);
  return resolve(text ?? '/');
}

function managerOf(invocation: Pick<Invocation, 'text'>, root: string): Manager {
  const word = choice(invocation, 'manager', MANAGER_NAMES);
  const found = MANAGERS.find((one) => (word === undefined ? isInCharge(one, root) : one.name === word));
  if (found !== undefined) return found;
  throw new UsageError(
    'neither systemd nor OpenRC runs it; name one with --manager, or have another program start lurecheck serve',
  );
}

const isInCharge = (manager: Manager, root: string) => (root === '/' ? manager.isRunning() : manager.isIn(root));

function install(invocation: Invocation, root: string, manager: Manager): SystemChange[] {
  if (!IS_EXECUTABLE) throw new UsageError('it is the executable that is installed; make it first: bun run build');
  const [isReplacing, isStarted] = [invocation.flag('replace'), !invocation.flag('no-start')];
  return planInstall({ root, manager, program: process.execPath, isReplacing, isStarted });
}

function removal(invocation: Invocation, root: string, manager: Manager): SystemChange[] {
  return planRemoval({ root, manager, isPurging: invocation.flag('purge') });
}

async function show(plan: readonly SystemChange[], io: Io): Promise<0> {
  for (const change of plan) {
    const text = change.kind === 'file' ? change.text.replace(/^/gm, '        ').trimEnd().concat('\n') : '';
    await io.stdout.write(`${describeChange(change)}${text}`);
  }
  await io.stderr.write('lurecheck: nothing was done; this is what would be\n');
  return 0;
}

async function carry(plan: readonly SystemChange[], root: string, io: Io): Promise<0> {
  // Whoever is careful with their own files has no less use for the folders of the system.
  process.umask(0o022);
  for (const change of plan) {
    await carryOut(change, root);
    await io.stdout.write(describeChange(change));
  }
  if (!plan.some(isDeed)) await io.stderr.write('lurecheck: nothing was to be done\n');
  return 0;
}

/** By the state of the worst: all is well, or something that runs is not ready, or nothing runs, or nothing is there. */
async function status(invocation: Invocation, io: Io): Promise<ExitCode> {
  const format = choice(invocation, 'format', STATUS_FORMATS) ?? 'text';
  const manager = MANAGERS.find((one) => one.isRunning());
  const states = (await manager?.states()) ?? [];
  const found = await Promise.all(states.map((state) => statusOf(state, serveCommand, io)));
  // Where several processes run, the unit of a single one is of no interest.
  const shown =
    found.length > 1 ? found.filter(({ isEnabled, activity }) => isEnabled || activity !== 'stopped') : found;
  await io.stdout.write(
    format === 'json'
      ? `${visibleJson(JSON.stringify({ manager: manager?.name ?? null, services: shown.map(asJson) }, null, 2))}\n`
      : shown.map(describeStatus).join('') || 'lurecheck is not installed as a service\n',
  );
  return exitCodeOf(shown);
}

const asJson = ({ isEnabled, ...status }: ServiceStatus) => ({ ...status, enabled: isEnabled });

function exitCodeOf(services: readonly ServiceStatus[]): ExitCode {
  if (services.length === 0) return 4;
  if (services.every(({ activity }) => activity === 'stopped')) return 3;
  const isWell = ({ activity, service }: ServiceStatus) => activity === 'running' && service?.ready !== false;
  return services.every(isWell) ? 0 : 1;
}
