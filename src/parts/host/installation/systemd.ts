import { existsSync } from 'node:fs';
import { join } from 'node:path';
import unit from '../../../../.ci/packaging/lurecheck.service' with { type: 'text' };
import sysusers from '../../../../.ci/packaging/lurecheck.sysusers' with { type: 'text' };
import browserUnit from '../../../../.ci/packaging/lurecheck-browser.service' with { type: 'text' };
import { pathsIn } from './file-facts.ts';
import type { Manager, ServiceState } from './manager.ts';
import { printed, succeeds } from './system-command.ts';

/** Lines of the unit that instances must not share, each with its replacement, which contains %i. */
const LINES: readonly (readonly [string, string])[] = [
  ['Description=lurecheck phishing link checker', 'Description=lurecheck phishing link checker (process %i)'],
  [
    'EnvironmentFile=-/etc/lurecheck/environment',
    'Environment=LURECHECK_NODE_NAME=%l-%i\nEnvironmentFile=-/etc/lurecheck/environment\nEnvironmentFile=-/etc/lurecheck/environment-%i',
  ],
  ['serve --data-dir /var/lib/lurecheck\n', 'serve --reuse-port --data-dir /var/lib/lurecheck-%i\n'],
  ['StateDirectory=lurecheck\n', 'StateDirectory=lurecheck-%i\n'],
  ['RuntimeDirectory=lurecheck\n', 'RuntimeDirectory=lurecheck-%i\n'],
  ['unix:/run/lurecheck/http.sock', 'unix:/run/lurecheck-%i/http.sock'],
];

/**
 * The unit for several processes on one port, `lurecheck@.service`, out of that for one: as hardened, with a data directory
 * of its own for each.
 */
export function instanceUnit(unit: string): string {
  return LINES.reduce((text, [line, ofInstance]) => {
    if (!text.includes(line)) throw new Error(`the unit has no line “${line.trim()}”`);
    return text.replace(line, ofInstance);
  }, unit);
}

/** Path of the program in packages and in the texts. */
export const PACKAGED_PROGRAM = '/usr/bin/lurecheck';

/** Returns a packaged text for a program at another path. */
export const forProgram = (text: string, program: string) => text.replaceAll(PACKAGED_PROGRAM, program);

/** The unit of systemd for one process. */
export const unitFor = (program: string): string => forProgram(unit, program);

/** Returns `lurecheck@.service`, the unit of several services on one port. */
export const instanceUnitFor = (program: string): string => forProgram(instanceUnit(unit), program);

/** The unit of a browser for pages, with its own user. */
export const BROWSER_UNIT = browserUnit;

/** User definition for systemd-sysusers(8). */
export const SYSUSERS = sysusers;

/** Folder of the administrator's units (systemd.unit(5)). */
const UNITS = '/etc/systemd/system';

const ONE = 'lurecheck.service';
const SEVERAL = 'lurecheck@*.service';
const BROWSER = 'lurecheck-browser.service';

/** Units of a package. */
const PACKAGED = [`/usr/lib/systemd/system/${ONE}`, `/lib/systemd/system/${ONE}`];

const PROGRAMS = ['/usr/lib/systemd/systemd', '/lib/systemd/systemd'];

