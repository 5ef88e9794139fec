import type { CheckResult } from '#src/checks/record/check-result.ts';
import { MAX_PACKED, packText, unpackText } from '../elements/packed-text.ts';
import { parseObject } from '../elements/parse-object.ts';

/** Beyond this length nothing takes a link, and the service does not verify it. */
const MAX_LENGTH = 32_000;

/** A result as a link holds it, with what a message said of its URL as the last member. */
export interface LinkedResult extends CheckResult {
  readonly mismatch?: { readonly says: string; readonly goes_to: string };
}

/** Packs a result and its signature for a link; null if it is too long. */
export async function packResult(result: LinkedResult, signature: string): Promise<string | null> {
  const link = `${await packText(JSON.stringify(result))}.${signature}`;
  return link.length > MAX_LENGTH ? null : link;
}

/** Unpacks the result of an untrusted link; null if there is none or it is too long. */
export async function unpackResult(link: string): Promise<LinkedResult | null> {
  if (link.length > MAX_PACKED) return null;
  const [packed = ''] = link.split('.', 1);
  const value = parseObject(await unpackText(packed));
  return value !== null && 'analysis_details' in value ? (value as unknown as LinkedResult) : null;
}
