import { statfsSync } from 'node:fs';
import { ask } from './ask.ts';
import type { ClockShift } from './clock-shift.ts';
import type { Lives } from './lives.ts';
import type { FaultKind } from './plan.ts';
import type { Surroundings } from './surroundings.ts';

/** What faults act on. */
export interface Stage {
  readonly lives: Lives;
  readonly clock: ClockShift;
  /** A file system that holds the data directory and nothing else. */
  readonly disk: { readonly path: string; readonly sizeBytes: number };
  readonly surroundings: Surroundings;
}

const DAY_SECONDS = 86_400;
/** Beyond what is kept (`retention_days`): a purge would take everything. */
const AHEAD_SECONDS = 400 * DAY_SECONDS;
/** How long the service may take to be ready once a fault is over. */
const RECOVERY_MS = 30_000;

/** Lets a fault happen and pass, and waits until the service is ready again. Returns what was not as it should be. */
export async function happen(kind: FaultKind, stage: Stage, lastsSeconds: number): Promise<string[]> {
  const problems = await FAULTS[kind](stage, () => Bun.sleep(lastsSeconds * 1000));
  return (await isReadyAgain()) ? problems : [...problems, `after “${kind}” it was not ready again`];
}

const FAULTS: Readonly<Record<FaultKind, (stage: Stage, pass: () => Promise<void>) => Promise<string[]>>> = {
  killed: ({ lives }) => lives.end('killed'),
  restarted: ({ lives }) => lives.end('stopped'),
  async 'disk full'({ disk }, pass) {
    await fill(disk.path);
    await pass();
    const problems = (await isReady()) ? ['it said that it was ready, on a full disk'] : [];
    await resize(disk.path, disk.sizeBytes);
    return problems;
  },
  async 'resolver dead'({ surroundings }, pass) {
    await surroundings.resolver[Symbol.asyncDispose]();
    await pass();
    surroundings.resolver = await surroundings.startResolver();
    return [];
  },
  async 'resolver silent'({ surroundings: { resolver } }, pass) {
    resolver.signal('SIGSTOP');
    await pass();
    resolver.signal('SIGCONT');
    return [];
  },
  async 'clock ahead'({ clock }, pass) {
    clock.set(AHEAD_SECONDS);
    await pass();
    clock.set(0);
    return [];
  },
  async 'clock behind'({ clock }, pass) {
    clock.set(-3000 * DAY_SECONDS);
    await pass();
    clock.set(0);
    return [];
  },
  async 'started ahead of time'({ clock, lives }, pass) {
    clock.set(AHEAD_SECONDS);
    const problems = await lives.end('stopped');
    await pass();
    clock.set(0);
    return problems;
  },
};

/** Leaves no byte free. Under load the disk grows while one looks, so it takes a few tries. */
async function fill(path: string): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const { blocks, bfree, bsize } = statfsSync(path);
    if (await tryResize(path, (blocks - bfree) * bsize)) return;
  }
  throw new Error('the disk cannot be filled');
}

async function resize(path: string, bytes: number): Promise<void> {
  if (!(await tryResize(path, bytes))) throw new Error(`the disk cannot be given ${bytes} bytes`);
}

async function tryResize(path: string, bytes: number): Promise<boolean> {
  const mount = Bun.spawn(['mount', '-o', `remount,size=${bytes}`, path], { stdio: ['ignore', 'ignore', 'ignore'] });
  return (await mount.exited) === 0;
}

async function isReadyAgain(): Promise<boolean> {
  const untilMs = performance.now() + RECOVERY_MS;
  while (performance.now() < untilMs) {
    if (await isReady()) return true;
    await Bun.sleep(100);
  }
  return false;
}

async function isReady(): Promise<boolean> {
  const reply = await ask({ path: '/readyz', from: '127.0.0.1' });
  return reply.kind === 'answered' && reply.status === 200;
}
