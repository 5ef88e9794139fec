import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import type { Io } from '#src/core/base/io.ts';
import type { UpgradePlace } from './upgrade-paths.ts';

/** What each step of an upgrade works with. */
export interface Desk {
  readonly place: UpgradePlace;
  /** How long a service may take to be ready. */
  readonly patienceMs: number;
  readonly now: () => number;
  /** Tells the operator what was done, in a line. */
  say(text: string): Promise<void>;
  /** Tells what should be known besides, or did not go well. */
  warn(text: string): Promise<void>;
}

/** The desk of a process. */
export function openDesk(place: UpgradePlace, { stdout, stderr }: Io, rest: Pick<Desk, 'patienceMs' | 'now'>): Desk {
  return {
    place,
    ...rest,
    say: (text) => stdout.write(`${visibleInTerminal(text)}\n`),
    warn: (text) => stderr.write(`lurecheck: ${visibleInTerminal(text)}\n`),
  };
}
