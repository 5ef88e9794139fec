import { openModels } from '#src/app/scoring/classifier.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import type { Io } from '#src/core/base/io.ts';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import { unwrap } from '#src/core/unwrap/unwrap.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import { listsAnalyzer } from '#src/engine/analyzers/lists.ts';
import { sentenceOf } from '#src/engine/reasons/sentence.ts';
import { type Command, choice, UsageError } from '#src/interfaces/cli/command.ts';
import type { ExitCode } from '#src/interfaces/cli/exit-codes.ts';
import { indentedJson, REPORT_FORMATS } from '#src/interfaces/cli/report-format.ts';
import { openLists } from '#src/network/lists/local-lists.ts';
import { LIST_FORMATS } from '#src/network/lists/settings.ts';
import { LIST_ACTIONS } from '#src/network/lists/stored/list-state.ts';
import { whyHeldBack } from '#src/network/lists/stored/quarantine-text.ts';
import type { VersionRow } from '#src/network/lists/stored/version-file.ts';
import { observeLists } from '#src/network/probes/lists.ts';
import { BLOCK_FORMATS } from '#src/parts/export/blocked/block-format.ts';
import { coveringEntries, ENTRY_SORTS } from '../find-entries.ts';
import { addEntry, DEFAULT_LIMIT, importList, removeFrom, rollBack } from './change.ts';
import { type ListsInvocation, showHistory, showLists } from './show.ts';

/** `lurecheck lists` */
export const listsCommand: Command<'lists'> = {
  name: 'lists',
  operands: 'import NAME FILE | add NAME ENTRY | remove NAME [ENTRY] | test URL | show | history | rollback | export',
  summary: 'manage lists of what to block and allow',
  options: {
    action: {
      type: 'string',
      words: LIST_ACTIONS,
      description: 'Action of the list. Default: as before, or block.',
    },
    weight: {
      type: 'string',
      value: 'N|final',
      description: 'Weight of a match, in log-odds up to 10, or final: it decides. Default: as before, or final.',
    },
    expires: {
      type: 'string',
      value: 'DAY',
      description: 'Last day of entries without an expiry date, in UTC: 2027-12-31.',
    },
    input: {
      type: 'string',
      words: LIST_FORMATS,
      description: 'Format of FILE. Detected by default.',
    },
    comment: { type: 'string', value: 'TEXT', description: 'Comment on the added entry.' },
    search: {
      type: 'string',
      value: 'TEXT',
      description: 'Show or remove the entries that a text finds: a part, a comment, or a URL that they cover.',
    },
    sort: { type: 'string', words: ENTRY_SORTS, description: 'Order of the shown entries. Default: line.' },
    hits: { type: 'boolean', description: 'Show the checks of the last 30 days that each list or entry decided.' },
    limit: {
      type: 'string',
      value: 'N',
      description: `Examine the latest N checks of each log. Default: ${DEFAULT_LIMIT}.`,
    },
    yes: { type: 'boolean', short: 'y', description: 'Import or remove without confirmation.' },
    'skip-invalid': {
      type: 'boolean',
      description: 'Import the valid lines; report the others with line and reason.',
    },
    'allow-empty': {
      type: 'boolean',
      description: 'Import a list without an entry that can be applied. Otherwise such a file is refused.',
    },
    format: {
      type: 'string',
      words: [...REPORT_FORMATS, ...BLOCK_FORMATS],
      description: `Output format. Default: text. export requires one of: ${BLOCK_FORMATS.join(', ')}.`,
    },
    from: {
      type: 'string',
      value: 'TIME|history',
      description:
        'Export also what checks blocked: from this time on, 2026-01-31 or 2026-01-31T12:00:00Z, or all of it.',
    },
    until: { type: 'string', value: 'TIME', description: 'Export what checks blocked before this time.' },
    private: {
      type: 'boolean',
      description: 'Export what private checks blocked instead of public ones. The export is recorded.',
    },
    zone: {
      type: 'string',
      value: 'NAME',
      description: 'Name of the RPZ zone, which bounds the length of names in it. Default: rpz.lurecheck.',
    },
    out: {
      type: 'string',
      value: 'FILE',
      description: 'Output file of export, written whole or not at all. Default: stdout.',
    },
  },
  examples: [
    {
      line: 'lurecheck lists import feed urlhaus.csv',
      purpose: 'Preview what a list would have changed, and import it.',
    },
    { line: 'lurecheck lists add ours partner.example --action allow', purpose: 'Add an entry by hand.' },
    { line: 'lurecheck lists show feed --sort hits', purpose: 'Show which entries decide.' },
    { line: 'lurecheck lists test https://partner.example/login', purpose: 'Show which lists match a URL.' },
    {
      line: 'lurecheck lists export --format rpz --from 2026-01-01 --out /etc/bind/rpz.lurecheck',
      purpose: 'Export what is blocked for a DNS resolver.',
    },
    { line: 'lurecheck lists rollback feed', purpose: 'Roll a list back to its previous version.' },
  ],
  changes: ['import', 'add', 'remove', 'rollback'],
  shares: ['lists'],
  named: ({ positionals: [action, , path], text }) => ({
    reads: action === 'import' ? [path] : [],
    isReadWhole: true,
    writes: [text('out')],
  }),
  async run(invocation, io) {
    const [action = '', ...operands] = invocation.positionals;
    const act = ACTIONS[action];
    if (!act)
      throw new UsageError(`expected lists ${Object.keys(ACTIONS).join(', lists ')}${action && `, not "${action}"`}`);
    const [least, most] = act.operands;
    if (operands.length < least || operands.length > most) {
      throw new UsageError(`expected lurecheck lists ${action}${act.written && ` ${act.written}`}`);
    }
    refuseOptions(invocation, action);
    const [first = '', second] = operands;
    try {
      return await act.run(invocation, io, first, second);
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      // It may quote untrusted text from a file.
      const lines = error.problems.flatMap((problem) => problem.split('\n'));
      await io.stderr.write(`lurecheck: ${lines.map(visibleInTerminal).join('\n')}\n`);
      return 1;
    }
  },
};

