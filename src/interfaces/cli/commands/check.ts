import { openEngine, STORE_NONE } from '#src/app/engine.ts';
import { ALL_PARTS } from '#src/app/parts.ts';
import { systemClock } from '#src/core/base/clock.ts';
import type { Io } from '#src/core/base/io.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { visibleJson } from '#src/core/base/text/untrusted-text.ts';
import { type Message, unreadParts } from '#src/engine/message/message.ts';
import type { HtmlSettings } from '#src/network/html/settings.ts';
import { openSavedPage, type SavedPage } from '#src/network/probes/saved-page.ts';
import { batchOutput } from '../batched-output.ts';
import { checkAllLines, mapInOrder } from '../check/check-all-lines.ts';
import {
  type CheckSource,
  PICTURE_WINDOWS,
  readCheckArguments,
  takeOnePicture,
  VIEWS,
} from '../check/check-arguments.ts';
import { createFormatter, createSequence, FORMATS, type FormatStyle } from '../check/check-format.ts';
import {
  type CheckInput,
  describeNotes,
  INPUT_FORMATS,
  inputsOfMessage,
  inputsOfOperands,
  inputsOfStream,
} from '../check/check-input.ts';
import { type CheckOutcome, checkOne } from '../check/check-one.ts';
import type { Tally } from '../check/formatted-outcomes.ts';
import { count, emptyTally, exitCode, type FormattedOutcomes, formatOutcomes } from '../check/formatted-outcomes.ts';
import type { readMessageFile } from '../check/message-file.ts';
import type { MessageClassifier, MessageView } from '../check/message-view.ts';
import type { Recorder, RecorderSettings } from '../check/open-recorder.ts';
import { type Progress, startProgress } from '../check/progress.ts';
import { wantsColour } from '../colour.ts';
import { type Command, type Invocation, UsageError } from '../command.ts';
import { diagnosticsOf } from '../diagnostics.ts';

/** Concurrent checks without a network, where only the log is waited for. */
const OFFLINE_WINDOW = 1024;

