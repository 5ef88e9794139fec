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
export interface MissingFlags {
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
