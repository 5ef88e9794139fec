import type { CertInfoJson } from '#src/checks/record/lookups.ts';
import { type Child, html } from '../../elements/dom.ts';
import { foreign } from '../../elements/foreign.ts';
import { literal } from '../../elements/literal.ts';
import type { Locale } from '../../shell/locale.ts';
import { facts, foreignList } from '../facts.ts';
import { panel, titleOf } from './panel.ts';

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
