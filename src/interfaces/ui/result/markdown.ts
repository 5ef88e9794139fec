import type { Locale } from '../shell/locale.ts';
import type { ShownResult } from './shown-result.ts';
import { labelled, summaryOf } from './summary.ts';

/** The same as a ticket, as Markdown (CommonMark, GitHub's extensions included) in which untrusted text stays text. */
export function markdownText(shown: ShownResult, locale: Locale): string {
  const { verdict, url, leadsTo, notes, reasons, checked } = summaryOf(shown, locale);
  const { request_id } = shown.result;
  return [
    `**${escaped(verdict)}**`,
    '',
    `- ${escaped(labelled(locale, 'component.url', ''))}${codeSpan(url)}`,
    ...(leadsTo === null ? [] : [`- ${escaped(labelled(locale, 'result.leadsTo', ''))}${codeSpan(leadsTo)}`]),
    ...notes.map((note) => `- ${escaped(note)}`),
    `- ${escaped(labelled(locale, 'result.reasons', '').trimEnd())}`,
    ...reasons.map((reason) => `  - ${escaped(reason)}`),
    '',
    escaped(`${checked} · ${labelled(locale, 'meta.id', request_id)}`),
  ].join('\n');
}

/** Every character that Markdown, or a program that makes links of addresses, could take for more than itself. */
function escaped(text: string): string {
  return text.replace(/[\\`*_{}[\]()#<>!|~&:@]|\.(?=\S)|^[-+=]/g, (found) => `\\${found}`);
}

/** Text between more backticks than it holds in a row. */
function codeSpan(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${text}${pad}${fence}`;
}
