import { describe, expect, test } from 'bun:test';
import { networkInterfaces } from 'node:os';
import { classifyAddress } from '#src/core/base/addresses/address-class.ts';
import { type Cidr, parseCidr, parseIp } from '#src/core/base/addresses/ip.ts';
import { defaultsOf } from '#src/core/base/settings/setting.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import { createPolicy } from '#src/network/egress/policy/policy.ts';
import { EGRESS_SETTINGS } from '#src/network/egress/settings.ts';
import addresses from '#test/vectors/ssrf-ip.json' with { type: 'json' };
import urls from '#test/vectors/ssrf-url.json' with { type: 'json' };

const policy = createPolicy(defaultsOf(EGRESS_SETTINGS));

const cidrs = (...texts: readonly string[]): Cidr[] =>
  texts.map((text) => {
    const cidr = parseCidr(text);
    if (typeof cidr === 'string') throw new Error(cidr);
    return cidr;
  });
const open = createPolicy({ ...defaultsOf(EGRESS_SETTINGS), egress_allow: cidrs('0.0.0.0/0', '::/0') });

describe('an address', () => {
  for (const { id, ip, verdict, why } of addresses.vectors) {
    test(`${id}: ${JSON.stringify(ip)} is ${verdict}, ${why}`, () => {
      const parsed = parseIp(ip);
      expect<string>(parsed ? classifyAddress(parsed) : why).toBe(why);
      const reason = policy.checkAddress(ip, 80)?.reason ?? 'public';
      expect<string>(reason).toBe(verdict === 'invalid' ? 'not-an-address' : why);
    });
  }
});

/** These vectors come from a policy that lists bad ports; ours lists the good ones, which is stricter. */
const CLOSED_PORT = /^http:\/\/example\.com:(?:445|6379|9200|11211|81|3000|5000|65535)\/$/;

describe('a URL', () => {
  for (const vector of urls.vectors) {
    const { verdict, why } = CLOSED_PORT.test(vector.input) ? { verdict: 'deny', why: 'port' } : vector;
    test(`${vector.id}: ${JSON.stringify(vector.input).slice(0, 80)} is ${verdict}, ${why}`, () => {
      const target = parseTarget(vector.input);
      if (isTargetProblem(target)) return expect(verdict).toBe('invalid');
      const denial = policy.checkHost(target.host.text, target.port);
      expect<string>(denial?.reason ?? 'public').toBe(why);
      return expect(denial ? 'deny' : target.host.kind === 'name' ? 'resolve' : 'allow').toBe(verdict);
    });
  }
});

describe('the operator', () => {
  test('can allow a private block, which allows nothing else', () => {
    const lab = createPolicy({ ...defaultsOf(EGRESS_SETTINGS), egress_allow: cidrs('10.1.0.0/16') });
    expect(lab.checkAddress('10.1.2.3', 80)).toBeNull();
    expect(lab.checkAddress('10.2.0.1', 80)?.reason).toBe('private');
    expect(lab.checkAddress('::ffff:10.1.2.3', 80)?.reason).toBe('private');
  });

  test('cannot allow a metadata address in any notation', () => {
    for (const ip of [
      '169.254.169.254',
      '::ffff:169.254.169.254',
      '64:ff9b::a9fe:a9fe',
      '2002:a9fe:a9fe::',
      'fd00:ec2::254',
    ]) {
      expect(open.checkAddress(ip, 80)?.reason).toBe('metadata');
    }
  });

  test('cannot allow a private address behind an address translator', () => {
    const nat64 = createPolicy({ ...defaultsOf(EGRESS_SETTINGS), egress_allow: cidrs('64:ff9b::/96') });
    expect(nat64.checkAddress('64:ff9b::808:808', 80)).toBeNull();
    expect(nat64.checkAddress('64:ff9b::a00:1', 80)?.reason).toBe('private');
  });

  test('can allow an address only in its plain notation', () => {
    expect(open.checkAddress('10.1.2.3', 80)).toBeNull();
    expect(open.checkAddress('93.184.216.34', 80)).toBeNull();
    expect(open.checkAddress('::ffff:10.1.2.3', 80)?.reason).toBe('private');
    expect(open.checkAddress('::ffff:93.184.216.34', 80)?.reason).toBe('ipv4-mapped');
  });

  test('can deny a public block, and a denied block overrides an allowed one', () => {
    const own = createPolicy({
      ...defaultsOf(EGRESS_SETTINGS),
      egress_deny: cidrs('93.184.215.0/24'),
      egress_allow: cidrs('93.0.0.0/8'),
    });
    expect(own.checkAddress('93.184.215.14', 80)?.reason).toBe('configured');
    expect(own.checkAddress('93.184.214.14', 80)).toBeNull();
  });

  test('can allow a special name with its subdomains, but not other names with the same ending', () => {
    const lab = createPolicy({ ...defaultsOf(EGRESS_SETTINGS), egress_name: ['corp', 'nas', 'lab.internal'] });
    for (const name of ['mail.corp', 'nas', 'lab.internal', 'a.lab.internal']) expect(lab.checkName(name)).toBeNull();
    expect(lab.checkName('intranas')?.reason).toBe('single-label');
    expect(lab.checkName('xlab.internal')?.reason).toBe('special-tld');
  });

  test('can allow a port in addition to the default ports', () => {
    const lab = createPolicy({ ...defaultsOf(EGRESS_SETTINGS), egress_port: [3000] });
    expect(lab.checkPort(3000)).toBeNull();
    expect(lab.checkPort(443)).toBeNull();
    expect(lab.checkPort(3001)?.reason).toBe('port');
  });
});

