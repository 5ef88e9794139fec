import type { ScanLog } from '#src/checks/store/scan-log.ts';
import { type HeldHost, readHeldHosts } from './held-report.ts';
import type { GateSettings } from './settings.ts';
import { noteReport, readWatchState } from './watch-state.ts';

/** Requests that the gate held or would have held. Times are ISO 8601. */
export interface GateReport {
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
