import { describe, expect, test } from 'bun:test';
import { readConfig } from '#src/app/config.ts';
import { type SettingValues, setting } from '#src/core/base/settings/setting.ts';
import { wholeNumber } from '#src/core/base/settings/setting-kind.ts';
import { flagOf, readSettingFile, readSettings, type SettingSources } from '#src/core/base/settings/setting-reader.ts';
import { SettingsError, variableOf } from '#src/core/base/settings/setting-source.ts';

const configOf = (sources: SettingSources) => readConfig(sources).values;

const NOTHING = { flags: {}, environment: {}, file: null };

function problemsOf(sources: Partial<Parameters<typeof readConfig>[0]>): readonly string[] {
  try {
    readConfig({ ...NOTHING, ...sources });
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
}

const file = (text: string) => readSettingFile('lurecheck.toml', text);

describe('the settings', () => {
  test('have the documented defaults', async () => {
    expect(configOf(NOTHING)).toMatchObject({
      listen: [{ kind: 'tcp', host: '127.0.0.1', port: 8080 }],
      data_dir: './data',
      network: 'full',
      rate_limit: 20,
      rate_limit_keys: 100_000,
      base_rate: 0.05,
      public_history: true,
      default_private: false,
      contact: null,
      deadline_seconds: 8,
    });
  });

  test('use a flag before the environment, the file and the default, in this order', async () => {
    const all = {
      flags: { 'rate-limit': ['1'] },
      environment: { LURECHECK_RATE_LIMIT: '2', LURECHECK_BASE_RATE: '0.2' },
      file: await file('rate_limit = 3\nbase_rate = 0.3\nnetwork = "dns"'),
    };
    expect(configOf(all)).toMatchObject({ rate_limit: 1, base_rate: 0.2, network: 'dns', rate_limit_keys: 100_000 });
  });

  test('read lists from repeated flags, commas and arrays', async () => {
    const expected = configOf({ ...NOTHING, flags: { 'trusted-proxy': ['10.0.0.0/8', '::1/128'] } }).trusted_proxy;
    expect(expected.length).toBe(2);
    for (const source of [
      { environment: { LURECHECK_TRUSTED_PROXY: '10.0.0.0/8, ::1/128' } },
      { file: await file('trusted_proxy = ["10.0.0.0/8", "::1/128"]') },
    ]) {
      expect(configOf({ ...NOTHING, ...source }).trusted_proxy).toEqual(expected);
    }
  });

  test('split a list at commas only in the environment, where a backslash escapes a comma', async () => {
    const names = ['a,b.txt', 'c.txt'];
    const written = names.map((name) => name.replace(',', '\\,')).join(' , ');
    expect(configOf({ ...NOTHING, flags: { 'block-list': names } }).block_list).toEqual(names);
    expect(configOf({ ...NOTHING, file: await file(`block_list = ${JSON.stringify(names)}`) }).block_list).toEqual(
      names,
    );
    expect(configOf({ ...NOTHING, environment: { LURECHECK_BLOCK_LIST: written } }).block_list).toEqual(names);
    expect(problemsOf({ flags: { 'egress-allow': ['::1/128', '10.0.0.0/8,10.1.0.0/16'] } })).toEqual([
      '--egress-allow is "10.0.0.0/8,10.1.0.0/16", but must be a CIDR block with zero host bits, such as 10.0.0.0/8',
    ]);
  });

  test('convert names to the form in which they are compared', async () => {
    const hosts = ['Check.Example', 'bücher.example', '[2001:DB8::1]', 'check.example:80'];
    expect(configOf({ ...NOTHING, flags: { host: hosts } }).host).toEqual([
      'check.example',
      'xn--bcher-kva.example',
      '[2001:db8::1]',
      'check.example',
    ]);
    expect(configOf({ ...NOTHING, flags: { 'egress-name': ['.Corp', 'Lab.Internal.'] } }).egress_name).toEqual([
      'corp',
      'lab.internal',
    ]);
    const wrong = [
      'check.example:8080',
      'https://check.example',
      'check.example/path',
      'me@check.example',
      '2001:db8::1',
    ];
    expect(problemsOf({ flags: { host: wrong } }).length).toBe(wrong.length);
    const wrongNames = ['*.corp', '.', 'lab internal', 'büro'];
    expect(problemsOf({ flags: { 'egress-name': wrongNames } }).length).toBe(wrongNames.length);
  });

  test('read an empty text as an empty list', async () => {
    const known = await file('dns_server = ["192.0.2.1"]');
    expect(configOf({ ...NOTHING, file: known }).dns_server.length).toBe(1);
    expect(configOf({ ...NOTHING, file: known, flags: { 'dns-server': [''] } }).dns_server).toEqual([]);
    expect(configOf({ ...NOTHING, file: known, environment: { LURECHECK_DNS_SERVER: '' } }).dns_server).toEqual([]);
  });

  test('report every problem of every source at once', async () => {
    const problems = problemsOf({
      flags: { 'rate-limit': ['-1'], 'rate-limit-keys': ['x'] },
      environment: { LURECHECK_NETWORK: 'half', LURECHECK_RATE_LIMITS: '1' },
      file: await file('base_rate = 1\nrate_limit = "20"\ncolour = true'),
    });
    expect(problems).toEqual([
      'rate_limit in lurecheck.toml:2 must be a TOML number',
      'colour in lurecheck.toml:3 is not a setting',
      'LURECHECK_RATE_LIMITS is not a setting; did you mean rate_limit?',
      '--rate-limit is "-1", but must be a whole number from 0',
      '--rate-limit-keys is "x", but must be a whole number from 1',
      'base_rate in lurecheck.toml:1 is "1", but must be a number between 0 and 1',
      'LURECHECK_NETWORK is "half", but must be one of full, dns, none',
    ]);
  });

  test('ignore a former setting, with a notice', async () => {
    const { values, notices } = readConfig({
      flags: { 'dns-tries': ['7'] },
      environment: { LURECHECK_WIRE_BYTES: 'many' },
      file: await file('queue_length = 3\nrate_limit = 5'),
    });
    expect(values).toMatchObject({ dns_tries: 2, wire_bytes: 4_194_304, queue_length: 100, rate_limit: 5 });
    expect(notices).toEqual([
      'queue_length in lurecheck.toml:1 is no longer a setting and is ignored: it is always 100',
      'LURECHECK_WIRE_BYTES is no longer a setting and is ignored: it is always 4194304',
      '--dns-tries is no longer a setting and is ignored: it is always 2',
    ]);
  });

  test('refuse a file that is not TOML, a list for a single value, and a flag given twice', async () => {
    expect(problemsOf({ file: await file('base_rate = 0.1\nrate_limit = ') })).toEqual([
      'lurecheck.toml:2:14 is not valid TOML: Unspecified values are invalid',
    ]);
    expect(problemsOf({ file: await file('rate_limit = [1, 2]\negress_port = "80"') })).toEqual([
      'rate_limit in lurecheck.toml:1 must be a TOML number',
      'egress_port in lurecheck.toml:2 must be an array of numbers',
    ]);
    expect(problemsOf({ file: await file('egress_port = [80, "443"]') }).length).toBe(1);
    expect(problemsOf({ flags: { network: ['none', 'full'] } })[0]).toContain('given 2 times');
  });

  test('accept a file that begins with a byte order mark', async () => {
    expect(configOf({ ...NOTHING, file: await file('\ufeffrate_limit = 3\n') }).rate_limit).toBe(3);
  });

  test('show what is invisible in a wrong value, such as the line end of a file of variables', () => {
    expect(problemsOf({ environment: { LURECHECK_RATE_LIMIT: '5\r' } })).toEqual([
      'LURECHECK_RATE_LIMIT is "5\\x0d", but must be a whole number from 0',
    ]);
  });

  test('refuse a secret from a device, which may never end', () => {
    expect(problemsOf({ flags: { 'webhook-secret': ['file:/dev/zero'] } })).toEqual([
      '--webhook-secret is "file:/dev/zero", which is a device; expected a file, or /dev/stdin with a pipe',
    ]);
  });

  test('do not accept the name of an inherited object property as a setting', async () => {
    expect(problemsOf({ flags: { constructor: ['1'] } })[0]).toContain('--constructor is not a setting');
  });

  test('ignore environment variables of other programs', async () => {
    const environment = { PATH: '/bin', LURECHECK_: 'x', lurecheck_host: 'x', LURECHECK_CONFIG: 'lurecheck.toml' };
    expect(configOf({ ...NOTHING, environment })).toEqual(configOf(NOTHING));
  });

  test('have a flag and a variable named after their key', async () => {
    expect([flagOf('rate_limit_cidr'), variableOf('rate_limit_cidr')]).toEqual([
      'rate-limit-cidr',
      'LURECHECK_RATE_LIMIT_CIDR',
    ]);
  });
});

describe('a rule between settings', () => {
  const table = {
    low: setting(['serve'], wholeNumber(0), 1, 'The lower one.'),
    high: setting(['serve'], wholeNumber(0), 2, 'The higher one.'),
  };
  const rule = {
    between: ['low', 'high'],
    problem: ({ low, high }: SettingValues<typeof table>) => (low < high ? null : `${low} is not below ${high}`),
  } as const;
  const problemOf = async (flags: Readonly<Record<string, string>>, text = '') => {
    const given = Object.fromEntries(Object.entries(flags).map(([flag, value]) => [flag, [value]]));
    try {
      readSettings(table, { flags: given, environment: {}, file: await file(text) }, { rules: [rule] });
    } catch (error) {
      if (error instanceof SettingsError) return error.message;
      throw error;
    }
    return null;
  };

  test('applies to values from every source, including defaults', async () => {
    expect([await problemOf({}), await problemOf({ low: '2' }), await problemOf({ high: '9' }, 'low = 10')]).toEqual([
      null,
      '2 is not below 2',
      '10 is not below 9',
    ]);
  });

  test('is not evaluated if one of its settings is invalid', async () => {
    expect(await problemOf({ low: '9', high: 'x' })).toBe('--high is "x", but must be a whole number from 0');
    expect(await problemOf({ low: 'x', high: '0' })).toBe('--low is "x", but must be a whole number from 0');
    expect(await problemOf({ low: '9' }, 'high = "10"')).toBe('high in lurecheck.toml:1 must be a TOML number');
  });
});
