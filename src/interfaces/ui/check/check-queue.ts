import type { CheckResult } from '#src/checks/record/check-result.ts';
import type { MessageLink } from '#src/engine/message/message-link.ts';
import type { NonWebTarget } from '#src/engine/message/non-web-target.ts';
import { type Refusal, RefusalError, requestCheck, type SignedResult, type Stage } from '../api/api.ts';
import type { MailCheck } from '../mail/opened-mail.ts';
import { loadNames } from '../result/shown-host.ts';

/** A link and the state of its check. */
export interface QueuedCheck {
  readonly url: string;
  /** The link as it stood in a message. */
  readonly link: MessageLink;
  readonly isPrivate: boolean;
  readonly visit: boolean;
  /** A finding that is not a web address, and is never sent; null for a link. */
  readonly target: NonWebTarget | null;
  state: 'waiting' | 'running' | 'done' | 'refused' | 'stopped' | 'found';
  readonly stages: Map<string, Stage>;
  result: CheckResult | null;
  /** Null if there is no result or it is unsigned. */
  signature: string | null;
  refusal: Refusal | null;
}

/**
 * Called for every change, with the check and the time until which the whole queue waits, in milliseconds since the
 * epoch.
 */
export interface QueueWatcher {
  changed(check: QueuedCheck): void;
  waiting(refusal: Refusal, untilMs: number): void;
}

/** Checks that run at a time: enough not to wait for a slow site, few enough to leave room for others. */
const CONCURRENCY = 3;

/** The longest wait that is sat out; the limiter's window is 60 s. */
const MAX_WAIT_SECONDS = 90;

/** The reader's choices for a check. */
export type CheckChoices = Pick<QueuedCheck, 'isPrivate' | 'visit'>;

/** A check that has not begun. */
export function queuedCheck(link: MessageLink, { isPrivate, visit }: CheckChoices): QueuedCheck {
  return {
    url: link.url,
    link,
    isPrivate: isPrivate || link.isGuess === true,
    visit,
    target: null,
    state: 'waiting',
    stages: new Map(),
    result: null,
    signature: null,
    refusal: null,
  };
}

/** A finding among the checks. */
export function foundTarget(target: NonWebTarget, choices: CheckChoices): QueuedCheck {
  const link = { url: target.target, words: target.words, mismatch: null };
  return { ...queuedCheck(link, choices), target, state: 'found' };
}

/**
 * Runs checks until all are settled or `signal` stops them; a rate limit is waited for. The mail of the links is checked
 * first, with as many of them as the service takes. Never rejects.
 */
export async function runChecks(
  checks: readonly QueuedCheck[],
  mail: MailCheck | null,
  watcher: QueueWatcher,
  signal: AbortSignal,
): Promise<void> {
  let freeAtMs = 0;

  async function runMail(mail: MailCheck): Promise<void> {
    await sleepUntil(freeAtMs, signal);
    if (signal.aborted) return;
    try {
      const { runMailCheck } = await import('../mail/run-mail-check.ts');
      await runMailCheck(mail, checks, finish, signal);
    } catch (error) {
      if (signal.aborted) return;
      const refusal = refusalOf(error);
      if (hold(refusal)) return await runMail(mail);
      mail.isRefused = true;
    }
    const [first] = checks;
    if (first) watcher.changed(first);
  }

  async function run(check: QueuedCheck): Promise<void> {
    await sleepUntil(freeAtMs, signal);
    if (signal.aborted) {
      settle(check, 'stopped');
      return;
    }
    settle(check, 'running');
    check.stages.clear();
    try {
      const checked = await requestCheck(check, (stage) => noteStage(check, stage), signal);
      await loadNames(checked.result.analysis_details);
      finish(check, checked);
    } catch (error) {
      if (signal.aborted) settle(check, 'stopped');
      else await retryOrGiveUp(check, refusalOf(error));
    }
  }

  async function retryOrGiveUp(check: QueuedCheck, refusal: Refusal): Promise<void> {
    if (!hold(refusal)) {
      check.refusal = refusal;
      settle(check, 'refused');
      return;
    }
    settle(check, 'waiting');
    await run(check);
  }

  /** Holds all requests for as long as a refusal says; returns false if a retry is useless. */
  function hold(refusal: Refusal): boolean {
    const waitSeconds = waitOf(refusal);
    if (waitSeconds === null) return false;
    freeAtMs = Math.max(freeAtMs, Date.now() + waitSeconds * 1000);
    watcher.waiting(refusal, freeAtMs);
    return true;
  }

  function finish(check: QueuedCheck, { result, signature }: SignedResult): void {
    check.result = result;
    check.signature = signature;
    settle(check, 'done');
  }

  function noteStage(check: QueuedCheck, stage: Stage): void {
    check.stages.set(stage.stage, stage);
    watcher.changed(check);
  }

  function settle(check: QueuedCheck, state: QueuedCheck['state']): void {
    check.state = state;
    watcher.changed(check);
  }

  if (mail) await runMail(mail);
  const waiting = checks.filter(({ state }) => state === 'waiting');

  async function work(): Promise<void> {
    for (let check = waiting.shift(); check; check = waiting.shift()) await run(check);
  }

  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, waiting.length) }, work));
}

function refusalOf(error: unknown): Refusal {
  return error instanceof RefusalError ? error.refusal : { status: 500, code: '', detail: '', retryAfterSeconds: null };
}

/** Returns seconds until a retry may succeed; null if retrying is useless. */
function waitOf({ status, retryAfterSeconds }: Refusal): number | null {
  const isPassing = (status === 429 || status === 503) && retryAfterSeconds !== null;
  return isPassing && retryAfterSeconds <= MAX_WAIT_SECONDS ? Math.max(retryAfterSeconds, 1) : null;
}

function sleepUntil(timeMs: number, signal: AbortSignal): Promise<void> {
  const delayMs = timeMs - Date.now();
  if (delayMs <= 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(done, delayMs);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done);
  });
}
