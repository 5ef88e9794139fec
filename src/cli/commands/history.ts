import { systemClock } from '#src/base/clock.ts';
import { visibleJson } from '#src/base/foreign-text.ts';
import { keptAsideIn } from '#src/store/file/keep-aside.ts';
import { type LocalLog, openLocalLog } from '#src/store/local-log.ts';
import { readLines } from '../check/line-reader.ts';
import { type Command, choice, type Invocation, UsageError } from '../command.ts';
import { diagnosticsOf } from '../diagnostics.ts';
import type { ExitCode } from '../exit-codes.ts';
import { awaitDeletion } from '../history/await-deletion.ts';
import {
  DELETION_FORMATS,
  deletionAsJson,
  deletionsAsText,
  describeEarlier,
  describeUndone,
} from '../history/deletion-text.ts';
import { countOf, describeMeant, readMeant } from '../history/meant.ts';
import type { Io } from '../io.ts';

/** `lurecheck history` */
export const historyCommand: Command<'history'> = {
  name: 'history',
  operands: 'delete | deletions',
  summary: 'deletes checks from a log, without a trace in any file, or shows what was deleted',
  options: {
    private: { type: 'boolean', description: 'The private log, in place of the public one.' },
    id: { type: 'string', value: 'REQUEST_ID', description: 'The one check with this id.' },
    domain: { type: 'string', value: 'DOMAIN', description: 'All checks of hosts that end in this domain.' },
    before: {
      type: 'string',
      value: 'TIME',
      description: 'All checks that began before this time: 2026-01-31 or 2026-01-31T12:00:00Z.',
    },
    yes: { type: 'boolean', short: 'y', description: 'Delete without asking.' },
    format: { type: 'string', words: DELETION_FORMATS, description: 'How to write what was deleted. Default: text.' },
  },
  examples: [
    { line: 'lurecheck history delete --domain example.com', purpose: 'Forget a site that was checked publicly.' },
    {
      line: 'lurecheck history delete --private --id 019c13f7-9800-7a11-8b3c-5d9f1e2a4c6b --yes',
      purpose: 'Forget one private check, with all that is known of who asked.',
    },
    { line: 'lurecheck history deletions --domain example.com', purpose: 'Whether and when that was asked for.' },
  ],
  async run(invocation, io) {
    const [action, extra] = invocation.positionals;
    if (extra !== undefined) throw new UsageError(`history ${action} takes no operand, and "${extra}" is one`);
    const request = readRequest(invocation);
    refuseDatabases(invocation.config);
    if (action === 'delete') return await remove(invocation, request, io);
    if (action === 'deletions') return await list(invocation, request, io);
    throw new UsageError(`write history delete or history deletions${action ? `, not history ${action}` : ''}`);
  },
};

type HistoryInvocation = Parameters<typeof historyCommand.run>[0];
type HistoryRequest = ReturnType<typeof readRequest>;

function readRequest(invocation: Invocation) {
  return {
    visibility: invocation.flag('private') ? 'private' : 'public',
    meant: readMeant(invocation),
    format: choice(invocation, 'format', DELETION_FORMATS) ?? 'text',
  } as const;
}

/** Nobody must think that something is gone which lies elsewhere. */
function refuseDatabases({ log_database: databases }: HistoryInvocation['config']): void {
  if (databases.length === 0) return;
  throw new UsageError(
    'log_database is set, so that the logs are in databases, and this deletes from files alone; ' +
      'delete there as the role lurecheck_owner, or leave log_database out to mean the files of data_dir',
  );
}

function openToAsk({ config }: HistoryInvocation, logger: ReturnType<typeof diagnosticsOf>): Promise<LocalLog> {
  return openLocalLog({ dataDir: config.data_dir, access: 'read', clock: systemClock, logger });
}

async function remove(
  invocation: HistoryInvocation,
  { visibility, meant, format }: HistoryRequest,
  io: Io,
): Promise<ExitCode> {
  if (meant === null) throw new UsageError('write what to delete: --id, --domain or --before');
  const logger = diagnosticsOf(invocation, io.stderr);
  const dataDir = invocation.config.data_dir;
  await using log = await openToAsk(invocation, logger);
  const count = log.deletions.count(visibility, meant);
  if (count > 0 && !invocation.flag('yes')) {
    const isMeant = await confirm(`This deletes ${describeMeant(count, visibility, meant)}, for good. Go on?`, io);
    if (!isMeant) {
      await io.stderr.write('lurecheck: nothing was deleted\n');
      return 1;
    }
  }
  const earlier = log.deletions.all(visibility).filter(({ doneAtMs }) => doneAtMs === null);
  const id = log.deletions.ask(visibility, meant);
  const { deletion, problem } = await awaitDeletion({ log, dataDir, visibility, id, logger });
  if (deletion === null || deletion.doneAtMs === null) {
    await io.stderr.write(`lurecheck: ${describeUndone(deletion, problem)}\n`);
    return 1;
  }
  await io.stdout.write(
    format === 'json'
      ? asJson(deletionAsJson(visibility, deletion))
      : `${countOf(deletion.removed)} deleted from the ${visibility} log\n`,
  );
  const before = earlier.flatMap((one) => log.deletions.find(visibility, one.id) ?? []).map(describeEarlier);
  const aside = keptAsideIn(dataDir).map(
    (path) => `${path} was kept aside and may still have them; remove it once it is not needed`,
  );
  for (const note of invocation.isQuiet ? [] : [...before, ...aside]) await io.stderr.write(`lurecheck: ${note}\n`);
  return meant.by === 'id' && count === 0 ? await missing(meant.wanted, io) : 0;
}

const MAX_ANSWER_BYTES = 64;

/** Asks a question that is answered by a line of standard input. Throws a UsageError where there is none: then nobody was asked. */
async function confirm(question: string, { stdin, stderr }: Io): Promise<boolean> {
  await stderr.write(`${question} [y/N] `);
  for await (const [line] of readLines(stdin, MAX_ANSWER_BYTES)) return /^y(es)?$/i.test(line?.text?.trim() ?? '');
  await stderr.write('\n');
  throw new UsageError('nobody is there to confirm it: write --yes where it is meant');
}

async function missing(id: string, io: Io): Promise<ExitCode> {
  await io.stderr.write(`lurecheck: the log has no check with the id ${id}\n`);
  return 1;
}

async function list(
  invocation: HistoryInvocation,
  { visibility, meant, format }: HistoryRequest,
  io: Io,
): Promise<ExitCode> {
  if (invocation.flag('yes')) throw new UsageError('--yes is for history delete');
  await using log = await openToAsk(invocation, diagnosticsOf(invocation, io.stderr));
  const hash = meant && log.deletions.hashOf(meant.wanted);
  const found = log.deletions.all(visibility).filter(({ wantedHash }) => hash === null || wantedHash.equals(hash));
  await io.stdout.write(
    format === 'json' ? asJson(found.map((one) => deletionAsJson(visibility, one))) : deletionsAsText(found),
  );
  return 0;
}

function asJson(value: unknown): string {
  return `${visibleJson(JSON.stringify(value, null, 2))}\n`;
}
