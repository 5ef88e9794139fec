import { formatCidr, formatIp } from '#src/core/base/addresses/ip.ts';
import { authorityOf, writeStoredEntry } from '#src/network/lists/stored/stored-entry.ts';
import { exportId } from '#src/parts/export/export-id.ts';
import { escapeExpression, nextStixObject, STIX_END, stixFrame, stixLiteral } from '#src/parts/export/stix.ts';
import { type BlockedEntry, type BlockedPlace, type BlockWriting, blockedPlaceOf } from './block-list.ts';

/** A bundle of STIX 2.1 with an indicator of each entry. Its id follows from the entry and the machine, so that it stays. */
export function* writeStixIndicators({ blocked, allowed, source, isPrivate, omit }: BlockWriting): Generator<string> {
  const frame = stixFrame(source, isPrivate, 'blocked');
  yield frame.beginning;
  for (const one of blocked) yield nextStixObject({ ...indicatorOf(one, source), ...frame.common });
  yield STIX_END;
  for (const _ of allowed) omit('within');
}

function indicatorOf({ entry, why, sinceMs, untilMs }: BlockedEntry, source: string) {
  const since = new Date(sinceMs).toISOString();
  // What was let go before it began cannot be said (STIX 2.1, 4.7.1).
  const until = untilMs !== null && untilMs > sinceMs ? { valid_until: new Date(untilMs).toISOString() } : {};
  return {
    type: 'indicator',
    spec_version: '2.1',
    id: `indicator--${exportId('blocked', source, writeStoredEntry(entry))}`,
    created: since,
    modified: since,
    name: why,
    indicator_types: ['malicious-activity'],
    pattern: patternOf(blockedPlaceOf(entry)),
    pattern_type: 'stix',
    pattern_version: '2.1',
    valid_from: since,
    ...until,
    labels: ['blocked'],
  };
}

function patternOf(place: BlockedPlace): string {
  if (place.kind === 'name') return `[domain-name:value = ${stixLiteral(place.name)}]`;
  if (place.kind === 'block') {
    const { network, bits } = place.block;
    const isOne = bits === (network.family === 4 ? 32 : 128);
    return `[ipv${network.family}-addr:value = ${stixLiteral(isOne ? formatIp(network) : formatCidr(place.block))}]`;
  }
  const authority = authorityOf(place);
  if (place.kind === 'beginning')
    return `[url:value MATCHES ${stixLiteral(`^https?://${escapeExpression(authority + place.path)}`)}]`;
  const rest = `${authority}${place.path}${place.query && `?${place.query}`}`;
  return ['http', 'https'].map((scheme) => `[url:value = ${stixLiteral(`${scheme}://${rest}`)}]`).join(' OR ');
}
