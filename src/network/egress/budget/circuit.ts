import type { Clock } from '#src/core/base/clock.ts';

/**
 * A circuit breaker: while it is open, requests fail at once. It opens only if neutral requests fail too, so that an
 * attacker cannot open it with names whose own servers are slow.
 */
export interface Circuit extends Disposable {
  isOpen(): boolean;
  /** Returns true at most once per pause while open: the caller may then send one trial request in the background. */
  takeTrial(): boolean;
  /** Reports a request without an answer. Resolves when neutral requests have shown whether the network is at fault. */
  suspect(): Promise<void>;
  /** Reports an answer of any kind. */
  succeed(): void;
}

const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 30_000;

/** Creates a closed circuit. `isAlive` sends the neutral requests; while open, it is called at growing intervals. */
export function createCircuit(
  clock: Clock,
  isAlive: () => Promise<boolean>,
  onChange: (isOpen: boolean) => void,
): Circuit {
  let isOpen = false;
  let pauseMs = FIRST_PAUSE_MS;
  let pausedUntilMs = 0;
  let pendingProbe: Promise<void> | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let answers = 0;
  let isDisposed = false;

  const setOpen = (open: boolean) => {
    if (open === isOpen) return;
    isOpen = open;
    onChange(open);
  };
  const succeed = () => {
    answers++;
    clearTimeout(timer);
    pauseMs = FIRST_PAUSE_MS;
    setOpen(false);
  };
  const pause = () => {
    clearTimeout(timer);
    // Unreferenced: the timer must not keep the process alive.
    timer = setTimeout(() => void probeNetwork(), pauseMs).unref();
    pausedUntilMs = clock.monotonicMs() + pauseMs;
    pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
  };
  const probeNetwork = async () => {
    const answersBefore = answers;
    const isAnswering = (await isAlive()) || answers > answersBefore;
    if (isDisposed) return;
    if (isAnswering) return succeed();
    setOpen(true);
    return pause();
  };

  return {
    isOpen: () => isOpen,
    takeTrial() {
      if (!isOpen || clock.monotonicMs() < pausedUntilMs) return false;
      pause();
      return true;
    },
    suspect() {
      if (isOpen) return Promise.resolve();
      pendingProbe ??= probeNetwork().finally(() => {
        pendingProbe = null;
      });
      return pendingProbe;
    },
    succeed,
    [Symbol.dispose]() {
      isDisposed = true;
      clearTimeout(timer);
    },
  };
}
