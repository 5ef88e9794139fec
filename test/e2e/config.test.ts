import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS } from '#src/app/config.ts';
import { settableIn } from '#src/core/base/settings/setting.ts';
import { lurecheck } from '#test/support/executable.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

/** A box configured in every way at once. */
async function configure(folder: string) {
  const [config, password, blocked] = [
    join(folder, 'lurecheck.toml'),
    join(folder, 'proxy'),
    join(folder, 'blocked.txt'),
  ];
  await Bun.write(password, 'box:swordfish@192.0.2.1:3128\n');
  await Bun.write(blocked, 'evil.example\n');
  await Bun.write(config, `# ours\nrate_limit = 30\negress_proxy = "file:${password}"\nblock_list = ["${blocked}"]\n`);
  return {
    config,
    blocked,
    args: ['--config', config, '--listen', ':8080', '--listen', 'unix:/run/x.sock'],
    environment: { LURECHECK_NETWORK: 'none', LURECHECK_SERVICE_HOST: '10.0.0.1' },
  };
}

describe('config show', () => {
  test('prints the active values with their sources', async () => {
    await using directory = temporaryDirectory();
    const { args, config, environment } = await configure(directory.path);
    const { exitCode, stdout, stderr } = await lurecheck(['config', 'show', ...args], { environment });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const rows = new Map(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => [line.split(' ', 1)[0], line.split(/ {2,}/)]),
    );
    expect([...rows.keys()]).toEqual(Object.keys(settableIn(SETTINGS)));
    expect(rows.get('listen')).toEqual(['listen', '*:8080, unix:/run/x.sock', '--listen']);
    expect(rows.get('rate_limit')).toEqual(['rate_limit', '30', `${config}:2`]);
    expect(rows.get('network')).toEqual(['network', 'none', 'LURECHECK_NETWORK']);
    expect(rows.get('base_rate')).toEqual(['base_rate', '0.05', 'default']);
    expect(rows.get('contact')).toEqual(['contact', '–', 'default']);
  });

  test('prints the same values as JSON', async () => {
    await using directory = temporaryDirectory();
    const { args, config, blocked, environment } = await configure(directory.path);
    const { stdout } = await lurecheck(['config', 'show', '--format', 'json', ...args], { environment });
    expect(JSON.parse(stdout)).toMatchObject({
      listen: { value: ['*:8080', 'unix:/run/x.sock'], source: 'flag', name: '--listen' },
      rate_limit: { value: 30, source: 'file', path: config, line: 2 },
      network: { value: 'none', source: 'variable', name: 'LURECHECK_NETWORK' },
      block_list: { value: [blocked], source: 'file', path: config, line: 4 },
      public_history: { value: true, source: 'default' },
      contact: { value: null, source: 'default' },
      egress_port: { value: [], source: 'default' },
    });
  });

  test('prints no password', async () => {
    await using directory = temporaryDirectory();
    const { args, environment } = await configure(directory.path);
    for (const format of ['text', 'json']) {
      const { stdout } = await lurecheck(['config', 'show', '--format', format, ...args], { environment });
      expect(stdout).toContain('box:***@192.0.2.1:3128');
      expect(stdout).not.toContain('swordfish');
    }
  });
});

