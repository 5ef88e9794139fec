import { requestSignature } from '../api/api.ts';
import { packResult } from './result-link.ts';
import type { ShownResult } from './shown-result.ts';

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
