import { writeFile } from 'node:fs/promises';
import type { PictureStore } from '#src/checks/store/pictures/picture-store.ts';
import type { Io } from '#src/core/base/io.ts';
import { choice, type Invocation, UsageError } from '../command.ts';
import { pathKind, requireFile } from '../named-paths.ts';
import type { NamedService } from '../remote/service-address.ts';
import { FORMATS, type Format } from './check-format.ts';
import { INPUT_FORMATS, type InputFormat } from './check-input.ts';

/** Windows of a picture: 1280 by 800 pixels, or 390 by 844. */
export const PICTURE_WINDOWS = ['desktop', 'phone'] as const;

/** The picture of the one page that a command checks. */
interface OnePicture extends Pick<PictureStore, 'isOn' | 'hold'> {
  readonly window: (typeof PICTURE_WINDOWS)[number];
  /** Writes it to a file; returns false, with a message, if there is none or the file cannot be written. */
  write(path: string, io: Pick<Io, 'stderr'>): Promise<boolean>;
}

/** Holds the last picture that the browser takes. */
export function takeOnePicture(window: OnePicture['window']): OnePicture {
  let webp: Uint8Array | null = null;
  return {
    isOn: true,
    window,
    hold(_visibility, _sha256, bytes) {
      webp = bytes;
    },
    async write(path, { stderr }) {
      if (webp === null) {
        await stderr.write('no picture was taken: render in the JSON answer says why\n');
        return false;
      }
      try {
        await writeFile(path, webp);
        return true;
      } catch (error) {
        await stderr.write(`cannot write the picture: ${error instanceof Error ? error.message : String(error)}\n`);
        return false;
      }
    },
  };
}

/** Source of the URLs. */
export type CheckSource =
  | { readonly kind: 'operands'; readonly urls: readonly string[]; readonly htmlPath: string | null }
  | { readonly kind: 'stream'; readonly format: InputFormat }
  /** `-` is standard input. */
  | { readonly kind: 'observations'; readonly path: string }
  /** `-` is standard input. */
  | { readonly kind: 'message'; readonly path: string };

/** Views of an answer: a whole message, or short. */
export const VIEWS = ['message', 'short'] as const;

/** Arguments, and the setting without which there are no pictures. */
type PictureInvocation = Invocation & { readonly config: { readonly browser: string | null } };

/** Parsed arguments of `check`. */
export interface CheckArguments {
  readonly source: CheckSource;
  readonly format: Format;
  /** True if a message is shown as a whole: a mail always is as text, anything else where that is asked for. */
  readonly wantsMessage: boolean;
  /** True if each answer is written in short. */
  readonly isShort: boolean;
  readonly failOn: 'warn' | 'block' | undefined;
  readonly record: 'public' | 'private' | undefined;
  readonly withObservations: boolean;
  readonly withTrace: boolean;
  /** File and window of the picture of the page; null for none. */
  readonly screenshot: { readonly path: string; readonly window: OnePicture['window'] } | null;
  /** The service that checks; null if this process does. */
  readonly service: NamedService | null;
}

/**
 * Understands the words of `check`, before anything is opened.
 *
 * @throws UsageError with what to write instead.
 */