/** `lurecheck check` */
export const checkCommand: Command<'check'> = {
  name: 'check',
  operands: 'URL… | - | --message FILE | --observations FILE',
  summary: 'check links, mails and saved pages without a service',
  options: {
    format: { type: 'string', words: FORMATS, description: 'Output format. Default: text.' },
    record: {
      type: 'string',
      words: ['public', 'private'],
      description: 'Log the checks, publicly or privately. Not logged by default.',
    },
    'fail-on': {
      type: 'string',
      words: ['warn', 'block'],
      description:
        'Exit with 10 if the worst decision is warn, with 20 if it is block; for a mail, its own decision counts.',
    },
    input: {
      type: 'string',
      words: INPUT_FORMATS,
      description: 'Format of standard input: one URL per line, or {"url", "html"?, "status_code"?}. Default: text.',
    },
    html: { type: 'string', value: 'FILE', description: 'Saved page to classify as the page of the URL.' },
    message: {
      type: 'string',
      value: 'FILE',
      description: 'Check a mail as a whole, or the links of a page or text; - is standard input.',
    },
    view: {
      type: 'string',
      words: VIEWS,
      description:
        'message: a message as a whole, with sender, authentication, attachments, and links by site, as text shows a mail by default. short: a small JSON object for each URL, as ?view=short of the API.',
    },
    screenshot: {
      type: 'string',
      value: 'FILE',
      description: 'Write the page as the browser shows it to FILE, as WebP; for one URL.',
    },
    window: {
      type: 'string',
      words: PICTURE_WINDOWS,
      description: 'Window of that picture: 1280 by 800 pixels, or those of a phone, 390 by 844. Default: desktop.',
    },
    'with-observations': { type: 'boolean', description: 'Include all observations in JSON answers.' },
    trace: {
      type: 'boolean',
      description: 'Show what the check did and when: DNS, connections, TLS, HTTP, probes and stages.',
    },
    server: {
      type: 'string',
      value: 'URL',
      description: 'Check by the service at this URL, which logs each check: publicly, or as --record says.',
    },
    key: {
      type: 'string',
      value: 'FILE',
      description: 'File with an API key of that service, with the scope batch.',
    },
    observations: {
      type: 'string',
      value: 'FILE',
      description: 'Classify stored observations again, without a network; - is standard input.',
    },
  },
  examples: [
    { line: "lurecheck check https://example.com/ 'hxxp://paypal-login[.]example/'", purpose: 'Check two links.' },
    {
      line: 'lurecheck check --network none --format tsv - < urls.txt',
      purpose: 'Check a list, one URL per line, without sending a packet.',
    },
    {
      line: 'lurecheck check --message mail.eml',
      purpose: 'Classify a mail by its sender, text, attachments and links, and list its links.',
    },
    {
      line: 'lurecheck check --message mail.eml --view message --format json',
      purpose: 'The same with sender, authentication and attachments, for a program.',
    },
    {
      line: 'lurecheck check --server https://lurecheck.example --key gateway.key - < urls.txt',
      purpose: 'Check a list by a service, in batches of 100, within its rate limit.',
    },
    {
      line: 'lurecheck check --fail-on block "$URL" || echo "do not open it"',
      purpose: 'Use the decision in a script.',
    },
  ],
  named: ({ text }) => ({ reads: [text('html'), text('message'), text('observations'), text('key')] }),
  async run(invocation, io) {
    const { config, color, isQuiet } = invocation;
    const request = await readCheckArguments(invocation);
    const { source, format, failOn, withObservations, withTrace, service } = request;
    const message =
      source.kind === 'message' ? await readMessage(source.path, config.auth_results_from, invocation, io) : null;
    const isList = source.kind !== 'operands' || source.urls.length > 1;
    if (isWorthCompiling(source, config.network)) Bun.unsafe.setJITPolicy(1);
    const print = async (written: AsyncIterable<FormattedOutcomes>, style: FormatStyle) =>
      exitCode(await printOutcomes(written, { style, isQuiet }, io), failOn);
    const isJson = format === 'json' || format === 'ndjson';
    const style = { format, isList, colour: wantsColour(io, color), isShort: request.isShort };
    const isView = message !== null && (request.wantsMessage || (message.head !== null && format === 'text'));
    const printAll = async (
      outcomes: AsyncIterable<CheckOutcome>,
      classifier: MessageClassifier | null,
      recorder: Recorder | null,
    ) => {
      if (!isView) return await print(writtenDown(outcomes, style), style);
      const startMs = systemClock.now();
      const all = await Array.fromAsync(outcomes);
      const { messageVerdict, recordOfMessage, viewMessage } = await import('../check/message-view.ts');
      const view = viewMessage(message, all, await messageVerdict(message, all, config, classifier));
      if (request.record) await recorder?.messages.append(recordOfMessage(view, all, request.record, startMs));
      return exitCode(await printMessage(view, style, io), failOn);
    };
    const { resolvePath } = invocation;
    const inputs = () =>
      message
        ? messageInputs(message, isView || !isJson ? [] : unreadParts(message))
        : inputsOf(source, format === 'text', { resolvePath, config }, io);
    if (service && source.kind !== 'observations') {
      const { checkAtService } = await import('../remote/check-at-service.ts');
      const order = { service, isPrivate: request.record === 'private' };
      return await printAll(checkAtService(inputs(), order, invocation, io), null, null);
    }
    await using opened = new AsyncDisposableStack();
    const logger = diagnosticsOf(invocation, io.stderr);
    const recorder = request.record ? opened.use(await openRecorder(config, logger)) : null;
    const engine = opened.use(await openEngine(config, { store: recorder?.append ?? STORE_NONE, logger }));
    const picture = request.screenshot && takeOnePicture(request.screenshot.window);
    for (const { extend } of ALL_PARTS) opened.use(await extend(engine, config, logger, picture));
    if (source.kind === 'observations') {
      const { readObserved, replay } = await import('../check/replay.ts');
      const observed = await readObserved(source.path, io.stdin, invocation.resolvePath);
      const replayed = { ...style, isList: observed.isList };
      const outcomes = replay(observed, engine);
      return await print(writtenDown(withObservations ? outcomes : withoutObservations(outcomes), replayed), replayed);
    }
    const options = { visibility: request.record ?? 'private', withObservations, withTrace } as const;
    const isOffline = config.network === 'none';
    if (isOffline && source.kind === 'stream' && source.format === 'text') {
      const start = { config, options, style };
      // Only this thread logs, and logs whole checks.
      const checked = recorder
        ? checkAllLines(io.stdin, { ...engine, offlineVerdict: () => null }, start, 0)
        : checkAllLines(io.stdin, engine, start);
      return await print(checked, style);
    }
    const limit = isOffline ? OFFLINE_WINDOW : config.check_concurrency;
    const outcomes = mapInOrder(inputs(), limit, (input) => checkOne(input, engine, options));
    const exit = await printAll(outcomes, engine.scoringContext(), recorder);
    if (picture === null || request.screenshot === null) return exit;
    return (await picture.write(resolvePath(request.screenshot.path), io)) ? exit : 1;
  },
};