describe('config check', () => {
  test('accepts a valid configuration', async () => {
    await using directory = temporaryDirectory();
    const { args, environment } = await configure(directory.path);
    expect(await lurecheck(['config', 'check', ...args], { environment })).toEqual({
      exitCode: 0,
      stdout: 'the configuration is valid\n',
      stderr: '',
    });
  });

  test('reports all errors in the settings, and then in the files that they name', async () => {
    await using directory = temporaryDirectory();
    const { args, blocked, environment } = await configure(directory.path);
    const wrong = await lurecheck(['config', 'check', ...args, '--warn-threshold', '0.9', '--block-threshold', '0.5'], {
      environment: { ...environment, LURECHECK_COLOUR: 'red' },
    });
    expect(wrong).toEqual({
      exitCode: 2,
      stdout: '',
      stderr:
        'lurecheck: LURECHECK_COLOUR is not a setting\n' +
        'lurecheck: warn_threshold is 0.9, but must be below block_threshold, which is 0.5\n',
    });
    await Bun.write(blocked, 'hxxp://evil.example\n');
    const { exitCode, stderr } = await lurecheck(['config', 'check', ...args], { environment });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`block_list is "${blocked}", which has lines`)]);
  });

  test('reports unreadable certificate authorities of a database, as other commands do', async () => {
    await using directory = temporaryDirectory();
    const [missing, other] = [join(directory.path, 'none.pem'), join(directory.path, 'other.pem')];
    await Bun.write(other, 'no certificate');
    const url = (name: string, authorities: string) =>
      `postgres://node:swordfish@db.example/${name}?sslrootcert=${authorities}`;
    const flags = ['--log-database', url('open', missing), '--log-database-private', url('hidden', other)];
    const told =
      `lurecheck: sslrootcert of log_database is "${missing}", which does not exist\n` +
      `lurecheck: sslrootcert of log_database_private is "${other}", which holds no certificate in PEM form\n`;
    for (const command of [['config', 'check'], ['serve'], ['log']]) {
      const outcome = await lurecheck([...command, ...flags, '--data-dir', directory.path]);
      expect([command, outcome]).toEqual([command, { exitCode: 2, stdout: '', stderr: told }]);
    }
    const status = await lurecheck(['database', 'status', '--database', url('open', missing)]);
    expect([status.exitCode, status.stderr]).toEqual([
      2,
      `lurecheck: sslrootcert of --database is "${missing}", which does not exist\n`,
    ]);
  });

  test('reports files of the wrong content as serve does', async () => {
    await using directory = temporaryDirectory();
    const [short, missing] = [join(directory.path, 'short.key'), join(directory.path, 'none.pem')];
    await Bun.write(short, 'short');
    const flags = ['--network', 'none', '--client-key-file', short];
    const limiter = ['--limiter', `rediss://limiter.example?ca=${missing}`];
    const syslog = ['--syslog', `tls://logs.example?ca=${missing}`];
    const due = 'which holds 5 bytes, but must hold 32: head -c 32 /dev/urandom creates them';
    for (const command of [
      ['config', 'check'],
      ['serve', '--data-dir', directory.path],
    ]) {
      const { exitCode, stderr } = await lurecheck([...command, ...flags, ...limiter]);
      expect([exitCode, stderr]).toEqual([
        2,
        `lurecheck: client_key_file is "${short}", ${due}\nlurecheck: limiter is "${missing}", which does not exist\n`,
      ]);
      const logged = await lurecheck([...command, ...syslog]);
      expect([logged.exitCode, logged.stderr]).toEqual([
        2,
        `lurecheck: syslog is "${missing}", which does not exist\n`,
      ]);
    }
    const backup = await lurecheck(['config', 'check', '--network', 'none', '--backup-key-file', short]);
    expect([backup.exitCode, backup.stderr]).toEqual([2, `lurecheck: backup_key_file is "${short}", ${due}\n`]);
  });

  test.each([[[]], [['print']], [['check', 'show']], [['check', '--format', 'json']]])(
    'rejects %j as a usage error',
    async (args) => {
      const { exitCode, stdout, stderr } = await lurecheck(['config', ...args]);
      expect([exitCode, stdout, stderr.split('\n').length]).toEqual([2, '', 3]);
    },
  );
});

test('a removed setting is ignored with a notice', async () => {
  await using directory = temporaryDirectory();
  const config = join(directory.path, 'old.toml');
  writeFileSync(config, 'queue_length = 3\nnetwork = "none"\n');
  const args = ['check', '--config', config, 'https://example.com/'];
  const said = await lurecheck(args);
  expect([said.exitCode, said.stderr]).toEqual([
    0,
    `lurecheck: queue_length in ${config}:1 is no longer a setting and is ignored: it is always 100\n`,
  ]);
  expect((await lurecheck([...args, '--quiet'])).stderr).toBe('');
});