export async function readCheckArguments(invocation: PictureInvocation): Promise<CheckArguments> {
  const view = choice(invocation, 'view', VIEWS);
  const format = choice(invocation, 'format', FORMATS) ?? (view === 'short' ? 'ndjson' : 'text');
  const withTrace = invocation.flag('trace');
  if (withTrace && format === 'tsv') throw new UsageError('--trace cannot be written as tsv: use text, json or ndjson');
  if (withTrace && invocation.text('observations') !== undefined)
    throw new UsageError('--trace does not apply to --observations: nothing is checked');
  if (view === 'short') refuseBesideShort(invocation, format);
  if (view === 'message' && invocation.text('message') === undefined)
    throw new UsageError('--view message requires --message');
  if (view === 'message' && format === 'tsv')
    throw new UsageError('--view message cannot be written as tsv: use text, json or ndjson');
  const service = readService(invocation);
  const source = await readSource(invocation);
  return {
    service,
    source,
    screenshot: readScreenshot(invocation, source),
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
    throw new UsageError(`--view short requires --format ndjson or json, not ${format}`);
  for (const option of ['trace', 'with-observations'])
    if (flag(option)) throw new UsageError(`--${option} does not apply to --view short`);
}

function readScreenshot(invocation: PictureInvocation, source: CheckSource): CheckArguments['screenshot'] {
  const { text, config } = invocation;
  const path = text('screenshot');
  const window = choice(invocation, 'window', PICTURE_WINDOWS);
  if (path === undefined) {
    if (window !== undefined) throw new UsageError('--window requires --screenshot');
    return null;
  }
  if (source.kind !== 'operands' || source.urls.length !== 1 || source.htmlPath !== null)
    throw new UsageError('--screenshot requires one URL, and no --html');
  if (config.browser === null)
    throw new UsageError(
      '--screenshot requires a browser: set browser, such as --browser /usr/bin/chromium-headless-shell',
    );
  return { path, window: window ?? 'desktop' };
}

/** Options that do not apply to a service. */
const LOCAL_OPTIONS = {
  html: '--html does not apply to --server: saved pages are not sent',
  observations: '--observations does not apply to --server: observations are scored locally',
  screenshot: '--screenshot does not apply to --server: the answer has a link to the picture',
  trace: '--trace does not apply to --server: it shows local work only',
  'with-observations': '--with-observations does not apply to --server: answers do not contain them',
} as const;

function readService({ text, flag }: Invocation): NamedService | null {
  const server = text('server');
  const keyFile = text('key');
  if (server === undefined) {
    if (keyFile !== undefined) throw new UsageError('--key requires --server');
    return null;
  }
  for (const [option, why] of Object.entries(LOCAL_OPTIONS))
    if (flag(option) || text(option) !== undefined) throw new UsageError(why);
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
    if (positionals.length > 0) throw new UsageError('--observations contains the URLs: no operand expected');
    if (htmlPath !== undefined) throw new UsageError('--observations contains the pages: --html does not apply');
    if (format !== undefined) throw new UsageError('--input requires -, not --observations');
    if (path !== '-') await requireFile(invocation, 'observations', path);
    return { kind: 'observations', path };
  }
  if (positionals.length === 0) throw new UsageError('expected a URL to check, or - to read URLs from standard input');
  if (positionals.includes('-')) {
    if (positionals.length > 1)
      throw new UsageError('- must be the only operand: URLs come from standard input or as operands');
    if (htmlPath !== undefined) throw new UsageError('--html requires one URL; use --input ndjson for many pages');
    return { kind: 'stream', format: format ?? 'text' };
  }
  if (format !== undefined) throw new UsageError('--input requires -: it sets the format of standard input');
  if (htmlPath !== undefined && positionals.length > 1) throw new UsageError('--html requires one URL');
  for (const operand of positionals) await refuseFile(operand);
  if (htmlPath !== undefined) await requireFile(invocation, 'html', htmlPath);
  return { kind: 'operands', urls: positionals, htmlPath: htmlPath ?? null };
}

async function readMessageSource({ positionals, text, resolvePath }: Invocation, path: string): Promise<CheckSource> {
  if (positionals.length > 0) throw new UsageError('--message contains the URLs: no operand expected');
  if (text('observations') !== undefined) throw new UsageError('--message and --observations cannot be combined');
  if (text('html') !== undefined) throw new UsageError('--html does not apply to --message');
  if (text('input') !== undefined) throw new UsageError('--input requires -, not --message');
  if (path !== '-') await requireFile({ resolvePath }, 'message', path);
  return { kind: 'message', path };
}

const SAVED_PAGE = /\.x?html?$/i;

/** Without this, a file name would be classified as a host name. */
async function refuseFile(operand: string): Promise<void> {
  if (operand.includes('://') || (await pathKind(operand)) !== 'file') return;
  if (SAVED_PAGE.test(operand))
    throw new UsageError(`${operand} is a file: to classify a saved page, use check --html ${operand} URL`);
  const host = operand.includes('/') ? '' : `; a host of that name is http://${operand}`;
  throw new UsageError(`${operand} is a file: to check the URLs in it, use check - < ${operand}${host}`);
}
