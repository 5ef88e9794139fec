import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { createCertificateAuthority } from '#test/support/certificate-authority.ts';
import { lurecheck } from '#test/support/executable.ts';
import { reload } from '#test/support/reload.ts';
import { type Service, startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const URL_ON_LIST = 'http://listed.example/';

/** A service that has its settings from a file in a folder of its own. */
async function startConfigured(folder: string, settings: string): Promise<Service> {
  await Bun.write(join(folder, 'lurecheck.toml'), settings);
  await Bun.write(join(folder, 'blocked.txt'), 'other.example\n');
  return await startService(folder, ['--config', join(folder, 'lurecheck.toml')]);
}

const settingsOf = (folder: string, more: string) =>
  `listen = "127.0.0.1:0"\nnetwork = "none"\ndata_dir = "${folder}"\nblock_list = ["${folder}/blocked.txt"]\n${more}\n`;

describe('SIGHUP', () => {
  test('reloads lists, limits and log level while the service runs', async () => {
    await using directory = temporaryDirectory();
    await using service = await startConfigured(directory.path, settingsOf(directory.path, 'rate_limit = 2'));
    expect((await service.result(URL_ON_LIST)).decision).not.toBe('block');
    await Bun.write(join(directory.path, 'blocked.txt'), 'listed.example\n');
    expect((await service.result(URL_ON_LIST)).decision).not.toBe('block');
    expect((await service.check(URL_ON_LIST)).status).toBe(429);
    await Bun.write(
      join(directory.path, 'lurecheck.toml'),
      settingsOf(directory.path, 'rate_limit = 4\ncontact = "ops@box.example"\nlog_level = "debug"'),
    );
    expect(await reload(service)).toEqual({ level: 'info', event: 'settings.reread' });
    expect((await service.result(URL_ON_LIST)).decision).toBe('block');
    await service.result(URL_ON_LIST);
    // What the client had used up before counts.
    const refused = await service.check(URL_ON_LIST);
    expect([refused.status, await refused.text()]).toEqual([429, expect.stringContaining('ops@box.example')]);
    expect(service.output.stdout).not.toContain('settings.need_restart');
  });

  test('reloads the configured brands', async () => {
    await using directory = temporaryDirectory();
    const url = 'http://login-nordwerk.com/';
    await using service = await startConfigured(directory.path, settingsOf(directory.path, ''));
    const before = await service.result(url);
    const data = ['--data-dir', directory.path];
    await lurecheck(['brand', 'add', 'Nordwerk', '--domain', 'nordwerk.example', ...data]);
    expect(await reload(service)).toEqual({ level: 'info', event: 'settings.reread' });
    const taught = await service.result(url);
    expect(taught.decision).toBe('block');
    expect(taught.analysis_details.model_version).toStartWith(`${before.analysis_details.model_version}+`);
    await lurecheck(['brand', 'remove', 'Nordwerk', ...data]);
    await reload(service);
    expect((await service.result(url)).malicious_probability).toBe(before.malicious_probability);
  });

  test('changes nothing if anything is invalid, and reports the problem', async () => {
    await using directory = temporaryDirectory();
    const [config, list] = [join(directory.path, 'lurecheck.toml'), join(directory.path, 'blocked.txt')];
    await using service = await startConfigured(directory.path, settingsOf(directory.path, 'rate_limit = 1'));
    await Bun.write(config, 'rate_limit 3\n');
    expect(await reload(service)).toEqual({
      level: 'error',
      event: 'settings.kept',
      problems: [expect.stringContaining(`${config}:1:12 is not valid TOML`)],
    });
    const notices = async () => JSON.stringify(await (await fetch(`${service.url}/readyz`)).json());
    expect(await notices()).toContain('The settings were changed and are invalid');
    await Bun.write(config, settingsOf(directory.path, 'rate_limit = 3'));
    await Bun.write(list, 'listed.example\nhxxp://evil.example\n');
    expect(await reload(service)).toMatchObject({
      event: 'settings.kept',
      problems: [expect.stringContaining(`block_list is "${list}", which has lines that are neither a host nor a URL`)],
    });
    expect((await service.result(URL_ON_LIST)).decision).not.toBe('block');
    expect((await service.check(URL_ON_LIST)).status).toBe(429);
    await Bun.write(list, 'listed.example\n');
    expect(await reload(service)).toMatchObject({ event: 'settings.reread' });
    expect(await notices()).not.toContain('invalid');
    expect((await service.result(URL_ON_LIST)).decision).toBe('block');
  });

  test('reports which changes require a restart, and applies the others', async () => {
    await using directory = temporaryDirectory();
    await using service = await startConfigured(directory.path, settingsOf(directory.path, 'rate_limit = 1'));
    await Bun.write(
      join(directory.path, 'lurecheck.toml'),
      settingsOf(directory.path, 'rate_limit = 3\nbase_rate = 0.5\nhost = ["check.example"]'),
    );
    await reload(service);
    expect(service.events()).toContainEqual(
      expect.objectContaining({ level: 'warn', event: 'settings.need_restart', settings: ['host', 'base_rate'] }),
    );
    for (let n = 0; n < 3; n++) await service.result(URL_ON_LIST);
    expect((await service.check(URL_ON_LIST)).status).toBe(429);
  });

  test('reports a changed file that requires a restart', async () => {
    await using directory = temporaryDirectory();
    const authorities = join(directory.path, 'authorities.pem');
    const clientKey = join(directory.path, 'shared.key');
    const makeAuthority = async () => {
      await Bun.write(authorities, createCertificateAuthority(Date.now()).pem);
      await Bun.write(clientKey, crypto.getRandomValues(new Uint8Array(32)));
    };
    await makeAuthority();
    const named = `egress_ca = "${authorities}"\nclient_key_file = "${clientKey}"`;
    const settings = settingsOf(directory.path, named);
    await using service = await startConfigured(directory.path, settings);
    await reload(service);
    expect(service.output.stdout).not.toContain('settings.need_restart');
    await makeAuthority();
    await reload(service);
    expect(service.output.stdout).toContain(
      '"event":"settings.need_restart","settings":["egress_ca","client_key_file"]',
    );
  });

  test('never ends the service, however often it is sent', async () => {
    await using directory = temporaryDirectory();
    const service = await startConfigured(directory.path, settingsOf(directory.path, ''));
    for (let n = 0; n < 20; n++) process.kill(service.pid, 'SIGHUP');
    await reload(service);
    await service.result(URL_ON_LIST);
    expect(await service.stop()).toBe(0);
  });
});
