import { existsSync } from 'node:fs';
import { join } from 'node:path';
import openrc from '../../../../.ci/packaging/lurecheck.openrc' with { type: 'text' };
import { pathsIn, textAt } from './file-facts.ts';
import type { Manager } from './manager.ts';
import { forProgram } from './systemd.ts';

const SCRIPT = '/etc/init.d/lurecheck';
const RUNLEVEL = '/etc/runlevels/default';

/** Returns the init script for a program. */
export const openrcFor = (program: string): string => forProgram(openrc, program);

/** OpenRC, which Alpine is run by. */
export const OPENRC: Manager = {
  name: 'openrc',
  isRunning: () => existsSync('/run/openrc/softlevel'),
  isIn: (root) => ['/sbin/openrc-run', '/usr/sbin/openrc-run'].some((path) => existsSync(join(root, path))),
  files: (program) => [{ path: SCRIPT, text: openrcFor(program), mode: 0o755 }],
  browserFile: null,
  packagedFile: () => null,
  // Which the supervisor throws away otherwise.
  environment: ['LURECHECK_SYSLOG=unix:/dev/log'],
  makeUser(root) {
    const shadow = ['useradd', '--system', '--user-group', '--no-create-home', '--home-dir', '/var/lib/lurecheck'];
    const noLogin = '/sbin/nologin';
    if (Bun.which('useradd') !== null) {
      return [[...shadow, '--shell', noLogin, ...(root === '/' ? [] : ['--prefix', root]), 'lurecheck']];
    }
    // Those of BusyBox.
    const inside = root === '/' ? [] : ['chroot', root];
    return [
      [...inside, 'addgroup', '-S', 'lurecheck'],
      [
        ...inside,
        'adduser',
        '-S',
        '-D',
        '-H',
        '-h',
        '/var/lib/lurecheck',
        '-s',
        noLogin,
        '-G',
        'lurecheck',
        'lurecheck',
      ],
    ];
  },
  enable(root, { isRenewed, isStarted }) {
    // rc-update(8) knows no other root than this machine's.
    const add =
      root === '/' ? ['rc-update', 'add', 'lurecheck', 'default'] : ['ln', '-s', SCRIPT, join(root, RUNLEVEL)];
    const enabling = isWanted(root) ? [] : [add];
    if (root !== '/' || !isStarted) return enabling;
    const isActive = isStartedNow();
    return [
      ...enabling,
      ...(isActive && !isRenewed ? [] : [['rc-service', 'lurecheck', isActive ? 'restart' : 'start']]),
    ];
  },
  disable: (root) => [
    ...(root === '/' && isStartedNow() ? [['rc-service', 'lurecheck', 'stop']] : []),
    ...(isWanted(root)
      ? [root === '/' ? ['rc-update', 'delete', 'lurecheck', 'default'] : ['rm', join(root, RUNLEVEL, 'lurecheck')]]
      : []),
  ],
  afterRemoval: () => [],
  overrides: (root) => ['/etc/conf.d/lurecheck'].filter((path) => existsSync(join(root, path))),
  stop: (unit) => [['rc-service', unit, 'stop']],
  start: (unit) => [['rc-service', unit, 'start']],
  async states() {
    if (!existsSync(SCRIPT)) return [];
    const pid = supervisedPid();
    const activity = pid !== null ? 'running' : isStartedNow() ? 'failed' : 'stopped';
    return [{ unit: 'lurecheck', isEnabled: isWanted('/'), activity, pid }];
  },
};

const isWanted = (root: string) => pathsIn(root, RUNLEVEL, /^lurecheck$/).length > 0;

const isStartedNow = () => existsSync('/run/openrc/started/lurecheck');

/** Returns the process watched by the supervisor (supervise-daemon(8)); null if there is none. */
function supervisedPid(): number | null {
  const supervisor = (textAt('/', '/run/supervise-lurecheck.pid') ?? '').trim();
  const children = textAt('/', `/proc/${supervisor}/task/${supervisor}/children`) ?? '';
  const pid = Number.parseInt(children, 10);
  return Number.isNaN(pid) ? null : pid;
}
