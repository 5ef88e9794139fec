import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Clock, MINUTE_MS } from '#src/core/base/clock.ts';
import { createExpiringMemory } from './expiring-memory.ts';

/** Duration of an override, and of the link on the block page that grants it. */
const OVERRIDE_MS = 10 * MINUTE_MS;
const MAX_OVERRIDES = 10_000;
/** Maximum length of a URL to which an override leads back; longer ones lead to the site's home page. */
const MAX_URL = 2048;

/** Path of the link on the block page, on the held site itself: the proxy passes it on, and the site never sees it. */
const PATH = '/.well-known/lurecheck-override/';

/** Overrides of held requests: signed, and limited to one host and one client. */
export interface Overrides {
  /** Returns a path that grants an override, and remembers its URL. */
  linkFor(host: string, client: string, url: string): string;
  /** Returns the URL to continue to if a path grants an override; null if it does not. */
  grant(host: string, client: string, path: string): string | null;
  isGranted(host: string, client: string): boolean;
}

/** Creates overrides that are signed by a key of this installation. */
export function createOverrides(key: () => Buffer, clock: Clock): Overrides {
  const granted = createExpiringMemory<true>(clock, OVERRIDE_MS, MAX_OVERRIDES);
  const urls = createExpiringMemory<string>(clock, OVERRIDE_MS, MAX_OVERRIDES);
  const sign = (host: string, client: string, ends: string) =>
    createHmac('sha256', key()).update(`lurecheck override 1\n${host}\n${client}\n${ends}`).digest('hex').slice(0, 32);
  return {
    linkFor(host, client, url) {
      const ends = String(clock.now() + OVERRIDE_MS);
      const token = `${ends}.${sign(host, client, ends)}`;
      if (url.length <= MAX_URL) urls.set(token, url);
      return PATH + token;
    },
    grant(host, client, path) {
      const [, ends = '', signature = ''] =
        /^\/\.well-known\/lurecheck-override\/(\d{1,16})\.([\da-f]{32})$/.exec(path) ?? [];
      if (ends === '' || Number(ends) < clock.now()) return null;
      if (!timingSafeEqual(Buffer.from(signature), Buffer.from(sign(host, client, ends)))) return null;
      granted.set(`${client}\n${host}`, true);
      return urls.get(`${ends}.${signature}`) ?? '/';
    },
    isGranted: (host, client) => granted.get(`${client}\n${host}`) !== null,
  };
}
