import { serveDns } from '#test/network/egress/dns-server.ts';
import { PUBLIC } from '#test/support/place.ts';
import { answerFromZone, type ZoneEntry } from '#test/support/zone.ts';

/** How long its answers may be kept: a resolver that dies is soon missed. */
const TTL_SECONDS = 1;

/** Runs in the namespace, as a process of its own that may be killed and stopped: `resolver.ts ZONE_FILE`. */
const [zonePath = ''] = process.argv.slice(2);
const entries: [string, ZoneEntry][] = await Bun.file(zonePath).json();
const zone = new Map(entries.map(([name, entry]) => [name, { ...entry, ttl: TTL_SECONDS }]));
await serveDns((query) => answerFromZone(zone, query), { address: PUBLIC.resolver, port: 53 });
process.stdout.write('ready\n');
