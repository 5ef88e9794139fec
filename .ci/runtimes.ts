import { mkdir } from 'node:fs/promises';
import { run } from './run-command.ts';

/** A runtime, as it is published: a package of npm's. */
interface Runtime {
  readonly package: string;
  /** As npm calls the processor. */
  readonly cpu: 'x64' | 'arm64';
  /** What its `bin/bun` must be, in Bun 1.4.4. */
  readonly sha256: string;
}

/**
 * Platforms that the executable is made for. The runtime for x64 asks the processor what it can: since Bun 1.4 the one
 * that is called baseline is the same file.
 */
export const RUNTIMES = {
  'linux-x64': {
    package: '@oven/bun-linux-x64',
    cpu: 'x64',
    sha256: '10702245766b225e70bbf6235fd6b47214fd94b4760d00ffaed8ab0df57ac235',
  },
  'linux-x64-baseline': {
    package: '@oven/bun-linux-x64-baseline',
    cpu: 'x64',
    sha256: '10702245766b225e70bbf6235fd6b47214fd94b4760d00ffaed8ab0df57ac235',
  },
  'linux-x64-musl': {
    package: '@oven/bun-linux-x64-musl',
    cpu: 'x64',
    sha256: '29a31375a72f97c7e3fc25dd57d7dde88da5907aa8970808f57f91e0711bdad2',
  },
  'linux-arm64': {
    package: '@oven/bun-linux-aarch64',
    cpu: 'arm64',
    sha256: '354c2b049c716aca07b2e5cddb887928ac58950675d1258bb6312083917793b6',
  },
  'linux-arm64-musl': {
    package: '@oven/bun-linux-aarch64-musl',
    cpu: 'arm64',
    sha256: 'a6a3d99a48600b59597070d2d2ff8d37b65975b8aab247ee3479b1eb33d000a6',
  },
} as const satisfies Readonly<Record<string, Runtime>>;

export type Target = keyof typeof RUNTIMES;

/** Whether there is a runtime for it. */
export function isTarget(name: string): name is Target {
  return Object.hasOwn(RUNTIMES, name);
}

/**
 * The runtime of a platform, out of its package; the bundler would otherwise download it from a fixed place.
 *
 * @throws Error where it is not the one that was looked at.
 */
export async function runtimeOf(target: Target): Promise<string> {
  const { package: name, cpu, sha256 } = RUNTIMES[target];
  const folder = `dist/runtime/${target}`;
  const path = `${folder}/node_modules/${name}/bin/bun`;
  const digest = async () => new Bun.CryptoHasher('sha256').update(await Bun.file(path).bytes()).digest('hex');
  if ((await Bun.file(path).exists()) && (await digest()) === sha256) return path;
  await mkdir(folder, { recursive: true });
  await Bun.write(`${folder}/package.json`, '{"private":true}');
  await run([
    process.execPath,
    'add',
    '--exact',
    '--os=linux',
    `--cpu=${cpu}`,
    '--cwd',
    folder,
    `${name}@${Bun.version}`,
  ]);
  const found = await digest();
  if (found !== sha256) throw new Error(`${name} ${Bun.version} is ${found}, not ${sha256}`);
  return path;
}
