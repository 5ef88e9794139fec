import { expect, test } from 'bun:test';
import { COMMANDS } from '#src/interfaces/cli/registry.ts';
import { isPart, PARTS, type PartName } from '#src/service/manual/parts.ts';
import { TEXTS } from '#src/service/manual/texts.ts';
import { SCOPES } from '#src/admin/keys/api-key.ts';
import { headingIds, WRITTEN, withoutBlocks } from './written-manual.ts';

const parts: readonly PartName[] = Object.keys(PARTS).filter(isPart);

test('each part is a file of its name, and each file a part', () => {
  expect(parts.map(String).toSorted()).toEqual([...WRITTEN.keys()].toSorted());
  expect(parts.map((name) => TEXTS[name])).toEqual(parts.map((name) => WRITTEN.get(name) ?? ''));
});

test('no part has the name of a command, whose help stays its own', () => {
  expect(parts.filter((name) => ['topics', 'help', ...Object.keys(COMMANDS)].includes(name))).toEqual([]);
});

test('a part has one title at its top, and no heading leaves a level out', () => {
  for (const [name, text] of WRITTEN) {
    const levels = [...withoutBlocks(text).matchAll(/^(#+) /gm)].map(([, marks = '']) => marks.length);
    expect([name, levels[0], levels.filter((level) => level === 1).length]).toEqual([name, 1, 1]);
    expect(levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1)).toEqual([]);
    expect(headingIds(text)).toEqual([...new Set(headingIds(text))]);
  }
});

test('every link leads to a part, and to a heading that it has', () => {
  const wrong = [...WRITTEN].flatMap(([name, text]) =>
    [...withoutBlocks(text).matchAll(/\]\(([^)]*)\)/g)]
      .map(([, href = '']) => href)
      .filter((href) => {
        const [, part = name, , id] = /^(?:([a-z]+)\.md)?(#(.+))?$/.exec(href) ?? ['', '?'];
        const target = WRITTEN.get(part);
        return target === undefined || (id !== undefined && !headingIds(target).includes(id));
      })
      .map((href) => `${name}: ${href}`),
  );
  expect(wrong).toEqual([]);
});

test('each scope that a key may have is told', () => {
  const told = [...(WRITTEN.get('clients') ?? '').matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) =>
    cell.split(', ').map((scope) => scope.replaceAll('`', '')),
  );
  expect(told.toSorted()).toEqual([...SCOPES].toSorted());
});

test('every part can be come to from the one with which the manual begins', () => {
  const first = WRITTEN.get('operation') ?? '';
  expect(parts.filter((name) => name !== 'operation' && !first.includes(`](${name}.md`))).toEqual([]);
});

test('the configuration of HAProxy in the manual is the one that the system tests use', async () => {
  const shipped = await Bun.file('.ci/packaging/haproxy.cfg').text();
  expect(WRITTEN.get('fleet')).toContain(`\`\`\`haproxy\n${shipped}\`\`\``);
});
