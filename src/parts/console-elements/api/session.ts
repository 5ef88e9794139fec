import { send } from '#src/interfaces/ui/api/api.ts';
import type { SessionState } from '#src/parts/console/answers/console-answers.ts';

/** Exchanges a key for a session, which the browser holds in a cookie that no script can read. Throws RefusalError. */
export async function signIn(key: string): Promise<void> {
  await send('api/session', { method: 'POST', headers: { Authorization: `Bearer ${key}` } });
}

/** The session of this browser. Throws RefusalError; its status is 401 without one. */
export async function currentSession(signal?: AbortSignal): Promise<SessionState> {
  return (await (await send('api/session', signal ? { signal } : {})).json()) as SessionState;
}

/** Ends the session. Throws RefusalError. */
export async function signOut(): Promise<void> {
  await send('api/session', { method: 'DELETE' });
}
