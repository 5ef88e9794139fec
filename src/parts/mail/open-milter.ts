import type { Socket } from 'node:net';
import { canaryDecision } from '#src/app/canaries.ts';
import type { Engine } from '#src/app/engine.ts';
import { createPeerListeners, FAREWELL_MS, type PeerListeners } from '#src/app/listen/peer-listeners.ts';
import { createMessageThreads, mailAssessor, openMailMemory } from '#src/app/message/open-mail-reader.ts';
import type { OpenedPart, Service } from '#src/app/parts/service.ts';
import { HOUR_MS, MINUTE_MS, oncePerMinute, systemClock } from '#src/core/base/clock.ts';
import { type Logger, stackFrames } from '#src/core/base/logger.ts';
import { createRequestId } from '#src/core/base/request-id.ts';
import { formatListenAddress, hostInUrl, type ListenAddress } from '#src/core/base/settings/listen-address.ts';
import { release } from '#src/core/base/threads/release.ts';
import { warmUpLinks } from '#src/core/knowledge/hosts/warm-up-links.ts';
import { isInside } from '#src/core/knowledge/inside.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import type { Endpoint } from '#src/network/egress/endpoint.ts';
import type { LocalLists } from '#src/network/lists/local-lists.ts';
import { createMailRoom } from '#src/parts/mail/milter/mail-room.ts';
import { createMilterConnection, type MilterConnectionParts } from '#src/parts/mail/milter/milter-connection.ts';
import type { MilterDecision } from '#src/parts/mail/milter/milter-reply.ts';
import type { ReceivedMail } from '#src/parts/mail/milter/received-mail.ts';
import { createExpiringMemory, createHeldRequests } from '#src/parts/proxy/gate/expiring-memory.ts';
import type { DeepFinding } from '#src/parts/proxy/gate/gate.ts';
import { createLinkVerdicts } from '#src/parts/proxy/gate/link-verdicts.ts';
import { createPassedCount, type PassedCount } from '#src/parts/proxy/gate/passed-count.ts';
import { domainsOfBrands, gateContext, heldRecorder, hostProber, reasonsOf } from '#src/parts/proxy/link-engine.ts';
import { classifyLinks, type MailClassifier } from './classify-mail.ts';
import {
  decisionOf,
  type MailDecision,
  type MailFinding,
  mailVerdict,
  passUnread,
  weighFinding,
} from './mail-decision.ts';
import type { MilterMetrics } from './milter-metrics.ts';

/**
 * Time for a mail from its end, in milliseconds: until its reading ends with what was read so far, and its thread is
 * terminated, until its classification ends, and until the decision.
 */
const READING_MS = 5500;
const READER_MS = 6000;
const CLASSIFYING_MS = 7500;
const DEADLINE_MS = 8000;

/** Duration without a packet after which a connection is closed: SMTP clients may be silent for ten minutes (RFC 5321 §4.5.3.2). */
const SILENCE_MS = 15 * MINUTE_MS;

/** Limits of mail servers: connections, and bytes of concurrently collected mails. */
const MAX_CONNECTIONS = 500;
const MAX_COLLECTED_BYTES = 64 * 1024 * 1024;

/** Threads that read mails, beside that of large ones. */
const READERS = 1;
const MAX_PROBED = 10_000;

/** The milter of a service. Disposing of it lets mails that wait for a decision pass. */
export interface OpenedMilter extends OpenedPart {
  /** Mails of the last 24 hours. */
  readonly passed: PassedCount['passed'];
}

