import { setImmediate } from 'node:timers/promises';
import { openLog } from '#src/app/open-log.ts';
import type { Io } from '#src/core/base/io.ts';
import { counted } from '#src/core/base/text/counted.ts';
import { visibleInTerminal, visibleJson } from '#src/core/base/text/untrusted-text.ts';
import { batchOutput } from '#src/interfaces/cli/batched-output.ts';
import { exitCode, type Tally } from '#src/interfaces/cli/check/formatted-outcomes.ts';
import { startProgressBeforeAnswer } from '#src/interfaces/cli/check/progress.ts';
import { type Command, choice, type Invocation } from '#src/interfaces/cli/command.ts';
import { diagnosticsOf } from '#src/interfaces/cli/diagnostics.ts';
import { readSelection, SELECTION_OPTIONS } from '#src/interfaces/cli/log/log-request.ts';
import { newestOf } from '#src/interfaces/cli/log/read-checks.ts';
import { databaseExportRefused, recordExport } from '#src/parts/export/command/record-export.ts';
import { csvLine } from '#src/parts/export/csv.ts';
import {
  allChanged,
  CHANGES,
  type ChangedCheck,
  type ChangeOfDecision,
  changeOf,
  changesMade,
  nothingRescored,
  type Rescored,
  rescore,
} from '#src/parts/tuning/rescore/rescore.ts';
import { createRescorer, openScoringContext, type RescoredCheck } from '#src/parts/tuning/rescore/rescore-check.ts';

/** Maximum number of checks that are printed per kind of change: the latest. */
const MAX_SHOWN = 20;

/** Collects a report for people: the latest of each kind of change, the most serious first, and the totals. */
function textWriter(): RescoreWriter {
  const shown = new Map<string, string[]>();
  return {
    next(changed) {
      const change = changeOf(changed);
      const lines = change && (shown.get(change) ?? []);
      if (lines && lines.length < MAX_SHOWN) shown.set(change, [...lines, lineOf(changed)]);
      return '';
    },
    end(rescored, by) {
      const groups = CHANGES.flatMap((change) => groupOf(change, shown.get(change) ?? [], rescored));
      return [...groups, totalText(rescored, by)].join('\n');
    },
  };
}

function lineOf({ check, was, now, reason }: ChangedCheck<RescoredCheck>): string {
  const [before, after] = [was, now].map(({ probability }) => `${(probability * 100).toFixed(1)} %`.padStart(7));
  const why = reason === null ? '' : `    ${visibleInTerminal(reason)}\n`;
  return `  ${check.timestamp}  ${before} → ${after}  ${visibleInTerminal(check.url)}\n${why}`;
}

function groupOf(change: ChangeOfDecision, lines: readonly string[], { changes }: Rescored): string[] {
  const count = changes.get(change) ?? 0;
  if (count === 0) return [];
  const [was, now] = change.split(' ');
  const more = count > lines.length ? `  and ${count - lines.length} more, see --format ndjson\n` : '';
  return [`Now ${now}, was ${was}: ${count}\n${lines.join('')}${more}`];
}

function totalText(rescored: Rescored, by: string): string {
  const { judged, unread } = rescored;
  const otherwise = allChanged(rescored);
  const left = unread > 0 ? `${unread} skipped: unreadable records\n` : '';
  return `${counted(judged, 'check')} re-scored by ${by}: ${otherwise} with another decision\n${left}`;
}

/** Writes one JSON object per line for each changed check. */
function ndjsonWriter(): RescoreWriter {
  return { next: (changed) => `${visibleJson(JSON.stringify(payloadOf(changed)))}\n`, end: () => '' };
}

/** Writes one JSON object: the changed checks as `changed`, and the totals. */
function jsonWriter(): RescoreWriter {
  let isFirst = true;
  const opening = () => (isFirst ? '{"changed":[\n' : ',\n');
  return {
    next(changed) {
      const before = opening();
      isFirst = false;
      return before + visibleJson(JSON.stringify(payloadOf(changed)));
    },
    end(rescored, by) {
      const before = isFirst ? '{"changed":[' : '\n';
      return `${before}],\n${JSON.stringify(sumOf(rescored, by)).slice(1)}\n`;
    },
  };
}

/** Columns of the table. Programs read them by name and position, so new ones are appended. */
const COLUMNS = 'timestamp url request_id decision_was probability_was decision_now probability_now because reason';

