import { expect, test } from 'bun:test';
import { visibleText } from '#src/interfaces/ui/elements/visible-text.ts';
import injection from '#test/vectors/output-injection.json' with { type: 'json' };

test('plain text in any script stays unchanged', () => {
  for (const text of ['Log in', 'Überweisung', 'ログイン', 'שלום', '👨‍👩‍👧', 'می‌خواهم', '<b>&amp;</b>']) {
    expect(visibleText(text)).toBe(text);
  }
});

test('replaces invisible and bidirectional control characters with their names', () => {
  expect(visibleText('a\u202efdp.exe')).toBe('a[U+202E]fdp.exe');
  expect(visibleText('a\nb\u001b[2J')).toBe('a␊b␛[2J');
  expect(visibleText('\ufeffpaypal\u200b.com\u2028')).toBe('[U+FEFF]paypal[U+200B].com[U+2028]');
  expect(visibleText('\ud800')).toBe('\ufffd');
});

test('removes control characters, bidirectional overrides and lone surrogates from every hostile payload', () => {
  for (const { payload } of injection.vectors) {
    expect(visibleText(payload)).not.toMatch(/[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u);
    expect(visibleText(payload).length).toBeLessThan(12_010);
  }
});

test('truncates a long text and appends an ellipsis', () => {
  expect(visibleText('x'.repeat(5000), 100)).toBe(`${'x'.repeat(100)}…`);
});
