import { RedisClient } from 'bun';
import { answeredWithin } from '#src/base/answered-within.ts';
import type { Logger } from '#src/base/logger.ts';
import type { LimiterAddress } from './limiter-address.ts';
import { WINDOW_MS } from './rate-limit.ts';
import type { SharedWindows, TakenPlaces, WantedPlace } from './shared-limiter.ts';
import SCRIPT from './window.lua' with { type: 'text' };

/** How long a connection may take to be ready, TLS and the first use of the script included. */
const OPEN_MS = 1000;

/** From one try to reach a server that is away to the next. */
const RETRY_MS = 500;

/** What every key begins with, for the rules by which a server tells its users apart. */
const PREFIX = 'lure:';

/**
 * The largest limit that is counted exactly, place by place. Above it, places are counted in hundredths of the window. One
 * call costs the Redis at most 15 µs on either side of it (`bun test/bench/shared-limiter.ts`).
 */
export const EXACT_LIMIT = 600;

/** Where a connection shows that the server does what it is asked: a window that is over at once. */
const TRIAL = { keys: [`${PREFIX}trial`], args: ['1', '1', String(EXACT_LIMIT), String(EXACT_LIMIT)] };

/** What it takes to count in a Redis or a Valkey. */
export interface RedisWindowsOptions {
  readonly address: LimiterAddress;
  /** Certificates of the authorities that a server with TLS must be vouched for by, as PEM text. */
  readonly authorities: readonly string[];
  /** How long one answer is waited for. */
  readonly timeoutMs: number;
  readonly logger: Logger;
  /** Is told before each try to connect. */
  readonly onConnecting?: () => Promise<void>;
  /** In place of the script, one that goes by another clock. */
  readonly script?: string;
}

/** A connection on which the script has run. */
interface Link extends Disposable {
  take(wanted: readonly WantedPlace[], places: number): Promise<TakenPlaces>;
}

/**
 * Windows in the memory of a Redis or a Valkey. Waits until it is reached, or was not: with the first of what it answers
 * badly or late it is away, one line of the log says why, and it is tried again twice a second.
 */
export async function openRedisWindows(options: RedisWindowsOptions): Promise<SharedWindows & Disposable> {
  const { address, timeoutMs, logger } = options;
  let link: Link | null = null;
  let told: string | null = null;
  let retry: Timer | undefined;
  let isClosed = false;

  function tellAway(error: unknown): void {
    const reason = reasonOf(error);
    if (reason !== told) logger.warn('limiter.local', { limiter: address.shown, reason });
    told = reason;
    if (!isClosed) retry = setTimeout(() => void open(), RETRY_MS);
  }

  function leave(lost: Link, error: unknown): void {
    if (link !== lost) return;
    link = null;
    lost[Symbol.dispose]();
    tellAway(error);
  }

  async function open(): Promise<void> {
    try {
      const opened = await connect(options, leave);
      if (isClosed) return opened[Symbol.dispose]();
      link = opened;
      told = null;
      logger.info('limiter.shared', { limiter: address.shown });
    } catch (error) {
      if (!isClosed) tellAway(error);
    }
  }

  await open();
  return {
    get isAway() {
      return link === null;
    },
    async take(wanted, places = 1) {
      const asked = link;
      try {
        return (asked && (await answeredWithin(asked.take(wanted, places), timeoutMs))) ?? null;
      } catch (error) {
        if (asked) leave(asked, error);
        return null;
      }
    },
    [Symbol.dispose]() {
      isClosed = true;
      clearTimeout(retry);
      link?.[Symbol.dispose]();
      link = null;
    },
  };
}

/** Connects, loads the script and runs it once, which a server that only copies, or is full, refuses. */
async function connect(
  { address, authorities, onConnecting, script = SCRIPT }: RedisWindowsOptions,
  onLost: (lost: Link, error: unknown) => void,
): Promise<Link> {
  await onConnecting?.();
  const client = new RedisClient(address.url, {
    // Each try is a connection of its own, which begins with the script.
    autoReconnect: false,
    // What cannot connect says why to a command that waits, and to nobody else.
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
    sha = String(await answeredWithin(client.send('SCRIPT', ['LOAD', script]), OPEN_MS));
    readTaken(await answeredWithin(run(TRIAL.keys, TRIAL.args), OPEN_MS));
  } catch (error) {
    client.close();
    throw error;
  }
  const link: Link = {
    async take(wanted, places) {
      const keys = wanted.map(({ name }) => PREFIX + name);
      const limits = wanted.map(({ limit }) => String(limit));
      return readTaken(await run(keys, [String(WINDOW_MS), String(places), String(EXACT_LIMIT), ...limits]));
    },
    [Symbol.dispose]() {
      client.onclose = null;
      client.close();
    },
  };
  client.onclose = (error) => onLost(link, error);
  return link;
}

/** The script's answer. Throws where it is another. */
function readTaken(reply: unknown): TakenPlaces {
  const isWhole = Array.isArray(reply) && reply.length >= 3 && reply.every((value) => Number.isInteger(value));
  if (!isWhole) throw new Error('it answers with something else than the script');
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

/** By the client's code, or by the first word of what the server says, what is the matter. */
const MATTERS: readonly (readonly [RegExp, string])[] = [
  [/^ERR_REDIS_CONNECTION_CLOSED/, 'it cannot be reached, or has closed the connection'],
  [/^ERR_REDIS_AUTHENTICATION_FAILED/, 'it refuses the name or the password'],
  [/^ERR_TLS|_CERT|_SIGNATURE|^CERT_|^SELF_SIGNED|ISSUER/, 'its certificate is not trusted'],
  [/ READONLY /, 'it is a replica, which cannot count'],
  [/ OOM /, 'its memory is full'],
  [/ LOADING /, 'it is still reading its data'],
  [/ NOPERM /, 'its user may not do that'],
];

/** Why it cannot be counted with, in a sentence for the operator. */
function reasonOf(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  const code = codeOf(error);
  const matter = MATTERS.find(([pattern]) => pattern.test(`${code} ${said} `))?.[1];
  return matter === undefined ? said : `${matter} (${said})`;
}