/** A table with a header, a line for each check that comes out otherwise. */
function csvWriter(): RescoreWriter {
  let header = csvLine(COLUMNS.split(' '));
  const begun = () => {
    const once = header;
    header = '';
    return once;
  };
  return {
    next({ check, was, now, because, reason }) {
      const [before, after] = [was, now].map(({ decision, probability }) => [decision, probability] as const);
      const cells = [
        check.timestamp,
        check.url,
        check.request_id,
        ...(before ?? []),
        ...(after ?? []),
        because,
        reason,
      ];
      return begun() + csvLine(cells);
    },
    end: begun,
  };
}

function payloadOf({ check, was, now, because, reason }: ChangedCheck<RescoredCheck>) {
  const { request_id, url, timestamp } = check;
  return { request_id, url, timestamp, was, now, because, reason };
}

function sumOf(rescored: Rescored, by: string) {
  const { judged, unread } = rescored;
  return { model_version: by, judged, unread, changes: changesMade(rescored) };
}

/** Writes re-scored checks as a stream. */
interface RescoreWriter {
  /** Returns the output of a changed check. */
  next(changed: ChangedCheck<RescoredCheck>): string;
  /** Returns the end of the output. `by` names the model that scored. */
  end(rescored: Rescored, by: string): string;
}

const WRITERS = { text: textWriter, json: jsonWriter, ndjson: ndjsonWriter, csv: csvWriter };
const FORMATS = ['text', 'json', 'ndjson', 'csv'] as const satisfies readonly (keyof typeof WRITERS)[];

/** `lurecheck rescore` */
export const rescoreCommand: Command<'rescore'> = {
  name: 'rescore',
  operands: '',
  summary: 're-score stored checks with the active model, lists and brands, and report changed verdicts',
  options: {
    private: {
      type: 'boolean',
      description: 'Re-score the private log instead of the public one. This is recorded as an export.',
    },
    ...SELECTION_OPTIONS,
    format: {
      type: 'string',
      words: FORMATS,
      description: 'Output format; text shows the latest of each change, the others all. Default: text.',
    },
    'fail-on': {
      type: 'string',
      words: ['warn', 'block'],
      description:
        'block: exit with 20 if a check is newly blocked. warn: also exit with 10 if an allowed check is now a warning.',
    },
  },
  examples: [
    {
      line: 'lurecheck rescore --from 2026-01-01 --decision allow --block-list feed.txt',
      purpose: 'List what was allowed this year and is blocked by a list today.',
    },
    {
      line: 'lurecheck rescore --format csv > changed.csv',
      purpose: 'List every check with another decision today, as a table.',
    },
    {
      line: 'lurecheck rescore --decision allow --fail-on block -q > /dev/null || echo "something came through"',
      purpose: 'Use the decision in a script.',
    },
  ],
  async run(invocation, io) {
    const { config } = invocation;
    const selection = readSelection(invocation);
    const failOn = choice(invocation, 'fail-on', ['warn', 'block']);
    const isPrivate = selection.visibility === 'private';
    const writer = WRITERS[choice(invocation, 'format', FORMATS) ?? 'text']();
    // Before any database connection.
    if (isPrivate && config.log_database.length > 0) throw databaseExportRefused();
    const context = await openScoringContext(config);
    await using opened = await openLog(config, 'read', diagnosticsOf(invocation, io.stderr));
    // Private checks are exported only after the export is recorded.
    const noted = isPrivate
      ? recordExport(opened, { format: 'rescore', selection: JSON.stringify(selection) }, invocation)
      : null;
    const rescored = nothingRescored<RescoredCheck>();
    const output = batchOutput(io.stdout);
    {
      using _progress = showProgress(invocation, rescored, io);
      const changed = rescore(newestOf(opened.log, selection), createRescorer(context), rescored, setImmediate);
      for await (const one of changed) await output.write(writer.next(one));
    }
    await output.write(writer.end(rescored, context.models.version));
    await output.flush();
    noted?.finish(allChanged(rescored));
    return exitCode(graverIn(rescored), failOn);
  },
};

/** Shows a progress line, unless the answers are streamed to the same terminal. */
function showProgress(invocation: Invocation, rescored: Rescored, io: Io) {
  const isText = (choice(invocation, 'format', FORMATS) ?? 'text') === 'text';
  if (invocation.isQuiet || (io.stdout.isTerminal && !isText)) return null;
  return startProgressBeforeAnswer(() => {
    const done = rescored.judged + rescored.unread;
    return { done, words: `${done} re-scored, ${allChanged(rescored)} changed` };
  }, io);
}

/** Counts the checks whose decision is now more severe. */
function graverIn({ changes, unread }: Rescored): Tally {
  return {
    allow: 0,
    warn: changes.get('allow warn') ?? 0,
    block: (changes.get('allow block') ?? 0) + (changes.get('warn block') ?? 0),
    failed: unread,
  };
}
