import { describe, expect, test } from 'bun:test';
import type { InstalledPack, PackState, Publisher } from '#src/admin/active/pack-state.ts';
import { packsBefore, withoutPack, withoutPublisher, withPack, withPublisher } from '#src/admin/active/pack-state.ts';
import { DAY_MS } from '#src/core/base/clock.ts';
import { type AdmissionContext, admit, trustedSigner } from '#src/parts/packs/packs/admit.ts';
import { PackError, type PackFault } from '#src/parts/packs/packs/pack-error.ts';
import { ABOUT } from '#test/support/packs.ts';

const SINCE = '2026-01-01T00:00:00.000Z';
const NOTHING: PackState = { publishers: [], active: [], before: [], withdrawn: [] };

const signer = (digit: string) => ({ fingerprint: digit.repeat(64), key: digit });
const trusting = (...digits: string[]) =>
  digits.reduce((state, digit) => withPublisher(state, { ...signer(digit), name: 'Acme', since: SINCE }), NOTHING);
const kept = (version: number, by = 'a', name = ABOUT.name): InstalledPack => {
  return { name, version, print: `${name} ${version} ${by}`, signer: by.repeat(64), installed: SINCE };
};

/** A pack as it comes, signed by the key of a digit. */
function offered(about: Partial<typeof ABOUT> & { needs?: string } = {}, by = 'a') {
  const manifest = { format: 1 as const, members: [], ...ABOUT, ...about };
  return { manifest, print: kept(manifest.version, by, manifest.name).print };
}

function codeOf(work: () => unknown): PackFault | null {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof PackError) return error.code;
    throw error;
  }
}

function admitted(pack: ReturnType<typeof offered>, by: Partial<AdmissionContext> & { state: PackState }, digit = 'a') {
  const publisher = by.state.publishers.find(({ key }) => key === digit) as Publisher;
  const usual = { nowMs: Date.parse(ABOUT.created) + DAY_MS, version: '1.2.3', mayBeOlder: false };
  return admit(pack, publisher, { ...usual, ...by });
}

describe('a signer', () => {
  test('is trusted once added, until its key is revoked, and again once added again', () => {
    const state = trusting('a');
    expect(trustedSigner(signer('a'), state).name).toBe('Acme');
    expect(codeOf(() => trustedSigner(signer('b'), state))).toBe('unknown_key');
    expect(codeOf(() => trustedSigner(null, state))).toBe('not_signed');
    const revoked = withoutPublisher(state, signer('a').fingerprint, SINCE);
    expect(codeOf(() => trustedSigner(signer('a'), revoked))).toBe('revoked_key');
    const again = withPublisher(revoked, { ...signer('a'), name: 'Acme', since: SINCE });
    expect(trustedSigner(signer('a'), again).revoked).toBeNull();
  });

  test('is trusted until its key is replaced by another key, which is trusted instead', () => {
    const follows = signer('a').fingerprint;
    const state = withPublisher(trusting('a'), { ...signer('b'), name: 'Acme', since: SINCE, follows });
    expect(codeOf(() => trustedSigner(signer('a'), state))).toBe('replaced_key');
    expect(trustedSigner(signer('b'), state).follows).toBe(follows);
  });
});

