import type { Logger } from '#src/core/base/logger.ts';
import type { Message } from '#src/engine/message/read-message.ts';
import type { SavedPage } from '#src/network/probes/saved-page.ts';
import { KEEP_NONE, type KeepCheck, openEngine } from '#src/app/engine.ts';
import type { LogPlaceSettings } from '#src/app/open-log.ts';
import { checkAllLines } from '../check/check-all-lines.ts';
import { FORMATS, type FormatStyle } from '../check/check-format.ts';
import {
  type CheckInput,
  INPUT_FORMATS,
  inputsOfMessage,
  inputsOfOperands,
  inputsOfStream,
} from '../check/check-input.ts';
import { type CheckOutcome, checkOne } from '../check/check-one.ts';
import { type CheckSource, readCheckOrder, VIEWS } from '../check/check-arguments.ts';
import { readMessageFile } from '../check/message-file.ts';
import { mapInOrder } from '../check/ordered.ts';
import { printMessage } from '../check/print-message.ts';
import { printOutcomes } from '../check/print-outcomes.ts';
import { readObserved, replay } from '../check/replay.ts';
import { exitCode } from '../check/tally.ts';
import { type WrittenOutcomes, writeDown } from '../check/formatted-outcomes.ts';
import { wantsColour } from '../colour.ts';
import type { Command, Invocation } from '../command.ts';
import { diagnosticsOf } from '../diagnostics.ts';
import type { Io } from '#src/core/base/io.ts';

/** Checks under way at a time where nothing has to be waited for but the log. */
const OFFLINE_WINDOW = 1024;

/** `lurecheck check` */
export const checkCommand: Command<'check'> = {
  name: 'check',
  operands: 'URL… | - | --message FILE | --observations FILE',
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
    message: {
      type: 'string',
      value: 'FILE',
      description: 'Check the links of a mail, of HTML or of a text; - is standard input.',
    },
    view: {
      type: 'string',
      words: VIEWS,
      description:
        'message: a message as a whole, with sender, authentication, attachments, and links by site, as text shows a mail by default. short: a small JSON object for each URL, as ?view=short of the API.',
    },
    'with-observations': { type: 'boolean', description: 'Put what was observed into the JSON answers.' },
    trace: {
      type: 'boolean',
      description: 'Show what the check did, and when: DNS questions, connections, TLS, HTTP, probes and stages.',
    },
    server: {
      type: 'string',
      value: 'URL',
      description: 'Let the service there check, which logs each check: in its public log, or as --record says.',
    },
    key: {
      type: 'string',
      value: 'FILE',
      description: 'File with a key for that service, with the scope batch.',
    },
    observations: {
      type: 'string',
      value: 'FILE',
      description: 'Judge such answers again, without a network; - is standard input.',
    },
  },
  examples: [
    { line: "lurecheck check https://example.com/ 'hxxp://paypal-login[.]example/'", purpose: 'Check two links.' },
    {
      line: 'lurecheck check --network none --format tsv - < urls.txt',
      purpose: 'Check a list, one a line, without a single packet.',
    },
    {
      line: 'lurecheck check --message mail.eml',
      purpose: 'Check every link of a mail, and see where its words say something else.',
    },
    {
      line: 'lurecheck check --message mail.eml --view message --format json',
      purpose: 'The same with sender, authentication and attachments, for a program.',
    },
    {
      line: 'lurecheck check --server https://box.example --key gateway.key - < urls.txt',
      purpose: 'Let a service check a list, a hundred at a time, at the pace of its limit.',
    },
    { line: 'lurecheck check --fail-on block "$URL" || echo "do not open it"', purpose: 'Decide in a script.' },
  ],
  named: ({ text }) => ({ reads: [text('html'), text('message'), text('observations'), text('key')] }),
  async run(invocation, io) {
    const { config, color, isQuiet } = invocation;
    const request = await readCheckOrder(invocation);
    const { source, format, failOn, withObservations, withTrace, service } = request;
    const message = source.kind === 'message' ? await readMessageFile(source.path, invocation, io) : null;
    const isList = source.kind !== 'operands' || source.urls.length > 1;
    const print = async (written: AsyncIterable<WrittenOutcomes>, style: FormatStyle) =>
      exitCode(await printOutcomes(written, { style, isQuiet }, io), failOn);
    const style = { format, isList, colour: wantsColour(io, color), isShort: request.isShort };
    const printAll = async (outcomes: AsyncIterable<CheckOutcome>) => {
      const isView = message !== null && (request.wantsMessage || (message.head !== null && format === 'text'));
      if (!isView) return await print(writtenDown(outcomes, style), style);
      return exitCode(await printMessage(message, outcomes, style, io), failOn);
    };
    const inputs = () => (message === null ? inputsOf(source, invocation, io) : messageInputs(message));
    if (service && source.kind !== 'observations') {
      const { checkAtService } = await import('../remote/check-at-service.ts');
      const order = { service, isPrivate: request.record === 'private' };
      return await printAll(checkAtService(inputs(), order, invocation, io));
    }
    await using opened = new AsyncDisposableStack();
    const logger = diagnosticsOf(invocation, io.stderr);
    const keep = request.record ? await openRecorder(config, logger, opened) : KEEP_NONE;
    const engine = opened.use(await openEngine(config, { keep, logger }));
    if (source.kind === 'observations') {
      const observed = await readObserved(source.path, io.stdin, invocation.place);
      const replayed = { ...style, isList: observed.isList };
      const outcomes = replay(observed, engine);
      return await print(writtenDown(withObservations ? outcomes : withoutObservations(outcomes), replayed), replayed);
    }
    const options = { visibility: request.record ?? 'private', withObservations, withTrace } as const;
    const isOffline = config.network === 'none';
    if (isOffline && !request.record && source.kind === 'stream' && source.format === 'text') {
      return await print(checkAllLines(io.stdin, engine, { config, options, style }), style);
    }
    const limit = isOffline ? OFFLINE_WINDOW : config.check_concurrency;
    return await printAll(mapInOrder(inputs(), limit, (input) => checkOne(input, engine, options)));
  },
};

async function* writtenDown(
  outcomes: AsyncIterable<CheckOutcome>,
  style: FormatStyle,
): AsyncGenerator<WrittenOutcomes> {
  for await (const outcome of outcomes) yield writeDown([outcome], style);
}

async function* messageInputs(message: Message): AsyncGenerator<readonly CheckInput[]> {
  yield inputsOfMessage(message);
}

async function* inputsOf(
  source: CheckSource,
  { place }: Pick<Invocation, 'place'>,
  io: Io,
): AsyncGenerator<readonly CheckInput[]> {
  if (source.kind === 'stream') yield* inputsOfStream(io.stdin, source.format);
  else if (source.kind === 'operands')
    yield inputsOfOperands(source.urls, source.htmlPath === null ? null : await readSavedPage(place(source.htmlPath)));
}

async function readSavedPage(path: string): Promise<SavedPage> {
  return { bytes: await Bun.file(path).bytes(), contentType: null, statusCode: 200 };
}

/** Logs the checks; what that needs is loaded for nobody else. */
async function openRecorder(
  config: LogPlaceSettings,
  logger: Logger,
  opened: AsyncDisposableStack,
): Promise<KeepCheck> {
  const { openLog } = await import('#src/app/open-log.ts');
  const { log } = opened.use(await openLog(config, 'append', logger));
  return log.append;
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
