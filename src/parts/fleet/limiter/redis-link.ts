import { RedisClient } from 'bun';
import { withTimeout } from '#src/core/base/timers.ts';
import { handshakeFaultOf } from '#src/core/base/tls/handshake-fault.ts';
import type { LimiterAddress } from '#src/service/server/limiter/limiter-address.ts';
import { WINDOW_MS } from '#src/service/server/limiter/rate-limit.ts';
import type { TakenPlaces, WantedPlace } from './shared-limiter.ts';
import SCRIPT from './window.lua' with { type: 'text' };

/** Timeout of a connection, TLS and the first run of the script, in milliseconds. */
const OPEN_MS = 1000;

/** Prefix of every key, for access rules of the server. */
const PREFIX = 'lure:';

/**
 * The largest limit that is counted exactly, place by place. Above it, places are counted in hundredths of the window.
 * The manual has the cost of a call for the Redis on either side of it, written by `bun test/bench/shared-limiter.ts`;
 * the aim is at most 60 µs.
 */
export const EXACT_LIMIT = 600;

/** Trial of a connection: a window that expires at once shows that the server executes scripts. */
const TRIAL = { keys: [`${PREFIX}trial`], args: ['1', '1', String(EXACT_LIMIT), String(EXACT_LIMIT)] };

/** A Redis or Valkey server and its trusted authorities. */
export interface LimiterServer {
  readonly address: LimiterAddress;
  /** Certificates of the authorities that a server with TLS must be vouched for by, as PEM text. */
  readonly authorities: readonly string[];
}

/** Marks the server that counts among several replicas: the one with the highest number. */
export interface LimiterTerm {
  /** Rises by 1 each time another server takes over; 0 for a server that never counted, or has lost its data. */
  readonly number: number;
  /** The server that counted when the number was written, without a password. */
  readonly server: string;
}

/** Key of the term, without expiry; replicas copy it. */
const TERM_KEY = `${PREFIX}term`;

/** A connection on which the script ran successfully. */
export interface RedisLink extends Disposable {
  take(wanted: readonly WantedPlace[], places: number): Promise<TakenPlaces>;
  readTerm(): Promise<LimiterTerm>;
  writeTerm(term: LimiterTerm): Promise<void>;
}

/** Connects, loads the script and runs it once. A replica or a full server refuses that. */
export async function openRedisLink(
  { address, authorities }: LimiterServer,
  onLost: (lost: RedisLink, error: unknown) => void,
  script: string = SCRIPT,
): Promise<RedisLink> {
  const client = new RedisClient(address.url, {
    // Each try is a connection of its own, which begins with the script.
    autoReconnect: false,
    // Waiting commands receive the reason of a failed connection.
    enableOfflineQueue: true,
    // Said here, so that no variable of the environment says otherwise.
    ...(address.isSecure && { tls: { ca: [...authorities], rejectUnauthorized: true } }),
  });
  const run = async (keys: readonly string[], args: readonly string[]): Promise<unknown> => {
    const rest = [String(keys.length), ...keys, ...args];
    try {
      return await client.send('EVALSHA', [sha, ...rest]);
    } catch (error) {
      if (!isScriptMissing(error)) throw error;
      return await client.send('EVAL', [script, ...rest]);
    }
  };
  let sha = '';
  try {
    sha = String(await withTimeout(client.send('SCRIPT', ['LOAD', script]), OPEN_MS));
    readTaken(await withTimeout(run(TRIAL.keys, TRIAL.args), OPEN_MS));
  } catch (error) {
    client.close();
    throw error;
  }
  const ask = (command: string, args: string[]) => withTimeout(client.send(command, args), OPEN_MS);
  const link: RedisLink = {
    async take(wanted, places) {
      const keys = wanted.map(({ name }) => PREFIX + name);
      const limits = wanted.map(({ limit }) => String(limit));
      return readTaken(await run(keys, [String(WINDOW_MS), String(places), String(EXACT_LIMIT), ...limits]));
    },
    async readTerm() {
      const [, number = '0', server = ''] = /^(\d+) (.*)$/s.exec(String(await ask('GET', [TERM_KEY]))) ?? [];
      return { number: Number(number), server };
    },
    async writeTerm({ number, server }) {
      await ask('SET', [TERM_KEY, `${number} ${server}`]);
    },
    [Symbol.dispose]() {
      client.onclose = null;
      client.close();
    },
  };
  client.onclose = (error) => onLost(link, error);
  return link;
}

/** Parses the reply of the script. Throws an Error if it is malformed. */
function readTaken(reply: unknown): TakenPlaces {
  const isWhole = Array.isArray(reply) && reply.length >= 3 && reply.every((value) => Number.isInteger(value));
  if (!isWhole) throw new Error('it returned an unexpected answer');
  const [places = 0, ...rest]: number[] = reply;
  return {
    places,
    isAdmitted: places > 0,
    windows: Array.from({ length: rest.length / 2 }, (_, at) => ({
      taken: rest[2 * at] ?? 0,
      freeInMs: rest[2 * at + 1] ?? 0,
    })),
  };
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '');

const isScriptMissing = (error: unknown) => error instanceof Error && error.message.startsWith('NOSCRIPT');

/** Explanations by the client's error code or the server's error prefix. */
const MATTERS: readonly (readonly [RegExp, string])[] = [
  [/^ERR_REDIS_CONNECTION_CLOSED/, 'it cannot be reached, or has closed the connection'],
  [/^ERR_REDIS_AUTHENTICATION_FAILED/, 'it refuses the name or the password'],
  [/ READONLY /, 'it is a replica, which cannot count'],
  [/ OOM /, 'its memory is full'],
  [/ LOADING /, 'it is still reading its data'],
  [/ NOPERM /, 'its user may not do that'],
];

/** Returns why a server cannot be used, for the operator. */
export function reasonOf(error: unknown): string {
  const certificate = handshakeFaultOf(error);
  // One sentence with the name of the server before it.
  if (certificate) return `its certificate ${certificate.matter} (${certificate.remedy.replace(/\.$/, '')})`;
  const said = error instanceof Error ? error.message : String(error);
  const code = codeOf(error);
  const matter = MATTERS.find(([pattern]) => pattern.test(`${code} ${said} `))?.[1];
  return matter === undefined ? said : `${matter} (${said})`;
}
