import { setImmediate } from 'node:timers/promises';
import { openLog } from '#src/app/open-log.ts';
import type { Io } from '#src/core/base/io.ts';
import { batchOutput } from '#src/interfaces/cli/batched-output.ts';
import { exitCode, type Tally } from '#src/interfaces/cli/check/formatted-outcomes.ts';
import { startProgressBeforeAnswer } from '#src/interfaces/cli/check/progress.ts';
import { type Command, choice, type Invocation } from '#src/interfaces/cli/command.ts';
import { diagnosticsOf } from '#src/interfaces/cli/diagnostics.ts';
import { readSelection, SELECTION_OPTIONS } from '#src/interfaces/cli/log/log-request.ts';
import { newestOf } from '#src/interfaces/cli/log/read-checks.ts';
import { databaseExportRefused, recordExport } from '#src/parts/export/command/record-export.ts';
import { allChanged, nothingRescored, type Rescored, rescore } from '#src/parts/tuning/rescore/rescore.ts';
import { createRescorer, openScoringContext, type RescoredCheck } from '#src/parts/tuning/rescore/rescore-check.ts';
import { csvWriter, jsonWriter, ndjsonWriter, textWriter } from './rescore-writers.ts';

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
