import type { DnsRecordsJson } from '#src/checks/record/lookups.ts';
import type { Locale } from '../../shell/locale.ts';
import { facts, foreignList } from '../facts.ts';
import { panel, titleOf } from './panel.ts';

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
