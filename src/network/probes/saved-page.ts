import { FailureError } from '#src/core/base/failure.ts';
import type { Target } from '#src/core/url/target.ts';
import { decodeBody } from '#src/network/egress/http/body.ts';
import { type FileKind, fileKind, readMhtml } from '#src/network/html/saved/saved-file.ts';
import type { Observation } from './observations.ts';
import type { PageContext } from './page.ts';
import { type PageVisit, visitOf } from './page-visit.ts';
import { asRead } from './visit/read-hop.ts';
import { exitsOf, refreshTargets } from './visit/ways-on.ts';

/** The page of a file. */
interface OpenedPage {
  readonly bytes: Uint8Array;
  /** The `Content-Type` in an archive; null if the file does not name one. */
  readonly contentType: string | null;
  /** True if the file was unpacked up to the limit only, or is incomplete. */
  readonly truncated: boolean;
}

/** A file that is no page; `problem` is a predicate, such as `is a PDF document; expected …`. */
export interface RefusedFile {
  readonly problem: string;
}

/** Files within files that are unpacked. */
const MAX_NESTING = 3;

/**
 * Returns the page in a file: a packed one is unpacked up to `maxBytes`, and of an archive the first page is returned. Other
 * kinds of files are refused.
 */
export async function openSavedPage(bytes: Uint8Array, maxBytes: number): Promise<OpenedPage | RefusedFile> {
  let content = bytes;
  let truncated = false;
  for (let nesting = 0; nesting <= MAX_NESTING; nesting++) {
    const kind = fileKind(content);
    if (kind.is !== 'packed') return openPlainPage(content, truncated);
    const body = await decodeBody(content, kind.coding, maxBytes);
    if (body.bytes.length === 0 || (!kind.isSure && body.truncated)) return refused(kind);
    truncated ||= body.truncated || (kind.coding === 'gzip' && lengthInGzip(content) !== body.bytes.length);
    content = body.bytes;
  }
  return refusal(`packed more than ${MAX_NESTING} times`);
}

/** Returns the length of the content that ends a gzip file (RFC 1952 §2.3.1), modulo 2^32; the decoder does without the end. */
function lengthInGzip(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(bytes.length - 4, true);
}

/** Returns the page in content that is not packed. */
export function openPlainPage(bytes: Uint8Array, truncated = false): OpenedPage | RefusedFile {
  const kind = fileKind(bytes);
  if (kind.is === 'page') return { bytes, contentType: null, truncated };
  if (kind.is !== 'archive') return refused(kind);
  const page = readMhtml(bytes);
  return page === null ? refusal('an archive without a page') : { ...page, truncated };
}

function refused(kind: Exclude<FileKind, { readonly is: 'page' | 'archive' }>): RefusedFile {
  if (kind.is === 'other') return refusal(kind.name);
  return refusal(kind.isSure ? `damaged ${kind.coding} data` : 'binary data');
}

function refusal(name: string): RefusedFile {
  return {
    problem: `is ${name}; expected a saved page (HTML, XHTML, SVG or MHTML, which may be compressed)`,
  };
}

const NO_HEADERS: ReadonlyMap<string, string> = new Map();

/** A saved page. */
export interface SavedPage {
  readonly bytes: Uint8Array;
  /** The `Content-Type`; null if it must be detected from the page. */
  readonly contentType: string | null;
  readonly statusCode: number;
  /** True if the page is incomplete; absent if it is not. */
  readonly truncated?: boolean;
}

/** Returns the observation of a visit on which the target answers with this page. */
export async function observeSavedPage(
  target: Target,
  { bytes, contentType, statusCode, truncated = false }: SavedPage,
  readPage: PageContext['readPage'],
): Promise<Observation<PageVisit>> {
  const startMs = performance.now();
  const seen = ({ document, stopped }: Pick<PageVisit, 'document' | 'stopped'>): Observation<PageVisit> => ({
    state: 'observed',
    value: visitOf(target, {
      ...{ document, stopped, statusCode, truncated },
      contentLength: bytes.byteLength,
      exits: exitsOf(document, refreshTargets(target, { headers: NO_HEADERS }, document)),
    }),
    elapsedMs: performance.now() - startMs,
  });
  try {
    return seen(asRead(await readPage(bytes, { contentType, url: target.requestUrl })));
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    return seen({ document: null, stopped: error.failure });
  }
}
