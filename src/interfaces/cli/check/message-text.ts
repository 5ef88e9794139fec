import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import type { AddressRelation, MailAddress, MailHead } from '#src/engine/message/mail-head.ts';
import { unreadParts } from '#src/engine/message/message.ts';
import type { AttachmentRisk } from '#src/engine/message/part-kind.ts';
import type { CheckOutcome } from './check-one.ts';
import { describeOutcome, shownDecision } from './check-text.ts';
import { isDecoy, type MessageView } from './message-view.ts';

/** Sites without findings, and links of one site, that are shown; the rest is counted. */
const SHOWN_DECOYS = 5;
const SHOWN_LINKS = 5;

/** Maximum number of printed reasons against a message; JSON has all. */
const SHOWN_REASONS = 5;
/** Minimum weight of a printed reason, in log-odds. */
const MIN_WEIGHT = 0.3;

/** Effects of opening an attached file. */
const RISKS: Readonly<Record<AttachmentRisk, string>> = {
  disguised: 'DANGEROUS: looks like a document and is not one',
  program: 'DANGEROUS: runs code or leads elsewhere when opened',
  disk: 'DANGEROUS: opens as a disk, which hides where its files come from',
  macros: 'DANGEROUS: a document with code',
  page: 'opens as a page in the browser',
};

const INDENT = ' '.repeat(17);

/** A mail for a person: its verdict, who sent it, then its links by site, each within its sentence. */
export function describeMessage({ message, verdict, sites, worst, unchecked }: MessageView, colour: boolean): string {
  const { head, attachments, sentences } = message;
  const files = attachments.map(
    ({ name, contentType, sizeBytes, risk }) =>
      `${name} (${contentType}, ${sizeBytes} bytes${risk === null ? '' : `; ${RISKS[risk]}`})`,
  );
  const notRead = unreadParts(message);
  const against = verdict.reasons.filter(({ weight }) => weight >= MIN_WEIGHT).slice(0, SHOWN_REASONS);
  const lines = [
    field('verdict', `${verdict.decision}, probability ${verdict.malicious_probability.toFixed(4)}`),
    ...against.map((reason, at) => field(at === 0 ? 'because' : '', reason.message)),
    ...(head ? headLines(head) : []),
    ...(files.length > 0 ? [field('attachments', files.join(', '))] : []),
    ...(worst ? [field('worst link', `${shownDecision(worst.result)}, ${worst.result.url}`)] : []),
    ...(notRead.length > 0 ? [field('not read', notRead.join(', '))] : []),
    ...(unchecked > 0 ? [field('not checked', `${unchecked} links or parts; the verdict does not include them`)] : []),
  ];
  const telling = sites.filter(({ links }) => !links.every(isDecoy));
  const decoys = sites.filter(({ links }) => links.every(isDecoy));
  const shown = [...telling, ...decoys.slice(0, telling.length > 0 ? SHOWN_DECOYS : undefined)];
  const folded = decoys.slice(shown.length - telling.length);
  const groups = shown.map(
    ({ site, links }) =>
      `\n${visibleInTerminal(site)}\n${links.slice(0, SHOWN_LINKS).map(described).join('')}${rest(links)}`,
  );
  return `${lines.join('')}${groups.join('')}${foldedLine(folded)}`;

  function described(outcome: CheckOutcome): string {
    return describeOutcome(outcome, colour) + ('result' in outcome ? sentenceLine(outcome.result.url, outcome) : '');
  }

  function sentenceLine(url: string, outcome: CheckOutcome): string {
    const sentence = sentences.get(url);
    if (sentence === undefined || (sentence.before === '' && sentence.after === '')) return '';
    const words = ('result' in outcome && outcome.result.in_message?.words) || url;
    return `${INDENT}in: ${visibleInTerminal(`${sentence.before} [${words}]${/^\p{P}/u.test(sentence.after) ? '' : ' '}${sentence.after}`.trim())}\n`;
  }
}

function rest(links: readonly CheckOutcome[]): string {
  return links.length > SHOWN_LINKS ? `${INDENT}and ${links.length - SHOWN_LINKS} more of this site\n` : '';
}

function foldedLine(sites: MessageView['sites']): string {
  if (sites.length === 0) return '';
  const links = sites.reduce((sum, site) => sum + site.links.length, 0);
  return `\n${links} more links without findings, to ${sites.length} sites\n`;
}

function headLines(head: MailHead): string[] {
  const { subject, from, nameMismatch, replyTo, replyToIs, returnPath, returnPathIs, date, authentication } = head;
  const claims = (authentication?.results ?? []).map(
    ({ method, result, domain }) => `${method}=${result}${domain === null ? '' : ` (${domain})`}`,
  );
  const server = authentication?.server ?? 'the receiving server';
  return [
    ...(subject === null ? [] : [field('subject', subject)]),
    field('from', from.length === 0 ? 'not stated' : from.map(written).join(', ')),
    ...(nameMismatch
      ? [field('', `the name says ${nameMismatch.says}, but the address belongs to ${nameMismatch.goesTo}`)]
      : []),
    ...(replyTo.length === 0 ? [] : [field('reply-to', `${replyTo.map(written).join(', ')}${relation(replyToIs)}`)]),
    ...(returnPath === null
      ? []
      : [field('return-path', `${returnPath}${returnPathIs === 'other_site' ? relation(returnPathIs) : ''}`)]),
    ...(date === null ? [] : [field('date', date)]),
    field(
      'authentication',
      authentication === null
        ? 'no Authentication-Results header of a receiving server'
        : `${claims.join(', ') || 'none'}, according to ${server} in the message; may be forged`,
    ),
  ];
}

function field(name: string, value: string): string {
  return `${name.padEnd(INDENT.length - 1)} ${visibleInTerminal(value)}\n`;
}

function written({ name, address }: MailAddress): string {
  return name === '' ? address : `${name} <${address}>`;
}

function relation(is: AddressRelation | null): string {
  if (is === 'other_site') return ' (a different site than the sender)';
  return is === 'same_site' ? ' (a different address of the same site)' : '';
}
