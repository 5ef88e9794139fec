import { expect, test } from 'bun:test';
import { SCOPES } from '#src/admin/keys/api-key.ts';
import { COMMANDS } from '#src/interfaces/cli/registry.ts';
import { isPart, PARTS, type PartName } from '#src/service/manual/parts.ts';
import { TEXTS } from '#src/service/manual/texts.ts';
import { headingIds, WRITTEN, withoutBlocks } from './written-manual.ts';

const parts: readonly PartName[] = Object.keys(PARTS).filter(isPart);

test('has one file per part', () => {
  expect(parts.map(String).toSorted()).toEqual([...WRITTEN.keys()].toSorted());
  expect(parts.map((name) => TEXTS[name])).toEqual(parts.map((name) => WRITTEN.get(name) ?? ''));
});

test('no part has the name of a command', () => {
  expect(parts.filter((name) => ['topics', 'help', ...Object.keys(COMMANDS)].includes(name))).toEqual([]);
});

test('starts each part with one title and skips no heading level', () => {
  for (const [name, text] of WRITTEN) {
    const levels = [...withoutBlocks(text).matchAll(/^(#+) /gm)].map(([, marks = '']) => marks.length);
    expect([name, levels[0], levels.filter((level) => level === 1).length]).toEqual([name, 1, 1]);
    expect(levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1)).toEqual([]);
    expect(headingIds(text)).toEqual([...new Set(headingIds(text))]);
  }
});

test('links only to existing parts and headings', () => {
  const wrong = [...WRITTEN].flatMap(([name, text]) =>
    [...withoutBlocks(text).matchAll(/\]\(([^)]*)\)/g)]
      .map(([, href = '']) => href)
      .filter((href) => {
        const [, part = name, , id] = /^(?:([a-z-]+)\.md)?(#(.+))?$/.exec(href) ?? ['', '?'];
        const target = WRITTEN.get(part);
        return target === undefined || (id !== undefined && !headingIds(target).includes(id));
      })
      .map((href) => `${name}: ${href}`),
  );
  expect(wrong).toEqual([]);
});

test('documents each scope of an API key', () => {
  const documented = [...(WRITTEN.get('clients') ?? '').matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) =>
    cell.split(', ').map((scope) => scope.replaceAll('`', '')),
  );
  expect(documented.toSorted()).toEqual([...SCOPES].toSorted());
});

test('the first part links to every other part', () => {
  const first = WRITTEN.get('operation') ?? '';
  expect(parts.filter((name) => name !== 'operation' && !first.includes(`](${name}.md`))).toEqual([]);
});
