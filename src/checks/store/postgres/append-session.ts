import type { SQL } from 'bun';
import { createRequestId } from '#src/core/base/request-id.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import type { KeptCheck } from '../write/stored-check.ts';
import { createAppend } from './append.ts';
import type { DatabaseUrl } from './session/database-url.ts';
import type { ReadyToAppend } from './session/database-sender.ts';
import { NotReadyError } from './session/fault.ts';
import { type NodeSign, signIn } from './nodes/nodes.ts';
import type { ServerGuard } from './session/server-guard.ts';
import { createSession, type ResolveHost, type Session } from './session/session.ts';

/** Who appends to which log. */
export interface AppendSessionOptions {
  readonly urls: readonly DatabaseUrl[];
  readonly visibility: Visibility;
  readonly timeoutMs: number;
  readonly guard: ServerGuard;
  readonly sign: NodeSign;
  readonly resolve?: ResolveHost | undefined;
}

/** A session over which checks are appended, to a server that takes them and has tables that fit. */
export function createAppendSession(options: AppendSessionOptions): Session<ReadyToAppend> {
  const { urls, visibility, timeoutMs, guard, sign, resolve } = options;
  const signInAt = async (sql: SQL) => (visibility === 'public' ? (await signIn(sql, sign)).id : null);
  const makeReady = async (sql: SQL, url: DatabaseUrl): Promise<ReadyToAppend> => {
    await guard.admit(sql, url, 'write', timeoutMs);
    const node = await signInAt(sql);
    return {
      append: createAppend(sql, node),
      tryOut: () => tryOut(sql, node),
      async examine() {
        try {
          await guard.admit(sql, url, 'write', timeoutMs);
          await signInAt(sql);
        } catch (error) {
          throw new NotReadyError(error);
        }
      },
    };
  };
  return createSession({ urls, timeoutMs, max: 1, resolve, makeReady });
}

/** Ends the transaction of a trial, so that nothing of it stays. */
class TrialOver extends Error {
  override readonly name = 'TrialOver';
}

/** Appends a check that is certainly well-formed, and takes it back. Throws what the database has against it. */
async function tryOut(sql: SQL, node: number | null): Promise<void> {
  const outcome = sql.begin(async (transaction) => {
    await createAppend(transaction, node)([trialCheck()]);
    throw new TrialOver('nothing is kept');
  });
  await outcome.catch((error: unknown) => {
    if (!(error instanceof TrialOver)) throw error;
  });
}

function trialCheck(): KeptCheck {
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
    url: 'http://trial.invalid/',
    settings: '',
    record: new Uint8Array(),
  };
}
