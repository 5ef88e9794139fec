import { setImmediate } from 'node:timers/promises';
import { openLog } from '#src/app/open-log.ts';
import { createJudgeAgain, openToday } from '#src/admin/rescore/rescore-check.ts';
import { allChanged, nothingRescored, type Rescored, rescore } from '#src/admin/rescore/rescore.ts';
import { batchOutput } from '../batched-output.ts';
import { startProgressBeforeAnswer } from '../check/progress.ts';
import { exitCode, type Tally } from '../check/tally.ts';
import { type Command, choice, type Invocation } from '../command.ts';
import { diagnosticsOf } from '../diagnostics.ts';
import type { Io } from '#src/core/base/io.ts';
import { readSelection, SELECTION_OPTIONS } from '../log/log-request.ts';
import { newestOf } from '../log/newest-of.ts';
import { noteExport, notOnRecord } from '../log/record-export.ts';
import { textWriter } from '../rescore/as-text.ts';
import { csvWriter, jsonWriter, ndjsonWriter } from '../rescore/for-machines.ts';

const WRITERS = { text: textWriter, json: jsonWriter, ndjson: ndjsonWriter, csv: csvWriter };
const FORMATS = ['text', 'json', 'ndjson', 'csv'] as const satisfies readonly (keyof typeof WRITERS)[];

/** `lurecheck rescore` */
export const rescoreCommand: Command<'rescore'> = {
  name: 'rescore',
  operands: '',
  summary: 'judges what the log keeps by the model, lists and brands of today, and tells whose verdict is another',
  options: {
    private: {
      type: 'boolean',
      description: 'Judge the private log, in place of the public one. That goes on record, as an export does.',
    },
    ...SELECTION_OPTIONS,
    format: {
      type: 'string',
      words: FORMATS,
      description: 'How to write it. text tells the newest of each change, the others all. Default: text.',
    },
    'fail-on': {
      type: 'string',
      words: ['warn', 'block'],
      description:
        'Exit with 20 where a check is block now that was not, and with warn also with 10 where one is warn now that was allow.',
    },
  },
  examples: [
    {
      line: 'lurecheck rescore --from 2026-01-01 --decision allow --block-list feed.txt',
      purpose: 'What was let through this year, and is on a list that came since.',
    },
    {
      line: 'lurecheck rescore --format csv > changed.csv',
      purpose: 'Every check that comes out otherwise today, as a table.',
    },
    {
      line: 'lurecheck rescore --decision allow --fail-on block -q > /dev/null || echo "something came through"',
      purpose: 'Decide in a script.',
    },
  ],
  async run(invocation, io) {
    const { config } = invocation;
    const selection = readSelection(invocation);
    const failOn = choice(invocation, 'fail-on', ['warn', 'block']);
    const isPrivate = selection.visibility === 'private';
    const writer = WRITERS[choice(invocation, 'format', FORMATS) ?? 'text']();
    // Before a database is asked for anything.
    if (isPrivate && config.log_database.length > 0) throw notOnRecord();
    const today = await openToday(config);
    await using opened = await openLog(config, 'read', diagnosticsOf(invocation, io.stderr));
    // Nothing goes out that is not on record.
    const noted = isPrivate
      ? noteExport(opened, { format: 'rescore', selection: JSON.stringify(selection) }, invocation)
      : null;
    const rescored = nothingRescored();
    const output = batchOutput(io.stdout);
    {
      using _progress = showProgress(invocation, rescored, io);
      const changed = rescore(newestOf(opened.log, selection), createJudgeAgain(today), rescored, setImmediate);
      for await (const one of changed) await output.write(writer.next(one));
    }
    await output.write(writer.end(rescored, today.models.version));
    await output.flush();
    noted?.finish(allChanged(rescored));
    return exitCode(graverIn(rescored), failOn);
  },
};

/** A line on a terminal; where the answers come to the same one as they are found, they show well enough how far it is. */
function showProgress(invocation: Invocation, rescored: Rescored, io: Io) {
  const isText = (choice(invocation, 'format', FORMATS) ?? 'text') === 'text';
  if (invocation.isQuiet || (io.stdout.isTerminal && !isText)) return null;
  return startProgressBeforeAnswer(() => {
    const done = rescored.judged + rescored.unread;
    return { done, words: `${done} judged again, ${allChanged(rescored)} otherwise` };
  }, io);
}

/** What was let through, or through with a warning, and is not now. */
function graverIn({ changes, unread }: Rescored): Tally {
  return {
    allow: 0,
    warn: changes['allow warn'],
    block: changes['allow block'] + changes['warn block'],
    failed: unread,
  };
}
