import type { PacksOverview } from '#src/admin/active/active-packs.ts';
import { type CalibratedSettings, calibrated } from '#src/admin/active/calibrated.ts';
import { dataFileFault, type FileFault, namedListFault, onlyKnownFaults } from '#src/admin/active/file-faults.ts';
import type { ScoringContext } from '#src/admin/active/scoring-context.ts';
import type { AdmissionLoad } from '#src/checks/check/admission.ts';
import {
  type CampaignMemory,
  type CheckParts,
  type CheckService,
  createCheckService,
  type ObservedCheck,
} from '#src/checks/check/check.ts';
import type { CheckSettings } from '#src/checks/check/settings.ts';
import type { CheckResult } from '#src/checks/record/check-result.ts';
import type { StoreSettings } from '#src/checks/store/settings.ts';
import { type Clock, systemClock } from '#src/core/base/clock.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { type Lazy, openLazily } from '#src/core/base/lazily.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { withAllProblems } from '#src/core/base/settings/setting-source.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import type { Target } from '#src/core/url/target.ts';
import { assess } from '#src/engine/assess/assess.ts';
import { createAssessmentMemory } from '#src/engine/assess/assessment-memory.ts';
import {
  type AssessSettings,
  assessSettings,
  type CampaignSettings,
  type FeedbackSettings,
  type VerdictSettings,
} from '#src/engine/assess/settings.ts';
import { NO_PAGES, passedPages } from '#src/engine/assess/stops.ts';
import type { Assessment, Thresholds } from '#src/engine/fusion/fuse.ts';
import type { PageThreads } from '#src/engine/pages/page-threads.ts';
import { readAuthorities } from '#src/network/egress/authorities.ts';
import type { Endpoint } from '#src/network/egress/endpoint.ts';
import type { HtmlSettings } from '#src/network/html/settings.ts';
import { createReplaceableLists, type ListFaults, type LocalLists, openLists } from '#src/network/lists/local-lists.ts';
import type { ListSettings } from '#src/network/lists/settings.ts';
import { openStoredLists, type StoredList } from '#src/network/lists/stored/stored-list.ts';
import { observeLists, withHopLists } from '#src/network/probes/lists.ts';
import { type Observations, skippedObservations } from '#src/network/probes/observations.ts';
import type { RenderPage } from '#src/network/probes/rendering.ts';
import type { ProbeHooks } from '#src/network/probes/run.ts';
import type { SavedPage } from '#src/network/probes/saved-page.ts';
import { isCanary, withCanaries } from './canaries.ts';
import type { Network, NetworkSettings } from './network.ts';
import { type Classifier, type ClassifierFallback, openClassifier } from './scoring/classifier.ts';

/** Settings of checks. */
export type EngineSettings = NetworkSettings &
  CheckSettings &
  VerdictSettings &
  ListSettings &
  HtmlSettings &
  Partial<CampaignSettings & FeedbackSettings> &
  Pick<StoreSettings, 'data_dir'>;

/** Everything that it takes to check a URL, ready. */
export interface Engine extends AsyncDisposable {
  readonly check: CheckService;
  /** Checks that leave no trace but in `store`: no metrics, no campaigns, no canaries. */
  checkWith(store: StoreCheck): CheckService;
  /** Classifies stored observations, including the page, in this thread. */
  assess(target: Target, observations: Observations): Assessment;
  /** Does the same for links of proxies and mails, with the memory of private checks. */
  assessPrivately(target: Target, observations: Observations): Assessment;
  /** Returns what a check would decide; null if the check may use the network or is a canary. */
  offlineVerdict(target: Target): OfflineVerdict | null;
  /** Observes a target whose page was saved earlier; everything else is probed as configured. */
  observeSaved(target: Target, visibility: Visibility, page: SavedPage, watch: ProbeHooks): Promise<Observations>;
  /** The active thresholds, of the model or of the operator. */
  thresholds(): Thresholds;
  /** Reads the files that the settings name again. Throws OperationError, and then nothing is changed. */
  prepareReload(config: ListSettings & Pick<NetworkSettings, 'egress_ca'>): Promise<Reread>;
  /** Returns what classifies now. */
  scoringContext(): ScoringContext;
  /**
   * Applies the models, brands and packs as they are in the data directory now. What cannot be used stays unchanged.
   *
   * @throws OperationError with what cannot be used, once the rest is active; StoreError
   */
  reloadScoring(): Promise<void>;
  /** The active packs. */
  packs(): PacksOverview;
  /** Version of the active models, as in answers. */
  modelVersion(): string;
  /** Day on which the models were last changed, as an ISO 8601 date. */
  modelDate(): string;
  /** The operator's active lists. */
  readonly lists: LocalLists;
  /** Applies the stored lists as they are now. Throws OperationError, and then nothing is changed. */
  reloadStoredLists(): Promise<{ readonly lists: readonly StoredList[]; readonly hasChanged: boolean }>;
  /** Files of the data directory that could not be used when they were last read. */
  faults(): readonly FileFault[];
  /** Number of checks that use the network, or wait for it. */
  load(visibility: Visibility): AdmissionLoad;
  /** Prevents checks from reaching the service itself, or a server that it depends on; repeated calls are allowed. */
  denySelf(endpoint: Endpoint): void;
  /** Visits pages of checks from now on with a browser as well. */
  useRenderer(of: RendererFor): void;
  /** Returns true if many people visit a site. */
  isPopular(target: Target): boolean;
  /** Asks for the icons of pages from now on, even if no configured brand has one. */
  useIcons(): void;
}

