import { choice, type Invocation, UsageError } from '../command.ts';
import { pathKind, requireFile } from '../named-paths.ts';
import type { NamedService } from '../remote/service-address.ts';
import { FORMATS, type Format } from './check-format.ts';
import { INPUT_FORMATS, type InputFormat } from './check-input.ts';

/** Where the URLs come from. */
export type CheckSource =
  | { readonly kind: 'operands'; readonly urls: readonly string[]; readonly htmlPath: string | null }
  | { readonly kind: 'stream'; readonly format: InputFormat }
  /** `-` is standard input. */
  | { readonly kind: 'observations'; readonly path: string }
  /** `-` is standard input. */
  | { readonly kind: 'message'; readonly path: string };

/** How answers may be shown: a message as a whole, or each in short. */
export const VIEWS = ['message', 'short'] as const;

/** What `check` is asked for. */
export interface CheckOrder {
  readonly source: CheckSource;
  readonly format: Format;
  /** Whether a message is shown as a whole: a mail always is as text, anything else where that is asked for. */
  readonly wantsMessage: boolean;
  /** Whether each answer is written in short. */
  readonly isShort: boolean;
  readonly failOn: 'warn' | 'block' | undefined;
  readonly record: 'public' | 'private' | undefined;
  readonly withObservations: boolean;
  readonly withTrace: boolean;
  /** The service that is to check; null where this process does. */
  readonly service: NamedService | null;
}

/**
 * Understands the words of `check`, before anything is opened.
 *
 * @throws UsageError with what to write instead.
 */
export async function readCheckOrder(invocation: Invocation): Promise<CheckOrder> {
  const view = choice(invocation, 'view', VIEWS);
  const format = choice(invocation, 'format', FORMATS) ?? (view === 'short' ? 'ndjson' : 'text');
  const withTrace = invocation.flag('trace');
  if (withTrace && format === 'tsv') throw new UsageError('--trace has no column in tsv: take text, json or ndjson');
  if (withTrace && invocation.text('observations') !== undefined)
    throw new UsageError('--trace shows how a check goes, and with --observations none does');
  if (view === 'short') refuseBesideShort(invocation, format);
  if (view === 'message' && invocation.text('message') === undefined)
    throw new UsageError('--view message goes with --message');
  if (view === 'message' && format === 'tsv')
    throw new UsageError('--view message has no columns: take text, json or ndjson');
  const service = readService(invocation);
  return {
    service,
    source: await readSource(invocation),
    format,
    wantsMessage: view === 'message',
    isShort: view === 'short',
    failOn: choice(invocation, 'fail-on', ['warn', 'block']),
    record: choice(invocation, 'record', ['public', 'private']),
    withObservations: invocation.flag('with-observations'),
    withTrace,
  };
}

function refuseBesideShort({ flag }: Invocation, format: Format): void {
  if (format === 'text' || format === 'tsv')
    throw new UsageError(`--view short is JSON: take ndjson or json, not ${format}`);
  for (const option of ['trace', 'with-observations'])
    if (flag(option)) throw new UsageError(`--${option} has no place in --view short`);
}

/** What a service is not sent, or does not send. */
const NOT_REMOTE = {
  html: '--html is a page that lies here, and --server is not sent any',
  observations: '--observations are judged here: leave --server out',
  trace: '--trace shows what is done here, and with --server nothing is',
  'with-observations': '--with-observations are not in what a server answers',
} as const;

function readService({ text, flag }: Invocation): NamedService | null {
  const server = text('server');
  const keyFile = text('key');
  if (server === undefined) {
    if (keyFile !== undefined) throw new UsageError('--key is shown to a service: name it with --server');
    return null;
  }
  for (const [option, why] of Object.entries(NOT_REMOTE)) if (flag(option)) throw new UsageError(why);
  return { server, keyFile };
}

async function readSource(invocation: Invocation): Promise<CheckSource> {
  const { positionals } = invocation;
  const htmlPath = invocation.text('html');
  const path = invocation.text('observations');
  const messagePath = invocation.text('message');
  const format = choice(invocation, 'input', INPUT_FORMATS);
  if (messagePath !== undefined) return await readMessageSource(invocation, messagePath);
  if (path !== undefined) {
    if (positionals.length > 0) throw new UsageError('--observations holds its URLs: name none');
    if (htmlPath !== undefined) throw new UsageError('--observations holds its pages: leave --html out');
    if (format !== undefined) throw new UsageError('--input goes with -, and not with --observations');
    if (path !== '-') await requireFile(invocation, 'observations', path);
    return { kind: 'observations', path };
  }
  if (positionals.length === 0) throw new UsageError('name a URL to check, or - to read them from standard input');
  if (positionals.includes('-')) {
    if (positionals.length > 1) throw new UsageError('- stands alone: URLs come from standard input or as operands');
    if (htmlPath !== undefined) throw new UsageError('--html goes with one URL; use --input ndjson for many pages');
    return { kind: 'stream', format: format ?? 'text' };
  }
  if (format !== undefined) throw new UsageError('--input says how standard input is written, and goes with -');
  if (htmlPath !== undefined && positionals.length > 1) throw new UsageError('--html goes with one URL');
  for (const operand of positionals) await refuseFile(operand);
  if (htmlPath !== undefined) await requireFile(invocation, 'html', htmlPath);
  return { kind: 'operands', urls: positionals, htmlPath: htmlPath ?? null };
}

async function readMessageSource({ positionals, text, place }: Invocation, path: string): Promise<CheckSource> {
  if (positionals.length > 0) throw new UsageError('--message holds its URLs: name none');
  if (text('observations') !== undefined) throw new UsageError('--message and --observations are two things to check');
  if (text('html') !== undefined) throw new UsageError('--message is no page of a URL: leave --html out');
  if (text('input') !== undefined) throw new UsageError('--input goes with -, and not with --message');
  if (path !== '-') await requireFile({ place }, 'message', path);
  return { kind: 'message', path };
}

const SAVED_PAGE = /\.x?html?$/i;

/** A file where a URL should stand would be judged by its name. */
async function refuseFile(operand: string): Promise<void> {
  if (operand.includes('://') || (await pathKind(operand)) !== 'file') return;
  if (SAVED_PAGE.test(operand))
    throw new UsageError(`${operand} is a file: to judge a saved page, write check --html ${operand} URL`);
  const host = operand.includes('/') ? '' : `; a host of that name is http://${operand}`;
  throw new UsageError(`${operand} is a file: to check the URLs in it, write check - < ${operand}${host}`);
}
