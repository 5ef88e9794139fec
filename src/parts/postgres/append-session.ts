import type { SQL } from 'bun';
import type { ResolveHost } from '#src/checks/store/database-access.ts';
import type { DatabaseUrl } from '#src/checks/store/database-url.ts';
import type { StoredCheck } from '#src/checks/store/write/stored-check.ts';
import { createRequestId } from '#src/core/base/request-id.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { createAppend } from './append.ts';
import { type NodeStatus, registerNode } from './nodes/nodes.ts';
import type { ReadyToAppend } from './session/database-sender.ts';
import { DatabaseClockError, NotReadyError } from './session/fault.ts';
import type { ServerGuard } from './session/server-guard.ts';
import { createSession, type Session } from './session/session.ts';

/** Options of an append session. */
export interface AppendSessionOptions {
  readonly urls: readonly DatabaseUrl[];
  readonly visibility: Visibility;
  readonly timeoutMs: number;
  readonly guard: ServerGuard;
  readonly status: NodeStatus;
  readonly resolve?: ResolveHost | undefined;
}

/** Creates a session that appends checks, to a writable server with a matching schema. */
export function createAppendSession(options: AppendSessionOptions): Session<ReadyToAppend> {
  const { urls, visibility, timeoutMs, guard, status, resolve } = options;
  const registerAt = async (sql: SQL) => {
    const node = visibility === 'public' ? (await registerNode(sql, status)).id : null;
    const problem = status.databaseClock?.() ?? null;
    if (problem !== null) throw new DatabaseClockError(problem);
    return node;
  };
  const prepare = async (sql: SQL, url: DatabaseUrl): Promise<ReadyToAppend> => {
    await guard.admit(sql, url, 'write', timeoutMs);
    const node = await registerAt(sql);
    return {
      append: createAppend(sql, node),
      testAppend: () => testAppend(sql, node),
      async examine() {
        try {
          await guard.admit(sql, url, 'write', timeoutMs);
          await registerAt(sql);
        } catch (error) {
          throw new NotReadyError(error);
        }
      },
    };
  };
  return createSession({ urls, timeoutMs, max: 1, resolve, prepare });
}

/** Rolls back the transaction of a trial. */
class RollBackTrial extends Error {
  override readonly name = 'RollBackTrial';
}

/** Appends a well-formed check and rolls it back. Throws the database's error. */
async function testAppend(sql: SQL, node: number | null): Promise<void> {
  const outcome = sql.begin(async (transaction) => {
    await createAppend(transaction, node)([trialCheck()]);
    throw new RollBackTrial('nothing is stored');
  });
  await outcome.catch((error: unknown) => {
    if (!(error instanceof RollBackTrial)) throw error;
  });
}

function trialCheck(): StoredCheck {
  return {
    requestId: createRequestId(Date.now()),
    decision: 'allow',
    probability: 0,
    coverage: null,
    caution: null,
    answerTimeBucket: 0,
    clientHash: null,
    host: null,
    decidingHost: null,
    via: null,
    reasons: null,
    list: null,
    entry: null,
    listOwner: null,
    url: 'http://trial.invalid/',
    settings: '',
    record: new Uint8Array(),
  };
}
