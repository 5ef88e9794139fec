import { isLanguageTag, LANGUAGES, type LanguageTag } from '#src/core/languages/languages.ts';
import { displayName } from '#src/core/url/confusable.ts';
import type { Host } from '#src/core/url/host.ts';
import type { HttpReplacement } from '#src/parts/proxy/icap/icap-answer.ts';
import template from './block-page.template' with { type: 'text' };
import { blockPageTexts } from './block-page-texts.ts' with { type: 'macro' };

/** Content of the block page. Never a path or query: others may see the screen. */
export interface BlockPage {
  readonly host: Pick<Host, 'text'>;
  /** Cause: the spelling, a list of the operator, or a test of the gate in one of its modes. */
  readonly cause: 'suspicious' | 'listed' | 'test' | 'watchTest';
  /** Reasons for the verdict, the strongest first. */
  readonly reasons: readonly string[];
  /** Id of the record; null if there is none. */
  readonly requestId: string | null;
  /** Address for reporting a mistake; null if there is none. */
  readonly reportUrl: string | null;
  /** Path that opens the site anyway; null if that is not allowed. */
  readonly overridePath: string | null;
}

const TEXTS = blockPageTexts();

const MAX_REASONS = 3;

/** Returns one document without scripts, which loads nothing: the way to any other page may be closed. */
export function blockPage(page: BlockPage, acceptLanguage: string): string {
  const language = languageFor(acceptLanguage);
  const { headings, ...say } = TEXTS[language];
  const known: Readonly<Record<string, string>> = headings;
  const reasons = page.reasons.slice(0, MAX_REASONS).flatMap((code) => known[code] ?? []);
  const items = reasons.map((reason) => `<li>${escapeHtml(reason)}</li>`).join('');
  const link = (address: string, words: string) => `<a href="${escapeHtml(address)}">${words}</a>`;
  const parts: Readonly<Record<string, string>> = {
    language,
    direction: LANGUAGES[language].direction,
    title: say.title,
    host: escapeHtml(displayName(page.host.text)),
    verdict: say[page.cause],
    reasons: items && `<h2>${say.why}</h2><ul>${items}</ul>`,
    number: page.requestId ? `<p>${say.mistake} <code>${page.requestId}</code></p>` : '',
    report: page.reportUrl ? `<p>${link(page.reportUrl, say.report)}</p>` : '',
    override: page.overridePath ? `<p>${link(page.overridePath, say.override)}<br>${say.overrideNote}</p>` : '',
  };
  return template.replace(/\{(\w+)\}/g, (_, name: string) => parts[name] ?? '');
}

/** Returns the page as a response; an answer to HEAD has the head alone. */
export function blockResponse(
  page: BlockPage,
  { method, acceptLanguage }: { readonly method: string; readonly acceptLanguage: string },
): HttpReplacement {
  const body = new TextEncoder().encode(blockPage(page, acceptLanguage));
  return {
    status: '403 Forbidden',
    fields: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Length': String(body.length),
      // A proxy that stored it would hold a site back that was allowed meanwhile.
      'Cache-Control': 'no-store',
      'Content-Security-Policy':
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; frame-ancestors 'none'",
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
    },
    body: method === 'HEAD' ? null : body,
  };
}

/** Returns the first language of a reader that the page has; English if it has none of them. */
export function languageFor(acceptLanguage: string): LanguageTag {
  const tags = acceptLanguage
    .slice(0, 512)
    .split(',')
    .map((item) => {
      const [tag = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
      return { language: tag.split('-')[0] ?? '', quality: Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality);
  return tags.map(({ language }) => language).find(isLanguageTag) ?? 'en';
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
