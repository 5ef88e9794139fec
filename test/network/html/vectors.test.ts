import { describe, expect, test } from 'bun:test';
import { decodeHtml } from '#src/network/html/charset.ts';
import type { PageDocument } from '#src/network/html/document.ts';
import { readPage } from '#src/network/html/read-page.ts';
import { pageSyntax } from '#src/network/html/sniff.ts';
import { cpuMs } from '#test/support/cpu-time.ts';
import file from '../../vectors/html.json' with { type: 'json' };

const BODY_CAP_BYTES = 2 * 1024 * 1024;
const URL_OF_PAGE = 'https://page.example/dir/';
const utf8 = new TextEncoder();

interface Part {
  text?: string;
  repeat?: string;
  n?: number;
  attrs?: number;
  links?: number;
}

interface Vector {
  id: string;
  group: string;
  parts?: Part[];
  html?: string;
  bytesBase64?: string;
  contentType?: string | null;
  expect: {
    maxMs?: number;
    see?: Record<string, unknown>;
    encoding?: string;
    title?: string | null;
    html?: boolean;
  };
}

const vectors: readonly Vector[] = file.vectors;

function build(parts: readonly Part[]): Uint8Array {
  const text = parts
    .map((part) => {
      if (part.repeat !== undefined) return part.repeat.repeat(part.n ?? 0);
      if (part.attrs !== undefined) return Array.from({ length: part.attrs }, (_, i) => `a${i}=1 `).join('');
      return part.text ?? '';
    })
    .join('');
  return utf8.encode(text).subarray(0, BODY_CAP_BYTES);
}

/** What a standard parser without scripting sees: neither templates nor what scripts write. */
function seen(page: PageDocument): Record<string, unknown> {
  return {
    title: page.title,
    base: page.base,
    links: page.links.map((link) => link.href),
    refresh: page.refreshes.map((refresh) => refresh.content),
    iframes: page.frames.map((frame) => frame.source),
    scripts: page.scripts.inlineCount,
    forms: page.forms
      .filter((form) => form.element && (form.origin === 'page' || form.origin === 'noscript'))
      .map((form) => ({
        action: form.actionAttribute,
        password: form.fields.some((field) => field.type === 'password'),
      })),
  };
}

describe('a hostile page is read within its budget', () => {
  const stress = vectors.filter((vector) => vector.group === 'stress');
  test.each(stress.map((vector) => [vector.id, vector] as const))('%s', (_, vector) => {
    const bytes = build(vector.parts ?? []);
    let page: PageDocument | undefined;
    const read = () => {
      page = readPage(bytes, { contentType: 'text/html; charset=utf-8', url: URL_OF_PAGE });
    };
    const { maxMs = 0 } = vector.expect;
    expect(cpuMs(read, maxMs)).toBeLessThan(maxMs);
    expect(JSON.stringify(page).length).toBeLessThan(1024 * 1024);
  });
});

describe('a page has the same elements as in a browser', () => {
  const semantics = vectors.filter((vector) => vector.group === 'semantics');
  test.each(semantics.map((vector) => [vector.id, vector] as const))('%s', (_, vector) => {
    const bytes = utf8.encode(vector.html);
    expect(seen(readPage(bytes, { contentType: 'text/html; charset=utf-8', url: URL_OF_PAGE }))).toMatchObject(
      vector.expect.see ?? {},
    );
  });
});

describe('bytes are decoded according to the Encoding Standard', () => {
  const charset = vectors.filter((vector) => vector.group === 'charset');
  test.each(charset.map((vector) => [vector.id, vector] as const))('%s', (_, vector) => {
    const bytes = Uint8Array.fromBase64(vector.bytesBase64 ?? '');
    const contentType = vector.contentType ?? null;
    const { encoding, title, html } = vector.expect;
    expect(pageSyntax(bytes, contentType) !== null).toBe(html ?? true);
    if (html === false) return;
    const page = readPage(bytes, { contentType, url: URL_OF_PAGE });
    if (encoding !== undefined && encoding !== 'any') expect(page.encoding).toBe(encoding);
    if (title !== undefined) expect(page.title).toBe(title);
    expect(decodeHtml(bytes, contentType).text.isWellFormed()).toBe(true);
  });
});

test('every group of vectors has a test', () => {
  const groups = new Set(vectors.map((vector) => vector.group));
  expect([...groups].sort()).toEqual(['charset', 'semantics', 'stress']);
  expect(vectors.length).toBe(file.count);
});