/** Options of some actions only. */
const ONLY_OF: Readonly<Record<string, readonly string[]>> = {
  search: ['show', 'remove'],
  sort: ['show'],
  hits: ['show'],
};

/** Options of export only. */
const EXPORT_OPTIONS = ['from', 'until', 'private', 'zone', 'out'];

function refuseOptions(invocation: ListsInvocation, action: string): void {
  if (action === 'export') return;
  const given = EXPORT_OPTIONS.find((option) => invocation.text(option) !== undefined || invocation.flag(option));
  if (given !== undefined) throw new UsageError(`--${given} requires lists export`);
  choice(invocation, 'format', REPORT_FORMATS);
  for (const [option, actions] of Object.entries(ONLY_OF)) {
    const isGiven = invocation.text(option) !== undefined || invocation.flag(option);
    if (isGiven && !actions.includes(action))
      throw new UsageError(`--${option} requires lists ${actions.join(' or ')}`);
  }
}

interface Action {
  readonly operands: readonly [least: number, most: number];
  /** How they are written. */
  readonly written: string;
  readonly run: (invocation: ListsInvocation, io: Io, first: string, second: string | undefined) => Promise<ExitCode>;
}

const ACTIONS: Readonly<Record<string, Action>> = {
  import: { operands: [2, 2], written: 'NAME FILE', run: (of, io, name, path = '') => importList(of, io, name, path) },
  add: { operands: [2, 2], written: 'NAME ENTRY', run: (of, io, name, entry = '') => addEntry(of, io, name, entry) },
  remove: { operands: [1, 2], written: 'NAME [ENTRY]', run: removeFrom },
  test: { operands: [1, 1], written: 'URL', run: testUrl },
  show: { operands: [0, 1], written: '[NAME]', run: showLists },
  history: { operands: [0, 0], written: '', run: showHistory },
  rollback: { operands: [0, 1], written: '[NAME]', run: rollBack },
  export: {
    operands: [0, 0],
    written: '--format FORMAT',
    run: async (invocation, io) =>
      await (await import('#src/parts/feeds/command/export-lists.ts')).exportLists(invocation, io),
  },
};

/** `lurecheck lists test URL`: what the lists say of a URL and those that it wraps, and every entry that covers it, also such as are not applied. */
async function testUrl(invocation: ListsInvocation, io: Io, text: string): Promise<ExitCode> {
  const { config } = invocation;
  const target = targetOf(text);
  const lists = await openLists(config);
  const models = await openModels(config.data_dir);
  const said = [target, ...unwrap(target)].flatMap((one) => {
    const observed = observeLists(lists, one, systemClock.now());
    const evidence = listsAnalyzer.analyze({ observations: { lists: observed }, models, isSuspicious: false });
    const way = { how: 'inside', host: one.host.text } as const;
    return (evidence?.features ?? []).map(({ name: code, args }) => ({
      code,
      message: sentenceOf({ code, args, ...(one !== target && { ways: [way] }) }),
    }));
  });
  const versions = lists.stored.map(({ version }) => version);
  const covering = await coveringEntries(config.data_dir, versions, target);
  const rows = covering.map(({ version, row }) => ({ list: version.name, row }));
  if (invocation.text('format') === 'json') {
    await io.stdout.write(indentedJson({ url: target.url, reasons: said, entries: rows }));
    return 0;
  }
  const lines = said.map(({ code, message }) => `${code}\t${visibleInTerminal(message)}\n`);
  const silent = rows.flatMap(({ list, row }) => silentLine(list, row, systemClock.now()));
  await io.stdout.write([...lines, ...silent].join('') || 'no list matches\n');
  return 0;
}

/** Describes entries that cover the URL without an effect. */
function silentLine(list: string, row: VersionRow, nowMs: number): string[] {
  const { entry, line, quarantine, isException, expiresAt } = row;
  const where = `${list}, line ${line}, ${visibleInTerminal(entry)}`;
  if (quarantine !== null) return [`not applied\t${where} ${whyHeldBack(quarantine)}\n`];
  if (isException) return [`exception\t${where} excludes it from that list\n`];
  const isOver = expiresAt !== null && expiresAt * 1000 <= nowMs;
  return isOver ? [`expired\t${where} was valid until ${new Date(expiresAt * 1000).toISOString()}\n`] : [];
}

function targetOf(text: string): Target {
  const target = parseTarget(/^https?:\/\//i.test(text) ? text : `http://${text}`);
  if (isTargetProblem(target)) throw new UsageError(`"${visibleInTerminal(text)}" ${target.message}`);
  return target;
}
