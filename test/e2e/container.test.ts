import { describe, expect, test } from 'bun:test';
import { lurecheck } from '#test/support/executable.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const SERVICE_LINKS = {
  LURECHECK_SERVICE_HOST: '10.0.0.11',
  LURECHECK_SERVICE_PORT: '8080',
  LURECHECK_PORT: 'tcp://10.0.0.11:8080',
  LURECHECK_PORT_8080_TCP_ADDR: '10.0.0.11',
};

describe('with the variables of a Kubernetes service of the same name', () => {
  test('the service starts, and logs the ignored variables at debug level', async () => {
    await using directory = temporaryDirectory();
    await using service = await startService(directory.path, ['--log-level', 'debug'], SERVICE_LINKS);
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    const told = service.events().find(({ event }) => event === 'settings.foreign_variables');
    expect(told?.['names']).toBeArrayOfSize(Object.keys(SERVICE_LINKS).length);
    expect(told?.['names']).toEqual(expect.arrayContaining(Object.keys(SERVICE_LINKS)));
  });

  test.each(['check', 'log', 'healthcheck'])('%s ignores the variables', async (command) => {
    const { stderr } = await lurecheck([command, '--network', 'half'], { environment: SERVICE_LINKS });
    expect(stderr).not.toContain('is not a setting');
  });
});

test.each([['version'], ['help'], ['licenses']])('%s works with invalid settings', async (command) => {
  const environment = { LURECHECK_RATELIMIT: '3', LURECHECK_LISTEN: 'nowhere', LURECHECK_CONFIG: '/none.toml' };
  const { exitCode, stderr } = await lurecheck([command], { environment });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
});

describe('a configuration file', () => {
  test('that does not exist is reported in one line', async () => {
    const { exitCode, stderr } = await lurecheck(['serve', '--config', '/nowhere/lurecheck.toml']);
    expect([exitCode, stderr]).toEqual([2, 'lurecheck: config is "/nowhere/lurecheck.toml", which does not exist\n']);
  });

  test('that is not TOML or has an invalid value is reported with its position', async () => {
    await using directory = temporaryDirectory();
    const path = `${directory.path}/lurecheck.toml`;
    await Bun.write(path, '# ours\nrate_limit 20\n');
    const broken = await lurecheck(['serve', '--config', path]);
    expect([broken.exitCode, broken.stderr]).toEqual([2, expect.stringContaining(`${path}:2:12 is not valid TOML`)]);
    await Bun.write(path, '# ours\nrate_limit = -20\n');
    const wrong = await lurecheck(['serve', '--config', path]);
    const problem = `lurecheck: rate_limit in ${path}:2 is "-20", but must be a whole number from 0\n`;
    expect([wrong.exitCode, wrong.stderr]).toEqual([2, problem]);
  });
});
