import type { Logger } from '#src/core/base/logger.ts';
import { type Notice, notice } from '#src/core/base/text/condition.ts';

/** Interval at which a changed value that does not work is tried again. */
const RETRY_MS = 10_000;

/** A value that works. */
interface PreparedValue {
  use(): void;
  /** Closes what was opened to try it; another value was offered meanwhile. */
  discard(): void;
}

/** A value with credentials that a running service replaces. */
export interface Rotated<Value> {
  /** Name of the setting. */
  readonly setting: string;
  /** The value in use. */
  readonly active: Value;
  /** Tries a value; returns why it does not work, as a sentence, or what starts its use. */
  readonly prepare: (value: Value) => Promise<string | PreparedValue>;
  readonly logger: Logger;
}

/** Replaces a value of a running service. */
export interface Rotation<Value> extends Disposable {
  /** Tries a value that differs, and uses it if it works; otherwise the former one stays, and it is tried again. */
  offer(value: Value): Promise<void>;
  notices(): readonly Notice[];
}

/** Creates a rotation. */
export function createRotation<Value>({ setting, active, prepare, logger }: Rotated<Value>): Rotation<Value> {
  let used = active;
  let offered = active;
  let problem: string | null = null;
  let retry: Timer | undefined;
  let isClosed = false;

  async function attempt(): Promise<void> {
    const value = offered;
    const outcome = await prepare(value);
    if (isClosed || value !== offered) {
      if (typeof outcome !== 'string') outcome.discard();
      return;
    }
    if (typeof outcome === 'string') {
      if (outcome !== problem) logger.error('settings.rotation_failed', { setting, problem: outcome });
      problem = outcome;
      retry = setTimeout(() => void attempt(), RETRY_MS).unref();
      return;
    }
    used = value;
    problem = null;
    outcome.use();
    logger.info('settings.rotated', { setting });
  }

  return {
    async offer(value) {
      clearTimeout(retry);
      offered = value;
      if (Bun.deepEquals(value, used)) problem = null;
      else await attempt();
    },
    notices: () => (problem === null ? [] : [refusedNotice(setting)]),
    [Symbol.dispose]() {
      isClosed = true;
      clearTimeout(retry);
    },
  };
}

const refusedNotice = (setting: string) =>
  notice(
    'rotation_failed',
    `The changed value of ${setting} does not work: the former one stays in use, and it is tried again. See settings.rotation_failed in the log.`,
    { setting },
  );