/** Returns how the page of a check is visited with a browser. */
export type RendererFor = (check: ObservedCheck) => RenderPage;

/** Decision on a URL by what is known without a network, as a check gives it. */
export type OfflineVerdict = Pick<CheckResult, 'url' | 'malicious_probability' | 'decision'>;

/** Content of files that were read again. */
export interface Reread {
  /** Activates the lists, the models, the brands and the packs. */
  use(): void;
  /** True if other authorities are to be trusted than those with which the network was opened. */
  readonly hasOtherAuthorities: boolean;
}

/** Stores a classified check. */
export type StoreCheck = CheckParts['store'];

/** Load before the network is opened. */
const IDLE: AdmissionLoad = { underWay: 0, waiting: 0 };

/** Checks that are answered and not kept. */
export const STORE_NONE: StoreCheck = async () => {};

/** Consumers of checks. */
export interface EngineListeners {
  readonly store: StoreCheck;
  readonly logger: Logger;
  readonly onProbed?: CheckParts['onProbed'];
  /** True if it opens without files of the data directory that cannot be used, as a service does. */
  readonly runsOn?: boolean;
}

/**
 * Loads the models and opens the network as configured.
 *
 * @throws ModelError if the model files do not fit this program; OperationError with all problems of files that settings
 * name, and of settings that contradict the model
 */