/** Opens the milter. Throws ListenError. */
export async function openMilter({ running, engine, log, key, logger }: Service): Promise<OpenedMilter> {
  await using opened = new AsyncDisposableStack();
  // Null until somebody reads metrics.
  let metrics: MilterMetrics | null = null;
  const stopping = new AbortController();
  const threads = opened.use(createMessageThreads(READERS));
  const { lists, assessPrivately: assess } = engine;
  const verdicts = createLinkVerdicts({ lists, assess, context: () => gateContext(engine) }, systemClock);
  warmUp(verdicts);
  const ownDomains = domainsOfBrands(engine);
  const classifier = {
    ...{ listed: verdicts.listed, verdict: verdicts.verdict, mayBeListed: mayBeListed(lists) },
    isInside: ({ host }: Target) => isInside(host, ownDomains()),
    canary: canaryDecision,
    probeHost: boundedProber(running, engine),
  };
  const reasons = reasonsOf(engine);
  const memory = opened.use(openMailMemory({ running, key, logger }));
  const assessMail = mailAssessor(engine, running, verdicts.verdict, memory);
  const record = createRecorder(engine, log, logger);
  const named = { code: 'milter_unexamined', items: 'mails', metric: 'lurecheck_milter_unexamined_total' } as const;
  const passed = createPassedCount(systemClock, named);
  const { reportFailure, reportLate } = reports(logger);

  async function examine(mail: ReceivedMail, startMs: number): Promise<MailDecision | 'deadline'> {
    const until = (ms: number) =>
      AbortSignal.any([stopping.signal, AbortSignal.timeout(Math.max(0, startMs + ms - systemClock.monotonicMs()))]);
    const timeMs = () => startMs + READING_MS - systemClock.monotonicMs();
    // The mail server adds its own headers afterwards: all that are there may come from the sender.
    const trust = { servers: running().auth_results_from, isReceived: false };
    const found = await threads.read(mail.bytes, trust, timeMs, until(READER_MS));
    if (found === 'ended') return 'deadline';
    const { count, isMismatched, unread } = found;
    const { all, ...links } = await classifyLinks(found.links, classifier, until(CLASSIFYING_MS));
    release(found.links);
    const verdict = mailVerdict(assessMail(found.message, all.map(weighFinding)));
    const isWhole = links.isWhole && mail.isWhole && found.isWhole;
    const finding = { ...links, verdict, count, isMismatched, unread, isWhole };
    const onBlock = running().milter_on_block;
    record(finding, mail.queueId, onBlock !== 'mark').catch(reportFailure);
    const against = links.worst && links.worst.decision !== 'allow' ? reasons(links.worst) : [];
    return decisionOf(finding, onBlock, against, engine.modelVersion());
  }

  async function decide(mail: ReceivedMail): Promise<MilterDecision> {
    if (mail.isAuthenticated && running().milter_skip_authenticated)
      return answered('skipped', passUnread('authenticated'));
    const { promise, resolve } = Promise.withResolvers<'deadline'>();
    const onStop = () => resolve('deadline');
    stopping.signal.addEventListener('abort', onStop, { once: true });
    const timer = setTimeout(onStop, DEADLINE_MS);
    try {
      if (stopping.signal.aborted) resolve('deadline');
      const decision = await Promise.race([promise, examine(mail, systemClock.monotonicMs())]);
      if (decision !== 'deadline') return answered(decision.mark.split(';', 1)[0] ?? '', decision);
      if (!stopping.signal.aborted) reportLate();
      return answered('deadline', passUnread('deadline'));
    } catch (error) {
      reportFailure(error);
      return answered('failed', passUnread('failed'));
    } finally {
      clearTimeout(timer);
      stopping.signal.removeEventListener('abort', onStop);
    }
  }

  function answered(outcome: string, decision: MailDecision): MilterDecision {
    const { unexamined: cause } = decision;
    // Mails that a setting exempts are no fault.
    if (cause !== 'authenticated' && !stopping.signal.aborted) passed.count(cause !== null);
    metrics?.mailAnswered(outcome, cause);
    return decision;
  }

  const room = createMailRoom(MAX_COLLECTED_BYTES);
  const listeners = opened.use(
    createPeerListeners({
      ...{ protocol: 'milter', maxConnections: MAX_CONNECTIONS, logger, peers: () => running().milter_peers },
      serve: (socket) => serveSocket(socket, { decide, room }),
    }),
  );
  const { urls, endpoints } = await listenOn(running().milter_listen, listeners);
  opened.defer(() => stopping.abort());
  const closing = opened.move();
  return {
    addresses: { milter_urls: urls },
    endpoints,
    async measure(registry) {
      metrics = (await import('./milter-metrics.ts')).milterMetrics(registry, listeners);
    },
    notices: passed.notices,
    passed: passed.passed,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/** Listens on all addresses; the URLs are in the notation of Postfix: `inet:host:port` or `unix:/path`. */
async function listenOn(addresses: readonly ListenAddress[], listeners: PeerListeners) {
  const urls: string[] = [];
  const endpoints: Endpoint[] = [];
  for (const address of addresses) {
    const endpoint = await listeners.listen(address, null);
    if (endpoint) endpoints.push(endpoint);
    urls.push(endpoint ? `inet:${hostInUrl(endpoint.address)}:${endpoint.port}` : formatListenAddress(address));
  }
  return { urls, endpoints };
}

/** Classifies ordinary links, so that the first mails do not wait for compiled code. */
function warmUp({ verdict }: Pick<MailClassifier, 'verdict'>): void {
  for (const url of warmUpLinks(40)) {
    const target = parseTarget(url);
    if (!isTargetProblem(target)) verdict(target);
  }
}

/** Returns the events of mails that pass unread, each once per minute. */
function reports(logger: Logger) {
  return {
    // The message of an exception may quote a mail.
    reportFailure: oncePerMinute<unknown>(systemClock, (error, failed) =>
      logger.error('milter.failed', { failed, at: stackFrames(error).slice(0, 3) }),
    ),
    reportLate: oncePerMinute<void>(systemClock, (_, late) => logger.warn('milter.deadline', { mails: late })),
  };
}

function serveSocket(socket: Socket, { decide, room }: Pick<MilterConnectionParts, 'decide' | 'room'>) {
  const connection = createMilterConnection({
    ...{ decide, room },
    resume: () => void socket.resume(),
    write: (bytes) => void socket.write(bytes),
    end() {
      socket.setTimeout(FAREWELL_MS);
      socket.end();
    },
  });
  socket.setTimeout(SILENCE_MS, () => socket.destroy());
  socket.setNoDelay(true);
  let before: Buffer<ArrayBuffer> | null = null;
  socket.on('data', (bytes: Buffer<ArrayBuffer>) => {
    connection.receive(bytes);
    // Bytes are of use until more arrive. Each piece has memory of its own.
    if (before !== null && before.length === before.buffer.byteLength) release(before);
    before = bytes;
    if (connection.isBusy()) socket.pause();
  });
  socket.on('error', () => socket.destroy());
  socket.once('close', connection.close);
  return connection;
}

/** Returns a search for URLs that any list may cover, or a blocking one. */
function mayBeListed(lists: LocalLists): MailClassifier['mayBeListed'] {
  return (bytes, from, to, asks) => {
    for (const { index } of lists.block) if (index.mayCover(bytes, from, to)) return true;
    for (const { version, mayCover } of lists.stored)
      if ((asks === 'all' || version.action !== 'allow') && mayCover(bytes, from, to)) return true;
    if (asks === 'all') for (const { index } of lists.allow) if (index.mayCover(bytes, from, to)) return true;
    return false;
  };
}

/** Returns a prober that keeps to `gate_deep_per_minute`, and remembers each URL for an hour. */
function boundedProber(running: Service['running'], engine: Engine): (target: Target) => Promise<DeepFinding | null> {
  const probe = hostProber(engine);
  const known = createExpiringMemory<Promise<DeepFinding | null>>(systemClock, HOUR_MS, MAX_PROBED);
  const spent = createExpiringMemory<{ probes: number }>(systemClock, MINUTE_MS, 1);
  return async (target) => {
    if (running().network === 'none') return null;
    const place = target.url;
    const before = known.get(place);
    if (before) return await before;
    const minute = spent.get('') ?? { probes: 0 };
    if (minute.probes === 0) spent.set('', minute);
    if (minute.probes++ >= running().gate_deep_per_minute) return null;
    const finding = probe(target, null).catch(() => null);
    known.set(place, finding);
    return await finding;
  };
}

/** Returns a function that records the worst link of a mail if it is blocked, once per mail and link. */
function createRecorder(engine: Engine, log: Service['log'], logger: Logger) {
  const heldRequests = createHeldRequests(systemClock);
  const record = heldRecorder(engine, log, logger);
  return async ({ worst }: Pick<MailFinding, 'worst'>, queueId: string | null, isHeld: boolean): Promise<void> => {
    if (worst === null || worst.decision !== 'block' || canaryDecision(worst.target) !== null) return;
    const { target, rule, observations } = worst;
    const created: string[] = [];
    heldRequests.idFor(queueId, target.url, () => {
      created.push(createRequestId(systemClock.now()));
      return created[0] ?? '';
    });
    const [requestId] = created;
    if (requestId === undefined) return;
    const held = { way: 'milter', client: null, user: null, target, requestId, rule, isHeld, observations } as const;
    await record({ ...held, ...(queueId && { queueId }) });
  };
}
