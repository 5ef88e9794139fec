import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Browser } from 'playwright-core';
import type { PageForm } from '#src/network/html/document.ts';
import { isReadToEnd } from '#src/network/html/document.ts';
import type { PageVisit } from '#src/network/probes/page-visit.ts';
import { type ScriptServer, serveScript } from '#test/network/egress/script-server.ts';
import { visit } from './asked-for-password.ts';
import { type Shown, shownInChromium, withoutTail } from './shown-in-chromium.ts';
import { HONEST, HOSTILE, type ShownPage } from './shown-markup.ts';
import { SHOWN_PAGES } from './shown-pages.ts';
import { launchChromium } from './ui-browser.ts';

const HONEST_ADDRESS = '127.0.0.2';
const HOSTILE_ADDRESS = '127.0.0.3';
const ELSEWHERE = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>Elsewhere</title>Welcome';

let server: ScriptServer;
let browser: Browser;

beforeAll(async () => {
  const at = { address: '0.0.0.0', port: 0 };
  server = await serveScript((path, request) => Buffer.from(answerTo(path, request)), false, at);
  browser = await launchChromium('MAP * ~NOTFOUND , EXCLUDE 127.0.0.*');
});

afterAll(async () => {
  await browser.close();
  await server[Symbol.asyncDispose]();
});

/** Each page has a directory of its own; the two other sites, and where forms are sent, answer alike. */
function answerTo(path: string, request: string): Uint8Array | string {
  const isHere = /^host: 127\.0\.0\.1:/im.test(request);
  const row = isHere && /^\/\d+\/$/.test(path) ? SHOWN_PAGES[Number(path.slice(1, -1))] : undefined;
  return row ? answerOf(row) : ELSEWHERE;
}

function answerOf([, html, headers = {}, status = '200 OK']: ShownPage): Uint8Array {
  const fields = { 'Content-Type': 'text/html; charset=utf-8', ...headers };
  const lines = Object.entries(fields).filter(([, value]) => value !== '');
  const head = [`HTTP/1.1 ${status}`, ...lines.map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n');
  return Buffer.concat([
    Buffer.from(withAddresses(head)),
    typeof html === 'string' ? Buffer.from(withAddresses(html)) : html,
  ]);
}

function withAddresses(text: string): string {
  return text
    .replaceAll(new URL(HONEST).host, `${HONEST_ADDRESS}:${server.port}`)
    .replaceAll(new URL(HOSTILE).host, `${HOSTILE_ADDRESS}:${server.port}`);
}

/** Forms of which we say that a visitor sees them, and where they are sent. */
const isClaimed = ({ origin }: PageForm) => origin === 'page' || origin === 'shadow' || origin === 'srcdoc';
/** Forms of which only script could tell. */
const isPossible = ({ origin }: PageForm) => origin === 'written' || origin === 'template';
const asksForPassword = ({ fields }: PageForm) => fields.some(({ type }) => type === 'password');

/** What we claim and Chromium denies; empty where we agree, or say that we do not know. */
function disagreements(shown: Shown, seen: PageVisit | string): string[] {
  if (typeof seen === 'string') return shown.url === null ? [] : [`nothing is read: ${seen}`];
  if (seen.stopped !== null) return [];
  const { document } = seen;
  const mayLead = document?.refreshes.some(({ followed, url }) => followed === null && url === shown.url);
  if (mayLead) return [];
  if (shown.url === null) return document === null || isAttachment(seen) ? [] : ['a document that is not shown'];
  if (withoutTail(seen.finalUrl) !== shown.url) return [`another document: ${seen.finalUrl}`];
  if (seen.truncated || (document !== null && !isReadToEnd(document))) return [];
  if (document === null) return shown.asksForPassword ? ['no document'] : [];
  const asking = document.forms.filter(asksForPassword);
  const claimed = asking.filter(isClaimed);
  const found: string[] = [];
  if ((document.title ?? '') !== shown.title) found.push(`another title: ${document.title}`);
  if (!shown.asksForPassword && claimed.length > 0) found.push('a form that is not shown');
  if (shown.asksForPassword && claimed.length === 0 && !asking.some(isPossible)) found.push('no form');
  const places = claimed.flatMap(({ action, buttonActions }) => [action, ...buttonActions]);
  const isUnknown = places.includes(null) || asking.some(isPossible);
  const known = places.flatMap((place) => (place === null ? [] : withoutTail(place)));
  if (shown.postsTo !== null && !isUnknown && !known.includes(shown.postsTo)) found.push(`sent to ${known}`);
  if (shown.asksForPassword && shown.postsTo === null && !isUnknown) found.push(`sent to ${known}, not to nowhere`);
  return found;
}

function isAttachment({ headers }: PageVisit): boolean {
  return /^attachment/i.test(headers['content-disposition'] ?? '');
}

test.each(SHOWN_PAGES.map(([name], row) => [name, row] as const))(
  '%s: the page probe reads what Chromium shows',
  async (_, row) => {
    const url = `http://127.0.0.1:${server.port}/${row}/`;
    const shown = await shownInChromium(browser, url);
    const seen = await visit(url);
    expect({ shown, disagreements: disagreements(shown, seen) }).toEqual({ shown, disagreements: [] });
  },
);

test('at least 120 pages are tested, each with a unique name', () => {
  expect(new Set(SHOWN_PAGES.map(([name]) => name)).size).toBe(SHOWN_PAGES.length);
  expect(SHOWN_PAGES.length).toBeGreaterThanOrEqual(120);
});
