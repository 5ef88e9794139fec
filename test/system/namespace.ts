import { HANG_MS } from '#test/support/patience.ts';

/** Ends what it starts where this process ends first. */
const LEASH = ['setpriv', '--pdeathsig', 'KILL'];

export interface NamespacePlan {
  /** Addresses of this machine. */
  readonly addresses?: readonly string[];
  /** Shell commands that set up what else there is. */
  readonly commands?: readonly string[];
  /** Arguments of the script. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What else it shall have of its own, as options of unshare(1). */
  readonly own?: readonly string[];
  readonly timeoutMs?: number;
  /** Whether what it says on stderr is shown at once, and not only where it fails. */
  readonly isWatched?: boolean;
}

/**
 * Runs a script of this folder in a network namespace of its own, where nothing but `addresses` can be reached, and returns the JSON that it printed.
 */
export async function runInNamespace(
  script: string,
  {
    addresses = [],
    commands = [],
    args = [],
    env = {},
    own = [],
    timeoutMs = HANG_MS,
    isWatched = false,
  }: NamespacePlan = {},
): Promise<unknown> {
  const setUp = addresses.map((address) =>
    address.includes(':') ? `ip -6 addr add ${address}/128 dev lo nodad` : `ip addr add ${address}/32 dev lo`,
  );
  const inside = ['set -e', 'ip link set lo up', ...setUp, ...commands, `exec "$0" "$@"`].join('\n');
  // Whoever is not root needs a user namespace to own a network namespace.
  const flags = process.getuid?.() === 0 ? ['-n'] : ['-rn'];
  const child = Bun.spawn(
    [
      ...LEASH,
      'unshare',
      ...flags,
      ...own,
      'sh',
      '-c',
      inside,
      process.execPath,
      `${import.meta.dir}/${script}`,
      ...args,
    ],
    {
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: isWatched ? 'inherit' : 'pipe',
      env: { ...process.env, ...env },
      timeout: timeoutMs,
      // unshare(1) that waits for a child lets itself be stopped by nothing less.
      killSignal: 'SIGKILL',
    },
  );
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr?.text() ?? 'it failed, and said why']);
  if ((await child.exited) !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}
