import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { problemsOfEngine } from './engine-problems.ts';

describe('a setting that names a file', () => {
  test('reports why the file cannot be read or parsed, together with all such problems', async () => {
    await using directory = await temporaryDirectory();
    const at = (name: string) => join(directory.path, name);
    await Bun.write(at('wrong.txt'), 'ok.example\nhxxp://evil.example\n');
    expect(
      await problemsOfEngine({
        block_list: [at('none.txt'), at('wrong.txt')],
        allow_list: [directory.path],
        egress_ca: at('wrong.txt'),
      }),
    ).toEqual([
      `egress_ca is "${at('wrong.txt')}", which holds no certificate in PEM form`,
      `block_list is "${at('none.txt')}", which does not exist`,
      expect.stringMatching(
        /^block_list is ".+wrong\.txt", which has lines that are neither a host nor a URL:\nline 2: "hxxp:.+defanged/,
      ),
      `allow_list is "${directory.path}", which is a folder`,
    ]);
  });

  test('refuses a CA file in which one certificate is damaged', async () => {
    await using directory = await temporaryDirectory();
    const path = join(directory.path, 'authorities.pem');
    await Bun.write(path, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
    expect(await problemsOfEngine({ egress_ca: path })).toEqual([
      `egress_ca is "${path}", which holds 1 in PEM form, of which number 1 is no certificate`,
    ]);
  });
});