/** systemd(1). */
export const SYSTEMD: Manager = {
  name: 'systemd',
  // As sd_booted(3) decides it.
  isRunning: () => existsSync('/run/systemd/system'),
  isIn: (root) => PROGRAMS.some((path) => existsSync(join(root, path))),
  files: (program) => [
    { path: `${UNITS}/${ONE}`, text: unitFor(program), mode: 0o644 },
    { path: `${UNITS}/lurecheck@.service`, text: instanceUnitFor(program), mode: 0o644 },
    { path: '/etc/sysusers.d/lurecheck.conf', text: SYSUSERS, mode: 0o644 },
  ],
  browserFile: { path: `${UNITS}/${BROWSER}`, text: BROWSER_UNIT, mode: 0o644 },
  packagedFile: (root) => PACKAGED.find((path) => existsSync(join(root, path))) ?? null,
  environment: [],
  makeUser: (root) => [['systemd-sysusers', ...within(root), 'lurecheck.conf']],
  enable(root, { isRenewed, isStarted, hasBrowser }) {
    const instances = wantedBy(root, /^lurecheck@.+\.service$/);
    const enabled = (unit: string, name: RegExp) =>
      wantedBy(root, name).length === 0 ? [['systemctl', ...within(root), 'enable', unit]] : [];
    const enabling = [
      ...(hasBrowser ? enabled(BROWSER, /^lurecheck-browser\.service$/) : []),
      ...(instances.length === 0 ? enabled(ONE, /^lurecheck\.service$/) : []),
    ];
    if (root !== '/') return enabling;
    const reading = isRenewed ? [['systemctl', 'daemon-reload']] : [];
    if (!isStarted) return [...reading, ...enabling];
    const started = (unit: string) => {
      const isActive = succeeds('systemctl', '--quiet', 'is-active', unit);
      return isActive && !isRenewed ? [] : [['systemctl', isActive ? 'restart' : 'start', unit]];
    };
    const before = [...reading, ...enabling, ...(hasBrowser ? started(BROWSER) : [])];
    // A machine with several processes has no need of the one.
    if (instances.length > 0) return isRenewed ? [...before, ['systemctl', 'restart', SEVERAL]] : before;
    return [...before, ...started(ONE)];
  },
  disable(root) {
    const of = (unit: string, name: RegExp) => {
      const isWanted = wantedBy(root, name).length > 0;
      const isThere = root === '/' && succeeds('systemctl', '--quiet', 'is-active', unit);
      return [
        ...(isThere ? [['systemctl', 'stop', unit]] : []),
        ...(isWanted ? [['systemctl', ...within(root), 'disable', unit.replace('*', '')]] : []),
      ];
    };
    return [
      ...of(ONE, /^lurecheck\.service$/),
      ...of(SEVERAL, /^lurecheck@.+\.service$/),
      ...of(BROWSER, /^lurecheck-browser\.service$/),
    ];
  },
  afterRemoval: (root) => (root === '/' ? [['systemctl', 'daemon-reload']] : []),
  overrides: (root) => pathsIn(root, UNITS, /^lurecheck(@.*|-browser)?\.service\.d$/),
  stop: (unit) => [['systemctl', 'stop', unit]],
  // Reset the start limit of a unit that failed too often.
  start: (unit) => [
    ['systemctl', 'reset-failed', unit],
    ['systemctl', 'start', '--no-block', unit],
  ],
  async states() {
    const listed = await printed('systemctl', 'list-units', '--all', '--plain', '--no-legend', ONE, SEVERAL);
    const units = listed.split('\n').flatMap((line) => /^\S+\.service/.exec(line) ?? []);
    return (await Promise.all([...new Set([ONE, ...units])].map(stateOf))).flatMap((state) => state ?? []);
  },
};

/** Returns the state of a unit; null if it does not exist. */
async function stateOf(unit: string): Promise<ServiceState | null> {
  const output = await printed('systemctl', 'show', '-p', 'LoadState,ActiveState,UnitFileState,MainPID', unit);
  const values = new Map(
    output.split('\n').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  if (values.get('LoadState') === 'not-found') return null;
  const pid = Number(values.get('MainPID'));
  return {
    unit,
    isEnabled: values.get('UnitFileState') === 'enabled',
    activity: ACTIVITIES[values.get('ActiveState') ?? ''] ?? 'stopped',
    pid: pid > 0 ? pid : null,
  };
}

/** Activity by systemd's word (`systemctl --state=help`). */
const ACTIVITIES: Readonly<Record<string, ServiceState['activity']>> = {
  active: 'running',
  reloading: 'running',
  activating: 'starting',
  failed: 'failed',
};

/** The links by which units start with the machine. */
const wantedBy = (root: string, name: RegExp): string[] => pathsIn(root, `${UNITS}/multi-user.target.wants`, name);

const within = (root: string): string[] => (root === '/' ? [] : [`--root=${root}`]);
