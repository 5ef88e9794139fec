import type { CheckRecord } from '#src/checks/record/check-record.ts';
import type { AnalysisDetails, CheckResult } from '#src/checks/record/check-result.ts';
import type { Via } from '#src/checks/record/decided-by.ts';
import { packReasons } from '#src/checks/record/pack/pack-reasons.ts';
import { packRecord } from '#src/checks/record/pack/pack-record.ts';
import type { ActiveSettings, RowContext } from '#src/checks/record/pack/shapes.ts';
import { toStored } from '#src/checks/record/stored-result.ts';
import { isoTime } from '#src/core/base/clock.ts';
import { requestIdMs } from '#src/core/base/request-id.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { cutHost } from '#src/core/url/host.ts';
import { answerTimeBucket } from './buckets.ts';
import type { ClientHash } from './client-hash.ts';

/** Stored form of a check, the same in all logs. */
export interface StoredCheck {
  readonly requestId: string;
  readonly decision: CheckResult['decision'];
  readonly probability: number;
  /** Both null for a check that version 0.1 logged. */
  readonly coverage: AnalysisDetails['coverage'] | null;
  readonly caution: boolean | null;
  readonly answerTimeBucket: number;
  /** Null in the public log and for the command line. */
  readonly clientHash: Buffer | null;
  /** Null if it is the host of `url`, as nearly always. */
  readonly host: string | null;
  /** Host under which a blocked check is counted if another URL than the checked one decided; else null. */
  readonly decidingHost: string | null;
  readonly url: string;
  /** Both null for a check that an earlier version logged. */
  readonly via: Via | null;
  /** Codes of the reasons, packed. */
  readonly reasons: Buffer | null;
  /** The list entry that decided, and the owner of its list; all null if no list did. */
  readonly list: string | null;
  readonly entry: string | null;
  readonly listOwner: string | null;
  /** Active settings, as JSON. */
  readonly settings: string;
  /** The rest of the result, packed. */
  readonly record: Uint8Array;
}

/** A stored check with its position in log order. */
export interface LoggedCheck extends StoredCheck {
  readonly id: number;
  readonly isUndelivered: boolean;
}

/** Returns the stored form of a record in a log of this visibility. */
export function storedCheckOf(record: CheckRecord, visibility: Visibility, hashClient: ClientHash): StoredCheck {
  const { host, decidingHost = host, client, result } = record;
  const { request_id: requestId, decision, malicious_probability: probability, analysis_details: details } = result;
  const { normalized_url: url, coverage, caution, via, decided_by, base_log_odds, thresholds, model_version } = details;
  const beside: RowContext = {
    request_id: requestId,
    timestamp: isoTime(requestIdMs(requestId)),
    normalized_url: url,
    host: host.text,
    probability,
    decision,
    coverage,
    caution,
    base_log_odds,
    thresholds,
    model_version,
  };
  return {
    requestId,
    decision,
    probability,
    coverage,
    caution,
    answerTimeBucket: answerTimeBucket(details.analysis_time),
    clientHash: visibility === 'private' && client !== null ? hashClient(client) : null,
    host: host.text === cutHost(url) ? null : host.text,
    decidingHost: decision === 'block' && decidingHost.text !== host.text ? decidingHost.text : null,
    url,
    via,
    reasons: packReasons(details.reasons),
    list: decided_by?.list ?? null,
    entry: decided_by?.entry ?? null,
    listOwner: decided_by?.source ?? null,
    settings: settingsJson({ base_log_odds, thresholds, model_version }),
    record: packRecord(toStored(result), beside),
  };
}

/** Cache, because settings change only with the model or the configuration. */
let latest: { readonly settings: ActiveSettings; readonly json: string } | null = null;

function settingsJson(settings: ActiveSettings): string {
  const isLatest =
    latest?.settings.thresholds === settings.thresholds &&
    latest.settings.base_log_odds === settings.base_log_odds &&
    latest.settings.model_version === settings.model_version;
  if (!latest || !isLatest) latest = { settings, json: JSON.stringify(settings) };
  return latest.json;
}