export async function openEngine(
  config: EngineSettings,
  { store, logger, onProbed, runsOn = false }: EngineListeners,
): Promise<Engine> {
  await using opened = new AsyncDisposableStack();
  const clock = systemClock;
  let [scoringFaults, listFaults, namedFaults]: [FileFault[], FileFault[], FileFault[]] = [[], [], []];
  const [scoring, authorities, loaded] = await withAllProblems([
    openScoring(config, runsOn ? { now: null, onFault: notedIn(scoringFaults, 'start') } : null),
    readAuthorities(config),
    openLists(config, undefined, runsOn ? notedAtStart(listFaults, namedFaults) : undefined),
  ]);
  const lists = createReplaceableLists(loaded);
  const self: Endpoint[] = [];
  // The network's code and tables, and the page reader's, are loaded by the first check that needs them.
  const threads = opened.use(openLazily(() => openThreads(config)));
  const readPage: PageThreads['read'] = async (...page) => await (await threads.get()).read(...page);
  const parts = { lists, authorities, self, readPage, serverTables: () => active.packs.tables, clock, logger };
  let denyNow: Network['denySelf'] | null = null;
  const network = opened.use(
    openLazily(async () => {
      const opening = (await import('./network.ts')).openNetwork(config, parts);
      denyNow = opening.denySelf;
      return opening;
    }),
  );
  const visits: VisitHooks = { renderer: null, wantsIcons: false };
  const hooksOf = hooksFor(visits, () => active);
  const { observe, observeRest } = createObservers(config, lists, network, hooksOf);
  let active: Scoring = scoring;
  const { classify, assessPrivately } = createClassifiers(threads, () => active);
  const campaigns = config.campaigns ? await openCampaigns(() => active.models.knowledge, clock) : null;
  const closing = opened.move();
  return {
    check: withCanaries(createCheckService({ observe, classify, store, clock, logger, onProbed, campaigns }), {
      ...{ classify, clock, logger },
    }),
    checkWith: (ownStore) => createCheckService({ observe, classify, store: ownStore, clock, logger }),
    assess: (target, observations) => assess(target, observations, active.models, active.settings),
    assessPrivately,
    offlineVerdict: config.network === 'none' ? createOfflineVerdict(lists, () => active) : () => null,
    async observeSaved(target, visibility, page, watch) {
      const { observeSavedPage } = await import('#src/network/probes/saved-page.ts');
      const [rest, visit] = await Promise.all([
        observeRest({ target, visibility, client: null }, watch),
        observeSavedPage(target, page, readPage),
      ]);
      return withHopLists({ ...rest, page: visit }, lists, clock.now());
    },
    thresholds: () => active.settings.thresholds,
    async prepareReload(next) {
      const own = onlyKnownFaults(scoringFaults);
      const storedFaults = onlyKnownFaults(listFaults);
      const named = onlyKnownFaults(namedFaults);
      const [nextLists, nextAuthorities, scoring] = await withAllProblems([
        openLists({ ...config, ...next }, lists, {
          onStored: (error) => storedFaults.accept(() => true, error),
          onNamed: (name, error) => named.accept(({ notice }) => notice === namedListFault(name, error).notice, error),
        }),
        readAuthorities(next),
        openScoring(config, { now: active, onFault: (of, error) => own.accept(({ file }) => file === of, error) }),
      ]);
      return {
        use() {
          const { stored, ...others } = nextLists;
          lists.replace(storedFaults.still.length > 0 ? others : { ...others, stored });
          active = applied(active, scoring);
          [scoringFaults, listFaults, namedFaults] = [own.still, storedFaults.still, named.still];
        },
        hasOtherAuthorities: !Bun.deepEquals(nextAuthorities, authorities),
      };
    },
    scoringContext: () => ({ ...active, lists }),
    async reloadScoring() {
      const faults: FileFault[] = [];
      active = applied(active, await openScoring(config, { now: active, onFault: notedIn(faults, 'later') }));
      scoringFaults = faults;
      if (faults.length > 0) throw asError(faults);
    },
    packs: () => active.packs,
    modelVersion: () => active.models.version,
    modelDate: () => active.models.fusion.date,
    lists,
    faults: () => [...scoringFaults, ...listFaults, ...namedFaults],
    async reloadStoredLists() {
      const before = lists.stored;
      const next = await openStoredLists(config.data_dir, before).catch((error) => {
        // Without any at a start, a later fault changes nothing of that.
        if (listFaults.length === 0) listFaults = [dataFileFault('lists', error, 'later')];
        throw error;
      });
      listFaults = [];
      lists.replace({ stored: next });
      return { lists: next, hasChanged: next.some((list, at) => list !== before[at]) || next.length !== before.length };
    },
    load: (visibility) => network.opened?.compartments[visibility].admission.load() ?? IDLE,
    denySelf(endpoint) {
      if (self.some((known) => Bun.deepEquals(known, endpoint))) return;
      self.push(endpoint);
      denyNow?.(endpoint);
    },
    useRenderer: (renderer) => Object.assign(visits, { renderer }),
    useIcons: () => Object.assign(visits, { wantsIcons: true }),
    isPopular: (target) => active.models.knowledge.popularityOf(target) !== null,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

const asError = (faults: readonly FileFault[]) =>
  new OperationError(
    'file_damaged',
    faults.map(({ problem }) => problem),
  );

/** Returns what is known of a target without the network. */
function observeOffline(lists: LocalLists, target: Target): Observations {
  return skippedObservations('disabled', observeLists(lists, target, systemClock.now()));
}

function createOfflineVerdict(lists: LocalLists, active: () => Scoring): Engine['offlineVerdict'] {
  return (target) => {
    if (isCanary(target)) return null;
    const { models, settings } = active();
    const { verdict, decision } = assess(target, observeOffline(lists, target), models, settings, NO_PAGES);
    return { url: target.input, malicious_probability: verdict.probability, decision };
  };
}

/** Classifies by what is active at that moment, pages in separate threads. Equal URLs of which nothing is known are remembered. */
function createClassifiers(
  threads: Lazy<PageThreads>,
  active: () => Scoring,
): Pick<CheckParts, 'classify'> & Pick<Engine, 'assessPrivately'> {
  const memories = { public: createAssessmentMemory(), private: createAssessmentMemory() };
  return {
    assessPrivately: (target, seen) => memories.private(target, seen, active().models, active().settings),
    async classify(target, seen, visibility) {
      const { models, settings } = active();
      // Without a page there is nothing that a thread would have to be started for.
      const visit = seen.page.state === 'observed' ? seen.page.value : null;
      if (visit === null || (visit.document === null && visit.passed.length === 0)) {
        return { observations: seen, assessment: memories[visibility](target, seen, models, settings) };
      }
      const { analyze } = await threads.get();
      const { observations, page } = await analyze(target, seen, models.configuredBrands);
      const passed = await Promise.all(
        passedPages(target, seen).map(
          async (one) => (await analyze(one.target, one.observations, models.configuredBrands)).page,
        ),
      );
      return { observations, assessment: assess(target, observations, models, settings, { landing: page, passed }) };
    },
  };
}

/** Opens campaign detection. Known sites and configured brands determine which sites are ignored. */
async function openCampaigns(knowledgeNow: () => Knowledge, clock: Clock): Promise<CampaignMemory> {
  const campaigns = (await import('#src/engine/campaigns/campaigns.ts')).createCampaigns();
  return {
    sightingsOf: (target, observations) =>
      campaigns.find({ target, observations, knowledge: knowledgeNow() }, clock.now()),
    learn(target, { observations, assessment: { isSuspicious } }, client) {
      campaigns.record({ target, observations, knowledge: knowledgeNow(), client, isSuspicious }, clock.now());
    },
  };
}

/** The active classifier and its settings: what the operator configures, selects and installs while the service runs. */
interface Scoring extends Classifier {
  readonly settings: AssessSettings;
}

/** Notes files that cannot be used. Throws what is no fault of a file again. */
const notedIn =
  (faults: FileFault[], when: 'start' | 'later'): ClassifierFallback['onFault'] =>
  (file, error) => {
    faults.push(dataFileFault(file, error, when));
  };

/** Notes lists that cannot be used. */
const notedAtStart = (stored: FileFault[], named: FileFault[]): ListFaults => ({
  onStored: (error) => stored.push(dataFileFault('lists', error, 'start')),
  onNamed: (name, error) => named.push(namedListFault(name, error)),
});

async function openScoring(config: CalibratedSettings, fallback: ClassifierFallback | null = null): Promise<Scoring> {
  const scoring = await openClassifier(config.data_dir, undefined, fallback);
  const { models } = scoring;
  return { ...scoring, settings: assessSettings(await calibrated(config, models.version), models) };
}

/** Returns the next classifier; equal models are shared, so that they are not in memory twice while checks use them. */
function applied(now: Scoring, next: Scoring): Scoring {
  const isSame =
    now.models.version === next.models.version &&
    Bun.deepEquals(now.models.fusion, next.models.fusion) &&
    Bun.deepEquals(now.models.configuredBrands, next.models.configuredBrands);
  return isSame ? { ...now, packs: next.packs } : next;
}

async function openThreads(config: EngineSettings): Promise<PageThreads> {
  const { openPageThreads, pageThreadSettings } = await import('#src/engine/pages/page-threads.ts');
  return openPageThreads(pageThreadSettings(config));
}

/** Additions to the visits of pages. */
interface VisitHooks {
  readonly renderer: RendererFor | null;
  /** True to ask for icons even if no configured brand has one. */
  readonly wantsIcons: boolean;
}

/** Returns the function that returns the additions to a visit; icons are read if they can be compared. */
function hooksFor(visits: VisitHooks, active: () => Pick<Scoring, 'models'>) {
  return async (check: ObservedCheck): Promise<Pick<ProbeHooks, 'render' | 'readIcon'>> => {
    const { configuredBrands } = active().models;
    const readsIcons = visits.wantsIcons || configuredBrands.some(({ icons = [] }) => icons.length > 0);
    const readIcon = readsIcons ? (await import('#src/engine/looks/icon-print.ts')).printIcon : undefined;
    return { render: visits.renderer?.(check), readIcon };
  };
}

type Observe = CheckParts['observe'];

/** Returns how a check observes its target, and how it observes everything but the page. */
function createObservers(
  config: EngineSettings,
  lists: LocalLists,
  network: Lazy<Network>,
  hooksOf: ReturnType<typeof hooksFor>,
): Record<'observe' | 'observeRest', Observe> {
  // Without network there is no waiting, so nothing to share or bound.
  const offline: Observe = ({ target }) => Promise.resolve(observeOffline(lists, target));
  if (config.network === 'none') return { observe: offline, observeRest: offline };
  const by =
    (way: 'observe' | 'observeWithoutPage'): Observe =>
    async (check, watch) => {
      if (check.visit === false) return await offline(check, watch);
      const opened = await network.get();
      const { compartments } = opened;
      const look = check.visit === 'host' ? opened.observeHost : opened[way];
      return await look(check, compartments[check.visibility], { ...watch, ...(await hooksOf(check)) });
    };
  return { observe: by('observe'), observeRest: by('observeWithoutPage') };
}
