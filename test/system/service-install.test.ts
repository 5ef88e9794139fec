import { expect, test } from 'bun:test';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import manifest from '../../package.json' with { type: 'json' };
import { bootAndLook } from './booted-system.ts';

/** What an operator does on a machine that knows nothing of lurecheck yet. */
const DAY = `
  exec 2>&1
  say() { echo "== $*"; }
  lurecheck=/opt/lurecheck
  say before
  $lurecheck service status; echo $?
  setpriv --reuid=65534 --regid=65534 --clear-groups $lurecheck service install | head -1
  say dry run
  $lurecheck service install --dry-run | grep -cE '^(make|write|run) '
  ls /etc/systemd/system/lurecheck.service 2>/dev/null
  say install
  $lurecheck service install 2>/tmp/said | sed -E 's/^lck_[A-Za-z0-9_-]{43}$/KEY/'
  cat /tmp/said
  stat -c '%a %U:%G %n' /var/lib/lurecheck/keys.json /var/lib/lurecheck/audit.log
  $lurecheck key list --quiet 2>/dev/null | cut -f1-4
  $lurecheck audit show --quiet | cut -f2-4
  say journal
  $lurecheck key revoke admin 2>/dev/null
  systemd-run --quiet --wait --collect $lurecheck service install
  $lurecheck key list 2>/dev/null
  journalctl --no-pager | grep -c 'no first key was created: the journal would store it'
  $lurecheck key create other >/dev/null 2>&1
  say nowhere else
  grep -rlE 'lck_[A-Za-z0-9_-]{43}' /var/log /var/lib/lurecheck /etc/lurecheck /run/lurecheck 2>/dev/null
  journalctl --no-pager 2>/dev/null | grep -cE 'lck_[A-Za-z0-9_-]{43}'
  say rights
  stat -c '%a %U:%G %n' /etc/systemd/system/lurecheck.service /etc/lurecheck /etc/lurecheck/* /var/lib/lurecheck
  say status
  $lurecheck service status --format json | sed -E 's/"(pid|data_bytes)": [0-9]+/"\\1": 1/' | tr -d ' \\n'; echo
  setpriv --reuid=65534 --regid=65534 --clear-groups $lurecheck service status | grep ready; echo $?
  say again
  $lurecheck service install | grep -v ^same
  say changed
  sed -i 's/WatchdogSec=60/WatchdogSec=61/' /etc/systemd/system/lurecheck.service
  $lurecheck service install | grep -v ^same
  $lurecheck service install --replace | grep -v ^same
  grep -h Watchdog /etc/systemd/system/lurecheck.service /etc/systemd/system/lurecheck.service.kept
  say settings
  echo 'listen = ["unix:/run/lurecheck/http.sock"]' > /etc/lurecheck/lurecheck.toml
  systemctl restart lurecheck
  $lurecheck service status | grep -oE '(yes|no), at .*'
  $lurecheck service install | grep -v ^same
  echo 'listen = ["nowhere"]' > /etc/lurecheck/lurecheck.toml
  systemctl restart lurecheck 2>/dev/null
  $lurecheck service status; echo $?
  rm /etc/lurecheck/lurecheck.toml && touch /etc/lurecheck/lurecheck.toml
  systemctl reset-failed lurecheck
  $lurecheck service status; echo $?
  say watchdog
  mkdir /etc/systemd/system/lurecheck.service.d
  printf '[Service]\\nWatchdogSec=3\\nTimeoutStopSec=1\\n' > /etc/systemd/system/lurecheck.service.d/override.conf
  systemctl daemon-reload; systemctl start lurecheck
  hung=$(systemctl show -P MainPID lurecheck)
  kill -STOP $hung
  until [ "$(systemctl show -P NRestarts lurecheck)" -ge 1 ] && systemctl -q is-active lurecheck; do sleep 0.1; done
  [ "$(systemctl show -P MainPID lurecheck)" != "$hung" ] && echo another
  say remove
  $lurecheck service remove
  $lurecheck service status; echo $?
  ls /var/lib/lurecheck | grep -c sqlite
  say back
  $lurecheck service install | grep -v ^same
  say purge
  $lurecheck service remove --purge
  $lurecheck service remove --purge
  echo "left: $(ls -d /var/lib/lurecheck* /etc/lurecheck* /etc/passwd 2>/dev/null | xargs grep -l lurecheck | wc -l)"
`;

/** What it tells of a thing that it leaves to whoever wants it. */
const kept = (path: string) => `keep    ${path}: --purge removes it`;

const WRITTEN = [
  'write   /etc/systemd/system/lurecheck.service (0644 root:root)',
  'write   /etc/systemd/system/lurecheck@.service (0644 root:root)',
];

