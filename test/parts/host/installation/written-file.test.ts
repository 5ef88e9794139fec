import { describe, expect, test } from 'bun:test';
import { compareWritten, isUnmodified, stamped } from '#src/parts/host/installation/plan-install.ts';

const TEXT = '[Service]\nWatchdogSec=60\n';

describe('a file that an installation wrote', () => {
  test('is the same if its text is equal, with or without the stamp in its last line', () => {
    expect(compareWritten(null, TEXT)).toBe('missing');
    expect(compareWritten(stamped(TEXT), TEXT)).toBe('same');
    expect(compareWritten(TEXT, TEXT)).toBe('same');
  });

  test('is older if another version wrote it and it was not edited', () => {
    expect(compareWritten(stamped('[Service]\n'), TEXT)).toBe('older');
    expect(isUnmodified(stamped(''))).toBe(true);
  });

  test('is changed if any byte differs', () => {
    const written = stamped(TEXT);
    for (let at = 0; at < written.length; at++) {
      const changed = `${written.slice(0, at)}~${written.slice(at + 1)}`;
      expect([at, compareWritten(changed, '[Unit]\n')]).toEqual([at, 'changed']);
    }
    for (const changed of [`${written}\n`, `\n${written}`, `${written}${written}x`, '', TEXT]) {
      expect(compareWritten(changed, '[Unit]\n')).toBe('changed');
    }
  });
});
