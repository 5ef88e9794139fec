import { expect, test } from 'bun:test';
import { NO_PACKS, type PacksOverview } from '#src/admin/active/active-packs.ts';
import { packNotices, packStatuses } from '#src/parts/packs/packs/pack-status.ts';
import { ABOUT } from '#test/support/packs.ts';

const EXPIRES_MS = Date.parse(ABOUT.expires);
const FINGERPRINT = 'a'.repeat(64);

const kept = (name: string, signer = FINGERPRINT) => {
  return { name, version: 3, print: '0'.repeat(64), signer, installed: ABOUT.created };
};

function overview(revoked: string | null): PacksOverview {
  const publisher = { name: 'Acme', fingerprint: FINGERPRINT, key: 'a', since: ABOUT.created, revoked, follows: null };
  const manifest = { ...ABOUT, format: 1 as const, members: [] };
  return {
    ...NO_PACKS,
    state: { ...NO_PACKS.state, publishers: [publisher] },
    packs: [{ installed: kept('b'), manifest }],
    unusable: [{ installed: kept('a', 'unknown'), problem: 'it is cut short' }],
  };
}

test('active packs are listed by name with their publisher, including unusable ones', () => {
  expect(packStatuses(overview(null), EXPIRES_MS - 1)).toEqual([
    {
      ...{ name: 'a', version: 3, publisher: '', fingerprint: 'unknown', expires: null },
      ...{ isExpired: false, isRevoked: true, problem: 'it is cut short' },
    },
    {
      ...{ name: 'b', version: 3, publisher: 'Acme', fingerprint: FINGERPRINT, expires: ABOUT.expires },
      ...{ isExpired: false, isRevoked: false, problem: null },
    },
  ]);
});

test('a pack expires at the time in its manifest, and notices state its problems', () => {
  const notesAt = (nowMs: number, revoked: string | null) =>
    packStatuses(overview(revoked), nowMs).map((one) => packNotices(one).map(({ text }) => text));
  expect(notesAt(EXPIRES_MS - 1, null)[1]).toEqual([]);
  expect(notesAt(EXPIRES_MS, null)[1]).toEqual([expect.stringContaining('b 3 expired on 2027-01-01:')]);
  expect(notesAt(EXPIRES_MS, '2026-02-02T00:00:00.000Z')[1]).toHaveLength(2);
  expect(notesAt(0, '2026-02-02T00:00:00.000Z')[1]).toEqual([expect.stringContaining('key of Acme')]);
  expect(notesAt(0, null)[0]?.[0]).toContain('it is cut short');
});
