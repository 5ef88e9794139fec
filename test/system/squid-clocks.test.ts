import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { createClockShift } from '#test/soak/clock-shift.ts';
import { lurecheck } from '#test/support/executable.ts';
import { icapPorts } from '#test/support/icap-service.ts';
import { startService } from '#test/support/service.ts';
import { startSquid } from '#test/support/squid.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { withPlaces } from '#test/support/with-places.ts';
import { codeIn, WRITTEN } from '../service/manual/written-manual.ts';

const LISTED = 'listed.example.com';
const REQUESTS = 20;

const [EXAMPLE = ''] = codeIn('drop-in', WRITTEN.get('drop-in') ?? '')
  .filter(({ language }) => language === 'squid')
  .map(({ text }) => text);

test.each([
  ['two days slow', -2 * 86_400],
  ['90 seconds slow', -90],
  ['right', 0],
  ['five minutes fast', 300],
])('Squid holds each request for a listed host if the clock of the service is %s', async (_, seconds) => {
  await using directory = temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  const added = await lurecheck(['lists', 'add', 'ours', LISTED, '--data-dir', dataDir]);
  expect(added.exitCode).toBe(0);
  const clock = createClockShift(join(directory.path, 'clock'));
  clock.set(seconds);
  const args = ['--icap-listen', '127.0.0.1:0', '--gate-mode', 'hold'];
  await using service = await startService(dataDir, args, clock.env);
  const config = withPlaces(EXAMPLE, { '127.0.0.1:1344': `127.0.0.1:${icapPorts(service)[0]}` });
  await using squid = await startSquid({ names: [LISTED], config: () => config });
  const statuses: number[] = [];
  for (let at = 0; at < REQUESTS; at++) {
    const response = await fetch(`http://${LISTED}/page-${at}`, { proxy: `http://127.0.0.1:${squid.port}` });
    await response.arrayBuffer();
    statuses.push(response.status);
  }
  expect(statuses).toEqual(Array.from({ length: REQUESTS }, () => 403));
  // Squid states its time in each request.
  const { notices } = (await (await fetch(`${service.url}/readyz?verbose`)).json()) as { notices: string[] };
  const said = notices.filter((notice) => notice.includes('clock'));
  expect(said.map((notice) => / seconds (behind|ahead of) that of a web proxy/.exec(notice)?.[1])).toEqual(
    seconds === 0 ? [] : [seconds < 0 ? 'behind' : 'ahead of'],
  );
  // Both clocks are read at some time within their second.
  const [stated = seconds] = said.map((notice) => Number(/is (\d+) seconds/.exec(notice)?.[1]));
  expect(Math.abs(Math.abs(stated) - Math.abs(seconds))).toBeLessThanOrEqual(2);
});
