import type { Io } from '#src/core/base/io.ts';
import { SettingsError } from '#src/core/base/settings/settings-error.ts';
import { counted } from '#src/core/base/text/counted.ts';
import { visibleInTerminal, visibleJson } from '#src/core/base/text/untrusted-text.ts';
import { readListState, type StoredVersion } from '#src/network/lists/stored/list-state.ts';
import { whyHeldBack } from '#src/network/lists/stored/quarantine-text.ts';
import { readVersion } from '#src/network/lists/stored/version-file.ts';
import type { VersionRow } from '#src/network/lists/stored/version-row.ts';
import { batchOutput } from '../batched-output.ts';
import type { ExitCode } from '../exit-codes.ts';
import { reportState } from '../report-activation.ts';
import type { ListsInvocation } from './lists-invocation.ts';

/** `lurecheck lists show [NAME]`: which lists there are, or the entries of one as they are read. */
export async function showLists(invocation: ListsInvocation, io: Io, name: string): Promise<ExitCode> {
  const { data_dir: dataDir } = invocation.config;
  const isJson = invocation.text('format') === 'json';
  const { lists } = await readListState(dataDir);
  if (name === '') {
    await io.stdout.write(isJson ? asJson(lists.map(shown)) : lists.map(listLine).join('') || 'no lists\n');
    await reportState('the lists', dataDir, 'lists', io);
    return 0;
  }
  const version = lists.find((list) => list.name === name);
  if (!version) throw new SettingsError([`list not found: ${name}; see lurecheck lists show`]);
  const output = batchOutput(io.stdout);
  for await (const rows of readVersion(dataDir, version.file)) {
    for (const row of rows)
      await output.write(isJson ? visibleJson(`${JSON.stringify(shownRow(row))}\n`) : rowLine(row));
  }
  await output.flush();
  await reportState('the lists', dataDir, 'lists', io);
  return 0;
}

/** `lurecheck lists history`: what was done to the lists, the last first. */
export async function showHistory(invocation: ListsInvocation, io: Io): Promise<ExitCode> {
  const { history } = await readListState(invocation.config.data_dir);
  const lines = history.map(({ at, by, what, list, source, entries, quarantined }) => {
    const held = quarantined > 0 ? `, ${quarantined} not applied` : '';
    const from = source === null ? '' : `\t${visibleInTerminal(source)}`;
    return `${at}\t${by}\t${what}\t${list ?? 'all'}\t${counted(entries, 'entry', 'entries')}${held}${from}\n`;
  });
  const text = lines.join('') || 'no changes of the lists\n';
  await io.stdout.write(invocation.text('format') === 'json' ? asJson(history) : text);
  return 0;
}

function listLine({ name, action, weight, origin, source, changed_at, entries, quarantined }: StoredVersion): string {
  const held = quarantined > 0 ? `, ${quarantined} not applied` : '';
  const says = weight === null ? 'final' : `weight ${weight}`;
  return `${name}\t${action}\t${says}\t${counted(entries, 'entry', 'entries')}${held}\t${origin}\t${changed_at}${source === null ? '' : `\t${visibleInTerminal(source)}`}\n`;
}

function shown({ file: _, text_bytes: __, ...version }: StoredVersion) {
  return version;
}

function rowLine({ entry, line, addedAt, expiresAt, quarantine, isException, source, comment }: VersionRow): string {
  const columns = [
    `line ${line}`,
    `since ${dayOf(addedAt)}`,
    ...(expiresAt === null ? [] : [`until ${instantOf(expiresAt)}`]),
    ...(isException ? ['exception'] : []),
    ...(quarantine === null ? [] : [`not applied: it ${whyHeldBack(quarantine)}`]),
    ...(source === null ? [] : [visibleInTerminal(source)]),
    ...(comment === null ? [] : [visibleInTerminal(comment)]),
  ];
  return `${[entry, ...columns].join('\t')}\n`;
}

function shownRow({ addedAt, expiresAt, isException, ...row }: VersionRow) {
  const times = { added_at: instantOf(addedAt), expires_at: expiresAt === null ? null : instantOf(expiresAt) };
  return { ...row, ...times, exception: isException };
}

function dayOf(seconds: number): string {
  return instantOf(seconds).slice(0, 10);
}

function instantOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

function asJson(value: unknown): string {
  return `${visibleJson(JSON.stringify(value, null, 2))}\n`;
}
