import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import { openStoredLists } from '#src/network/lists/stored/stored-list.ts';
import { ENTRIES, listedEntry } from './listed-entries.ts';

/** Opens the lists of a folder in this process, and prints what that takes: MiB, milliseconds, and microseconds a look-up. */
const [folder = ''] = process.argv.slice(2);

const LOOK_UPS = 100_000;
const WARM_UPS = 3;

const bytesBefore = restingBytes();
const loading = process.cpuUsage();
const lists = await openStoredLists(folder);
const loadMs = milliseconds(loading);
const mebibytes = (restingBytes() - bytesBefore) / 1024 / 1024;

const targets = Array.from({ length: LOOK_UPS }, (_, i) => targetOf(i));
let hits = 0;
let findMicros = 0;
for (let round = 0; round <= WARM_UPS; round++) {
  const finding = process.cpuUsage();
  hits = 0;
  for (const target of targets) if (lists.some((list) => list.find(target, 0))) hits++;
  findMicros = (1000 * milliseconds(finding)) / LOOK_UPS;
}
if (hits !== LOOK_UPS / 2) throw new Error(`of ${LOOK_UPS} look-ups ${hits} found something, and not each second one`);
process.stdout.write(`${mebibytes} ${loadMs} ${findMicros}`);

/** Each second one is on the list, at a path below the entry. */
function targetOf(place: number): Target {
  const entry = listedEntry((place * 37) % ENTRIES);
  const listed = entry.startsWith('http') ? `${entry}?id=${place}` : `https://www.${entry}/a/b/c.html`;
  const other = `https://login.shop${place}.example.org/account/verify/step2?token=${place}`;
  const target = parseTarget(place % 2 === 0 ? listed : other);
  if (isTargetProblem(target)) throw new Error(target.message);
  return target;
}

function restingBytes(): number {
  Bun.gc(true);
  return process.memoryUsage.rss();
}

function milliseconds(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}
