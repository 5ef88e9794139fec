import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { ScoringContext } from '#src/admin/active/scoring-context.ts';
import type { SourceReport } from '#src/app/conditions.ts';
import { type Clock, HOUR_MS, MINUTE_MS } from '#src/core/base/clock.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { stampOf } from '#src/core/base/files/followed-file.ts';
import { readErrorText } from '#src/core/base/files/named-file.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { type Notice, notice } from '#src/core/base/text/condition.ts';
import { repeated } from '#src/core/base/timers.ts';
import type { ListSource } from '#src/network/lists/settings.ts';
import { readListState, SOURCE } from '#src/network/lists/stored/list-state.ts';
import type { StoredChecks } from '#src/parts/tuning/rescore/rescore.ts';
import { type Fetched, MAX_SOURCE_BYTES } from './fetch-source.ts';
import { importSource } from './import-source.ts';
import { readSourceStates, type SourceState, type Validators, writeSourceStates } from './source-state.ts';

/** Interval of checks for due sources and changed files. */
const CHECK_EVERY_MS = MINUTE_MS;

/** Time until a failed source is tried again. */
const RETRY_MS = 10 * MINUTE_MS;

/** Dependencies of the import of sources. */
export interface SourceParts {
  readonly dataDir: string;
  readonly sources: () => readonly ListSource[];
  /** Fetches an https source, see `fetchSource`. */
  readonly fetch: (url: string, known: Validators | null, signal: AbortSignal) => Promise<Fetched>;
  /** Returns true if this node imports for all that share its lists; by default it does. */
  readonly leads?: (() => Promise<boolean>) | undefined;
  readonly context: () => ScoringContext;
  /** The latest stored checks, see `importSource`. */
  readonly latestChecks: () => StoredChecks;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/** Imports lists on schedule. Disposing of it aborts an import in progress. */
export interface FollowedSources extends AsyncDisposable {
  /** Checks all sources now. Never throws. */
  checkNow(): Promise<void>;
  /** Returns the number of sources, and notices about them without a path or URL. */
  status(): {
    readonly count: number;
    readonly notices: readonly Notice[];
    /** Each source, and how its last attempt ended. */
    readonly sources: readonly SourceReport[];
  };
}

/** Follows the sources that the settings name: files whenever they change, URLs each hour. */
export function followSources(parts: SourceParts): FollowedSources {
  const { dataDir, clock, logger } = parts;
  const stopping = new AbortController();
  let states: ReadonlyMap<string, SourceState> = readStates();
  let isAsked = false;

  async function renew(source: ListSource, before: SourceState | null): Promise<SourceState> {
    const tried_at = new Date(clock.now()).toISOString();
    const known = before ?? NOT_TRIED;
    try {
      const fetched = await read(source, known.sha256 === null || known.problem !== null ? null : known);
      if (fetched === null) return { ...known, place: hashOf(source), tried_at, renewed_at: tried_at, problem: null };
      const sha256 = await hashInTurns(fetched.bytes);
      if (sha256 !== known.sha256) {
        const found = await importSource(dataDir, source, fetched.bytes, {
          context: parts.context(),
          latestChecks: parts.latestChecks(),
        });
        const { list, entries, added, quarantined, skipped, unread, format } = found.changed;
        const counts = { entries, added, quarantined, left_out: skipped.count + unread.count };
        const [first] = unread.first;
        const notRead = first && { not_understood: `line ${first.line}: ${first.message}` };
        logger.info('lists.source_imported', {
          list,
          format,
          ...counts,
          ...notRead,
          checks_changed: found.checksChanged,
        });
      }
      return { ...fetched.validators, place: hashOf(source), sha256, tried_at, renewed_at: tried_at, problem: null };
    } catch (error) {
      const problem = error instanceof OperationError ? error.message : String(error);
      if (problem !== known.problem && !stopping.signal.aborted)
        logger.warn('lists.source_failed', { list: source.name, problem });
      return { ...known, ...triedOf(source), place: hashOf(source), tried_at, problem };
    }
  }

  async function read({ from }: ListSource, known: Validators | null): Promise<Fetched> {
    if (from.kind === 'https') return await parts.fetch(from.url, known, stopping.signal);
    // Before it is read, so that no change goes unseen.
    const etag = stampOf(from.path);
    if (etag === known?.etag) return null;
    return { bytes: await readFile(from.path), validators: { etag, last_modified: null } };
  }

  async function checkDue(): Promise<void> {
    if (parts.sources().length > 0 && parts.leads && !(await parts.leads())) {
      states = new Map();
      return;
    }
    const stored = readStates();
    const areAllDue = isAsked;
    isAsked = false;
    const next = new Map<string, SourceState>();
    const lists = await readListState(dataDir).catch(() => null);
    for (const source of parts.sources()) {
      const { name } = source;
      const isThere = lists?.lists.some((list) => list.name === name && list.origin === SOURCE) ?? true;
      const found = stored.get(name);
      const before = found?.place === hashOf(source) ? (isThere ? found : { ...found, sha256: null }) : null;
      const isDueNow = areAllDue || before === null || isDue(source, before, clock.now());
      next.set(name, isDueNow && !stopping.signal.aborted ? await renew(source, before) : (before ?? NOT_TRIED));
    }
    states = next;
    if (stored.size + next.size > 0 && !Bun.deepEquals(stored, next) && !stopping.signal.aborted)
      await writeSourceStates(dataDir, next);
  }

  function readStates(): Map<string, SourceState> {
    try {
      return readSourceStates(dataDir);
    } catch {
      return new Map();
    }
  }

  const checking = repeated(CHECK_EVERY_MS, async () => {
    try {
      await checkDue();
    } catch (error) {
      logger.warn('lists.sources_failed', { error });
    }
  });
  void checking.now();
  return {
    checkNow() {
      isAsked = true;
      return checking.now();
    },
    status() {
      const failing = [...states].filter(([, { problem }]) => problem !== null);
      const notices = failing.map(([name, { renewed_at }]) => {
        const since = renewed_at === null ? 'was never imported' : `was last renewed at ${renewed_at}`;
        return notice('list_source_failed', `The source of the list ${name} cannot be used; it ${since}.`, {
          list: name,
        });
      });
      const sources = parts.sources().map((source) => reportOf(source, states.get(source.name) ?? NOT_TRIED));
      return { count: sources.length, notices, sources };
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await checking.stop();
    },
  };
}

function reportOf({ name, from, everyMs }: ListSource, { tried_at, renewed_at, problem }: SourceState): SourceReport {
  const afterMs = problem !== null ? RETRY_MS : from.kind === 'https' ? (everyMs ?? HOUR_MS) : null;
  const isTried = tried_at !== '';
  const next_at = isTried && afterMs !== null ? new Date(Date.parse(tried_at) + afterMs).toISOString() : null;
  return { name, tried_at: isTried ? tried_at : null, renewed_at, next_at, problem };
}

const NOT_TRIED: SourceState = {
  ...{ place: '', sha256: null, tried_at: '', renewed_at: null, problem: null },
  ...{ etag: null, last_modified: null },
};

/** Returns true if a source is due: a file each time, a URL at its interval, and sooner after a failure. */
function isDue(
  { from, everyMs }: ListSource,
  { tried_at, problem, sha256, etag }: SourceState,
  nowMs: number,
): boolean {
  const sinceMs = nowMs - Date.parse(tried_at);
  // A clock that was set back puts nothing off.
  if (!(sinceMs >= 0)) return true;
  if (from.kind === 'file' && stampOf(from.path) !== etag) return true;
  if (problem !== null) return sinceMs >= RETRY_MS;
  return sha256 === null || (from.kind === 'https' && sinceMs >= (everyMs ?? HOUR_MS));
}

/** Returns the stamp of a file that could not be imported. */
function triedOf({ from }: ListSource): Partial<Validators> {
  return from.kind === 'file' ? { etag: stampOf(from.path) } : {};
}

async function readFile(path: string): Promise<Uint8Array> {
  const file = Bun.file(path);
  try {
    if (file.size > MAX_SOURCE_BYTES)
      throw new OperationError('source_failed', [`its file holds more than ${MAX_SOURCE_BYTES / 1024 / 1024} MiB`]);
    return await file.bytes();
  } catch (cause) {
    if (cause instanceof OperationError) throw cause;
    throw new OperationError('source_failed', [`its file ${readErrorText(cause)}`], { cause });
  }
}

/** Number of bytes that are hashed before other work takes its turn, some milliseconds. */
const TURN_BYTES = 1024 * 1024;

async function hashInTurns(bytes: Uint8Array): Promise<string> {
  const hasher = createHash('sha256');
  for (let at = 0; at < bytes.length; at += TURN_BYTES) {
    hasher.update(bytes.subarray(at, at + TURN_BYTES));
    await setImmediate();
  }
  return hasher.digest('hex');
}

/** Identifies a source and how it is read; of a list that blocks, in a format that is detected, as before there were others. */
const hashOf = ({ action, format, from }: ListSource) =>
  createHash('sha256')
    .update(
      `${action === 'allow' ? 'allow:' : ''}${format ? `${format}:` : ''}${from.kind === 'https' ? from.url : from.path}`,
    )
    .digest('hex');
