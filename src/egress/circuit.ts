import type { Clock } from '#src/base/clock.ts';

/**
 * Spares everybody the waiting while a resolver is silent. It opens only where a neutral question finds no answer
 * either, so that nobody can open it by asking for names whose own servers are slow.
 */
export interface Circuit {
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

/** A closed circuit. `isAlive` asks the neutral question. */
export function createCircuit(
  clock: Clock,
  isAlive: () => Promise<boolean>,
  onChange: (isOpen: boolean) => void,
): Circuit {
  let isOpen = false;
  let restMs = FIRST_REST_MS;
  let restUntilMs = 0;
  let inquiry: Promise<void> | null = null;

  const rest = () => {
    restUntilMs = clock.monotonicMs() + restMs;
    restMs = Math.min(restMs * 2, LONGEST_REST_MS);
  };
  const turn = (open: boolean) => {
    if (open === isOpen) return;
    isOpen = open;
    onChange(open);
  };
  const succeed = () => {
    restMs = FIRST_REST_MS;
    turn(false);
  };
  const inquire = async () => {
    if (await isAlive()) return succeed();
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
  };
}
