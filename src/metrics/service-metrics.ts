import { Counter, Gauge, type Registry } from 'prom-client';
import { VERSION } from '#src/base/version.ts';
import type { Visibility } from '#src/base/visibility.ts';
import type { AdmissionLoad } from '#src/check/admission.ts';
import type { LocalLists } from '#src/lists/local-lists.ts';
import type { AnsweredRoute } from '#src/server/http/http-app.ts';
import { gaugeOfEach } from './gauge-of-each.ts';

/** What is asked when somebody reads the metrics. */
export interface ServiceSources {
  /** As answers name it. */
  readonly modelVersion: () => string;
  readonly load: (visibility: Visibility) => AdmissionLoad;
  /** The operator's own lists. */
  readonly lists: () => LocalLists;
  /** Whether checks can be taken. */
  readonly isReady: () => Promise<boolean>;
  /** Whether the limiter that the nodes share is away; null where there is none. */
  readonly isLimiterAway: () => boolean | null;
}

/** What the service counts as it goes. */
export interface ServiceMetrics {
  answered(answer: AnsweredRoute): void;
  /** A request showed a key of this name. */
  keyUsed(name: string): void;
}

/** The families that tell of the service as a whole. */
export function serviceMetrics(registry: Registry, sources: ServiceSources): ServiceMetrics {
  const { modelVersion, load, lists, isReady, isLimiterAway } = sources;
  new Gauge({
    name: 'lurecheck_build_info',
    help: 'Always 1; which version this is.',
    labelNames: ['version', 'bun_version'],
    registers: [registry],
  }).set({ version: VERSION, bun_version: Bun.version }, 1);
  new Gauge({
    name: 'lurecheck_ready',
    help: 'Whether checks can be taken: 1, or 0 where /readyz says why not.',
    registers: [registry],
    async collect() {
      this.set((await isReady()) ? 1 : 0);
    },
  });
  new Gauge({
    name: 'lurecheck_model_info',
    help: 'Always 1; which models are in force.',
    labelNames: ['model_version'],
    registers: [registry],
    collect() {
      this.reset();
      this.set({ model_version: modelVersion() }, 1);
    },
  });
  gaugeOfEach(
    registry,
    {
      name: 'lurecheck_checks_under_way',
      help: 'Checks that look at the network now.',
      label: 'visibility',
    },
    (visibility) => load(visibility).underWay,
  );
  gaugeOfEach(
    registry,
    {
      name: 'lurecheck_checks_waiting',
      help: 'Checks that wait for their turn to look at the network.',
      label: 'visibility',
    },
    (visibility) => load(visibility).waiting,
  );
  const ofEachList = () => {
    const { block, allow } = lists();
    return [
      ...block.map((list) => ({ ...list, action: 'block' })),
      ...allow.map((list) => ({ ...list, action: 'allow' })),
    ];
  };
  new Gauge({
    name: 'lurecheck_list_entries',
    help: "Entries of the operator's own lists.",
    labelNames: ['list', 'action'],
    registers: [registry],
    collect() {
      this.reset();
      // Two files may have one name.
      for (const { name, action, index } of ofEachList()) this.inc({ list: name, action }, index.size);
    },
  });
  new Gauge({
    name: 'lurecheck_list_changed_timestamp_seconds',
    help: "When the file of one of the operator's own lists was last changed, in seconds since the Unix epoch.",
    labelNames: ['list', 'action'],
    registers: [registry],
    collect() {
      this.reset();
      const dated = ofEachList().flatMap(({ name, action, changedAtMs: ms }) =>
        ms === null ? [] : { name, action, ms },
      );
      // Of two files with one name, the older one is what an operator should know of.
      for (const { name, action, ms } of dated.toSorted((a, b) => b.ms - a.ms))
        this.set({ list: name, action }, ms / 1000);
    },
  });
  new Gauge({
    name: 'lurecheck_limiter_shared',
    help: 'Whether clients are counted together with the other nodes: 1, or 0 while this one counts alone, as it does without a limiter.',
    registers: [registry],
    collect() {
      this.set(isLimiterAway() === false ? 1 : 0);
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
  return {
    keyUsed: (key) => keyUses.inc({ key }),
    answered: ({ method, route, status }) => answers.inc({ method: knownMethod(method), route, status }),
  };
}

/** RFC 9110 §9.1. Anything else is a word that a client made up, of which there may be many. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE', 'CONNECT']);

function knownMethod(method: string): string {
  return METHODS.has(method) ? method : 'other';
}
