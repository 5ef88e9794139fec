import { describe, expect, test } from 'bun:test';
import { type SettingValues, setting } from '#src/base/setting.ts';
import { wholeNumber } from '#src/base/setting-kind.ts';
import { flagOf, readSettings, variableOf } from '#src/base/setting-reader.ts';
import { SettingsError } from '#src/base/settings-error.ts';
import { readConfig } from '#src/program/config.ts';

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

const file = (text: string) => ({ path: 'lurecheck.toml', text });

describe('the settings', () => {
  test('have the documented defaults', () => {
    expect(readConfig(NOTHING)).toMatchObject({
      listen: { host: '127.0.0.1', port: 8080 },
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

  test('take a flag over the environment over the file over the default', () => {
    const all = {
      flags: { 'rate-limit': ['1'] },
      environment: { LURECHECK_RATE_LIMIT: '2', LURECHECK_BASE_RATE: '0.2' },
      file: file('rate_limit = 3\nbase_rate = 0.3\nnetwork = "dns"'),
    };
    expect(readConfig(all)).toMatchObject({ rate_limit: 1, base_rate: 0.2, network: 'dns', rate_limit_keys: 100_000 });
  });

  test('read lists from repeated flags, commas and arrays alike', () => {
    const expected = readConfig({ ...NOTHING, flags: { 'trusted-proxy': ['10.0.0.0/8', '::1/128'] } }).trusted_proxy;
    expect(expected.length).toBe(2);
    for (const source of [
      { environment: { LURECHECK_TRUSTED_PROXY: '10.0.0.0/8, ::1/128' } },
      { file: file('trusted_proxy = ["10.0.0.0/8", "::1/128"]') },
    ]) {
      expect(readConfig({ ...NOTHING, ...source }).trusted_proxy).toEqual(expected);
    }
  });

  test('split a list at commas in the environment alone, where a backslash keeps one', () => {
    const names = ['a,b.txt', 'c.txt'];
    const written = names.map((name) => name.replace(',', '\\,')).join(' , ');
    expect(readConfig({ ...NOTHING, flags: { 'block-list': names } }).block_list).toEqual(names);
    expect(readConfig({ ...NOTHING, file: file(`block_list = ${JSON.stringify(names)}`) }).block_list).toEqual(names);
    expect(readConfig({ ...NOTHING, environment: { LURECHECK_BLOCK_LIST: written } }).block_list).toEqual(names);
    expect(problemsOf({ flags: { 'trusted-proxy': ['::1/128', '10.0.0.0/8,10.1.0.0/16'] } })).toEqual([
      '--trusted-proxy is "10.0.0.0/8,10.1.0.0/16", but must be a CIDR block without bits behind its prefix, such as 10.0.0.0/8; may be given several times',
    ]);
  });

  test('bring names into the one form in which they are compared', () => {
    const hosts = ['Check.Example', 'bücher.example', '[2001:DB8::1]', 'check.example:80'];
    expect(readConfig({ ...NOTHING, flags: { host: hosts } }).host).toEqual([
      'check.example',
      'xn--bcher-kva.example',
      '[2001:db8::1]',
      'check.example',
    ]);
    expect(readConfig({ ...NOTHING, flags: { 'egress-name': ['.Corp', 'Lab.Internal.'] } }).egress_name).toEqual([
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

  test('take an empty text for an empty list', () => {
    const known = file('dns_server = ["192.0.2.1"]');
    expect(readConfig({ ...NOTHING, file: known }).dns_server.length).toBe(1);
    expect(readConfig({ ...NOTHING, file: known, flags: { 'dns-server': [''] } }).dns_server).toEqual([]);
    expect(readConfig({ ...NOTHING, file: known, environment: { LURECHECK_DNS_SERVER: '' } }).dns_server).toEqual([]);
  });

  test('report every problem of every source at once', () => {
    const problems = problemsOf({
      flags: { 'rate-limit': ['-1'], listen: ['x'] },
      environment: { LURECHECK_NETWORK: 'half', LURECHECK_RATE_LIMITS: '1' },
      file: file('base_rate = 1\nrate_limit = "20"\ncolour = true'),
    });
    expect(problems).toEqual([
      'rate_limit in lurecheck.toml must be a TOML number',
      'colour in lurecheck.toml is not a setting',
      'LURECHECK_RATE_LIMITS is not a setting; did you mean rate_limit?',
      '--listen is "x", but must be an address and a port, such as 127.0.0.1:8080 or [::1]:8080',
      '--rate-limit is "-1", but must be a whole number from 0',
      'base_rate in lurecheck.toml is "1", but must be a number between 0 and 1',
      'LURECHECK_NETWORK is "half", but must be one of full, dns, none',
    ]);
  });

  test('refuse a file that is not TOML, a list where one value is meant, and a flag given twice', () => {
    expect(problemsOf({ file: file('rate_limit = ') })[0]).toContain('lurecheck.toml is not valid TOML');
    expect(problemsOf({ file: file('rate_limit = [1, 2]\negress_port = "80"') })).toEqual([
      'rate_limit in lurecheck.toml must be a TOML number',
      'egress_port in lurecheck.toml must be an array of numbers',
    ]);
    expect(problemsOf({ file: file('egress_port = [80, "443"]') }).length).toBe(1);
    expect(problemsOf({ flags: { network: ['none', 'full'] } })[0]).toContain('given 2 times');
  });

  test('do not take the name of a member of every object for a setting', () => {
    expect(problemsOf({ flags: { constructor: ['1'] } })[0]).toContain('--constructor is not a setting');
  });

  test('leave alone what is not of the program in the environment', () => {
    const environment = { PATH: '/bin', LURECHECK_: 'x', lurecheck_host: 'x', LURECHECK_CONFIG: 'lurecheck.toml' };
    expect(readConfig({ ...NOTHING, environment })).toEqual(readConfig(NOTHING));
  });

  test('have a flag and a variable after their key', () => {
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
  const problemOf = (flags: Readonly<Record<string, string>>, text = '') => {
    const given = Object.fromEntries(Object.entries(flags).map(([flag, value]) => [flag, [value]]));
    try {
      readSettings(table, { flags: given, environment: {}, file: file(text) }, { rules: [rule] });
    } catch (error) {
      if (error instanceof SettingsError) return error.message;
      throw error;
    }
    return null;
  };

  test('is held against values out of every source, the defaults too', () => {
    expect([problemOf({}), problemOf({ low: '2' }), problemOf({ high: '9' }, 'low = 10')]).toEqual([
      null,
      '2 is not below 2',
      '10 is not below 9',
    ]);
  });

  test('is not asked where one of its settings is wrong in itself', () => {
    expect(problemOf({ low: '9', high: 'x' })).toBe('--high is "x", but must be a whole number from 0');
    expect(problemOf({ low: 'x', high: '0' })).toBe('--low is "x", but must be a whole number from 0');
    expect(problemOf({ low: '9' }, 'high = "10"')).toBe('high in lurecheck.toml must be a TOML number');
  });
});
