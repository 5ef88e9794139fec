import type { CheckResult } from '#src/checks/record/check-result.ts';
import { requestSignature } from '../api/api.ts';
import { MAX_PACKED, packObject, unpackObject } from '../elements/packed-object.ts';
import type { ShownResult } from './verdict-state.ts';

/** Beyond this length nothing takes a link, and the service does not verify it. */
const MAX_LENGTH = 32_000;

/** A result as a link holds it, with what a message said of its URL as the last member. */
export interface LinkedResult extends CheckResult {
  readonly mismatch?: { readonly says: string; readonly goes_to: string };
}

/** Packs a result and its signature for a link; null if it is too long. */
export async function packResult(result: LinkedResult, signature: string): Promise<string | null> {
  const link = `${await packObject(result)}.${signature}`;
  return link.length > MAX_LENGTH ? null : link;
}

/** Unpacks the result of an untrusted link; null if there is none or it is too long. */
export async function unpackResult(link: string): Promise<LinkedResult | null> {
  if (link.length > MAX_PACKED) return null;
  const [packed = ''] = link.split('.', 1);
  const value = await unpackObject(packed);
  return value !== null && 'analysis_details' in value ? (value as unknown as LinkedResult) : null;
}

/**
 * Packs a result for a link. The mismatch with the message is signed as well, so that the opened link looks the same.
 * Null if it is too long for a link.
 *
 * @throws RefusalError if the service cannot be asked for the signature.
 */
export async function packShown(
  { result, mismatch }: Pick<ShownResult, 'result' | 'mismatch'>,
  signature: string,
): Promise<string | null> {
  // A result that came with a link is signed with what it says already.
  if (mismatch === null || 'mismatch' in result) return await packResult(result, signature);
  const link = await packResult(result, signature);
  const signed = link && (await requestSignature(link, mismatch));
  if (!signed) return null;
  return await packResult({ ...result, mismatch: { says: mismatch.says, goes_to: mismatch.goesTo } }, signed);
}
