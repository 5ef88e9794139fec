import { expect, test } from 'bun:test';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '#src/core/base/clock.ts';
import { createClockShift } from '#test/soak/clock-shift.ts';
import { lurecheck } from '#test/support/executable.ts';
import { packDesk } from '#test/support/pack-desk.ts';
import { reload } from '#test/support/reload.ts';
import { type Service, startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { untilSeen } from '#test/support/until.ts';

/** What the bank's people asked about in its first days; nobody had heard of them then. */
const PARCEL = 'https://parcel-desk.example.net/track/81';
const MARKET = 'https://market.example.org/offer';
const KITE = 'https://kite.example.com/';
const HOBBY = 'https://hobby-models.github.io/';
const FIRST_DAYS = [PARCEL, MARKET, KITE, HOBBY];

/** A feed as it comes: one line too wide, one that is over in two weeks. */
function feed(overAt: Date): string {
  return [
    'value,expiration,comment',
    'parcel-desk.example.net,,asks for card numbers',
    'github.io,,a whole platform',
    `market.example.org,${overAt.toISOString().slice(0, 10)},rented for a campaign`,
  ].join('\r\n');
}

test('a month on an air-gapped host: pack by USB, feed, preview, rollback, re-scoring and zone export', async () => {
  await using directory = temporaryDirectory();
  const desk = packDesk(directory.path);
  const clock = createClockShift(join(directory.path, 'clock'));
  const [stick, csv] = ['stick', 'feed.csv'].map((name) => join(directory.path, name)) as [string, string];
  mkdirSync(stick);
  const itIsDay = (day: number) => clock.set((day * DAY_MS) / 1000);
  const run = (...args: string[]) => lurecheck([...args, '--data-dir', desk.dataDir], { environment: clock.env });
  const decisions = async (service: Service) => {
    const said: string[] = [];
    for (const url of FIRST_DAYS) said.push((await service.result(url, true)).decision);
    return said;
  };
  const settled = (service: Service, expected: readonly string[]) =>
    untilSeen(expected.join(', '), async () => Bun.deepEquals(await decisions(service), expected));

  await using service = await startService(desk.dataDir, ['--pack-dir', stick], clock.env);
  for (const url of FIRST_DAYS) expect((await service.result(url)).decision).toBe('allow');

  // Day 5: the bank's computer emergency team sends a stick, and somebody else sends one in its name.
  itIsDay(5);
  await desk.trust(desk.keyFile('acme'));
  desk.keyFile('stranger');
  const list = { 'lists/block/team.txt': 'kite.example.com\n' };
  copyFileSync(await desk.build({}, list, 'acme', clock.env), join(stick, 'acme-1.pack'));
  const forged = { 'lists/block/team.txt': 'example.org\n' };
  copyFileSync(await desk.build({ version: 9 }, forged, 'stranger', clock.env), join(stick, 'acme-9.pack'));
  await reload(service);
  await settled(service, ['allow', 'allow', 'block', 'allow']);
  expect(await desk.inForce()).toEqual(['acme-bank 1']);
  const refused = service.events().flatMap(({ event, file }) => (event === 'pack.refused' ? [file] : []));
  expect(refused).toEqual(['acme-9.pack']);

  // Day 10: a feed. What it would have changed is told before anything is changed, and what is too wide never applies.
  itIsDay(10);
  writeFileSync(csv, feed(new Date(Date.now() + 24 * DAY_MS)));
  const preview = await run('lists', 'import', 'feed', csv);
  expect(preview.exitCode).toBe(2);
  expect(preview.stdout).toContain('line 3: github.io is a public suffix');
  expect(preview.stdout).toContain(
    'Of the latest 4 public checks, 2 would have another decision\n  allow → block: 2\n',
  );
  expect(await decisions(service)).toEqual(['allow', 'allow', 'block', 'allow']);
  expect((await run('lists', 'import', 'feed', csv, '--yes')).exitCode).toBe(0);
  await settled(service, ['block', 'block', 'block', 'allow']);

  // Day 15: somebody complains; the state before is back, and the day after the feed is.
  itIsDay(15);
  expect((await run('lists', 'rollback', 'feed')).exitCode).toBe(0);
  await settled(service, ['allow', 'allow', 'block', 'allow']);
  expect((await run('lists', 'import', 'feed', csv, '--yes')).exitCode).toBe(0);
  await settled(service, ['block', 'block', 'block', 'allow']);

  // Day 30: one entry is over. What else was let through in the first days comes to light, and none of it is changed.
  itIsDay(30);
  await settled(service, ['block', 'allow', 'block', 'allow']);
  const rescored = await run('rescore', '--decision', 'allow', '--format', 'json', '--fail-on', 'block');
  expect(rescored.exitCode).toBe(20);
  const { judged, changed } = JSON.parse(rescored.stdout);
  expect(judged).toBe(FIRST_DAYS.length);
  expect(changed.map(({ url }: { url: string }) => url).toSorted()).toEqual([KITE, PARCEL].toSorted());
  expect((await service.history()).items.map(({ decision }) => decision)).toEqual(FIRST_DAYS.map(() => 'allow'));

  // What is blocked goes to the resolver.
  const zone = await run('lists', 'export', '--format', 'rpz');
  writeFileSync(join(directory.path, 'zone'), zone.stdout);
  const named = Bun.spawnSync(['named-checkzone', 'rpz.bank', join(directory.path, 'zone')]);
  expect([named.exitCode, named.stderr.toString()]).toEqual([0, '']);
  const names = zone.stdout.match(/^[^@;$*]\S*(?= CNAME)/gm);
  expect(names?.toSorted()).toEqual(['kite.example.com', 'parcel-desk.example.net']);
  expect((await run('lists', 'history')).stdout.trim().split('\n')).toHaveLength(4);
});
