import { describe, expect, test } from 'bun:test';
import { partForTerminal } from '#src/service/manual/terminal.ts';
import { codeIn, WRITTEN, withoutBlocks } from './written-manual.ts';

const plain = (text: string, columns = 80) => partForTerminal(text, { columns, isColoured: false });

test('wraps every part at 80 characters, without escape sequences', () => {
  for (const [name, text] of WRITTEN) {
    const lines = plain(text).split('\n');
    expect([name, lines.filter((line) => Bun.stringWidth(line) > 80)]).toEqual([name, []]);
    expect(lines.filter((line) => line.includes('\u001b'))).toEqual([]);
  }
});

test('shows code unchanged except for its indentation', () => {
  for (const [part, text] of WRITTEN) {
    const shown = plain(text).split('\n');
    const lines = codeIn(part, text).flatMap(({ text: code, language }) => (language === null ? [] : code.split('\n')));
    expect(lines.filter((line) => line !== '' && !shown.includes(`    ${line}`))).toEqual([]);
  }
});

test('breaks no inline code across lines of the source', () => {
  const isBroken = (line: string) => (line.match(/`/g) ?? []).length % 2 === 1;
  for (const [name, text] of WRITTEN) {
    expect([name, withoutBlocks(text).split('\n').filter(isBroken)]).toEqual([name, []]);
  }
});

describe('a part for a terminal', () => {
  const text =
    '# Title\n\n<!-- made -->\n\nSee [the others](alerts.md#lurecheckdown), [below](#here) and `a --flag`.\n\n```sh\na [b](c.md) `d`\n```\n\nEnd.\n';

  test('replaces a link by the command that shows its target, except in code', () => {
    expect(plain(text)).toBe(
      'Title\n=====\n\nSee the others (lurecheck help alerts), below and `a --flag`.\n\n    a [b](c.md) `d`\n\nEnd.\n',
    );
  });

  test('has the same text with colours', () => {
    const coloured = partForTerminal(text, { columns: 80, isColoured: true });
    expect(coloured).toContain('\u001b[');
    expect(Bun.stripANSI(coloured).replaceAll('═', '=')).toBe(plain(text).replaceAll(/`(a --flag)`/g, '$1'));
  });

  test('uses the width of the terminal, at most 100 characters', () => {
    const long = `# T\n\n${'word '.repeat(100)}\n`;
    const widest = (columns: number) =>
      Math.max(
        ...plain(long, columns)
          .split('\n')
          .map((line) => line.length),
      );
    expect([widest(40) <= 40, widest(40) > 30, widest(1000) <= 100, widest(1000) > 90]).toEqual(Array(4).fill(true));
  });
});
