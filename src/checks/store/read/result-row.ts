import { Type } from '@sinclair/typebox';
import type { AnalysisDetails, CheckResult } from '#src/checks/record/check-result.ts';
import type { Provenance } from '#src/checks/record/decided-by.ts';
import type { HistoryItem } from '#src/checks/record/history-page.ts';
import { UnreadableRecordError } from '#src/checks/record/pack/bytes.ts';
import { unpackReasons } from '#src/checks/record/pack/pack-reasons.ts';
import type { ActiveSettings } from '#src/checks/record/pack/shapes.ts';
import { unpackRecord } from '#src/checks/record/pack/unpack-record.ts';
import { completeResult, type FirstResult, fromStored, type LoggedResult } from '#src/checks/record/stored-result.ts';
import { isObject } from '#src/core/base/guard.ts';
import { requestIdMs } from '#src/core/base/request-id.ts';
import { parseJson, readShape } from '#src/core/base/text/json-shape.ts';
import { cutHost } from '#src/core/url/host.ts';
import type { StoredCheck } from '../write/stored-check.ts';

/** Columns of a check that state how it came about. */
type ProvenanceRow = Pick<StoredCheck, 'via' | 'list' | 'entry' | 'listOwner'>;

/** Columns of a check that the history shows. */
export interface SummaryRow extends ProvenanceRow {
  readonly requestId: string;
  readonly url: string;
  readonly probability: number;
  readonly decision: HistoryItem['decision'];
  readonly coverage: HistoryItem['coverage'];
  readonly caution: HistoryItem['caution'];
  /** Packed; null for a check that an earlier version logged. */
  readonly reasons: Buffer | null;
  /** Null if the active settings of the check are lost. */
  readonly modelVersion: string | null;
}

/** Number of reasons in a row of the history. */
const MAX_REASONS = 3;

/** Returns how a check came about, by its row. */
function provenanceOf({ via, list, entry, listOwner }: ProvenanceRow): Provenance {
  return { via, decided_by: list === null ? null : { list, entry, source: listOwner } };
}

/** Returns a check as the history shows it. */
export function historyItem(row: SummaryRow): HistoryItem {
  const { requestId, url, probability, decision, coverage, caution, modelVersion } = row;
  return {
    request_id: requestId,
    url,
    malicious_probability: probability,
    decision,
    coverage,
    caution,
    ...provenanceOf(row),
    reasons: row.reasons === null ? [] : unpackReasons(row.reasons).slice(0, MAX_REASONS),
    model_version: modelVersion ?? '',
    timestamp: new Date(requestIdMs(requestId)).toISOString(),
  };
}

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
