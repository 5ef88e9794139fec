import { expect, test } from 'bun:test';
import { readTexts } from '#src/core/languages/read-texts.ts';
import { createFormats } from '#src/interfaces/ui/elements/format.ts';
import { createSpeaker } from '#src/interfaces/ui/languages/speak.ts';
import { markdownText } from '#src/interfaces/ui/result/summary.ts';
import { sampleResult } from './sample-result.ts';

const LOCALE = { say: createSpeaker('en', readTexts().en.page, 'en'), format: createFormats('en') };

test('the Markdown of a result contains no active link and no markup from third parties', () => {
  const hostile = '[x](https://evil.example) <b>*y*</b> ![z](//evil.example) www.evil.example `code`';
  const { analysis_details: details, ...rest } = sampleResult();
  const result = {
    ...rest,
    analysis_details: {
      ...details,
      normalized_url: 'http://evil.example/?a=``b``&[x](https://y.example)',
      reasons: [{ component: 'page', code: 'page.unknown', message: hostile, args: {}, weight: 2 }] as const,
    },
  };
  const shown = { result: result as never, signature: null, isPrivate: false, mismatch: null };
  const text = markdownText(shown, LOCALE);
  const [line = ''] = text.split('\n').filter((one) => one.startsWith('- Link'));
  expect(line).toBe('- Link\\: ```hxxp://evil[.]example/?a=``b``&[x](https://y.example)```');
  const unescaped = text
    .replace(line, '')
    .replace(/`[^`]*`(?!`)/g, '')
    .replace(/\\./g, '');
  expect(unescaped).toContain('evil');
  expect(unescaped.replace(/\*\*/g, '').replace(/^ *- /gm, '')).not.toMatch(/[[\]()<>`*_]|:\/|www\./);
});
