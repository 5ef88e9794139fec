import { loadavg } from 'node:os';
import { executable } from '#test/support/executable.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { MEASUREMENTS, withPeers } from '../../.ci/readme.ts';
import { interleave } from './interleave.ts';
import { checkedOut, thisMachine } from './machine.ts';
import { openPeers, type Peer } from './open-peers.ts';
import { type PeerReport, peerTable } from './peer-figures.ts';
import type { Plan } from './plan.ts';
import { spreadOf } from './statistics.ts';

/**
 * `bun run bench --peers`: speed and processor time of checks, beside services that a user could pick instead. Prints the
 * figures, and writes them beside itself and into the measurements. A peer that is not installed is left out.
 */
export async function measurePeers({ rounds, requests, warmUps }: Plan): Promise<void> {
  const program = await executable();
  const before = loadavg()[0] ?? Number.NaN;
  await using folder = temporaryDirectory();
  await using opened = new AsyncDisposableStack();
  const peers = await openPeers(program, folder.path, opened);
  const samples = new Map(peers.map((peer) => [peer, { perSecond: [] as number[], micros: [] as number[] }]));
  let checks = 0;
  const ask = async (peer: Peer, some: number) => {
    const count = Math.ceil(some * peer.share);
    const [microsBefore, startedMs] = [await peer.micros(), performance.now()];
    await peer.ask(checks, count);
    const seconds = (performance.now() - startedMs) / 1000;
    checks += count;
    return { perSecond: count / seconds, micros: ((await peer.micros()) - microsBefore) / count };
  };
  for (const peer of peers) await ask(peer, warmUps);
  const works = Array.from(samples, ([peer, { perSecond, micros }]) => async () => {
    const measured = await ask(peer, requests);
    perSecond.push(measured.perSecond);
    micros.push(measured.micros);
  });
  await interleave(rounds, works);
  const report: PeerReport = {
    measuredAt: new Date().toISOString(),
    ...(await checkedOut(`${import.meta.dir}/../..`)),
    machine: thisMachine(),
    loadAverage: { before, after: loadavg()[0] ?? Number.NaN },
    ...{ rounds, warmUps, checks },
    rows: Array.from(samples, ([{ name, does }, { perSecond, micros }]) => {
      return { name, does, perSecond: spreadOf(perSecond), micros: spreadOf(micros) };
    }),
  };
  await Bun.write(new URL('peers.json', import.meta.url), `${JSON.stringify(report, null, 2)}\n`);
  await Bun.write(MEASUREMENTS, await withPeers(await Bun.file(MEASUREMENTS).text()));
  process.stdout.write(`${peerTable(report)}\n`);
}
