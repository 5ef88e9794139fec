import { join } from 'node:path';
import type { DecidedBy, Via } from '#src/checks/record/decided-by.ts';
import { isUnreadable } from '#src/checks/record/stored-result.ts';
import type { ScanLog } from '#src/checks/store/scan-log.ts';
import { readIfExists, replaceLocked } from '#src/core/base/files/locked-file.ts';
import { type Guard, objectWith } from '#src/core/base/guard.ts';
import { parseJson } from '#src/core/base/text/json-shape.ts';
import type { GateSettings } from './settings.ts';

/** Stored state of watch mode. Times are ISO 8601. */
interface WatchState {
  /** Start of watch mode; null if it was never used. */
  readonly watching_since: string | null;
  /** When an operator last read `gate report`; null for never. */
  readonly reported_at: string | null;
}

const NEVER: WatchState = { watching_since: null, reported_at: null };

const isTime: Guard<string | null> = (value): value is string | null =>
  value === null || (typeof value === 'string' && !Number.isNaN(Date.parse(value)));

const isWatchState = objectWith<WatchState>({ watching_since: isTime, reported_at: isTime });

const WHAT = 'times of watching';

const fileIn = (dataDir: string) => join(dataDir, 'gate.json');

/** Reads the state; a damaged file counts as none. Throws OperationError if the file cannot be read. */
export function readWatchState(dataDir: string): WatchState {
  const text = readIfExists(fileIn(dataDir), WHAT);
  const state = text === null ? null : parseJson(text);
  return isWatchState(state) ? state : NEVER;
}

/** Notes when watching began, unless it began earlier. Throws OperationError if the file cannot be written. */
export function beginWatching(dataDir: string, nowMs: number): void {
  if (readWatchState(dataDir).watching_since !== null) return;
  change(dataDir, (state) => ({ ...state, watching_since: new Date(nowMs).toISOString() }));
}

/** Notes that an operator has read the report. Throws OperationError likewise. */
function noteReport(dataDir: string, nowMs: number): void {
  change(dataDir, (state) => ({ ...state, reported_at: new Date(nowMs).toISOString() }));
}

function change(dataDir: string, next: (state: WatchState) => WatchState): void {
  replaceLocked(fileIn(dataDir), WHAT, () => `${JSON.stringify(next(readWatchState(dataDir)))}\n`);
}

/** Requests for one host that the gate held or would have held. */
export interface HeldHost {
  readonly host: string;
  /** Number of records: at most one per client, URL and hour. */
  readonly records: number;
  /** Number of clients; those of unknown address count as one. */
  readonly clients: number;
  /** Number of records of requests that were held; the others passed because `gate_mode` was `watch`. */
  readonly held: number;
  /** Rules that decided, and the strongest reasons. */
  readonly rules: readonly string[];
  readonly reasons: readonly string[];
  /** Rule of the latest request, and the deciding list entry; null if no list decided. */
  readonly via: Via | null;
  readonly decided_by: DecidedBy | null;
  /** Time of the latest record, ISO 8601. */
  readonly last: string;
}

const MAX_REASONS = 3;

interface Counted {
  records: number;
  held: number;
  readonly clients: Set<string>;
  readonly rules: Set<string>;
  readonly reasons: Set<string>;
  via: Via | null;
  decided_by: DecidedBy | null;
  last: string;
}

/** Number of records that are read at a time. */
const TOGETHER = 100;

/**
 * Counts the records of the gate in the private log by host, the host of the latest record first.
 *
 * @param sinceMs earliest time, in milliseconds since the Unix epoch; null for all of them
 */
export async function readHeldHosts(log: Pick<ScanLog, 'read'>, sinceMs: number | null): Promise<HeldHost[]> {
  const filter = { decision: null, domain: null, fromMs: sinceMs, untilMs: null };
  const entries = log.read('private', filter, TOGETHER);
  const hosts = new Map<string, Counted>();
  for await (const { result, clientHash } of entries) {
    if (isUnreadable(result)) continue;
    const { gate, host_parts: host, reasons, via, decided_by } = result.analysis_details;
    if (gate === undefined) continue;
    const counted = hosts.getOrInsertComputed(host.ascii, () => ({
      ...{ records: 0, held: 0, via, decided_by, last: '' },
      ...{ clients: new Set<string>(), rules: new Set<string>(), reasons: new Set<string>() },
    }));
    counted.records++;
    if (gate.held) counted.held++;
    counted.clients.add(clientHash ?? '');
    counted.rules.add(gate.rule);
    for (const { code, weight } of reasons) {
      if (weight > 0 && counted.reasons.size < MAX_REASONS) counted.reasons.add(code);
    }
    if (result.timestamp > counted.last) Object.assign(counted, { via, decided_by, last: result.timestamp });
  }
  return [...hosts]
    .map(([host, { clients, rules, reasons, ...counts }]) => ({
      ...{ host, ...counts, clients: clients.size, rules: [...rules], reasons: [...reasons] },
    }))
    .sort((a, b) => (a.last < b.last ? 1 : -1));
}

/** Requests that the gate held or would have held. Times are ISO 8601. */
interface GateReport {
  readonly mode: GateSettings['gate_mode'];
  /** Start of watch mode; null if it was never used. */
  readonly watching_since: string | null;
  /** Earliest time of the report; null for all records. */
  readonly since: string | null;
  readonly hosts: readonly HeldHost[];
}

/**
 * Reads what the gate held, and notes that an operator has read it.
 *
 * @param sinceMs earliest time, in milliseconds since the Unix epoch; null for when watching began
 * @throws OperationError; StoreError if the log cannot be read
 */
export async function readGateReport(
  dataDir: string,
  mode: GateSettings['gate_mode'],
  log: Pick<ScanLog, 'read'>,
  { sinceMs, nowMs }: { readonly sinceMs: number | null; readonly nowMs: number },
): Promise<GateReport> {
  const { watching_since } = readWatchState(dataDir);
  const fromMs = sinceMs ?? (watching_since === null ? null : Date.parse(watching_since));
  const hosts = await readHeldHosts(log, fromMs);
  if (watching_since !== null) noteReport(dataDir, nowMs);
  return { mode, watching_since, since: fromMs === null ? null : new Date(fromMs).toISOString(), hosts };
}
