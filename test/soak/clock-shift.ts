import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where Debian's package `faketime` puts its library, below the folder of the machine's kind. */
const LIBRARIES = '/usr/lib';

/** Shows a process another time than the machine's. */
export interface ClockShift {
  /** What the process needs in its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** From now on its wall clock differs by so much from the machine's; the monotonic one goes on as before. */
  set(seconds: number): void;
}

/** A clock that can be moved through a file at this path while a process runs. Throws where libfaketime is missing. */
export function createClockShift(path: string): ClockShift {
  const set = (seconds: number) => writeFileSync(path, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}`);
  set(0);
  return {
    env: {
      LD_PRELOAD: libfaketime(),
      FAKETIME_TIMESTAMP_FILE: path,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    set,
  };
}

function libfaketime(): string {
  for (const folder of readdirSync(LIBRARIES)) {
    const path = join(LIBRARIES, folder, 'faketime/libfaketimeMT.so.1');
    if (existsSync(path)) return path;
  }
  throw new Error('libfaketime is needed: apt-get install faketime');
}
