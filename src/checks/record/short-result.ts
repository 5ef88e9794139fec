import { type Static, Type } from '@sinclair/typebox';
import { type CheckResult, CheckResultSchema, CoverageSchema, ShortReasonSchema } from './check-result.ts';

const { request_id, url, malicious_probability, decision } = CheckResultSchema.properties;

/** Schema of the short form of an answer, for frequent clients. */
export const ShortResultSchema = Type.Object(
  {
    request_id,
    url,
    malicious_probability,
    decision,
    coverage: CoverageSchema,
    caution: Type.Boolean({ description: 'As in `analysis_details`' }),
    reasons: Type.Array(ShortReasonSchema, { maxItems: 3, description: 'The strongest reasons, as many as fit' }),
  },
  {
    $id: 'ShortResult',
    description: 'The answer to a check with `view=short`: at most 300 bytes besides the URL',
  },
);

export type ShortResult = Static<typeof ShortResultSchema>;

/** Maximum size in bytes, without the URL. */
const MAX_BYTES = 300;

const MAX_REASONS = 3;

/** Returns the short form of a result: its strongest reasons, as many as fit. */
export function shortResult({
  request_id,
  url,
  malicious_probability,
  decision,
  analysis_details,
}: CheckResult): ShortResult {
  const { coverage, caution } = analysis_details;
  const reasons: ShortResult['reasons'] = [];
  const short = { request_id, url, malicious_probability, decision, coverage, caution, reasons };
  for (const reason of strongestReasons(analysis_details)) {
    reasons.push(reason);
    if (bytesOf(short) - bytesOf(url) <= MAX_BYTES) continue;
    reasons.pop();
    break;
  }
  return short;
}

/** Returns the strongest reasons of a result without words. */
export function strongestReasons({
  reasons,
}: Pick<CheckResult['analysis_details'], 'reasons'>): ShortResult['reasons'] {
  return reasons.slice(0, MAX_REASONS).map(({ code, weight }) => ({ code, weight: Math.round(weight * 100) / 100 }));
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