const STARTED = [
  'run     systemctl daemon-reload',
  'run     systemctl enable lurecheck.service',
  'run     systemctl start lurecheck.service',
];

const STOPPED = [
  'run     systemctl stop lurecheck.service',
  'run     systemctl disable lurecheck.service',
  'remove  /etc/systemd/system/lurecheck.service',
  'remove  /etc/systemd/system/lurecheck@.service',
];

const NOTHING = 'lurecheck: nothing to do';

const STATUS = {
  manager: 'systemd',
  services: [
    {
      unit: 'lurecheck.service',
      activity: 'running',
      pid: 1,
      service: {
        url: 'http://127.0.0.1:8080',
        version: manifest.version,
        ready: true,
        problem: null,
        data_dir: '/var/lib/lurecheck',
        data_bytes: 1,
      },
      enabled: true,
    },
  ],
};

/** What it is told, a section of the day after the other. */
const TOLD: readonly (readonly [section: string, ...lines: string[]])[] = [
  [
    'before',
    ...['lurecheck is not installed as a service', '4'],
    'lurecheck: service install changes system files: run it as root, or with --dry-run to see what it would do',
    'See: lurecheck help service',
  ],
  ['dry run', 'lurecheck: dry run, nothing was changed', '12'],
  [
    'install',
    ...WRITTEN,
    'write   /etc/sysusers.d/lurecheck.conf (0644 root:root)',
    'run     systemd-sysusers lurecheck.conf',
    'make    /var/lib/lurecheck (0700 lurecheck:lurecheck)',
    'make    /etc/lurecheck (0750 root:lurecheck)',
    'write   /etc/lurecheck/environment (0640 root:lurecheck)',
    'write   /etc/lurecheck/lurecheck.toml (0640 root:lurecheck)',
    ...STARTED,
    'write   /etc/lurecheck/backup.key (0640 root:lurecheck)',
    'KEY',
    'lurecheck: this is the first key, with the scope admin, for #/console of the page; store it, it is not shown again',
    '600 lurecheck:lurecheck /var/lib/lurecheck/keys.json',
    '600 lurecheck:lurecheck /var/lib/lurecheck/audit.log',
    'admin\tadmin\tdefault limit\tno expiry',
    'root\tkey.create\tadmin',
  ],
  ['journal', 'no keys', '1'],
  ['nowhere else', '0'],
  [
    'rights',
    '644 root:root /etc/systemd/system/lurecheck.service',
    '750 root:lurecheck /etc/lurecheck',
    '640 root:lurecheck /etc/lurecheck/backup.key',
    '640 root:lurecheck /etc/lurecheck/environment',
    '640 root:lurecheck /etc/lurecheck/lurecheck.toml',
    '700 lurecheck:lurecheck /var/lib/lurecheck',
  ],
  ['status', JSON.stringify(STATUS), '  ready    unknown: only root can read how it was started', '0'],
  ['again', NOTHING],
  [
    'changed',
    NOTHING,
    'keep    /etc/systemd/system/lurecheck.service: it was edited; --replace overwrites it and keeps a copy beside it',
    `${WRITTEN[0]}, and keep the edited file as /etc/systemd/system/lurecheck.service.kept`,
    'run     systemctl daemon-reload',
    'run     systemctl restart lurecheck.service',
    'WatchdogSec=60',
    'WatchdogSec=61',
  ],
  [
    'settings',
    ...['yes, at unix:/run/lurecheck/http.sock', NOTHING],
    ...['lurecheck.service: failed', '1', 'lurecheck.service: stopped', '3'],
  ],
  ['watchdog', 'another'],
  [
    'remove',
    ...STOPPED,
    ...[kept('/etc/sysusers.d/lurecheck.conf'), kept('/etc/systemd/system/lurecheck.service.d')],
    'run     systemctl daemon-reload',
    ...[kept('/var/lib/lurecheck'), kept('/etc/lurecheck')],
    ...['lurecheck is not installed as a service', '4', '2'],
  ],
  ['back', ...WRITTEN, ...STARTED],
  [
    'purge',
    ...STOPPED,
    'remove  /etc/sysusers.d/lurecheck.conf',
    'remove  /etc/systemd/system/lurecheck.service.d',
    'run     systemctl daemon-reload',
    'remove  /var/lib/lurecheck',
    'remove  /etc/lurecheck',
    'run     userdel lurecheck',
    NOTHING,
    'left: 0',
  ],
];

test('a service is installed, its status reported, its edited unit left, its data retained on removal, and purged', async () => {
  await using directory = temporaryDirectory();
  const told = (await bootAndLook(directory.path, {}, DAY)).join('\n').split('== ').slice(1);
  expect(told.map((section) => section.trimEnd().split('\n'))).toEqual(TOLD.map((section) => [...section]));
});
