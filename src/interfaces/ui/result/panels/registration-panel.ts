import type { WhoisInfoJson } from '#src/checks/record/lookups.ts';
import { type Child, html } from '../../elements/dom.ts';
import { foreign } from '../../elements/foreign.ts';
import { position } from '../../elements/position.ts';
import type { Locale } from '../../shell/locale.ts';
import { facts, foreignList } from '../facts.ts';
import { panel, titleOf } from './panel.ts';

type WhoisInfo = Extract<WhoisInfoJson, { status: 'ok' }>;

/** Shows registrar and registration dates on a timeline; null if they are unknown. */
export function registrationPanel(
  whois: WhoisInfoJson,
  domain: string,
  checkedAt: string,
  locale: Locale,
): HTMLElement | null {
  if (whois.status !== 'ok') return null;
  const { say } = locale;
  const { age_days: ageDays } = whois;
  return panel(
    'registration',
    titleOf(say('registration.title'), domain),
    ageDays !== null && say.count('registration.age', ageDays),
    timeLine(whois, checkedAt, locale),
    facts(
      [say('registration.registrar'), foreignOr(whois.registrar, say('registration.unknown'))],
      whois.registrant_country ? [say('registration.country'), foreign(whois.registrant_country)] : null,
      [say('registration.statuses'), foreignList(whois.statuses, say('dns.none'))],
      [say('registration.nameservers'), foreignList(whois.nameservers, say('dns.none'))],
      [say('registration.source'), whois.source.toUpperCase()],
    ),
  );
}

function timeLine(whois: WhoisInfo, checkedAt: string, { say, format }: Locale): Child {
  const { created_at: created, updated_at: updated, expires_at: expires } = whois;
  const known = [
    { key: 'created', at: created },
    { key: 'updated', at: updated },
    { key: 'now', at: checkedAt },
    { key: 'expires', at: expires },
  ] as const;
  const moments = known.flatMap(({ key, at }) => {
    const timeMs = Date.parse(at ?? '');
    return Number.isNaN(timeMs) || !at ? [] : [{ key, at, timeMs }];
  });
  if (moments.length < 2) return null;
  moments.sort((a, b) => a.timeMs - b.timeMs);
  const first = moments[0]?.timeMs ?? 0;
  const width = Math.max((moments.at(-1)?.timeMs ?? 0) - first, 1);
  const shareOf = (timeMs: number) => (timeMs - first) / width;
  return html(
    'figure',
    { class: 'time-line' },
    html(
      'div',
      { class: 'line-track', 'aria-hidden': 'true' },
      position(html('span', { class: 'lived' }), { to: shareOf(Date.parse(checkedAt)) }),
      moments.map(({ key, timeMs }) => position(html('span', { class: `moment ${key}` }), { at: shareOf(timeMs) })),
    ),
    html(
      'ol',
      {},
      moments.map(({ key, at }) =>
        html(
          'li',
          { class: `moment-label ${key}` },
          html('span', { class: 'note' }, say(`registration.${key}`)),
          format.date(at),
        ),
      ),
    ),
  );
}

function foreignOr(text: string | null, fallback: string): Child {
  return text ? foreign(text) : html('span', { class: 'muted' }, fallback);
}
