import { Counter, Gauge, type Registry } from 'prom-client';
import type { AdmissionLoad } from '#src/checks/check/admission.ts';
import { VERSION } from '#src/core/base/version.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import type { LocalLists } from '#src/network/lists/local-lists.ts';
import type { LimiterStatus } from '#src/parts/fleet/limiter/redis-windows.ts';
import type { AnsweredRoute } from '#src/service/server/http/http-app.ts';
import { gaugePerVisibility } from './gauge-per-visibility.ts';
import { listMetrics } from './list-metrics.ts';
import { type MeasuredPacks, packMetrics } from './pack-metrics.ts';

/** Sources of metrics, queried at each scrape. */
export interface ServiceSources {
  readonly modelVersion: () => string;
  readonly load: (visibility: Visibility) => AdmissionLoad;
  /** The operator's own lists. */
  readonly lists: () => LocalLists;
  /** The active signed packs. */
  readonly packs: () => MeasuredPacks;
  /** Active alerts. */
  readonly alerts: () => readonly { readonly code: string }[];
  /** True if the service accepts checks. */
  readonly isReady: () => Promise<boolean>;
  /** The shared limiter; null if there is none. */
  readonly limiter: () => LimiterStatus | null;
}

/** Counters that the service updates. */
export interface ServiceMetrics {
  answered(answer: AnsweredRoute): void;
  /** Counts a request with this key. */
  keyUsed(name: string): void;
  /**
   * Counts a pull of a feed.
   *
   * @param keyName null for a peer that needs no key
   * @param isStale true if the feed could not be made of the current lists
   */
  feedPulled(feed: string, status: number, keyName: string | null, isStale: boolean): void;
}

/** Registers the metrics of the service. */
export function serviceMetrics(registry: Registry, sources: ServiceSources): ServiceMetrics {
  const { modelVersion, load, lists, packs, alerts, isReady, limiter } = sources;
  new Gauge({
    name: 'lurecheck_build_info',
    help: 'Always 1; which version this is.',
    labelNames: ['version', 'bun_version'],
    registers: [registry],
  }).set({ version: VERSION, bun_version: Bun.version }, 1);
  new Gauge({
    name: 'lurecheck_ready',
    help: '1 if the node is ready for checks; 0 if not, with the reason in /readyz.',
    registers: [registry],
    async collect() {
      this.set((await isReady()) ? 1 : 0);
    },
  });
  new Gauge({
    name: 'lurecheck_alert',
    help: 'Always 1; which alerts are active.',
    labelNames: ['code'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { code } of alerts()) this.set({ code }, 1);
    },
  });
  new Gauge({
    name: 'lurecheck_model_info',
    help: 'Always 1; the active models.',
    labelNames: ['model_version'],
    registers: [registry],
    collect() {
      this.reset();
      this.set({ model_version: modelVersion() }, 1);
    },
  });
  gaugePerVisibility(
    registry,
    {
      name: 'lurecheck_checks_under_way',
      help: 'Checks that probe the network now.',
      label: 'visibility',
    },
    (visibility) => load(visibility).underWay,
  );
  gaugePerVisibility(
    registry,
    {
      name: 'lurecheck_checks_waiting',
      help: 'Checks that wait for their turn to probe the network.',
      label: 'visibility',
    },
    (visibility) => load(visibility).waiting,
  );
  listMetrics(registry, lists);
  packMetrics(registry, packs);
  new Gauge({
    name: 'lurecheck_limiter_shared',
    help: '1 while clients are counted together with the other nodes; 0 while this node counts alone, as without a limiter.',
    registers: [registry],
    collect() {
      this.set(limiter()?.isUnavailable === false ? 1 : 0);
    },
  });
  new Counter({
    name: 'lurecheck_limiter_turns_total',
    help: 'How often this node has begun to count its clients: with the other nodes (shared), or alone (local).',
    labelNames: ['to'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [to, times] of Object.entries(limiter()?.turns ?? {})) this.inc({ to }, times);
    },
  });
  const answers = new Counter({
    name: 'lurecheck_http_responses_total',
    help: 'Answers of the HTTP side by the route that took the request, empty where none did.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });
  const keyUses = new Counter({
    name: 'lurecheck_key_uses_total',
    help: 'Requests that showed a key which holds.',
    labelNames: ['key'],
    registers: [registry],
  });
  const pulls = new Counter({
    name: 'lurecheck_feed_pulls_total',
    help: 'Answers to pulls of feeds, by the status: 200, 304 if nothing changed, 503 if a list cannot be read.',
    labelNames: ['feed', 'status'],
    registers: [registry],
  });
  const unexamined = new Counter({
    name: 'lurecheck_feed_unexamined_total',
    help: 'Pulls of feeds that were answered without the current lists: by an earlier version (stale), or by none (missing).',
    labelNames: ['cause'],
    registers: [registry],
  });
  const lastPulls = new Gauge({
    name: 'lurecheck_feed_pulled_timestamp_seconds',
    help: 'When a feed was last pulled with a key, in seconds since the Unix epoch; the key is empty for peers without one.',
    labelNames: ['key'],
    registers: [registry],
  });
  return {
    feedPulled(feed, status, keyName, isStale) {
      pulls.inc({ feed, status });
      if (isStale) unexamined.inc({ cause: status === 503 ? 'missing' : 'stale' });
      lastPulls.set({ key: keyName ?? '' }, Date.now() / 1000);
    },
    keyUsed: (key) => keyUses.inc({ key }),
    answered: ({ method, route, status }) => answers.inc({ method: knownMethod(method), route, status }),
  };
}

/** RFC 9110 §9.1. Anything else is a word that a client chose, of which there may be many. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE', 'CONNECT']);

function knownMethod(method: string): string {
  return METHODS.has(method) ? method : 'other';
}
