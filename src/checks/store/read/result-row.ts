import { Type } from '@sinclair/typebox';
import type { AnalysisDetails, CheckResult } from '#src/checks/record/check-result.ts';
import type { Provenance } from '#src/checks/record/decided-by.ts';
import { UnreadableRecordError } from '#src/checks/record/pack/bytes.ts';
import type { ActiveSettings } from '#src/checks/record/pack/shapes.ts';
import { unpackRecord } from '#src/checks/record/pack/unpack-record.ts';
import { completeResult, type FirstResult, fromStored, type LoggedResult } from '#src/checks/record/stored-result.ts';
import { isObject } from '#src/core/base/guard.ts';
import { requestIdMs } from '#src/core/base/request-id.ts';
import { parseJson, readShape } from '#src/core/base/text/json-shape.ts';
import { cutHost } from '#src/core/url/host.ts';
import { type ProvenanceRow, provenanceOf } from './history-item.ts';

interface ResultRow extends ProvenanceRow {
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

const ActiveSettingsSchema = Type.Object({
  base_log_odds: Type.Number(),
  thresholds: Type.Object({ warn: Type.Number(), block: Type.Number() }),
  model_version: Type.String(),
});

/** Returns the result of a row; if its record cannot be read, the row's columns and the reason. */
export function resultOfRow(row: ResultRow): LoggedResult {
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
    const stored = unpackRecord(row.record, { ...beside, ...readActiveSettings(row.settings) });
    return resultIn(stored, provenanceOf(row));
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

function readActiveSettings(settings: string | null): ActiveSettings {
  const shaped = readShape(ActiveSettingsSchema, parseJson(settings ?? ''));
  if ('value' in shaped) return shaped.value;
  throw new UnreadableRecordError('the active settings cannot be read');
}

/** A record that was modified may decode to something else than a result. */
function resultIn(value: unknown, provenance: Provenance): CheckResult {
  if (!isResult(value)) throw new UnreadableRecordError('it is not a result');
  return fromStored(completeResult(value), provenance);
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
