import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { removeFolder } from '#src/core/base/files/remove-folder.ts';
import { type CdpSession, createCdpSession } from '../cdp/cdp-session.ts';
import { pipeTransport } from '../cdp/pipe-transport.ts';
import { openSocketTransport } from '../cdp/socket-transport.ts';
import { CdpError } from '../cdp/transport.ts';

/** A flag of Chromium with the reason for it. */
type Flag = readonly [flag: string, why: string];

/** Flags without which a browser sends packets past the listener of a visit. Checked with Debian's Chromium 156. */
const GUARDS: readonly Flag[] = [
  ['--proxy-server=socks5://127.0.0.1:9', 'a context without a listener of its own reaches nothing'],
  ['--proxy-bypass-list=<-loopback>', 'addresses of this host are not exempt from the proxy'],
  ['--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1', 'names are resolved by the egress client alone'],
  // Both spellings are needed: headless shell reads one, the full browser the other.
  ['--force-webrtc-ip-handling-policy=disable_non_proxied_udp', 'WebRTC sends no datagrams (headless shell)'],
  ['--webrtc-ip-handling-policy=disable_non_proxied_udp', 'WebRTC sends no datagrams (full browser)'],
  ['--disable-quic', 'no datagrams'],
  ['--dns-prefetch-disable', 'no queries ahead of need'],
  ['--disable-background-networking', 'no updates, reports and field trials'],
  ['--disable-component-update', 'no downloads of components'],
  ['--disable-domain-reliability', 'no reports about failed requests'],
  ['--disable-client-side-phishing-detection', 'no queries about the page'],
  ['--disable-sync', 'no account'],
];

/** All other flags of a browser that the service starts. */
const FLAGS: readonly Flag[] = [
  ['--headless', 'no window'],
  ['--no-pings', 'no audits of links'],
  ['--disable-default-apps', 'nothing but the page'],
  ['--disable-extensions', 'nothing but the page'],
  ['--disable-breakpad', 'no reports about crashes'],
  ['--disable-crash-reporter', 'no process that waits for crashes'],
  ['--disable-notifications', 'no notifications'],
  ['--disable-print-preview', 'nothing is printed'],
  ['--block-new-web-contents', 'no popups'],
  ['--deny-permission-prompts', 'no permissions'],
  ['--autoplay-policy=user-gesture-required', 'media are not loaded for nobody'],
  ['--mute-audio', 'no sound'],
  ['--disable-gpu', 'servers have none'],
  ['--disable-dev-shm-usage', 'containers have a small /dev/shm'],
  ['--hide-scrollbars', 'not part of the picture'],
  ['--disable-back-forward-cache', 'a page that was left uses no memory'],
  ['--disable-site-isolation-trials', 'one process per visit; a visit has no secrets of other sites'],
  ['--disable-blink-features=AutomationControlled', 'kits show another page to a browser that says it is driven'],
  ['--no-first-run', 'no questions'],
  ['--no-default-browser-check', 'no questions'],
  ['--password-store=basic', 'no keyring of the desktop'],
  ['--use-mock-keychain', 'no keyring of the desktop'],
  ['--js-flags=--max-old-space-size=256', 'a page that allocates without end ends itself'],
  [
    '--disable-features=IsolateOrigins,site-per-process,Translate,OptimizationHints,MediaRouter,' +
      'DialMediaRouteProvider,AutofillServerCommunication,CertificateTransparencyComponentUpdater,HttpsUpgrades,' +
      'WebRtcHideLocalIpsWithMdns,PrivacySandboxSettings4',
    'no requests of the browser itself, and http: stays http:',
  ],
];

/** Commands over a pipe: no page and no other user can reach a port. */
const PIPE = '--remote-debugging-pipe';

/** Returns the arguments of a browser with its profile in a folder. */
export function browserArguments(folder: string, isRoot: boolean): string[] {
  // Chromium refuses to start as root with its sandbox.
  const sandbox = isRoot ? ['--no-sandbox'] : [];
  const flags = [...GUARDS, ...FLAGS].map(([flag]) => flag);
  return [...flags, PIPE, ...sandbox, `--user-data-dir=${folder}`, 'about:blank'];
}

/** Flags that a running browser lacks. */
interface MissingFlags {
  /** Flags without which it sends packets past the listener of a visit. */
  readonly guards: readonly string[];
  readonly others: readonly string[];
}

/**
 * Returns the flags that are not in the command line of a browser, which takes the last of a flag that is given twice. A list
 * of features may be in another order.
 */
export function missingFlags(commandLine: string): MissingFlags {
  const line = ` ${commandLine} `;
  const isMissing = ([flag]: Flag) => {
    const [name = '', values = ''] = flag.split('=', 2);
    const at = Math.max(line.lastIndexOf(` ${name} `), line.lastIndexOf(` ${name}=`));
    if (at < 0) return true;
    if (name !== '--disable-features') return !line.startsWith(` ${flag} `, at);
    const [, given = ''] = line.slice(at).split(/[ =]/, 3).slice(1);
    const features = new Set(given.split(','));
    return values.split(',').some((feature) => !features.has(feature));
  };
  const of = (flags: readonly Flag[]) => flags.filter(isMissing).map(([flag]) => flag);
  return { guards: of(GUARDS), others: of(FLAGS) };
}

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