describe('the service itself', () => {
  test('is refused on its own port even if its address is allowed', () => {
    const lab = createPolicy({ ...defaultsOf(EGRESS_SETTINGS), egress_allow: cidrs('198.51.100.0/24') });
    lab.denySelf({ address: '198.51.100.9', port: 3000 });
    expect(lab.checkAddress('198.51.100.9', 3000)?.reason).toBe('self');
    expect(lab.checkAddress('198.51.100.9', 3001)).toBeNull();
  });

  test('is refused at the unspecified address, which leads to this host', () => {
    const lab = createPolicy({ ...defaultsOf(EGRESS_SETTINGS), egress_allow: cidrs('0.0.0.0/0', '::/0') });
    lab.denySelf({ address: '127.0.0.1', port: 8080 });
    for (const ip of ['0.0.0.0', '::']) expect(lab.checkAddress(ip, 8080)?.reason).toBe('self');
  });

  const listening = (...addresses: readonly string[]) => {
    const lab = createPolicy({ ...defaultsOf(EGRESS_SETTINGS), egress_allow: cidrs('0.0.0.0/0', '::/0') });
    for (const address of addresses) lab.denySelf({ address, port: 8080 });
    return lab;
  };

  test.each(['::', '0.0.0.0', 'a-name'])('is refused at every address of this host if it listens on %s', (address) => {
    const lab = listening(address);
    const here = Object.values(networkInterfaces()).flatMap((own) => own?.map((one) => one.address) ?? []);
    for (const ip of ['127.0.0.1', '127.1.2.3', '::1', '0.0.0.0', '::ffff:127.0.0.1', ...here]) {
      expect([ip, lab.checkAddress(ip, 8080)?.reason]).toEqual([ip, 'self']);
      expect(lab.checkAddress(ip, 8081)?.reason).not.toBe('self');
    }
    for (const ip of ['93.184.216.34', '2606:2800::1']) expect(lab.checkAddress(ip, 8080)).toBeNull();
  });

  test('is not refused at addresses on which it does not listen', () => {
    for (const [own, other] of [
      ['198.51.100.9', '198.51.100.10'],
      ['127.0.0.1', '127.0.0.2'],
      ['127.0.0.1', '::1'],
      ['::1', '127.0.0.1'],
      ['::1', '2001:db8::1'],
      // The same number, of the other family.
      ['::c633:6409', '198.51.100.9'],
    ] as const) {
      expect(listening(own).checkAddress(own, 8080)?.reason).toBe('self');
      expect([own, other, listening(own).checkAddress(other, 8080)]).toEqual([own, other, null]);
    }
  });

  test('is refused in the plain and the IPv4-mapped form of its listening address', () => {
    for (const own of ['198.51.100.9', '::ffff:198.51.100.9']) {
      expect(listening(own).checkAddress('198.51.100.9', 8080)?.reason).toBe('self');
      expect(listening(own).checkAddress('::ffff:198.51.100.9', 8080)?.reason).toBe('self');
    }
  });
});

describe('a name with several addresses', () => {
  test('is refused if one of them is denied, at any position', () => {
    const good = Array.from({ length: 100 }, (_, i) => `93.184.216.${i}`);
    for (const at of [0, 50, 100]) {
      const mixed = [...good.slice(0, at), '10.0.0.1', ...good.slice(at)];
      expect(policy.checkAddresses('a.example.net', mixed, 80)).toEqual({
        reason: 'private',
        detail: 'a.example.net resolves to 10.0.0.1, one of 101 addresses',
        isResolved: true,
        isMixed: true,
      });
    }
    expect(policy.checkAddresses('a.example.net', good, 80)).toBeNull();
    expect(policy.checkAddresses('a.example.net', ['10.0.0.1', '10.0.0.2'], 80)?.isMixed).toBeFalse();
  });

  test('reports the number of addresses if one is refused', () => {
    const detail = (...ips: readonly string[]) => policy.checkAddresses('a.example.net', ips, 80)?.detail;
    expect(detail('10.0.0.1')).toBe('a.example.net resolves to 10.0.0.1');
    expect(detail('93.184.216.34', '10.0.0.1')).toBe('a.example.net resolves to 10.0.0.1, one of 2 addresses');
  });

  test('is not reported as mixed if one of them is the service itself', () => {
    const own = createPolicy(defaultsOf(EGRESS_SETTINGS));
    own.denySelf({ address: '93.184.215.14', port: 80 });
    const denial = own.checkAddresses('a.example.net', ['93.184.216.14', '93.184.215.14'], 80);
    expect(denial).toMatchObject({ reason: 'self', isMixed: false });
  });

  test('is not reported as mixed if the operator denied one of them', () => {
    const own = createPolicy({ ...defaultsOf(EGRESS_SETTINGS), egress_deny: cidrs('93.184.215.0/24') });
    const denial = own.checkAddresses('a.example.net', ['93.184.215.14', '93.184.216.14'], 80);
    expect(denial).toMatchObject({ reason: 'configured', isMixed: false });
  });
});
