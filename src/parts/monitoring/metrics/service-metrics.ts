import type { Registry } from 'prom-client';
import { metersOf } from '#src/app/parts/meters.ts';
import type { AdmissionLoad } from '#src/checks/check/admission.ts';
import { VERSION } from '#src/core/base/version.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import type { LocalLists } from '#src/network/lists/local-lists.ts';
import type { AnsweredRoute } from '#src/service/server/http/http-app.ts';
import type { LimiterStatus } from '#src/service/server/limiter/quota.ts';
import { listMetrics, type MeasuredPacks, packMetrics } from './content-metrics.ts';
import { gaugePerVisibility } from './log-metrics.ts';

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
  const meters = metersOf(registry);
  const { counter, gauge, readGauge, readGauges, readCounters } = meters;
  gauge('lurecheck_build_info', 'Always 1; which version this is.', 'version', 'bun_version').set(
    { version: VERSION, bun_version: Bun.version },
    1,
  );
  readGauge('lurecheck_ready', '1 if the node is ready for checks; 0 if not, with the reason in /readyz.', isReady);
  readGauges('lurecheck_alert', 'Always 1; which alerts are active.', ['code'], () =>
    alerts().map(({ code }) => [{ code }, 1]),
  );
  readGauges('lurecheck_model_info', 'Always 1; the active models.', ['model_version'], () => [
    [{ model_version: modelVersion() }, 1],
  ]);
  gaugePerVisibility(
    meters,
    'lurecheck_checks_under_way',
    'Checks that probe the network now.',
    'visibility',
    (visibility) => load(visibility).underWay,
  );
  gaugePerVisibility(
    meters,
    'lurecheck_checks_waiting',
    'Checks that wait for their turn to probe the network.',
    'visibility',
    (visibility) => load(visibility).waiting,
  );
  listMetrics(meters, lists);
  packMetrics(meters, packs);
  readGauge(
    'lurecheck_limiter_shared',
    '1 while clients are counted together with the other nodes; 0 while this node counts alone, as without a limiter.',
    () => limiter()?.isUnavailable === false,
  );
  readCounters(
    'lurecheck_limiter_turns_total',
    'How often this node has begun to count its clients: with the other nodes (shared), or alone (local).',
    ['to'],
    () => Object.entries(limiter()?.turns ?? {}).map(([to, times]) => [{ to }, times]),
  );
  const answers = counter(
    'lurecheck_http_responses_total',
    'Answers of the HTTP side by the route that took the request, empty where none did.',
    'method',
    'route',
    'status',
  );
  const keyUses = counter('lurecheck_key_uses_total', 'Requests that showed a key which holds.', 'key');
  const pulls = counter(
    'lurecheck_feed_pulls_total',
    'Answers to pulls of feeds, by the status: 200, 304 if nothing changed, 503 if a list cannot be read.',
    'feed',
    'status',
  );
  const unexamined = counter(
    'lurecheck_feed_unexamined_total',
    'Pulls of feeds that were answered without the current lists: by an earlier version (stale), or by none (missing).',
    'cause',
  );
  const lastPulls = gauge(
    'lurecheck_feed_pulled_timestamp_seconds',
    'When a feed was last pulled with a key, in seconds since the Unix epoch; the key is empty for peers without one.',
    'key',
  );
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
