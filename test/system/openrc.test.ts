import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { executable } from '#test/support/executable.ts';
import { HANG_MS } from '#test/support/patience.ts';
import manifest from '../../package.json' with { type: 'json' };

const SCRIPT = '.ci/packaging/lurecheck.openrc';

test('shellcheck reports nothing for the init script', () => {
  const { stdout, exitCode } = Bun.spawnSync(['shellcheck', SCRIPT]);
  expect([stdout.toString(), exitCode]).toEqual(['', 0]);
});

/** What the day under OpenRC looks like. */
const SEEN = `== install
write   /etc/init.d/lurecheck (0755 root:root)
make    /var/lib/lurecheck (0700 lurecheck:lurecheck)
make    /etc/lurecheck (0750 root:lurecheck)
write   /etc/lurecheck/environment (0640 root:lurecheck)
write   /etc/lurecheck/lurecheck.toml (0640 root:lurecheck)
run     rc-update add lurecheck default
write   /etc/lurecheck/backup.key (0640 root:lurecheck)
ready
lurecheck:lurecheck
NoNewPrivs: 1
700 lurecheck:lurecheck /var/lib/lurecheck
755 lurecheck:lurecheck /run/lurecheck
640 lurecheck:lurecheck /var/log/lurecheck.err
lurecheck: running
  process  …
  version  ${manifest.version}
  ready    yes, at http://127.0.0.1:8099
  data     /var/lib/lurecheck
== reload
ready
== killed
ready
== stop
lurecheck: stopped
3
== wrong settings
lurecheck: LURECHECK_RATE_LIMIT is "many", but must be a whole number from 0
== purge
run     rc-update delete lurecheck default
remove  /etc/init.d/lurecheck
remove  /var/lib/lurecheck
remove  /etc/lurecheck
remove  /var/log/lurecheck.err
`;

test('OpenRC starts the service as its own user, reloads its settings, restarts it after a kill, and stops it', async () => {
  const inside = [join(import.meta.dir, 'openrc-inside.sh'), await executable()];
  const { stdout } = Bun.spawnSync(['unshare', '-mpfn', '--mount-proc', '--kill-child', 'sh', ...inside], {
    timeout: HANG_MS,
  });
  expect(stdout.toString()).toBe(SEEN);
});
