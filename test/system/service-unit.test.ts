import { describe, expect, test } from 'bun:test';
import { chownSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { instanceUnit } from '#src/parts/host/installation/systemd.ts';
import { executable } from '#test/support/executable.ts';
import { HANG_MS } from '#test/support/patience.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { bootAndLook } from './booted-system.ts';

const PACKAGING = '.ci/packaging';
const UNIT = readFileSync(`${PACKAGING}/lurecheck.service`, 'utf8');
const NOBODY = 65534;

/** Runs a command to its end; what it printed, on either stream. */
function run(...command: string[]): string {
  const { stdout, stderr, exitCode } = Bun.spawnSync(command, { timeout: HANG_MS });
  const said = `${stdout}${stderr}`;
  if (exitCode !== 0) throw new Error(`${command.join(' ')}: ${said}`);
  return said;
}

/** The unit, with the program where it is. */
const unitFor = (program: string, unit = UNIT) => unit.replace('/usr/bin/lurecheck', program);

test.each([
  ['lurecheck.service', UNIT],
  ['lurecheck@.service', instanceUnit(UNIT)],
])('%s is rated at most 2.0, and systemd accepts every line of it', async (name, text) => {
  await using directory = temporaryDirectory();
  const unit = join(directory.path, name.replace('@', '@1'));
  writeFileSync(unit, unitFor(await executable(), text));
  const rating = run('systemd-analyze', 'security', '--offline=true', unit);
  expect(Number(/exposure level .*: ([\d.]+)/.exec(rating)?.[1])).toBeLessThanOrEqual(2);
  expect(run('systemd-analyze', 'verify', '--man=no', unit)).toBe('');
});

test('systemd accepts every line of the unit of the browser', async () => {
  await using directory = temporaryDirectory();
  const unit = join(directory.path, 'lurecheck-browser.service');
  writeFileSync(unit, readFileSync(`${PACKAGING}/lurecheck-browser.service`));
  expect(run('systemd-analyze', 'verify', '--man=no', unit)).toBe('');
});

test('the unit allows every system call of the service', async () => {
  const lines = [...UNIT.matchAll(/^SystemCallFilter=~?(.*)$/gm)].map(([, names = '']) => names.split(' '));
  const [allowed, forbidden] = lines;
  expect([lines.length, UNIT.includes('SystemCallFilter=~')]).toEqual([2, true]);
  const sets = callSets();
  const isIn = (call: string, names: readonly string[] = []): boolean =>
    names.some((name) => name === call || isIn(call, sets.get(name)));
  const calls = await callsOfService();
  for (const call of ['execve', 'openat', 'pwrite64', 'accept4']) expect(calls).toContain(call);
  expect(calls.filter((call) => !isIn(call, allowed) || isIn(call, forbidden))).toEqual([]);
});

/** What systemd means by each of its sets of system calls. */
function callSets(): Map<string, string[]> {
  const sets = run('systemd-analyze', 'syscall-filter').split(/^(?=@)/m);
  return new Map(
    sets.map((text) => {
      const [name = '', ...lines] = text.split('\n').map((line) => line.trim());
      return [name, lines.filter((line) => line !== '' && !line.startsWith('#'))];
    }),
  );
}

/** The system calls of a service from its first instruction to its end, one check and its record included. */
async function callsOfService(): Promise<string[]> {
  await using directory = temporaryDirectory();
  chownSync(directory.path, NOBODY, NOBODY);
  await using trace = temporaryDirectory();
  const [path, program] = [join(trace.path, 'trace'), await executable()];
  const asNobody = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
  const args = ['serve', '--network', 'none', '--listen', '127.0.0.1:0', '--data-dir', directory.path];
  const child = Bun.spawn(['strace', '-f', '-o', path, ...asNobody, program, ...args], {
    stdout: 'pipe',
    stderr: 'ignore',
  });
  const told = new TextDecoder().decode((await child.stdout.getReader().read()).value);
  // What else is told at start may come with it.
  const [line = ''] = told.split('\n', 1);
  const checked = await fetch(`${JSON.parse(line).url}/api/check-url`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: 'https://example.com/' }),
  });
  expect(checked.status).toBe(200);
  process.kill(Number.parseInt(readFileSync(path, 'utf8'), 10), 'SIGTERM');
  await child.exited;
  const lines = readFileSync(path, 'utf8').split('\n');
  const start = lines.findIndex((one) => one.includes(`execve("${program}"`));
  return [...new Set(lines.slice(start).flatMap((one) => /^\d+ +(\w+)\(/.exec(one)?.[1] ?? []))];
}

