import { type ApiKey, makeKey, SCOPES } from '#src/admin/keys/api-key.ts';
import { createKeyManager } from '#src/admin/keys/manage-keys.ts';
import type { Actor } from '#src/core/base/actor.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { startServer } from '../running-server.ts';
import { sessionsOf } from './sessions-of.ts';

/** A proxy that is trusted, whatever its IPv4 address. */
export const PROXY = { network: { family: 4 as const, value: 0n }, bits: 0 };

/** A service with a key per scope, a clock for its sessions, and the audit log in memory. */
export function startConsole(options: Parameters<typeof startServer>[0] = {}) {
  const secrets = new Map(
    SCOPES.map((scope) => [scope, makeKey({ name: scope, scopes: [scope], limit: null, expires_at: null }, 0)]),
  );
  const keys = new Map<string, ApiKey>([...secrets.values()].map(({ secret, key }) => [secret, key]));
  const clock = { nowMs: 0 };
  const audited: string[] = [];
  const actors: Actor[] = [];
  const withDigest = (digest: string) => [...keys.values()].find((key) => key.secret_sha256 === digest) ?? null;
  const server = startServer({
    keys: { find: (secret) => keys.get(secret) ?? null },
    sessions: sessionsOf({ withDigest }, { now: () => clock.nowMs }),
    audit: (by, { action, subject }) => audited.push(`${JSON.stringify(by)} ${action} ${subject}`),
    apiKeys: {
      ...createKeyManager({ dataDir: '/none', change: () => {}, clock: systemClock }),
      list: () => [...keys.values()],
      create(by, wanted) {
        actors.push(by);
        return Promise.resolve(makeKey(wanted, 0));
      },
    },
    ...options,
  });
  const secretOf = (scope: (typeof SCOPES)[number]) => secrets.get(scope)?.secret ?? '';
  const send = (method: string, path: string, headers: Record<string, string> = {}, body?: string) =>
    fetch(`${server.url}${path}`, { method, headers, ...(body !== undefined && { body }) });
  const signIn = async (scope: (typeof SCOPES)[number] = 'admin', headers: Record<string, string> = {}) => {
    const response = await send('POST', '/api/session', { authorization: `Bearer ${secretOf(scope)}`, ...headers });
    const setCookie = response.headers.get('set-cookie') ?? '';
    return { status: response.status, setCookie, cookie: setCookie.split(';', 1)[0] ?? '' };
  };
  return { server, keys, clock, audited, actors, secretOf, send, signIn, own: { origin: server.url } };
}

export type Console = ReturnType<typeof startConsole>;
