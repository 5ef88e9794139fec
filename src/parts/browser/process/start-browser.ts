import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { removeFolder } from '#src/core/base/files/remove-folder.ts';
import { type CdpSession, createCdpSession } from '../cdp/cdp-session.ts';
import { pipeTransport } from '../cdp/pipe-transport.ts';
import { openSocketTransport } from '../cdp/socket-transport.ts';
import { CdpError } from '../cdp/transport.ts';
import { browserArguments, type MissingFlags, missingFlags } from './browser-flags.ts';

/** A browser that answers. Disposing of it ends one that was started, with all of its processes and its folder. */
export interface RunningBrowser extends AsyncDisposable {
  readonly cdp: CdpSession;
  /** Its name and version. */
  readonly product: string;
  /** Its process group; null for one that somebody else runs. */
  readonly group: number | null;
  /** Flags that it was started without. */
  readonly missing: MissingFlags;
}

/** Place of a browser that is started. */
export interface BrowserPlace {
  /** Folder for its profile. */
  readonly folder: string;
  /** Called with its process group, before it answers. */
  onSpawn?(group: number): void;
}

/** Time for a browser to start and to answer, in milliseconds; on an idle host, it takes 150. */
const START_TIMEOUT_MS = 20_000;
/** Time for a browser to end by itself, in milliseconds. */
const END_TIMEOUT_MS = 1000;
/** Characters of its output that an error quotes. */
const OUTPUT_CHARACTERS = 400;

/** Returns true for the address of a browser that somebody else runs, false for a program to start. */
export const isBrowserAddress = (browser: string): boolean => /^wss?:/.test(browser);

/**
 * Starts a program, or connects to a browser at a `ws://` address.
 *
 * @throws CdpError if it does not answer, with the end of its output
 */
export async function startBrowser(browser: string, place: BrowserPlace): Promise<RunningBrowser> {
  return isBrowserAddress(browser) ? await connectBrowser(browser) : await launchBrowser(browser, place);
}

async function connectBrowser(address: string): Promise<RunningBrowser> {
  const cdp = createCdpSession(await openSocketTransport(address, START_TIMEOUT_MS));
  return await answering(cdp, { group: null, end: () => Promise.resolve(cdp[Symbol.dispose]()), output: () => '' });
}

async function launchBrowser(program: string, place: BrowserPlace): Promise<RunningBrowser> {
  if (Bun.which(program) === null) throw new CdpError('closed', `${program}: no such program`);
  const folder = mkdtempSync(join(place.folder, 'profile-'));
  // A group of its own: Debian's program is a shell script that starts the browser and waits for it.
  const child = spawn(program, browserArguments(folder, process.getuid?.() === 0), {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    detached: true,
    env: { PATH: '/usr/bin:/bin', HOME: folder, TMPDIR: folder, LANG: 'C.UTF-8' },
  });
  if (child.pid !== undefined) place.onSpawn?.(child.pid);
  const output = lastOutput(child);
  const [, , , input, answers] = child.stdio;
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  // The pipes are those of `stdio`.
  const cdp = createCdpSession(pipeTransport(input as Writable, answers as Readable));
  void exited.then(() => cdp[Symbol.dispose]());
  const end = async () => {
    await cdp.call('Browser.close', {}, { timeoutMs: END_TIMEOUT_MS }).catch(() => {});
    cdp[Symbol.dispose]();
    await Promise.race([exited, Bun.sleep(END_TIMEOUT_MS)]);
    killGroup(child.pid);
    await exited;
    await removeFolder(folder);
  };
  return await answering(cdp, { group: child.pid ?? null, end, output });
}

interface Ending {
  readonly group: number | null;
  end(): Promise<void>;
  output(): string;
}

/** Returns the browser once it answers; ends it if it does not. */
async function answering(cdp: CdpSession, { group, end, output }: Ending): Promise<RunningBrowser> {
  try {
    const { product } = await cdp.call('Browser.getVersion', {}, { timeoutMs: START_TIMEOUT_MS });
    // What a page opens beside itself is closed.
    await cdp.call('Target.setDiscoverTargets', { discover: true });
    const missing = group === null ? await missingOf(cdp) : NONE_MISSING;
    return { cdp, product, group, missing, [Symbol.asyncDispose]: end };
  } catch (error) {
    await end();
    const why = error instanceof CdpError ? error.message : String(error);
    throw new CdpError('closed', `${why}: ${output()}`.slice(0, OUTPUT_CHARACTERS));
  }
}

const NONE_MISSING: MissingFlags = { guards: [], others: [] };

/** Returns the flags that a browser lacks which somebody else runs; all of them if it does not say. */
async function missingOf(cdp: CdpSession): Promise<MissingFlags> {
  try {
    return missingFlags((await cdp.call('SystemInfo.getInfo', {}, { timeoutMs: START_TIMEOUT_MS })).commandLine);
  } catch (error) {
    if (error instanceof CdpError && error.code === 'refused') return missingFlags('');
    throw error;
  }
}

function lastOutput(child: ChildProcess): () => string {
  let output = '';
  child.stderr?.on('data', (chunk: Uint8Array) => {
    output = `${output}${Buffer.from(chunk).toString()}`.slice(-OUTPUT_CHARACTERS);
  });
  child.once('error', ({ message }) => {
    output = message;
  });
  return () => output.trim();
}

/** Ends a process group, if it still exists. */
export function killGroup(group: number | null | undefined): void {
  if (!group) return;
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
