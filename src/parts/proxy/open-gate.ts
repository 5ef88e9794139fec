import { canaryDecision } from '#src/app/canaries.ts';
import type { Engine } from '#src/app/engine.ts';
import type { OpenedPart, Service } from '#src/app/parts/service.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { warmUpLinks } from '#src/core/knowledge/hosts/warm-up-links.ts';
import { gateThreshold } from '#src/engine/fusion/model.ts';
import { listsVersion } from '#src/network/lists/lists-version.ts';
import { createGate, type Gate } from '#src/parts/proxy/gate/gate.ts';
import { beginWatching } from '#src/parts/proxy/gate/held-report.ts';
import { watchLoopLag } from '#src/parts/proxy/gate/loop-lag.ts';
import { createOverrides } from '#src/parts/proxy/gate/override.ts';
import { createPassedCount, type PassedCount } from '#src/parts/proxy/gate/passed-count.ts';
import { answerIcap, createPeerNotices } from './answer-icap.ts';
import type { GateMetrics } from './gate-metrics.ts';
import { openIcapListeners } from './icap-listeners.ts';
import { domainsOfBrands, gateContext, heldRecorder, hostProber, reasonsOf } from './link-engine.ts';

/** The gate of a service, with its listeners. */
export interface OpenedGate extends OpenedPart {
  /** Decides on a link as {@link Gate.explain}. */
  readonly explain: Gate['explain'];
  /** Probability from which on a link is held by its spelling. */
  readonly threshold: () => number;
  /** Requests of the last 24 hours. */
  readonly passed: PassedCount['passed'];
}

/** Opens the gate and listens for ICAP. Throws ListenError. */
export async function openGate({ running, engine, log, key, pair, logger }: Service): Promise<OpenedGate> {
  await using opened = new AsyncDisposableStack();
  // Null until somebody reads metrics.
  let metrics: GateMetrics | null = null;
  const { network, data_dir: dataDir, icap_listen, icap_tls_listen, icap_connections } = running();
  const watch = () => {
    if (running().gate_mode === 'watch') beginWatching(dataDir, systemClock.now());
  };
  watch();
  const context = () => gateContext(engine);
  const gateBlock = () => running().gate_block ?? gateThreshold(engine.scoringContext().models.fusion);
  const metric = 'lurecheck_gate_unexamined_total';
  const named = { code: 'gate_unexamined', items: 'requests of web proxies', metric } as const;
  const passed = createPassedCount(systemClock, named);
  const lag = opened.use(watchLoopLag(systemClock));
  const gate = opened.use(
    createGate({
      settings: running,
      thresholds: () => ({ warn: engine.thresholds().warn, gate: gateBlock() }),
      ...{ lists: engine.lists, assess: engine.assessPrivately, context },
      ownDomains: domainsOfBrands(engine),
      canary: canaryDecision,
      isBehind: lag.isBehind,
      probeHost: network === 'none' ? null : hostProber(engine),
      record: heldRecorder(engine, log, logger),
      onAnswered(answered) {
        passed.count(answered.isUnexamined);
        metrics?.gateAnswered(answered);
      },
      onProbed: (decision) => metrics?.gateProbed(decision),
      clock: systemClock,
      logger,
    }),
  );
  // The first link of each kind would wait for tables to load.
  for (const url of warmUpLinks(40)) gate.explain({ url, isNavigation: true });
  const [overrides, peers] = [createOverrides(key, systemClock), createPeerNotices()];
  const parts = { gate, settings: running, overrides, peers, reasons: reasonsOf(engine) };
  const listeners = opened.use(
    await openIcapListeners({
      decide: (head, http) => answerIcap(head, http, parts),
      istag: istagOf(context, () => `${running().gate_mode} ${gateBlock()}`, engine),
      ...{ plain: icap_listen, tls: icap_tls_listen, pair, maxConnections: icap_connections, logger },
      peers: () => running().icap_peers,
      onHandled: () => metrics?.gateHandled ?? null,
    }),
  );
  const closing = opened.move();
  return {
    addresses: { icap_urls: listeners.urls },
    endpoints: listeners.endpoints,
    renew: listeners.renew,
    reload: watch,
    async measure(registry) {
      metrics = (await import('./gate-metrics.ts')).gateMetrics(registry, listeners);
    },
    ...{ explain: gate.explain, threshold: gateBlock, passed: passed.passed },
    notices: () => [...peers.notices(), ...passed.notices()],
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
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
