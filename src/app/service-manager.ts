import type { Logger } from '#src/core/base/logger.ts';

/**
 * Notifies systemd, or another manager with its protocol, of the state of the service (sd_notify(3)). Disposing of it
 * ends the watchdog's heartbeats.
 */
export interface ServiceManager extends Disposable {
  /** Reports that the service answers requests, or does so with its reloaded settings. */
  ready(): void;
  /** The service reloads its settings; `ready` must follow. */
  reloading(): void;
  stopping(): void;
}

/** Parts of the protocol that come by the environment. */
type ManagerEnvironment = Readonly<Record<string, string | undefined>>;

const NOBODY: ServiceManager = { ready() {}, reloading() {}, stopping() {}, [Symbol.dispose]() {} };

/**
 * Connects to the service manager that started this process; does nothing without one. An unreachable manager is only
 * logged, because the service works without it.
 */
export async function connectServiceManager(environment: ManagerEnvironment, logger: Logger): Promise<ServiceManager> {
  const address = environment['NOTIFY_SOCKET'];
  if (address === undefined || address === '') return NOBODY;
  const { openUnixDatagrams } = await import('#src/core/base/c-library.ts');
  const socket = await openUnixDatagrams(address);
  if (typeof socket === 'string') {
    logger.warn('service_manager.unreachable', { address, reason: socket });
    return NOBODY;
  }
  const clock = await openMonotonicClock();
  let isHeard = true;
  const tell = (...assignments: readonly string[]) => {
    const wasHeard = isHeard;
    isHeard = socket.send(Buffer.from(assignments.join('\n')));
    if (wasHeard && !isHeard)
      logger.warn('service_manager.unreachable', { address, reason: 'it does not accept messages' });
  };
  const intervalMs = watchdogMs(environment);
  // Sent by the thread that answers requests: if it hangs, the heartbeats stop.
  const watchdog = intervalMs === null ? null : setInterval(() => tell('WATCHDOG=1'), intervalMs / 2);
  return {
    ready: () => tell('READY=1'),
    reloading: () => tell('RELOADING=1', `MONOTONIC_USEC=${clock.microseconds()}`),
    stopping: () => tell('STOPPING=1'),
    [Symbol.dispose]() {
      if (watchdog !== null) clearInterval(watchdog);
      socket[Symbol.dispose]();
      clock[Symbol.dispose]();
    },
  };
}

/**
 * Returns the maximum interval between heartbeats of this process (sd_watchdog_enabled(3)), in milliseconds; null if
 * none are required.
 */
function watchdogMs(environment: ManagerEnvironment): number | null {
  const { WATCHDOG_USEC: microseconds = '', WATCHDOG_PID: pid = String(process.pid) } = environment;
  if (!/^[1-9]\d{0,14}$/.test(microseconds) || pid !== String(process.pid)) return null;
  // Beyond some 24 days a timer of this runtime overflows.
  return Math.min(Math.max(Number(microseconds) / 1000, 2), 2 ** 31);
}

/** Value of <time.h>, which is the same on every Linux that the program is made for. */
const CLOCK_MONOTONIC = 1;

/** Opens the clock that the manager uses for reloads, in microseconds; 0 if it cannot be read. */
async function openMonotonicClock(): Promise<Disposable & { microseconds(): bigint }> {
  const { openCLibrary } = await import('#src/core/base/c-library.ts');
  const library = await openCLibrary({ clock_gettime: { args: ['i32', 'ptr'], returns: 'i32' } });
  return {
    microseconds() {
      const time = new BigInt64Array(2);
      library?.symbols.clock_gettime(CLOCK_MONOTONIC, library.addressOf(time));
      const [seconds = 0n, nanoseconds = 0n] = time;
      return seconds * 1_000_000n + nanoseconds / 1000n;
    },
    [Symbol.dispose]: () => library?.close(),
  };
}
