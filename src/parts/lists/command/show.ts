import type { ConfigFor } from '#src/app/config.ts';
import { openLog } from '#src/app/open-log.ts';
import type { HitsByList } from '#src/checks/store/read/list-hits.ts';
import { HIT_DAYS, hitsOf } from '#src/checks/store/read/recent-list-hits.ts';
import { DAY_MS, systemClock } from '#src/core/base/clock.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import type { Io } from '#src/core/base/io.ts';
import { counted } from '#src/core/base/text/counted.ts';
import { visibleInTerminal, visibleJson } from '#src/core/base/text/untrusted-text.ts';
import { batchOutput } from '#src/interfaces/cli/batched-output.ts';
import { choice, type Invocation } from '#src/interfaces/cli/command.ts';
import { diagnosticsOf } from '#src/interfaces/cli/diagnostics.ts';
import type { ExitCode } from '#src/interfaces/cli/exit-codes.ts';
import { hasHistory } from '#src/interfaces/cli/log/read-checks.ts';
import { reportState } from '#src/interfaces/cli/report-activation.ts';
import { indentedJson } from '#src/interfaces/cli/report-format.ts';
import { readListState, type StoredVersion } from '#src/network/lists/stored/list-state.ts';
import { whyHeldBack } from '#src/network/lists/stored/quarantine-text.ts';
import type { VersionRow } from '#src/network/lists/stored/version-file.ts';
import { ENTRY_SORTS, type EntryQuery, findEntries } from '../find-entries.ts';

/** Entries that are read in one pass over a list. */
const A_PAGE = 100_000;

/** `lurecheck lists show [NAME]`: which lists there are, or the entries of one, all or those that a text finds. */
export async function showLists(invocation: ListsInvocation, io: Io, name: string): Promise<ExitCode> {
  const { data_dir: dataDir } = invocation.config;
  const isJson = invocation.text('format') === 'json';
  const { lists } = await readListState(dataDir);
  if (name === '') {
    const hits = await readHits(invocation, io);
    const totals = new Map(lists.map(({ name }) => [name, hits && (hits.get(name)?.total ?? 0)]));
    const hitsIn = (list: StoredVersion) => totals.get(list.name) ?? null;
    const text = lists.map((list) => listLine(list, hitsIn(list))).join('') || 'no lists\n';
    await io.stdout.write(
      isJson ? indentedJson(lists.map((list) => ({ ...shown(list), ...hitsMember(hitsIn(list)) }))) : text,
    );
    await reportState('the lists', dataDir, 'lists', io);
    return 0;
  }
  const version = lists.find((list) => list.name === name);
  if (!version) throw new OperationError('list_not_found', [`list not found: ${name}; see lurecheck lists show`]);
  const hits = await readHits(invocation, io);
  const sort = choice(invocation, 'sort', ENTRY_SORTS) ?? 'line';
  // The latest and the most hit ones are what is looked for.
  const isDescending = sort === 'hits' || sort === 'added';
  const ranked = new Map([...(hits ?? [])].map(([list, { entries }]) => [list, entries]));
  const output = batchOutput(io.stdout);
  let after: EntryQuery['after'] = null;
  do {
    const query = { search: invocation.text('search') ?? '', sort, isDescending, after, limit: A_PAGE };
    const page = await findEntries(dataDir, [version], query, ranked);
    for (const { row } of page.entries) {
      const count = hits && hitsOf(hits, name, row.entry);
      const json = { ...shownRow(row), ...hitsMember(count) };
      await output.write(isJson ? visibleJson(`${JSON.stringify(json)}\n`) : rowLine(row, count));
    }
    after = page.next;
  } while (after !== null);
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
  await io.stdout.write(invocation.text('format') === 'json' ? indentedJson(history) : text);
  return 0;
}

/** The hits in JSON; left out if they were not counted. */
function hitsMember(hits: number | null) {
  return hits === null ? {} : { hits };
}

function listLine(list: StoredVersion, hits: number | null): string {
  const { name, action, weight, origin, source, changed_at, entries, quarantined } = list;
  const held = quarantined > 0 ? `, ${quarantined} not applied` : '';
  const says = weight === null ? 'final' : `weight ${weight}`;
  const decided = hits === null ? '' : `, ${counted(hits, 'hit')}`;
  return `${name}\t${action}\t${says}\t${counted(entries, 'entry', 'entries')}${held}${decided}\t${origin}\t${changed_at}${source === null ? '' : `\t${visibleInTerminal(source)}`}\n`;
}

function shown({ file: _, text_bytes: __, ...version }: StoredVersion) {
  return version;
}

function rowLine(row: VersionRow, hits: number | null): string {
  const { entry, line, addedAt, expiresAt, quarantine, isException, source, comment } = row;
  const columns = [
    ...(hits === null ? [] : [counted(hits, 'hit')]),
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

/** Counts the checks of the last days that lists decided, if that is asked for; null if not, or if there is no log. */
async function readHits(invocation: ListsInvocation, io: Io): Promise<HitsByList | null> {
  const isAsked = invocation.flag('hits') || invocation.text('sort') === 'hits';
  if (!isAsked || !hasHistory(invocation.config, 'public')) return null;
  await using logs = await openLog(invocation.config, 'read', diagnosticsOf(invocation, io.stderr));
  return await logs.log.listHits(systemClock.now() - HIT_DAYS * DAY_MS);
}

/** The settings and options of `lists`. */
export type ListsInvocation = Invocation<ConfigFor<'lists'>>;
