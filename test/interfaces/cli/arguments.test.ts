import { describe, expect, test } from 'bun:test';
import { readArguments } from '#src/interfaces/cli/arguments.ts';
import { UsageError } from '#src/interfaces/cli/command.ts';
import { checkCommand } from '#src/interfaces/cli/commands/check.ts';
import { serveCommand } from '#src/interfaces/cli/commands/serve.ts';

/** The values that `serve` is given, or why it is not. */
function serve(line: string): Record<string, readonly string[]> | string {
  try {
    return Object.fromEntries(readArguments(serveCommand, line.split(' ')).values);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}

describe('a switch', () => {
  test.each([
    ['--public-history', 'true'],
    ['--no-public-history', 'false'],
    ['--public-history=false', 'false'],
    ['--public-history false', 'false'],
    ['--public-history true', 'true'],
    // Refused by the setting, which names the words that it takes.
    ['--public-history yes', 'yes'],
  ])('is set by %s', (line, value) => {
    expect(serve(line)).toEqual({ 'public-history': [value] });
  });

  test('takes no value if its name already determines the value', () => {
    expect(serve('--no-public-history=true')).toBe('--no-public-history takes no value');
    expect(serve('--quiet=yes')).toBe('--quiet takes no value');
  });
});

test('a value is the argument after its flag, even if it begins with a dash', () => {
  expect(serve('--rate-limit -1')).toEqual({ 'rate-limit': ['-1'] });
  expect(serve('--rate-limit=-1')).toEqual({ 'rate-limit': ['-1'] });
  expect(serve('--host a.example --host b.example')).toEqual({ host: ['a.example', 'b.example'] });
  expect(serve('--rate-limit')).toBe('--rate-limit needs a value: a whole number from 0');
  expect(serve('--rate-limit --quiet')).toBe('--rate-limit needs a value: a whole number from 0');
});

test('an unknown flag is reported as it was written, with a suggestion', () => {
  expect(serve('--rate-limt 5')).toBe('unknown flag --rate-limt; did you mean --rate-limit?');
  expect(serve('-x')).toBe('unknown flag -x');
  expect(serve('here')).toBe('serve takes no operand: unexpected "here"');
});

test('-h is help, and an argument after -- is not a flag', () => {
  expect(serve('-h')).toEqual({ help: ['true'] });
  expect(readArguments(checkCommand, ['--', '--help']).positionals).toEqual(['--help']);
  expect(readArguments(checkCommand, ['-', '-q']).positionals).toEqual(['-']);
});
