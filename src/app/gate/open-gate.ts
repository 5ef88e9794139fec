import type { ScanLog } from '#src/checks/store/scan-log.ts';
import { systemClock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { createRequestId } from '#src/core/base/request-id.ts';
import { warmUpLinks } from '#src/core/knowledge/hosts/warm-up-links.ts';
import type { Target } from '#src/core/url/target.ts';
import { gateThreshold } from '#src/engine/fusion/model.ts';
import type { TlsPair } from '#src/network/certificate/tls-pair.ts';
import { listsVersion } from '#src/network/lists/lists-version.ts';
import { observeLists } from '#src/network/probes/lists.ts';
import { type Observations, skippedObservations } from '#src/network/probes/observations.ts';
import { createGate, type DeepFinding, type GateAnswer } from '#src/service/gate/gate.ts';
import { watchLoopLag } from '#src/service/gate/loop-lag.ts';
import { createOverrides } from '#src/service/gate/override.ts';
import { beginWatching } from '#src/service/gate/watch-state.ts';
import type { Metrics } from '#src/service/metrics/metrics.ts';
import { canaryDecision } from '../canaries.ts';
import type { ConfigFor } from '../config.ts';
import { type Engine, STORE_NONE } from '../engine.ts';
import { answerIcap } from './answer-icap.ts';
import { type IcapListeners, openIcapListeners } from './icap-listeners.ts';
import { createPeerNotices } from './peer-notices.ts';
import { heldRecorder } from './record-held.ts';

/** What the gate of a service works with. */
export interface OpenGateParts {
  readonly running: () => ConfigFor<'serve'>;
  readonly engine: Engine;
  readonly log: Pick<ScanLog, 'append'>;
  /** Key of this installation, from which the signatures of overrides are derived. */
  readonly key: () => Buffer;
  readonly pair: TlsPair | null;
  /** Null until somebody reads metrics. */
  readonly metrics: () => Pick<Metrics, 'gateAnswered' | 'gateProbed'> | null;
  readonly logger: Logger;
}

/** The gate of a service, with its listeners. */
export interface OpenedGate
  extends Pick<IcapListeners, 'urls' | 'endpoints' | 'connections' | 'renew'>,
    AsyncDisposable {
  /** What the configuration of a proxy lacks, in sentences. */
  notices(): string[];
  /** Applies changed settings. */
  reload(): void;
}

/** Opens the gate and listens for ICAP. Throws ListenError. */
export async function openGate({
  running,
  engine,
  log,
  key,
  pair,
  metrics,
  logger,
}: OpenGateParts): Promise<OpenedGate> {
  await using opened = new AsyncDisposableStack();
  const { network, data_dir: dataDir, icap_listen, icap_tls_listen, icap_connections } = running();
  const watch = () => {
    if (running().gate_mode === 'watch') beginWatching(dataDir, systemClock.now());
  };
  watch();
  const context = () => gateContext(engine);
  const gateBlock = () => running().gate_block ?? gateThreshold(engine.scoringContext().models.fusion);
  const lag = opened.use(watchLoopLag(systemClock));
  const gate = opened.use(
    createGate({
      settings: running,
      thresholds: () => ({ warn: engine.thresholds().warn, gate: gateBlock() }),
      ...{ lists: engine.lists, assess: engine.assess, context },
      ownDomains: domainsOfBrands(engine),
      canary: canaryDecision,
      isBehind: lag.isBehind,
      probeHost: network === 'none' ? null : hostProber(engine),
      record: heldRecorder(engine, log, logger),
      onAnswered: (way, outcome, seconds) => metrics()?.gateAnswered(way, outcome, seconds),
      onProbed: (decision) => metrics()?.gateProbed(decision),
      clock: systemClock,
      logger,
    }),
  );
  // The first link of each kind would wait for tables to load.
  for (const url of warmUpLinks()) gate.explain({ url, isNavigation: true });
  const [overrides, peers] = [createOverrides(key, systemClock), createPeerNotices()];
  const parts = { gate, settings: running, overrides, peers, reasons: reasonsOf(engine) };
  const listeners = opened.use(
    await openIcapListeners({
      decide: (head, http) => answerIcap(head, http, parts),
      istag: istagOf(context, () => `${running().gate_mode} ${gateBlock()}`, engine),
      ...{ plain: icap_listen, tls: icap_tls_listen, pair, maxConnections: icap_connections, logger },
      peers: () => running().icap_peers,
    }),
  );
  const closing = opened.move();
  return {
    ...{ urls: listeners.urls, endpoints: listeners.endpoints, connections: listeners.connections },
    renew: listeners.renew,
    reload: watch,
    notices: peers.notices,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/** What decides on links now; each member is replaced by a change. */
function gateContext(engine: Pick<Engine, 'scoringContext'>): readonly unknown[] {
  const { models, settings, lists } = engine.scoringContext();
  return [models, settings, lists.block, lists.allow, lists.stored];
}

/** Returns the tag of everything that decides, computed again after a change only. */
function istagOf(context: () => readonly unknown[], settings: () => string, engine: Engine): () => string {
  let [before, tag]: [readonly unknown[], string] = [[], ''];
  return () => {
    const now = [...context(), settings()];
    if (now.some((one, at) => one !== before[at])) {
      const { warn, block } = engine.thresholds();
      const text = [engine.modelVersion(), listsVersion(engine.lists), warn, block, settings()].join('\n');
      tag = `"${new Bun.CryptoHasher('sha256').update(text).digest('hex').slice(0, 16)}"`;
      before = now;
    }
    return tag;
  };
}

/** Domains of configured brands, collected again after a change only. */
function domainsOfBrands(engine: Pick<Engine, 'scoringContext'>): () => ReadonlySet<string> {
  let of: unknown = null;
  let domains: ReadonlySet<string> = new Set();
  return () => {
    const { configuredBrands } = engine.scoringContext().models;
    if (of !== configuredBrands) {
      of = configuredBrands;
      domains = new Set(configuredBrands.flatMap((brand) => brand.domains));
    }
    return domains;
  };
}

/** Checks a host by DNS, registration and certificate, as a private check that is stored nowhere. */
function hostProber(
  engine: Pick<Engine, 'checkWith'>,
): (target: Target, client: string | null) => Promise<DeepFinding> {
  const service = engine.checkWith(STORE_NONE);
  return async (target, client) => {
    let observations: Observations | null = null;
    const nowMs = systemClock.now();
    const { decision, malicious_probability: probability } = await service.check({
      ...{ target, client: client ?? '', visibility: 'private', visit: 'host' },
      ...{ requestId: createRequestId(nowMs), startedAtMs: nowMs },
      onObserved: (seen) => {
        observations = seen;
      },
    });
    if (observations === null) throw new Error('a check ended without observations');
    return { decision, probability, observations };
  };
}

/** Returns the reasons for phishing of a held request, by its spelling. */
function reasonsOf(engine: Pick<Engine, 'assess' | 'lists'>): (answer: GateAnswer) => readonly string[] {
  return ({ target }) => {
    if (target === null) return [];
    const seen = skippedObservations('disabled', observeLists(engine.lists, target, systemClock.now()));
    const { contributions } = engine.assess(target, seen).verdict;
    return [...new Set(contributions.filter(({ weight }) => weight > 0).map(({ code }) => code))];
  };
}