describe('booted by systemd, without configuration', () => {
  /** What an operator would look at, in the booted system. */
  const LOOK = `
    until systemctl -q is-active lurecheck && /opt/lurecheck healthcheck 2>/dev/null; do sleep 0.1; done
    main=$(systemctl show -P MainPID lurecheck)
    stat -c %U /proc/$main
    grep -E '^(CapEff|NoNewPrivs|Seccomp):' /proc/$main/status
    systemctl reload lurecheck && systemctl show -P MainPID lurecheck | grep -cx $main
    systemctl kill -s KILL lurecheck
    until [ "$(systemctl show -P NRestarts lurecheck)" = 1 ] && systemctl -q is-active lurecheck; do sleep 0.1; done
    until /opt/lurecheck healthcheck 2>/dev/null; do sleep 0.1; done
    systemctl stop lurecheck
    systemctl show -P Result lurecheck
    stat -c %A:%U /var/lib/lurecheck
    mkdir /etc/lurecheck
    echo LURECHECK_LISTEN=unix:/run/lurecheck/http.sock > /etc/lurecheck/environment
    systemctl start lurecheck && /opt/lurecheck healthcheck --listen unix:/run/lurecheck/http.sock
    stat -c %A:%U /run/lurecheck /run/lurecheck/http.sock
    systemctl stop lurecheck
    echo LURECHECK_RATE_LIMIT=many > /etc/lurecheck/environment
    systemctl start lurecheck 2>/dev/null || systemctl is-active lurecheck
    systemctl show -P ExecMainStatus lurecheck
    redis-server --port 0 --unixsocket /run/redis.sock --unixsocketperm 666 --save '' --daemonize yes >/dev/null
    head -c 32 /dev/urandom > /etc/lurecheck/client.key && chown lurecheck /etc/lurecheck/client.key
    echo LURECHECK_LIMITER=redis+unix:///run/redis.sock > /etc/lurecheck/environment
    echo LURECHECK_CLIENT_KEY_FILE=/etc/lurecheck/client.key >> /etc/lurecheck/environment
    systemctl start lurecheck@1 lurecheck@2 && systemctl is-active lurecheck@1 lurecheck@2
    stat -c %A:%U /var/lib/lurecheck-1 /var/lib/lurecheck-2
    ss -Hlt sport = 8080 | grep -c LISTEN
    until [ "$(curl -s http://127.0.0.1:8080/readyz)" = '{"status":"ready","notices":[]}' ]; do sleep 0.1; done
    systemctl stop lurecheck@1 && /opt/lurecheck healthcheck
    systemctl stop lurecheck@2
    redis-cli -s /run/redis.sock shutdown nosave
  `;

  /** The same for the browser. Its user has no name without the module of systemd for names. */
  const LOOK_AT_BROWSER = `
    browser=lurecheck-browser
    until curl -s http://127.0.0.1:9222/json/version | grep -o '"Headless'; do sleep 0.1; done
    main=$(systemctl show -P MainPID $browser)
    [ $(stat -c %u /proc/$main) -ge 61184 ] && echo own user
    grep -E '^(CapEff|NoNewPrivs):' /proc/$main/status
    until page=$(pgrep -of type=renderer); do sleep 0.1; done
    until grep -E '^Seccomp:.2' /proc/$page/status; do sleep 0.1; done
    for kind in user pid net; do
      [ $(readlink /proc/$page/ns/$kind) != $(readlink /proc/$main/ns/$kind) ] && echo own $kind
    done
    ls /tmp | grep -c profile
    systemctl show -P IPAddressDeny -P IPAddressAllow -P MemoryMax -P TasksMax $browser | tr ' ' '\\n' | sort
    /opt/lurecheck doctor --network none --browser ws://127.0.0.1:9222 --data-dir /var/none | grep -o 'browser: Headless'
    systemctl kill -s KILL $browser
    until [ $(systemctl show -P NRestarts $browser) = 1 ] && curl -s http://127.0.0.1:9222/json/version >/var/null; do sleep 0.1; done
    systemctl stop $browser
  `;

  test('the browser runs as a user of its own, with its own sandbox, and restarts after a kill', async () => {
    await using directory = temporaryDirectory();
    const looked = await bootAndLook(
      directory.path,
      {
        'etc/systemd/system/lurecheck-browser.service': readFileSync(`${PACKAGING}/lurecheck-browser.service`, 'utf8'),
        'etc/systemd/system/look.target.d/browser.conf': '[Unit]\nWants=lurecheck-browser.service\n',
      },
      LOOK_AT_BROWSER,
    );
    expect(looked).toEqual([
      ...['"Headless', 'own user', 'CapEff:\t0000000000000000', 'NoNewPrivs:\t1'],
      ...['Seccomp:\t2', 'own user', 'own pid', 'own net'],
      // Its files are in a folder that nobody else sees.
      '0',
      ...['0.0.0.0/0', '127.0.0.0/8', '2147483648', '512', '::/0', '::1/128'],
      ...['browser: Headless', ''],
    ]);
  });

  test('the service starts unprivileged, reloads, restarts after a kill, serves on a socket, and shares its port', async () => {
    await using directory = temporaryDirectory();
    const looked = await bootAndLook(
      directory.path,
      {
        'etc/sysusers.d/lurecheck.conf': readFileSync(`${PACKAGING}/lurecheck.sysusers`, 'utf8'),
        'etc/systemd/system/lurecheck.service': unitFor('/opt/lurecheck'),
        'etc/systemd/system/lurecheck@.service': unitFor('/opt/lurecheck', instanceUnit(UNIT)),
        'etc/systemd/system/look.target.d/service.conf': '[Unit]\nWants=lurecheck.service\n',
      },
      LOOK,
    );
    expect(looked).toEqual([
      'ready',
      'lurecheck',
      'CapEff:\t0000000000000000',
      'NoNewPrivs:\t1',
      'Seccomp:\t2',
      // The same process.
      '1',
      'ready',
      'success',
      'drwx------:lurecheck',
      // On a socket, which others than its group see and do not reach.
      'ready',
      'drwxr-xr-x:lurecheck',
      'srw-rw----:lurecheck',
      // Wrong settings end it for good.
      'failed',
      '2',
      // Two processes on one port, with one limiter.
      'active',
      'active',
      'drwx------:lurecheck',
      'drwx------:lurecheck',
      '2',
      'ready',
      '',
    ]);
  });
});