describe('a pack of a trusted publisher', () => {
  const state = trusting('a', 'b');

  test.each([
    ['on the day before it was made, as far as clocks differ', -DAY_MS + 1, null],
    ['long before it was made', -DAY_MS - 1, 'from_the_future'],
    ['until it expires', Date.parse(ABOUT.expires) - Date.parse(ABOUT.created) - 1, null],
    ['once it has expired', Date.parse(ABOUT.expires) - Date.parse(ABOUT.created), 'expired'],
  ] as const)('%s', (_, sinceCreatedMs, code) => {
    const nowMs = Date.parse(ABOUT.created) + sinceCreatedMs;
    expect(codeOf(() => admitted(offered(), { state, nowMs }))).toBe(code);
  });

  test.each([
    ['1.2.3', null],
    ['1.2.4', 'newer_format'],
    ['1.10.0', 'newer_format'],
    ['0.99.0', null],
  ] as const)('that needs version %s is compared with program version 1.2.3', (needs, code) => {
    expect(codeOf(() => admitted(offered({ needs }), { state }))).toBe(code);
  });

  test('that needs a version is accepted by a preview of that version', () => {
    expect(codeOf(() => admitted(offered({ needs: '1.2.3' }), { state, version: '1.2.3-dev' }))).toBeNull();
    expect(codeOf(() => admitted(offered({ needs: '1.2.4' }), { state, version: '1.2.3-dev' }))).toBe('newer_format');
  });

  test('is refused with the date on which it was created, expired or lost its key', () => {
    const [created, expires] = [Date.parse(ABOUT.created), Date.parse(ABOUT.expires)];
    expect(() => admitted(offered(), { state, nowMs: expires })).toThrow('it expired on 2027-01-01');
    expect(() => admitted(offered(), { state, nowMs: created - 2 * DAY_MS })).toThrow(
      'it was created on 2026-01-01, and the clock shows 2025-12-30T00:00:00.000Z',
    );
    const revoked = withoutPublisher(state, signer('a').fingerprint, '2026-02-02T00:00:00.000Z');
    expect(() => trustedSigner(signer('a'), revoked)).toThrow('of Acme, which was revoked on 2026-02-02');
  });

  test('is installed if it is newer, and if it is older only on request', () => {
    const now = withPack(state, kept(5));
    expect(admitted(offered({ version: 6 }), { state: now })).toBe('new');
    expect(admitted(offered({ version: 5 }), { state: now })).toBe('active');
    expect(codeOf(() => admitted({ ...offered({ version: 5 }), print: 'another' }, { state: now }))).toBe('not_newer');
    expect(codeOf(() => admitted(offered({ version: 4 }), { state: now }))).toBe('not_newer');
    expect(admitted(offered({ version: 4 }), { state: now, mayBeOlder: true })).toBe('new');
  });

  test('cannot use the name of another publisher, unless its key follows the key of that publisher', () => {
    const now = withPack(state, kept(5));
    expect(codeOf(() => admitted(offered({ version: 6 }, 'b'), { state: now }, 'b'))).toBe('other_publisher');
    const follows = signer('a').fingerprint;
    const turned = withPublisher(now, { ...signer('c'), name: 'Acme', since: SINCE, follows });
    expect(admitted(offered({ version: 6 }, 'c'), { state: turned }, 'c')).toBe('new');
    // Keys that follow each other in a circle are nobody's line.
    const circle = turned.publishers.map((one) => (one.key === 'a' ? { ...one, follows: 'c'.repeat(64) } : one));
    expect(
      codeOf(() => admitted(offered({ version: 6 }, 'b'), { state: { ...turned, publishers: circle } }, 'b')),
    ).toBe('other_publisher');
  });
});

describe('the active packs', () => {
  test('are rolled back step by step to the first, and the removed ones are held back', () => {
    const steps = [kept(1), kept(1, 'a', 'other'), kept(2)];
    const last = steps.reduce(withPack, trusting('a'));
    expect(last.active.map(({ name, version }) => [name, version])).toEqual([
      ['acme-bank', 2],
      ['other', 1],
    ]);
    const back = packsBefore(last);
    expect(back?.active).toEqual([kept(1), kept(1, 'a', 'other')]);
    expect(back?.withdrawn).toEqual([{ name: 'acme-bank', version: 2 }]);
    const begin = back && packsBefore(back) && packsBefore(packsBefore(back) ?? back);
    expect(begin?.active).toEqual([]);
    expect(begin?.withdrawn).toEqual([
      { name: 'other', version: 1 },
      { name: 'acme-bank', version: 1 },
    ]);
    expect(begin && packsBefore(begin)).toBeNull();
    expect(begin?.publishers).toEqual(last.publishers);
  });

  test('are no longer held back once installed again', () => {
    const removed = withoutPack(withPack(NOTHING, kept(3)), 'acme-bank');
    expect(removed.withdrawn).toEqual([{ name: 'acme-bank', version: 3 }]);
    expect(withPack(removed, kept(3)).withdrawn).toEqual([]);
  });
});
