import type { DecidedBy, Via } from '#src/checks/record/decided-by.ts';
import { isUnreadable } from '#src/checks/record/stored-result.ts';
import type { ScanLog } from '#src/checks/store/scan-log.ts';

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
