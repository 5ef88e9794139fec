import type { DnsAction } from '#test/network/egress/dns-server.ts';
import type { ScriptedRecord } from '#test/network/egress/dns-wire.ts';

/** The records of one name, by type; what has several values is a list. */
export interface ZoneEntry {
  readonly a?: readonly string[];
  readonly cname?: string;
  readonly ns?: readonly string[];
  readonly mx?: readonly { readonly exchange: string; readonly preference: number }[];
  readonly txt?: readonly string[];
  readonly ttl?: number;
}

export type Zone = ReadonlyMap<string, ZoneEntry>;

const DEFAULT_TTL_SECONDS = 3600;
const MAX_ALIASES = 4;

/** What a resolver that knows the whole zone answers to one question. */
export function answerFromZone(
  zone: Zone,
  { name, type }: { readonly name: string; readonly type: string },
): DnsAction {
  const answers: ScriptedRecord[] = [];
  let owner = name.toLowerCase();
  for (let aliases = 0; aliases < MAX_ALIASES; aliases++) {
    const entry = zone.get(owner);
    if (!entry) return answers.length > 0 ? { answers } : { rcode: 'NXDOMAIN' };
    const ttl = entry.ttl ?? DEFAULT_TTL_SECONDS;
    if (entry.cname === undefined || type === 'CNAME') {
      return { answers: [...answers, ...valuesOf(entry, type).map((data) => ({ name: owner, type, ttl, data }))] };
    }
    answers.push({ name: owner, type: 'CNAME', ttl, data: entry.cname });
    owner = entry.cname;
  }
  return { answers };
}

function valuesOf(entry: ZoneEntry, type: string): readonly unknown[] {
  switch (type) {
    case 'A':
      return entry.a ?? [];
    case 'CNAME':
      return entry.cname === undefined ? [] : [entry.cname];
    case 'NS':
      return entry.ns ?? [];
    case 'MX':
      return entry.mx ?? [];
    case 'TXT':
      return entry.txt ?? [];
    default:
      return [];
  }
}
