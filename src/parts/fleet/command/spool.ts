import type { Io } from '#src/core/base/io.ts';
import { isRequestId } from '#src/core/base/request-id.ts';
import { counted } from '#src/core/base/text/counted.ts';
import { type Command, UsageError } from '#src/interfaces/cli/command.ts';
import { confirm } from '#src/interfaces/cli/confirm.ts';
import type { ExitCode } from '#src/interfaces/cli/exit-codes.ts';
import { REPORT_FORMAT, wantsJson } from '#src/interfaces/cli/report-format.ts';
import type { SpoolAction, SpoolContents } from '#src/parts/postgres/manage-spools.ts';

/** `lurecheck spool` */
export const spoolCommand: Command<'spool'> = {
  name: 'spool',
  operands: 'list | retry [ID…] | drop [ID…]',
  summary: 'list, retry or drop checks that the databases refused',
  options: {
    yes: { type: 'boolean', description: 'Drop without confirmation.' },
    format: { ...REPORT_FORMAT, description: 'Format of the list. Default: text.' },
  },
  examples: [
    { line: 'lurecheck nodes spool list', purpose: 'List checks that the databases refused, with the reason.' },
    {
      line: 'lurecheck nodes spool retry',
      purpose: 'Retry all of them; a running service does so within two seconds.',
    },
    {
      line: 'lurecheck nodes spool drop 019c13f7-9800-7a11-8b3c-5d9f1e2a4c6b --yes',
      purpose: 'Delete a check that the database will never accept.',
    },
  ],
  async run(invocation, io) {
    const [action, ...ids] = invocation.positionals;
    const isJson = wantsJson(invocation);
    const wrong = ids.find((id) => !isRequestId(id));
    if (wrong !== undefined) throw new UsageError(`"${wrong}" is not a request id`);
    const dataDir = invocation.config.data_dir;
    if (action === 'list' && ids.length === 0) return await list(dataDir, isJson, io);
    if (action === 'retry' || action === 'drop') {
      const meant = ids.length === 0 ? null : ids;
      return await change(dataDir, action, meant, invocation.flag('yes'), io);
    }
    throw new UsageError('expected spool list, spool retry [ID…] or spool drop [ID…]');
  },
};

async function list(dataDir: string, isJson: boolean, io: Io): Promise<ExitCode> {
  const { listSpools } = await import('#src/parts/postgres/manage-spools.ts');
  const contents = listSpools(dataDir);
  await io.stdout.write(isJson ? `${JSON.stringify(contents)}\n` : textOf(contents));
  return 0;
}

function textOf({ waiting, set_aside: setAside }: SpoolContents): string {
  const lines = setAside.map(
    ({ request_id, log, timestamp, state }) =>
      `${request_id}  ${log}  ${timestamp}  refused with ${state ?? 'no code'}`,
  );
  const summary = `${counted(waiting.public, 'public check')} and ${counted(waiting.private, 'private check')} waiting for the databases, ${setAside.length} set aside`;
  return `${[...lines, summary].join('\n')}\n`;
}

async function change(
  dataDir: string,
  action: SpoolAction,
  ids: readonly string[] | null,
  isConfirmed: boolean,
  io: Io,
): Promise<ExitCode> {
  const { changeSpools, listSpools } = await import('#src/parts/postgres/manage-spools.ts');
  if (action === 'drop' && !isConfirmed) {
    const there = listSpools(dataDir).set_aside.filter(({ request_id }) => ids === null || ids.includes(request_id));
    if (there.length > 0 && !(await confirm(`Permanently delete ${counted(there.length, 'check')}?`, io))) return 1;
  }
  const changed = changeSpools(dataDir, action, ids);
  const verb = action === 'retry' ? 'queued for retry' : 'deleted';
  await io.stdout.write(`${counted(changed, 'check')} ${verb}\n`);
  if (ids === null || changed === ids.length) return 0;
  await io.stderr.write(`lurecheck: ${counted(ids.length - changed, 'id')} not found among the checks set aside\n`);
  return 1;
}
