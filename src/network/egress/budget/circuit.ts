import type { Clock } from '#src/core/base/clock.ts';

/**
 * Spares everybody the waiting while a resolver is silent. It opens only where neutral questions find no answer
 * either, so that nobody can open it by asking for names whose own servers are slow.
 */
export interface Circuit extends Disposable {
  isOpen(): boolean;
  /** True at most once a resting period while open: whoever asks may try, in the background. */
  mayTry(): boolean;
  /** Reports silence. Resolves once it is known whether that was the resolver's. */
  suspect(): Promise<void>;
  /** Reports an answer, whatever it says. */
  succeed(): void;
}

const FIRST_REST_MS = 1000;
const LONGEST_REST_MS = 30_000;

/** A closed circuit. `isAlive` asks the neutral questions; while open it is asked again and again, ever less often. */
export function createCircuit(
  clock: Clock,
  isAlive: () => Promise<boolean>,
  onChange: (isOpen: boolean) => void,
): Circuit {
  let isOpen = false;
  let restMs = FIRST_REST_MS;
  let restUntilMs = 0;
  let inquiry: Promise<void> | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let answers = 0;
  let isDisposed = false;

  const turn = (open: boolean) => {
    if (open === isOpen) return;
    isOpen = open;
    onChange(open);
  };
  const succeed = () => {
    answers++;
    clearTimeout(timer);
    restMs = FIRST_REST_MS;
    turn(false);
  };
  const rest = () => {
    clearTimeout(timer);
    // Nobody's exit waits for this.
    timer = setTimeout(() => void inquire(), restMs).unref();
    restUntilMs = clock.monotonicMs() + restMs;
    restMs = Math.min(restMs * 2, LONGEST_REST_MS);
  };
  const inquire = async () => {
    const answersBefore = answers;
    const isAnswering = (await isAlive()) || answers > answersBefore;
    if (isDisposed) return;
    if (isAnswering) return succeed();
    turn(true);
    return rest();
  };

  return {
    isOpen: () => isOpen,
    mayTry() {
      if (!isOpen || clock.monotonicMs() < restUntilMs) return false;
      rest();
      return true;
    },
    suspect() {
      if (isOpen) return Promise.resolve();
      inquiry ??= inquire().finally(() => {
        inquiry = null;
      });
      return inquiry;
    },
    succeed,
    [Symbol.dispose]() {
      isDisposed = true;
      clearTimeout(timer);
    },
  };
}
