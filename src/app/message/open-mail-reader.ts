import { openSenderMemory, type SenderMemory } from '#src/checks/store/senders/sender-memory.ts';
import type { StoreSettings } from '#src/checks/store/settings.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { UnavailableError } from '#src/core/base/errors/operation-error.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { workerUrl } from '#src/core/base/threads/run-in-thread.ts';
import { createThreadPool, type PooledThread } from '#src/core/base/threads/thread-pool.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import { assessMessage, type MessageAssessment } from '#src/engine/mail-verdict/assess-message.ts';
import { confirmedAddress } from '#src/engine/mail-verdict/sender-confirmation.ts';
import {
  type MessageSettingValues,
  type MessageVerdictSettings,
  messageThresholds,
} from '#src/engine/mail-verdict/settings.ts';
import type { WeighedLink, WeighedMessage } from '#src/engine/mail-verdict/weighed-message.ts';
import type { AuthenticationTrust } from '#src/engine/message/authentication-results.ts';
import { senderLinks } from '#src/engine/message/sender-link.ts';
import { observeLists } from '#src/network/probes/lists.ts';
import { skippedObservations } from '#src/network/probes/observations.ts';
import type { MessageRouteParts } from '#src/service/server/message/message-route.ts';
import type { Engine } from '../engine.ts';
import type { MailLinks } from './mail-links.ts';
import type { MessageTask, MessageThreadAnswer } from './message-task.ts';
import { LINK_PLACE, packedLinks, urlOf } from './packed-links.ts';

/** Processor time after which a thread leaves out what it has not read yet, in milliseconds. */
const BUDGET_MS = 2000;

/** Time that a thread may take beyond any budget: then it does not keep to it, and is terminated. */
const PATIENCE_MS = 6000;

/**
 * Size from which on a mail is large, in bytes. One thread reads large mails, so that their memory is that of one; other
 * mails do not wait for it, and their beginnings for at most one of them.
 */
const LARGE_BYTES = 256 * 1024;
const BEGINNING_BYTES = 64 * 1024;

/** Reason for which the reading of a message ends early. */
const ENDED = new Error('the message is not read to its end');

/**
 * Creates threads that read mails while the service does other work, and another one for large mails; each starts on
 * first use, and again after it was terminated.
 */
