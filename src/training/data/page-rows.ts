import { gunzipSync } from 'node:zlib';
import { type Static, Type } from '@sinclair/typebox';
import { parseJson, readShape } from '#src/core/base/text/json-shape.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import { DatasetError } from './dataset.ts';

/** A labelled page. */
export interface PageRow {
  readonly id: string;
  readonly isPhishing: boolean;
  /** Collection of the page. */
  readonly source: string;
  /** Address of the page, or a neutral one if unknown. */
  readonly url: string;
  readonly html: string;
}

/** Replaces the unknown host of a kit; has no word with a meaning. */
export const NEUTRAL_URL = 'https://neutral-host.example/';

/**
 * Reads pages, one JSON object per line, gzip or plain. Throws a {@link DatasetError} naming the first invalid line.
 */
export async function readPageRows(path: string): Promise<PageRow[]> {
  const file = Bun.file(path);
  if (!(await file.exists())) throw new DatasetError(`file not found: ${path}`);
  const bytes = await file.bytes();
  const text = new TextDecoder().decode(bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes);
  return text
    .split('\n')
    .flatMap((line, index) => (line.trim() === '' ? [] : [readRow(line, `${path}, line ${index + 1}`)]));
}

const RowSchema = Type.Object({
  id: Type.String(),
  label: Type.String(),
  source: Type.String(),
  html: Type.String(),
  url: Type.Optional(Type.Unknown()),
  host_hint: Type.Optional(Type.Unknown()),
});

function readRow(line: string, where: string): PageRow {
  const shaped = readShape(RowSchema, parseJson(line));
  if ('problem' in shaped) throw new DatasetError(`${where} is not a page: ${shaped.problem}`);
  const { id, label, source, html } = shaped.value;
  const isPhishing = label !== 'benign';
  return { id, isPhishing, source, url: addressOf(shaped.value, !isPhishing), html };
}

/** Returns its own address, its known host, or, for benign fragments, the first address in a comment. */
function addressOf({ url, host_hint, html }: Static<typeof RowSchema>, isBenign: boolean): string {
  const noted = isBenign ? /^\s*<!--\s*(https?:\/\/\S+)/.exec(html)?.[1] : undefined;
  const known = [url, typeof host_hint === 'string' ? `https://${host_hint}/` : null, noted];
  return known.find((text): text is string => typeof text === 'string' && isAddress(text)) ?? NEUTRAL_URL;
}

function isAddress(text: string): boolean {
  return !isTargetProblem(parseTarget(text));
}
