import { describe, expect, test } from 'bun:test';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OPENRC } from '#src/parts/host/installation/openrc.ts';
import { type InstallRequest, planInstall, stamped } from '#src/parts/host/installation/plan-install.ts';
import { planRemoval } from '#src/parts/host/installation/plan-removal.ts';
import { describeChange } from '#src/parts/host/installation/system-change.ts';
import { SYSTEMD } from '#src/parts/host/installation/systemd.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

/** Lays texts into a folder. */
function lay(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/** The plan for a tree, a line each. */
function planned(root: string, request: Partial<InstallRequest> = {}): string[] {
  const program = join(root, 'stick/lurecheck');
  lay(root, { 'stick/lurecheck': 'this version' });
  return planInstall({
    root,
    manager: SYSTEMD,
    program,
    isReplacing: false,
    isStarted: true,
    hasBrowser: false,
    ...request,
  }).map((change) => describeChange(change).trimEnd());
}

const removed = (root: string, isPurging = false, manager = SYSTEMD) =>
  planRemoval({ root, manager, isPurging }).map((change) => describeChange(change).trimEnd());

const UNIT = '/etc/systemd/system/lurecheck.service';

describe('installation into the file tree of another host', () => {
  test('installs the program, the user and the service, and does not start it', async () => {
    await using directory = temporaryDirectory();
    const lines = planned(directory.path);
    expect(lines[0]).toBe(`copy    ${directory.path}/stick/lurecheck to /usr/local/bin/lurecheck`);
    expect(lines).toContain(`run     systemd-sysusers --root=${directory.path} lurecheck.conf`);
    expect(lines.at(-1)).toBe(`run     systemctl --root=${directory.path} enable lurecheck.service`);
    expect(lines.filter((line) => /start|reload/.test(line))).toEqual([]);
  });

  test('updates a unit of another version, and replaces another version of the program only on request', async () => {
    await using directory = temporaryDirectory();
    lay(directory.path, { [UNIT]: stamped('[Unit]\n'), 'usr/local/bin/lurecheck': 'another version' });
    const lines = planned(directory.path);
    expect(lines).toContain(`write   ${UNIT} (0644 root:root)`);
    expect(lines[0]).toStartWith('keep    /usr/local/bin/lurecheck: it is another version');
    expect(planned(directory.path, { isReplacing: true })[0]).toStartWith('copy ');
  });

  test('leaves the files of a package unchanged', async () => {
    await using directory = temporaryDirectory();
    lay(directory.path, { 'usr/lib/systemd/system/lurecheck.service': '[Unit]\n' });
    const lines = planned(directory.path);
    expect(lines.filter((line) => /^(copy|write +\/etc\/systemd)/.test(line))).toEqual([]);
    expect(lines[0]).toStartWith('keep    /usr/lib/systemd/system/lurecheck.service: it belongs to a package');
  });

  test('keeps an existing settings file and writes no other', async () => {
    await using directory = temporaryDirectory();
    lay(directory.path, { 'etc/lurecheck/environment': 'LURECHECK_LISTEN=:80\n' });
    const lines = planned(directory.path).filter((line) => line.includes('/etc/lurecheck/'));
    expect(lines).toEqual(['same    /etc/lurecheck/environment']);
  });

  test('does not enable the single service if instances of the template unit are enabled', async () => {
    await using directory = temporaryDirectory();
    const wants = join(directory.path, 'etc/systemd/system/multi-user.target.wants');
    mkdirSync(wants, { recursive: true });
    symlinkSync('/etc/systemd/system/lurecheck@.service', join(wants, 'lurecheck@1.service'));
    expect(planned(directory.path).filter((line) => line.includes('enable'))).toEqual([]);
    expect(removed(directory.path)).toEqual([`run     systemctl --root=${directory.path} disable lurecheck@.service`]);
  });

  test('installs the browser as a unit of its own, names it in new settings, and removes it', async () => {
    await using directory = temporaryDirectory();
    const unit = '/etc/systemd/system/lurecheck-browser.service';
    const lines = planned(directory.path, { hasBrowser: true });
    expect(lines).toContain(`write   ${unit} (0644 root:root)`);
    expect(lines).toContain(`run     systemctl --root=${directory.path} enable lurecheck-browser.service`);
    const program = join(directory.path, 'stick/lurecheck');
    const request = { root: directory.path, manager: SYSTEMD, program, isReplacing: false, isStarted: true };
    const texts = planInstall({ ...request, hasBrowser: true }).map((change) => 'text' in change && change.text);
    expect(texts.join('')).toContain('browser = "ws://127.0.0.1:9222"\n');
    lay(directory.path, { 'etc/lurecheck/lurecheck.toml': '', [unit]: stamped('[Unit]\n') });
    expect(planned(directory.path, { hasBrowser: true })).toContain(
      'keep    /etc/lurecheck/lurecheck.toml: it is yours: to use the browser, add browser = "ws://127.0.0.1:9222" and restart the service',
    );
    expect(removed(directory.path)).toContain(`remove  ${unit}`);
    expect(planned(directory.path).join()).not.toContain('browser');
  });

  test('writes the OpenRC script and adds it to the default runlevel', async () => {
    await using directory = temporaryDirectory();
    const lines = planned(directory.path, { manager: OPENRC });
    expect(lines).toContain('write   /etc/init.d/lurecheck (0755 root:root)');
    expect(lines.at(-1)).toBe(`run     ln -s /etc/init.d/lurecheck ${directory.path}/etc/runlevels/default`);
  });
});

describe('removal from a file tree', () => {
  test('keeps an edited unit, its drop-ins and further data directories unless --purge is given', async () => {
    await using directory = temporaryDirectory();
    const addition = '/etc/systemd/system/lurecheck.service.d';
    const data = '/var/lib/lurecheck-2';
    lay(directory.path, { [UNIT]: '[Unit]\n', [`${addition}/override.conf`]: '', [`${data}/public.sqlite`]: '' });
    expect(removed(directory.path)).toEqual([
      `keep    ${UNIT}: it was edited; --purge removes it`,
      ...[addition, data].map((path) => `keep    ${path}: --purge removes it`),
    ]);
    expect(removed(directory.path, true)).toEqual([UNIT, addition, data].map((path) => `remove  ${path}`));
  });

  test('keeps a backup beside the data directory, even with --purge', async () => {
    await using directory = temporaryDirectory();
    lay(directory.path, { 'var/lib/lurecheck-monday.backup': '', 'var/lib/lurecheck/public.sqlite': '' });
    expect(removed(directory.path, true)).toEqual([
      'remove  /var/lib/lurecheck',
      'keep    /var/lib/lurecheck-monday.backup: it is beside the data, as backups are',
    ]);
  });

  test('removes with --purge what upgrades keep beside the program, and says how the program goes', async () => {
    await using directory = temporaryDirectory();
    const program = '/usr/local/bin/lurecheck';
    const leftovers = ['.new', '.previous', '.earlier', '.upgrade/journal.json'].map((end) => `${program}${end}`);
    lay(directory.path, Object.fromEntries([program, ...leftovers, `${program}-other`].map((path) => [path, ''])));
    const kept = `keep    ${program}: the program itself; remove it if nothing else needs it`;
    const beside = ['.new', '.previous', '.earlier', '.upgrade'].map((end) => `${program}${end}`);
    expect(removed(directory.path)).toEqual([...beside.map((path) => `keep    ${path}: --purge removes it`), kept]);
    expect(removed(directory.path, true)).toEqual([...beside.map((path) => `remove  ${path}`), kept]);
  });

  test('removes only files that belong to the service', async () => {
    await using directory = temporaryDirectory();
    lay(directory.path, {
      'var/lib/lurechecker/x': '',
      'etc/lurecheck.toml': '',
      'etc/init.d/lurechecks': '',
      'etc/systemd/system/lurecheck-old.service': '',
    });
    for (const manager of [SYSTEMD, OPENRC]) expect(removed(directory.path, true, manager)).toEqual([]);
  });
});
