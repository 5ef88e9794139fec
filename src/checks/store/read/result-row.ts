import { Type } from '@sinclair/typebox';
import { isObject } from '#src/core/base/text/is-object.ts';
import { parseJson, readShape } from '#src/core/base/text/json-shape.ts';
import { requestIdMs } from '#src/core/base/request-id.ts';
import type { AnalysisDetails, CheckResult } from '#src/checks/record/check-result.ts';
import { completeResult, type FirstResult } from '#src/checks/record/complete-result.ts';
import type { KeptResult } from '#src/checks/record/logged-result.ts';
import { UnreadableRecordError } from '#src/checks/record/pack/byte-reader.ts';
import type { InForce } from '#src/checks/record/pack/shapes.ts';
import { unpackRecord } from '#src/checks/record/pack/unpack-record.ts';
import { withArgs } from '#src/checks/record/reasons/args.ts';
import { cutHost } from '#src/core/url/cut-host.ts';
import { checks, inForce } from '../file/schema.ts';

/** What a result is rebuilt from: columns of the checks, joined with what was in force. */
export const KEPT_COLUMNS = {
  requestId: checks.requestId,
  decision: checks.decision,
  probability: checks.probability,
  coverage: checks.coverage,
  caution: checks.caution,
  host: checks.host,
  url: checks.url,
  record: checks.record,
  settings: inForce.settings,
};

interface KeptRow {
  readonly requestId: string;
  readonly decision: CheckResult['decision'];
  readonly probability: number;
  readonly coverage: AnalysisDetails['coverage'] | null;
  readonly caution: boolean | null;
  readonly host: string | null;
  readonly url: string;
  readonly record: Uint8Array;
  readonly settings: string | null;
}

const InForceSchema = Type.Object({
  base_log_odds: Type.Number(),
  thresholds: Type.Object({ warn: Type.Number(), block: Type.Number() }),
  model_version: Type.String(),
});

/** The result of a row; where its record cannot be read, what the row itself says, and why. */
export function keptResult(row: KeptRow): KeptResult {
  const beside = {
    request_id: row.requestId,
    timestamp: new Date(requestIdMs(row.requestId)).toISOString(),
    normalized_url: row.url,
    host: row.host ?? cutHost(row.url),
    probability: row.probability,
    decision: row.decision,
    coverage: row.coverage,
    caution: row.caution,
  };
  try {
    return resultIn(unpackRecord(row.record, { ...beside, ...readInForce(row.settings) }));
  } catch (error) {
    if (!(error instanceof UnreadableRecordError)) throw error;
    return {
      url: row.url,
      malicious_probability: row.probability,
      decision: row.decision,
      analysis_details: null,
      unreadable: error.message,
      timestamp: beside.timestamp,
      request_id: row.requestId,
    };
  }
}

function readInForce(settings: string | null): InForce {
  const shaped = readShape(InForceSchema, parseJson(settings ?? ''));
  if ('value' in shaped) return shaped.value;
  throw new UnreadableRecordError('what was in force is not known');
}

/** Not every record that can be read is a result: its bytes may have been changed. */
function resultIn(value: unknown): CheckResult {
  if (!isResult(value)) throw new UnreadableRecordError('it is no result');
  return withArgs(completeResult(value));
}

function isResult(value: unknown): value is FirstResult {
  if (!isObject(value) || !isObject(value['analysis_details'])) return false;
  const { reasons, unavailable, redirects } = value['analysis_details'];
  return isListOf(reasons, isReason) && isListOf(unavailable, isObject) && isListOf(redirects, isObject);
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function isReason(value: unknown): boolean {
  return isObject(value) && typeof value['code'] === 'string' && typeof value['message'] === 'string';
}
