import { gunzipSync } from 'node:zlib';
import { isTargetProblem, parseTarget } from '#src/url/target.ts';
import { DatasetError } from './dataset.ts';

/** One labelled page. */
export interface PageRow {
  readonly id: string;
  readonly isPhishing: boolean;
  /** The collection that it comes from. */
  readonly source: string;
  /** Where the page stood, or a neutral address where nobody knows. */
  readonly url: string;
  readonly html: string;
}

/** Stands in for the unknown host of a kit: no word of it says anything. */
const NEUTRAL_URL = 'https://neutral-host.example/';

/** Reads pages, one JSON object a line, gzip or plain. Throws a {@link DatasetError} naming the first line that is no page. */
export async function readPageRows(path: string): Promise<PageRow[]> {
  const file = Bun.file(path);
  if (!(await file.exists())) throw new DatasetError(`there is no file ${path}`);
  const bytes = await file.bytes();
  const text = new TextDecoder().decode(bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes);
  return text
    .split('\n')
    .flatMap((line, index) => (line.trim() === '' ? [] : [readRow(line, `${path}, line ${index + 1}`)]));
}

function readRow(line: string, where: string): PageRow {
  const value = parseJson(line);
  if (!isRecord(value)) throw new DatasetError(`${where} is no JSON object`);
  const { id, label, source, html } = value;
  if (typeof id !== 'string' || typeof label !== 'string' || typeof source !== 'string' || typeof html !== 'string') {
    throw new DatasetError(`${where}: id, label, source and html must be texts`);
  }
  return { id, isPhishing: label !== 'benign', source, url: addressOf(value, label === 'benign'), html };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Its own address, the host that is known of it, or, in front of benign fragments, the first address in a comment. */
function addressOf({ url, host_hint, html }: PageMembers, isBenign: boolean): string {
  const noted = isBenign && typeof html === 'string' ? /^\s*<!--\s*(https?:\/\/\S+)/.exec(html)?.[1] : undefined;
  const known = [url, typeof host_hint === 'string' ? `https://${host_hint}/` : null, noted];
  return known.find((text): text is string => typeof text === 'string' && isAddress(text)) ?? NEUTRAL_URL;
}

function isAddress(text: string): boolean {
  return !isTargetProblem(parseTarget(text));
}

interface PageMembers {
  readonly id?: unknown;
  readonly label?: unknown;
  readonly source?: unknown;
  readonly url?: unknown;
  readonly host_hint?: unknown;
  readonly html?: unknown;
}

function isRecord(value: unknown): value is PageMembers {
  return typeof value === 'object' && value !== null;
}
