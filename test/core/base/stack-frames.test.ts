import { expect, test } from 'bun:test';
import { stackFrames } from '#src/core/base/logger.ts';

test('the frames of an error contain where it was thrown, and no part of its message', () => {
  for (const message of ['secret.example', 'first\n    at secret.example (line 1)', "$& $1 $' secret.example", '']) {
    const frames = stackFrames(new Error(message));
    expect(frames.join('\n')).toContain('stack-frames.test.ts');
    expect(frames.join('\n')).not.toContain('secret.example');
  }
});

test('a value that is not an error has no frames', () => {
  expect(stackFrames('secret.example')).toEqual([]);
});