/** Returns false for one URL without a page and a network: it takes less time than compiling what checks it. */
function isWorthCompiling(source: CheckSource, network: 'none' | 'dns' | 'full'): boolean {
  return source.kind !== 'operands' || source.urls.length > 1 || source.htmlPath !== null || network !== 'none';
}

async function* writtenDown(
  outcomes: AsyncIterable<CheckOutcome>,
  style: FormatStyle,
): AsyncGenerator<FormattedOutcomes> {
  for await (const outcome of outcomes) yield formatOutcomes([outcome], style);
}

async function* messageInputs(message: Message, notRead: readonly string[]): AsyncGenerator<readonly CheckInput[]> {
  yield inputsOfMessage(message, notRead);
}

async function* inputsOf(
  source: CheckSource,
  isForPeople: boolean,
  { resolvePath, config }: Pick<Invocation, 'resolvePath'> & { readonly config: SavedPageSettings },
  io: Io,
): AsyncGenerator<readonly CheckInput[]> {
  if (source.kind === 'stream') {
    for await (const inputs of inputsOfStream(io.stdin, { format: source.format, isForPeople })) {
      const notes = describeNotes(inputs);
      if (notes !== '') await io.stderr.write(notes);
      yield inputs;
    }
  } else if (source.kind === 'operands')
    yield inputsOfOperands(
      source.urls,
      source.htmlPath === null ? null : await readSavedPage(source.htmlPath, resolvePath, config),
    );
}

/** Reads a message; the readers of mails, pages and documents are loaded on demand. */
const readMessage: typeof readMessageFile = async (...given) =>
  await (await import('../check/message-file.ts')).readMessageFile(...given);

/** Logs the checks; the store is loaded on demand. */
async function openRecorder(config: RecorderSettings, logger: Logger): Promise<Recorder> {
  return await (await import('../check/open-recorder.ts')).openRecorder(config, logger);
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

/** Prints a message as a whole. Its own verdict counts for the exit code, and links that could not be checked. */
async function printMessage(
  view: MessageView,
  { format, colour }: FormatStyle,
  { stdout }: Pick<Io, 'stdout'>,
): Promise<Tally> {
  if (format === 'text') {
    const { describeMessage } = await import('../check/message-text.ts');
    await stdout.write(describeMessage(view, colour));
  } else {
    const { messageJson } = await import('../check/message-view.ts');
    await stdout.write(`${visibleJson(JSON.stringify(messageJson(view), null, format === 'json' ? 2 : 0))}\n`);
  }
  const tally = emptyTally();
  for (const { links } of view.sites) for (const outcome of links) if ('problem' in outcome) count(tally, outcome);
  tally[view.verdict.decision]++;
  return tally;
}

/** Prints outcomes as they come, and counts them. */
async function printOutcomes(
  outcomes: AsyncIterable<FormattedOutcomes>,
  { style, isQuiet }: { readonly style: FormatStyle; readonly isQuiet: boolean },
  io: Io,
): Promise<Tally> {
  const sequence = createSequence(createFormatter(style));
  const total = emptyTally();
  using _progress = isQuiet ? null : startProgress(() => progressOf(total), io);
  const output = batchOutput(io.stdout);
  for await (const { text, diagnostics, tally } of outcomes) {
    for (const how of Object.keys(total) as (keyof Tally)[]) total[how] += tally[how];
    if (text !== '') await output.write(sequence.next(text));
    if (diagnostics !== '') await io.stderr.write(diagnostics);
  }
  await output.write(sequence.end());
  await output.flush();
  return total;
}

function progressOf({ allow, warn, block, failed }: Readonly<Tally>): Progress {
  const done = allow + warn + block + failed;
  return { done, words: `${done} checked, ${warn} warn, ${block} block, ${failed} failed` };
}

/** The setting that bounds an unpacked page. */
type SavedPageSettings = Pick<HtmlSettings, 'body_bytes'>;

/** Media types of files that a browser opens as XML. */
const XML_TYPE = /\bxml$|\+xml$/;

/**
 * Reads the saved page that `--html` names.
 *
 * @throws UsageError if the file is no page.
 */
async function readSavedPage(
  path: string,
  resolvePath: (path: string) => string,
  { body_bytes }: SavedPageSettings,
): Promise<SavedPage> {
  const file = Bun.file(resolvePath(path));
  const opened = await openSavedPage(await file.bytes(), body_bytes);
  if ('problem' in opened) throw new UsageError(`--html: ${path} ${opened.problem}`);
  const [type = ''] = file.type.split(';', 1);
  return { ...opened, contentType: opened.contentType ?? (XML_TYPE.test(type) ? type : null), statusCode: 200 };
}
