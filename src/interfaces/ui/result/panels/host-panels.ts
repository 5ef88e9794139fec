import type { CertInfoJson, DnsRecordsJson, WhoisInfoJson } from '#src/checks/record/lookups.ts';
import { type Child, html } from '../../elements/dom.ts';
import { foreign, literal } from '../../elements/literal.ts';
import { position } from '../../elements/position.ts';
import type { Locale } from '../../shell/locale.ts';
import { facts, foreignList, panel, titleOf } from '../facts.ts';

/** Shows the certificate with its chain and all faults; null if none was observed. */
export function certificatePanel(cert: CertInfoJson, host: string, locale: Locale): HTMLElement | null {
  if (cert.status !== 'ok') return null;
  const { say, format } = locale;
  const { faults: found } = cert;
  const text = (value: string) => literal(value, 'mono');
  return panel(
    'certificate',
    titleOf(say('certificate.title'), host),
    found.length === 0 ? say('certificate.trusted') : say.count('certificate.faults', found.length),
    found.length > 0 && faults(found, locale),
    facts(
      [say('certificate.subject'), text(cert.subject)],
      [say('certificate.issuer'), text(cert.issuer)],
      [say('certificate.sans'), foreignList(cert.sans.slice(0, 50), say('dns.none'))],
      [say('certificate.from'), format.date(cert.valid_from)],
      [say('certificate.to'), [format.date(cert.valid_to), remaining(cert.days_remaining, locale)]],
      [say('certificate.key'), text(cert.key)],
      [say('certificate.signature'), text(cert.signature_algorithm)],
      [say('certificate.protocol'), text(cert.protocol)],
      [say('certificate.fingerprint'), text(cert.fingerprint_sha256)],
      [say('certificate.chain'), chain(cert.chain)],
    ),
  );
}

function faults(codes: readonly string[], { say }: Locale): HTMLElement {
  return html(
    'ul',
    { class: 'faults' },
    codes.map((code) => html('li', {}, foreign(say.maybe(`fault.${code}`, code)))),
  );
}

function remaining(days: number, { say }: Locale): Child {
  const words = days < 0 ? say.count('certificate.expired', -days) : say.count('certificate.remaining', days);
  return html('span', { class: 'note' }, words);
}

function chain(subjects: readonly string[]): Child {
  return html(
    'ol',
    { class: 'chain' },
    subjects.map((subject) => html('li', {}, literal(subject, 'mono'))),
  );
}

/** Shows the DNS records of a host; null if they were not resolved. */
export function dnsPanel(dns: DnsRecordsJson, host: string, { say }: Locale): HTMLElement | null {
  if (dns.status !== 'ok') return null;
  const none = say('dns.none');
  const addresses = (records: typeof dns.a) =>
    foreignList(
      records.map(({ address, ttl_seconds }) => `${address} (${say('dns.ttl', { seconds: ttl_seconds })})`),
      none,
    );
  const some = (label: string, texts: readonly string[]) =>
    texts.length > 0 ? ([label, foreignList(texts, none)] as const) : null;
  return panel(
    'dns',
    titleOf(say('dns.title'), host),
    null,
    facts(
      [say('dns.a'), addresses(dns.a)],
      [say('dns.aaaa'), addresses(dns.aaaa)],
      some(say('dns.cname'), dns.cname),
      some(say('dns.ns'), dns.ns),
      [
        say('dns.mx'),
        foreignList(
          dns.mx.map(({ exchange, preference }) => `${preference} ${exchange}`),
          none,
        ),
      ],
      [say('dns.spf'), foreignList(dns.spf === null ? [] : [dns.spf], none)],
      [say('dns.dmarc'), foreignList(dns.dmarc === null ? [] : [dns.dmarc], none)],
      some(say('dns.txt'), dns.txt.slice(0, 20)),
      some(
        say('dns.caa'),
        dns.caa.map(({ flags, tag, value }) => `${flags} ${tag} ${value}`),
      ),
      dns.soa ? [say('dns.soa'), foreignList([`${dns.soa.primary} ${dns.soa.contact} ${dns.soa.serial}`], none)] : null,
      [say('dns.authenticated'), say(dns.authenticated ? 'dns.authenticated.yes' : 'dns.authenticated.no')],
    ),
  );
}

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
