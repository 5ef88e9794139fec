import { type AnyElysia, Elysia } from 'elysia';
import type { PeerOf } from '#src/core/base/addresses/client-address.ts';
import type { Clock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { createAddresses, createIsEncrypted, silenceSecondsOf } from './http/client-addresses.ts';
import { createProblemOf } from './http/faults.ts';
import { createArrivals, createHttpApp, type HttpAppParts } from './http/http-app.ts';
import { withKnownParameters } from './http/known-parameters.ts';
import { createMisdirectedLog } from './http/misdirected.ts';
import { refuse } from './http/problem.ts';
import { createOwnHosts } from './http/request-site.ts';
import { createUnrouted } from './http/unrouted.ts';
import { UNAUTHORIZED } from './keys/bearer.ts';
import { declareLate, type ServedLate } from './late-routes.ts';
import { createQuota, type Keys, type Limits } from './limiter/quota.ts';
import { textAsset, whenAsked } from './page/assets.ts';
import { createSendDocument, pageFileRoutes, type WebPage } from './page/page-routes.ts';
import { RARE_ROUTES, type RouteParts, routes } from './routes.ts';
import type { AuthUser } from './session/auth-settings.ts';
import { createProxiedUser } from './session/proxied-user.ts';
import type { ServerSettings } from './settings.ts';

/** Parts of the routes that a server makes itself, from its settings and dependencies. */
type ServersOwn =
  | keyof ReturnType<typeof createAddresses>
  | ('arrivalOf' | 'basePath' | 'batchConcurrency' | 'contact' | 'isEncrypted' | 'isOwnHost' | 'isShown')
  | ('manual' | 'now' | 'ownNames' | 'problemOf' | 'quota' | 'readMetrics' | 'sendDocument' | 'sendOpenApi')
  | ('silenceSeconds' | 'userOf' | 'usesNetwork');

/** Dependencies of a server: those of its routes, and what it gives them itself. */
export interface ServerParts extends Omit<RouteParts, ServersOwn> {
  readonly settings: ServerSettings;
  /** Shared by all servers of the process. */
  readonly limits: Limits;
  readonly peerOf: PeerOf;
  readonly keys: Keys;
  /** The rows of `auth_users`. */
  readonly authUsers: () => readonly AuthUser[];
  /** Returns what the late routes work with beside {@link RouteParts}. */
  readonly operations: () => Promise<object>;
  readonly isSecure: HttpAppParts['isSecure'];
  readonly onAnswered: HttpAppParts['onAnswered'];
  /** Routes of parts. */
  readonly late: readonly ServedLate[];
  /** Returns the web page, which is loaded with its first visitor. */
  readonly page: () => Promise<WebPage>;
  /** The names of this machine, lower case. */
  readonly machineNames: readonly string[];
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Paths whose bodies may be large: packs, lists and mails. */
const SELF_BOUNDED = /\/api\/(?:admin\/|session$|check-message$)/;

/** The HTTP side, ready to `listen({ hostname, port })`. */
export function createServer({
  settings,
  limits,
  peerOf,
  keys,
  isSecure,
  onAnswered,
  clock,
  logger,
  page,
  operations,
  late,
  ...parts
}: ServerParts) {
  const { base_path: basePath } = settings;
  const isOwnHost = createOwnHosts(settings, parts.machineNames, peerOf);
  const arrivalOf = createArrivals(clock);
  const problemOf = createProblemOf(logger);
  const quota = createQuota(limits, peerOf, keys);
  const service: Omit<RouteParts, 'manual'> = {
    ...parts,
    basePath,
    isOwnHost,
    ownNames: settings.host,
    arrivalOf,
    problemOf,
    quota,
    async readMetrics(context) {
      refuse((await quota.shownKey(context, 'metrics')) ? null : UNAUTHORIZED);
    },
    userOf: createProxiedUser(settings, parts.authUsers, peerOf),
    isEncrypted: createIsEncrypted(settings, isSecure, peerOf),
    ...createAddresses(settings, peerOf),
    contact: () => limits.contact,
    isShown: settings.public_history,
    batchConcurrency: settings.client_concurrency,
    usesNetwork: settings.network !== 'none',
    now: clock.now,
    silenceSeconds: silenceSecondsOf(settings),
    sendDocument: createSendDocument(page),
    sendOpenApi: whenAsked(async () => {
      // Only who reads the document pays for the plugin that writes it.
      const { openApiDocument } = await import('./docs/openapi.ts');
      return textAsset('application/json', JSON.stringify(await openApiDocument(basePath, late)));
    }),
  };
  const httpParts: HttpAppParts = {
    isSecure,
    isOwnHost,
    arrivalOf,
    problemOf,
    selfBounded: SELF_BOUNDED,
    onMisdirected: createMisdirectedLog(logger, clock),
    onAnswered: () => {
      const tell = onAnswered();
      return tell && (({ route, ...rest }) => tell({ ...rest, route: withoutBase(route, basePath) }));
    },
  };
  function serve(served: readonly AnyElysia[], own: object) {
    // A proxy may take the base path off before it passes a request on, or leave it: both find everything.
    const below = basePath === '' ? [] : [served.reduce((all, one) => all.use(one), new Elysia({ prefix: basePath }))];
    const all = [...served, ...below];
    const unrouted = createUnrouted(all.flatMap((one) => one.routes));
    const app = createHttpApp(httpParts, unrouted).decorate('service', { ...service, ...own });
    return all.reduce((app, one) => app.use(one), app);
  }
  const rare = {
    ...RARE_ROUTES,
    own: async () => ({ manual: (await import('./page/manual-routes.ts')).createManual(await page()) }),
  };
  const ofParts = late.map(({ own, ...one }) => ({ ...one, own: async () => ({ ...(await operations()), ...own }) }));
  const declared = declareLate([rare, ...ofParts], (loaded, own) => serve([withKnownParameters(loaded)], own));
  return serve([withKnownParameters(routes), declared, pageFileRoutes(page)], {});
}

function withoutBase(route: string, basePath: string): string {
  return route.startsWith(`${basePath}/`) ? route.slice(basePath.length) : route;
}
