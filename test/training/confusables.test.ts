import { expect, test } from 'bun:test';
import { deriveConfusables } from '#src/training/facts/confusables.ts';

const SAMPLE = `# confusables.txt
0430 ;\t0061 ;\tMA\t# ( а → a ) CYRILLIC SMALL LETTER A
0391 ;\t0041 ;\tMA\t# ( Α → A ) a capital never stands in a host
FF41 ;\t0061 ;\tMA\t# ( ａ → a ) the URL parser maps this one itself
006D ;\t0072 006E ;\tMA\t# ( m → rn ) both ASCII
0153 ;\t006F 0065 ;\tMA\t# ( œ → oe )
0138 ;\t043A ;\tMA\t# ( ĸ → к ) reads as k, since к does
4E00 ;\t30FC ;\tMA\t# ( 一 → ー ) no ASCII
`;

test('keeps only characters of hosts that read as ASCII', () => {
  const { entries } = JSON.parse(deriveConfusables(Bun.gzipSync(new TextEncoder().encode(SAMPLE))));
  expect(entries.a).toBe('аᴀ');
  expect(entries.oe).toBe('œɶ');
  expect(entries.k).toBe('ĸκкᴋ');
  expect(Object.values<string>(entries).join('')).not.toMatch(/[Αａm一]/);
});
