import { readFile } from 'node:fs/promises';
import { type AssessSettings, assess, type Models } from '#src/assess/assess.ts';
import { type Clock, systemClock } from '#src/base/clock.ts';
import type { Logger } from '#src/base/logger.ts';
import { SettingsError } from '#src/base/setting-reader.ts';
import type { Visibility } from '#src/base/visibility.ts';
import { createAdmission } from '#src/check/admission.ts';
import { type CheckParts, type CheckService, createCheckService } from '#src/check/check.ts';
import type { Config } from '#src/config.ts';
import { type Egress, openEgress, PUBLIC_AUTHORITIES } from '#src/egress/egress.ts';
import type { EgressSettings } from '#src/egress/settings.ts';
import type { Thresholds } from '#src/fusion/decide.ts';
import { openPageReader, type PageReader, readerSettings } from '#src/html/reader.ts';
import { loadRegistryServers } from '#src/knowledge/registry-servers.ts';
import { type LocalLists, loadLists } from '#src/lists/local-lists.ts';
import { observeLists } from '#src/probes/lists.ts';
import { type Observations, unobserved } from '#src/probes/observations.ts';
import { createRegistryDirectory } from '#src/probes/registry-directory.ts';
import { createProbeRunner, type RunProbes } from '#src/probes/run.ts';
import { observeSavedPage, type SavedPage } from '#src/probes/saved-page.ts';
import { createTrustAnchors } from '#src/probes/trust-anchors.ts';
import type { Target } from '#src/url/target.ts';
import { openModels } from './open-models.ts';

/** Everything that it takes to check a URL, ready. */
export interface Engine extends AsyncDisposable {
  readonly check: CheckService;
  readonly assess: CheckParts['assess'];
  /** Looks at a target whose page was saved earlier; everything else is looked up as configured. */
  observeSaved(target: Target, visibility: Visibility, page: SavedPage): Promise<Observations>;
  /** Those in force, of the models or of the operator. */
  readonly thresholds: Thresholds;
  readonly egress: Pick<Egress, 'denySelf'>;
}

/** Where checks go once they are judged. */
export type CheckSink = Pick<CheckParts, 'append' | 'report'>;

/** Checks that are answered and not kept. */
export const NO_LOG: CheckSink = { append: async () => {}, report: () => {} };

/**
 * Loads the models and opens the network as configured.
 *
 * @throws ModelError where the model files do not fit this program; SettingsError where a named file cannot be read.
 */
export async function openEngine(config: Config, sink: CheckSink, logger: Logger): Promise<Engine> {
  await using opened = new AsyncDisposableStack();
  const clock = systemClock;
  const [models, operatorAuthorities, lists] = await Promise.all([
    openModels(config.data_dir),
    readAuthorities(config.egress_ca),
    loadLists({ blockLists: config.block_list, allowLists: config.allow_list }),
  ]);
  const settings = assessSettings(config, models);
  const egress = opened.use(openEgress(egressSettings(config, operatorAuthorities), { clock, logger }));
  const timeoutMs = config.html_timeout_seconds * 1000;
  const reader = opened.use(openPageReader(readerSettings(timeoutMs)));
  const parts = { egress, reader, lists, authorities: operatorAuthorities, clock, logger };
  const observe = createObserver(config, parts);
  const assessTarget = (target: Target, observations: Observations) => assess(target, observations, models, settings);
  const check = createCheckService({ observe, assess: assessTarget, ...sink, clock });
  const observeRest = createObserver({ ...config, probe_off: [...config.probe_off, 'page'] }, parts);
  const observeSaved: Engine['observeSaved'] = async (target, visibility, page) => {
    const [rest, visit] = await Promise.all([observeRest(target, visibility), observeSavedPage(target, page, reader)]);
    return { ...rest, page: visit };
  };
  const closing = opened.move();
  return {
    check,
    assess: assessTarget,
    observeSaved,
    thresholds: settings.thresholds,
    egress,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

interface ObserverParts {
  readonly egress: Egress;
  readonly reader: PageReader;
  readonly lists: LocalLists;
  /** The operator's certificate authorities, as PEM text. */
  readonly authorities: readonly string[];
  readonly clock: Clock;
  readonly logger: Logger;
}

/** How a check looks at its target. Without a network there is nothing to wait for, so nothing to share or to bound. */
function createObserver(config: Config, parts: ObserverParts): CheckParts['observe'] {
  const { lists } = parts;
  if (config.network === 'none') {
    return (target) => Promise.resolve(unobserved('disabled', observeLists(lists, target)));
  }
  const admission = createAdmission<Observations>({
    concurrency: config.check_concurrency,
    queueLength: config.queue_length,
  });
  // The authorities and the registries' servers are read when the first check asks for them, not before the first answer.
  let runner: RunProbes | null = null;
  return (target, visibility, onStage) =>
    admission.run(`${visibility} ${target.requestUrl}`, () => {
      runner ??= openRunner(config, parts);
      return runner(target, onStage ? { visibility, onStage } : { visibility });
    });
}

function openRunner(config: Config, { egress, reader, lists, authorities, clock, logger }: ObserverParts): RunProbes {
  return createProbeRunner({
    egress,
    context: {
      clock,
      registries: createRegistryDirectory(loadRegistryServers(), {
        rdapServer: config.rdap_server,
        whoisServer: config.whois_server,
        registryTimeoutMs: config.registry_timeout_seconds * 1000,
      }),
      anchors: createTrustAnchors(PUBLIC_AUTHORITIES, authorities),
      readPage: reader.read,
    },
    lists,
    off: config.probe_off,
    deadlineMs: config.deadline_seconds * 1000,
    clock,
    logger,
  });
}

function assessSettings(config: Config, { fusion }: Models): AssessSettings {
  return {
    baseRate: config.base_rate,
    thresholds: {
      warn: config.warn_threshold ?? fusion.thresholds.warn,
      block: config.block_threshold ?? fusion.thresholds.block,
    },
  };
}

function egressSettings(config: Config, authorities: readonly string[]): EgressSettings {
  return {
    network: config.network,
    dnsServer: config.dns_server,
    egressAllow: config.egress_allow,
    egressDeny: config.egress_deny,
    egressPort: config.egress_port,
    egressName: config.egress_name,
    egressCa: authorities,
    egressProxy: config.egress_proxy,
    dnsTimeoutMs: config.dns_timeout_seconds * 1000,
    dnsTries: config.dns_tries,
    dnsConcurrency: config.dns_concurrency,
    connectTimeoutMs: config.connect_timeout_seconds * 1000,
    connectionsPerAddress: config.connections_per_address,
    headerBytes: config.header_bytes,
    wireBytes: config.wire_bytes,
    bodyBytes: config.body_bytes,
  };
}

async function readAuthorities(path: string | null): Promise<string[]> {
  if (path === null) return [];
  const pem = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new SettingsError([`egress_ca is "${path}", which cannot be read: ${String(cause)}`]);
  });
  if (!pem.includes('-----BEGIN CERTIFICATE-----')) {
    throw new SettingsError([`egress_ca is "${path}", which holds no certificate in PEM form`]);
  }
  return [pem];
}
