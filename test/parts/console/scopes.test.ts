import { expect, test } from 'bun:test';
import { SCOPES, type Scope } from '#src/admin/keys/api-key.ts';
import { openAdministered } from '#test/service/server/admin/administered.ts';

/** Scopes that open a view beside `admin`. */
const OPENED: Readonly<Record<string, readonly Scope[]>> = {
  ...{ keys: [], audit: [], settings: [], backups: [], 'backups/none': [], nodes: [] },
  ...{ lists: ['lists'], 'lists/feed': ['lists'], 'lists/feed/versions': ['lists'], 'list-entries': ['lists'] },
  ...{ gate: ['lists'], status: ['lists', 'feedback', 'history'] },
  ...{ activity: ['history', 'history.private'], 'checks/none': ['history', 'history.private'] },
};

test('each view of the console is open to its scopes and to admin alone', async () => {
  await using service = await openAdministered();
  const opened: Record<string, Scope[]> = {};
  for (const address of Object.keys(OPENED)) {
    const codes = await Promise.all(SCOPES.map((as) => service.call('GET', address, { as })));
    opened[address] = SCOPES.filter((as, at) => as !== 'admin' && codes[at]?.code !== '403 forbidden_scope');
    expect([address, codes[SCOPES.indexOf('admin')]?.status]).not.toEqual([address, 403]);
  }
  const sorted = (table: Readonly<Record<string, readonly Scope[]>>) =>
    Object.fromEntries(Object.entries(table).map(([address, scopes]) => [address, scopes.toSorted()]));
  expect(sorted(opened)).toEqual(sorted(OPENED));
});
