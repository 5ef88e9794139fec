import type { Logger } from '#src/base/logger.ts';

/** What systemd, or whoever speaks its protocol, is told of the service (sd_notify(3)). Disposing of it ends the watchdog's signs of life. */
export interface ServiceManager extends Disposable {
  /** It answers requests, or does so with its settings read again. */
  ready(): void;
  /** It reads its settings again; to be followed by `ready`. */
  reloading(): void;
  stopping(): void;
}

/** Parts of the protocol that come by the environment. */
type ManagerEnvironment = Readonly<Record<string, string | undefined>>;

/** Sends one datagram to an address, and tells the time of the clock by which the manager judges reloads. */
interface NotifySocket extends Disposable {
  send(text: string): boolean;
  monotonicMicroseconds(): bigint;
}

const NOBODY: ServiceManager = { ready() {}, reloading() {}, stopping() {}, [Symbol.dispose]() {} };

/**
 * Talks to the service manager that started this process; to nobody where none says that it listens. A manager that
 * cannot be reached is a warning: the service does its work all the same.
 */
export async function connectServiceManager(environment: ManagerEnvironment, logger: Logger): Promise<ServiceManager> {
  const address = environment['NOTIFY_SOCKET'];
  if (address === undefined || address === '') return NOBODY;
  const socket = await openNotifySocket(address);
  if (typeof socket === 'string') {
    logger.warn('service_manager.unreachable', { address, reason: socket });
    return NOBODY;
  }
  let isHeard = true;
  const tell = (...assignments: readonly string[]) => {
    const wasHeard = isHeard;
    isHeard = socket.send(assignments.join('\n'));
    if (wasHeard && !isHeard)
      logger.warn('service_manager.unreachable', { address, reason: 'it does not take messages' });
  };
  const intervalMs = watchdogMs(environment);
  // From the thread that answers requests: where it hangs, the signs of life end.
  const watchdog = intervalMs === null ? null : setInterval(() => tell('WATCHDOG=1'), intervalMs / 2);
  return {
    ready: () => tell('READY=1'),
    reloading: () => tell('RELOADING=1', `MONOTONIC_USEC=${socket.monotonicMicroseconds()}`),
    stopping: () => tell('STOPPING=1'),
    [Symbol.dispose]() {
      if (watchdog !== null) clearInterval(watchdog);
      socket[Symbol.dispose]();
    },
  };
}

/** How often at least this process is to give a sign of life (sd_watchdog_enabled(3)); null where it need not. */
function watchdogMs(environment: ManagerEnvironment): number | null {
  const { WATCHDOG_USEC: microseconds = '', WATCHDOG_PID: pid = String(process.pid) } = environment;
  if (!/^[1-9]\d{0,14}$/.test(microseconds) || pid !== String(process.pid)) return null;
  // Beyond some 24 days a timer of this runtime overflows.
  return Math.min(Math.max(Number(microseconds) / 1000, 2), 2 ** 31);
}

/** Values of <sys/socket.h>, <fcntl.h> and <time.h>, which are the same on every Linux that the program is made for. */
const [AF_UNIX, SOCK_DGRAM, SOCK_CLOEXEC, MSG_DONTWAIT, MSG_NOSIGNAL] = [1, 2, 0o2000000, 0x40, 0x4000];
const CLOCK_MONOTONIC = 1;

/** Longest name of a socket in bytes (unix(7), `sun_path`). */
const MAX_NAME_BYTES = 108;

/** The C library of glibc, and of musl by processor. */
const C_LIBRARIES = ['libc.so.6', 'libc.musl-x86_64.so.1', 'libc.musl-aarch64.so.1'];

/**
 * A socket to the manager; a string says why there is none. The runtime has no datagram sockets of the unix kind, so that
 * the C library is called itself; it is loaded where a manager listens, and nowhere else.
 */
async function openNotifySocket(address: string): Promise<NotifySocket | string> {
  // An @ stands for the zero byte with which abstract names begin.
  const name = Buffer.from(address.replace(/^@/, '\0'));
  if (!/^[/@]./.test(address) || name.length >= MAX_NAME_BYTES) return 'it is neither a path nor an abstract name';
  const { dlopen, ptr } = await import('bun:ffi');
  const load = (library: string) =>
    dlopen(library, {
      socket: { args: ['i32', 'i32', 'i32'], returns: 'i32' },
      sendto: { args: ['i32', 'ptr', 'u64', 'i32', 'ptr', 'u32'], returns: 'i64' },
      close: { args: ['i32'], returns: 'i32' },
      clock_gettime: { args: ['i32', 'ptr'], returns: 'i32' },
    });
  const library = firstThatLoads(C_LIBRARIES, load);
  if (library === null) return 'the C library cannot be called';
  const { socket, sendto, close, clock_gettime: clockGetTime } = library.symbols;
  const descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return 'no socket can be made';
  // struct sockaddr_un: the family in the order of the machine's bytes, which is little-endian, then the name.
  const to = Buffer.concat([Buffer.from([AF_UNIX, 0]), name]);
  return {
    send(text) {
      const bytes = Buffer.from(text);
      const flags = MSG_NOSIGNAL | MSG_DONTWAIT;
      return Number(sendto(descriptor, ptr(bytes), bytes.length, flags, ptr(to), to.length)) === bytes.length;
    },
    monotonicMicroseconds() {
      const time = new BigInt64Array(2);
      clockGetTime(CLOCK_MONOTONIC, ptr(time));
      const [seconds = 0n, nanoseconds = 0n] = time;
      return seconds * 1_000_000n + nanoseconds / 1000n;
    },
    [Symbol.dispose]() {
      close(descriptor);
      library.close();
    },
  };
}

function firstThatLoads<T>(names: readonly string[], load: (name: string) => T): T | null {
  for (const name of names) {
    try {
      return load(name);
    } catch {
      // The next one may be this system's.
    }
  }
  return null;
}
