import { systemClock } from '#src/base/clock.ts';
import type { Logger } from '#src/base/logger.ts';
import type { SavedPage } from '#src/probes/saved-page.ts';
import { KEEP_NONE, type KeepCheck, openEngine } from '#src/program/engine.ts';
import { recordOf } from '#src/record/check-record.ts';
import { openScanLog } from '#src/store/scan-log.ts';
import { FORMATS } from '../check/check-format.ts';
import { type CheckInput, INPUT_FORMATS, inputsOfOperands, inputsOfStream } from '../check/check-input.ts';
import { type CheckOutcome, checkOne } from '../check/check-one.ts';
import { writeOutcomes } from '../check/check-outcome.ts';
import { mapInOrder } from '../check/ordered.ts';
import { replay } from '../check/replay.ts';
import { exitCode } from '../check/tally.ts';
import { type Command, choice, type Invocation, UsageError } from '../command.ts';
import { diagnosticsOf } from '../diagnostics.ts';
import type { Io } from '../io.ts';
import { requireFile } from '../named-paths.ts';

/** Checks under way at a time where nothing has to be waited for but the log. */
const OFFLINE_WINDOW = 1024;

/** `lurecheck check` */
export const checkCommand: Command<'check'> = {
  name: 'check',
  operands: 'URL… | - | --observations FILE',
  summary: 'checks URLs, without a server',
  options: {
    format: { type: 'string', words: FORMATS, description: 'How to write the answers. Default: text.' },
    record: {
      type: 'string',
      words: ['public', 'private'],
      description: 'Log the checks; they are not logged otherwise.',
    },
    'fail-on': {
      type: 'string',
      words: ['warn', 'block'],
      description: 'Exit with 10 where the worst decision is warn, with 20 where it is block.',
    },
    input: {
      type: 'string',
      words: INPUT_FORMATS,
      description: 'How standard input is written: a URL a line, or {"url", "html"?, "status_code"?}. Default: text.',
    },
    html: { type: 'string', value: 'FILE', description: 'A saved page to judge as if the URL had just given it.' },
    'with-observations': { type: 'boolean', description: 'Put what was observed into the JSON answers.' },
    observations: { type: 'string', value: 'FILE', description: 'Judge such answers again, without a network.' },
  },
  examples: [
    { line: "lurecheck check https://example.com/ 'hxxp://paypal-login[.]example/'", purpose: 'Check two links.' },
    {
      line: 'lurecheck check --network none --format tsv - < urls.txt',
      purpose: 'Check a list, one a line, without a single packet.',
    },
    { line: 'lurecheck check --fail-on block "$URL" || echo "do not open it"', purpose: 'Decide in a script.' },
  ],
  async run(invocation, io) {
    const format = choice(invocation, 'format', FORMATS) ?? 'text';
    const style = { format, color: invocation.color, isQuiet: invocation.isQuiet };
    const failOn = choice(invocation, 'fail-on', ['warn', 'block']);
    const visibility = choice(invocation, 'record', ['public', 'private']);
    const withObservations = invocation.flag('with-observations');
    const observations = invocation.text('observations');
    await using opened = new AsyncDisposableStack();
    const logger = diagnosticsOf(invocation, io);
    const keep = visibility ? await openRecorder(invocation.config.data_dir, logger, opened) : KEEP_NONE;
    const engine = opened.use(await openEngine(invocation.config, keep, logger));
    if (observations !== undefined) {
      if (invocation.positionals.length > 0) throw new UsageError('--observations holds its URLs: name none');
      const outcomes = replay(observations, engine);
      return exitCode(
        await writeOutcomes(withObservations ? outcomes : withoutObservations(outcomes), style, io),
        failOn,
      );
    }
    const options = { visibility: visibility ?? 'private', withObservations } as const;
    const limit = invocation.config.network === 'none' ? OFFLINE_WINDOW : invocation.config.check_concurrency;
    const outcomes = mapInOrder(inputsOf(invocation, io), limit, (input) => checkOne(input, engine, options));
    return exitCode(await writeOutcomes(outcomes, style, io), failOn);
  },
};

async function* inputsOf(invocation: Invocation, io: Io): AsyncGenerator<readonly CheckInput[]> {
  const { positionals } = invocation;
  const htmlPath = invocation.text('html');
  const format = choice(invocation, 'input', INPUT_FORMATS);
  if (positionals.length === 0) throw new UsageError('name a URL to check, or - to read them from standard input');
  if (positionals.includes('-')) {
    if (positionals.length > 1) throw new UsageError('- stands alone: URLs come from standard input or as operands');
    if (htmlPath !== undefined) throw new UsageError('--html goes with one URL; use --input ndjson for many pages');
    yield* inputsOfStream(io.stdin, format ?? 'text');
    return;
  }
  if (format !== undefined) throw new UsageError('--input says how standard input is written, and goes with -');
  if (htmlPath !== undefined && positionals.length > 1) throw new UsageError('--html goes with one URL');
  yield inputsOfOperands(positionals, htmlPath === undefined ? null : await readSavedPage(htmlPath));
}

async function readSavedPage(path: string): Promise<SavedPage> {
  await requireFile('html', path);
  return { bytes: await Bun.file(path).bytes(), contentType: null, statusCode: 200 };
}

async function openRecorder(dataDir: string, logger: Logger, opened: AsyncDisposableStack): Promise<KeepCheck> {
  const log = await openScanLog({ dataDir, access: 'append', clock: systemClock, logger });
  const { append } = opened.use(log);
  return (check) => append(recordOf(check));
}

async function* withoutObservations(outcomes: AsyncIterable<CheckOutcome>): AsyncGenerator<CheckOutcome> {
  for await (const outcome of outcomes) {
    if ('problem' in outcome) yield outcome;
    else {
      const { observations: _, ...result } = outcome.result;
      yield { result };
    }
  }
}