export function createMessageThreads(threads: number) {
  const failure = (message: string) => new Error(`the thread that reads a message failed: ${message}`);
  const usual = createThreadPool(threads, startThread, failure);
  const large = createThreadPool(1, startThread, failure);

  async function readIn(
    { pool, isUrgent }: { readonly pool: typeof usual; readonly isUrgent: boolean },
    bytes: Uint8Array<ArrayBuffer>,
    before: MailLinks | 'ended',
    trust: AuthenticationTrust,
    timeMs: () => number,
    signal: AbortSignal,
  ): Promise<MailLinks | 'ended'> {
    if (signal.aborted) return before;
    const run = pool.run({
      isUrgent,
      begin({ worker }, end) {
        const timer = setTimeout(end, PATIENCE_MS, ENDED).unref();
        const limits = { budgetMs: BUDGET_MS, untilMs: timeMs(), trust };
        const task = { bytes, name: 'mail.eml', ...limits, wants: 'links' } satisfies MessageTask;
        worker.postMessage(task, [bytes.buffer]);
        return () => clearTimeout(timer);
      },
    });
    // A beginning that is being read takes some milliseconds more.
    const onAbort = () => {
      if (!isUrgent || run.isWaiting()) run.end(ENDED);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      // The worker posts nothing else, and takes each text of this name for a mail.
      return ((await run.answer) as MessageThreadAnswer).result as MailLinks;
    } catch (error) {
      if (error === ENDED) return before;
      throw error;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  return {
    /**
     * Finds the links of a mail, whose bytes must not be used afterwards. Reading ends with partial results when the time
     * is over. If the signal aborts first, or the thread exceeds its budget, the thread is terminated and only the links
     * of the mail's beginning are returned; `'ended'` if those are unknown. Throws if the thread fails.
     *
     * @param trust servers whose authentication results may be believed
     * @param timeMs returns the remaining time, in milliseconds
     */
    async read(bytes: Uint8Array<ArrayBuffer>, trust: AuthenticationTrust, timeMs: () => number, signal: AbortSignal) {
      if (bytes.length <= LARGE_BYTES)
        return await readIn({ pool: usual, isUrgent: false }, bytes, 'ended', trust, timeMs, signal);
      const first = bytes.slice(0, BEGINNING_BYTES);
      const beginning = await readIn({ pool: large, isUrgent: true }, first, 'ended', trust, timeMs, signal);
      const known = beginning === 'ended' ? beginning : { ...beginning, isWhole: false };
      return await readIn({ pool: large, isUrgent: false }, bytes, known, trust, timeMs, signal);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([usual.close(ENDED), large.close(ENDED)]);
    },
  };
}

/** Starts a thread that does not keep the process alive. */
function startThread(): PooledThread {
  const worker = new Worker(workerUrl('app/message/message-worker.ts'), { smol: true });
  worker.unref();
  return { worker };
}

/** Time for reading a mail, and until its thread is terminated, in milliseconds. */
const READING_MS = 5500;
const READER_MS = 6000;

/** Maximum number of links of a mail that are checked. */
const MAX_CHECKED = 50;

const TOO_SLOW = 'The message could not be read in time, so that it has no verdict.';

/** Delay before a mail is sent again that could not be read in time, in seconds: others may have been read meanwhile. */
const RETRY_AFTER_S = 10;

/** Reader of the mails that clients send. Disposing of it ends its threads. */
export interface MailReader extends AsyncDisposable {
  readonly readMail: MessageRouteParts['readMail'];
}

/** Opens a reader of mails, which notes confirmed senders with the key of this installation. */
export function openMailReader(
  engine: Pick<Engine, 'scoringContext' | 'assess' | 'lists'>,
  running: () => MessageSettingValues & ReturnType<MailMemoryParts['running']>,
  installation: Omit<MailMemoryParts, 'running'>,
): MailReader {
  const threads = createMessageThreads(1);
  const memory = openMailMemory({ running, ...installation });

  const assessMail = mailAssessor(
    engine,
    running,
    (target) => {
      const seen = skippedObservations('disabled', observeLists(engine.lists, target, systemClock.now()));
      const { verdict, decision } = engine.assess(target, seen);
      return { probability: verdict.probability, decision };
    },
    memory,
  );
  return {
    async readMail(bytes, left) {
      const startMs = systemClock.monotonicMs();
      const trust = { servers: running().auth_results_from, isReceived: true };
      const timeMs = () => startMs + READING_MS - systemClock.monotonicMs();
      const signal = AbortSignal.any([left, AbortSignal.timeout(READER_MS)]);
      const read = await threads.read(bytes, trust, timeMs, signal);
      // Nothing is known of it, and an allowed mail would look as if it had been read.
      if (read === 'ended') throw new UnavailableError('unexamined', TOO_SLOW, RETRY_AFTER_S);
      const { message, ...found } = read;
      const links: string[] = [];
      for (const link of packedLinks(found.links)) {
        if (links.length === MAX_CHECKED) break;
        if (link.place === LINK_PLACE.candidate) links.push(urlOf(found.links, link));
      }
      return {
        ...{ links, count: found.count, unread: found.unread, isWhole: found.isWhole },
        assess: (verdicts) => assessMail(message, verdicts),
      };
    },
    async [Symbol.asyncDispose]() {
      await threads[Symbol.asyncDispose]();
      await memory[Symbol.asyncDispose]();
    },
  };
}

/** Settings, key and log of an installation whose memory of senders is opened. */
interface MailMemoryParts {
  readonly running: () => Pick<MessageSettingValues, 'sender_memory_days'> & Pick<StoreSettings, 'data_dir'>;
  readonly key: () => Buffer;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Opens the memory of senders, which follows its setting. */
export function openMailMemory({ running, key, logger }: MailMemoryParts): SenderMemory {
  return openSenderMemory({
    ...{ dataDir: running().data_dir, key, clock: systemClock },
    days: () => running().sender_memory_days,
    onFailure: (error) => logger.warn('senders.failed', { error }),
  });
}

/**
 * Returns a classifier of mails by the verdicts on their links; the site of the sender is classified by its spelling.
 *
 * @param verdict classifies a URL by its spelling and the lists
 * @param memory has the senders that wrote before; those of allowed mails are noted
 */
export function mailAssessor(
  engine: Pick<Engine, 'scoringContext'>,
  running: () => MessageVerdictSettings,
  verdict: (target: Target) => Pick<WeighedLink, 'probability' | 'decision'>,
  memory: Pick<SenderMemory, 'isKnown' | 'note'>,
): (message: WeighedMessage, links: readonly WeighedLink[]) => MessageAssessment {
  return (message, links) => {
    const { models, settings } = engine.scoringContext();
    const [sender] = message.head?.from ?? [];
    const ofSender = senderLinks(sender ? [sender.address] : []).flatMap(({ url }): WeighedLink[] => {
      const target = parseTarget(url);
      if (isTargetProblem(target)) return [];
      const { probability, decision } = verdict(target);
      return [{ url, probability, decision, isListed: false }];
    });
    const { own_people: people, ...chosen } = running();
    const thresholds = messageThresholds(chosen);
    const confirmed = confirmedAddress(message, models.knowledge);
    const isRemembered = confirmed !== null && memory.isKnown(confirmed);
    const options = { baseRate: settings.baseRate, thresholds, people, isRemembered };
    const assessment = assessMessage(message, [...ofSender, ...links], models, options);
    if (confirmed !== null && assessment.decision === 'allow') memory.note(confirmed);
    return assessment;
  };
}
