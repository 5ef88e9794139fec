import { describe, expect, test } from 'bun:test';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createLogger } from '#src/base/logger.ts';
import { defaultsOf } from '#src/base/setting.ts';
import { SettingsError } from '#src/base/settings-error.ts';
import { type Config, SETTINGS } from '#src/program/config.ts';
import { NO_LOG, openEngine } from '#src/program/engine.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

/** What the engine finds wrong with settings; nothing where it opens. */
async function problemsOf(settings: Partial<Config>): Promise<readonly string[]> {
  const config = { ...defaultsOf(SETTINGS), network: 'none', ...settings } as const;
  const logger = createLogger('error', () => {});
  try {
    await using _engine = await openEngine(config, NO_LOG, logger);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
}

describe('a setting that names a file', () => {
  test('is told in a sentence why the file cannot be read or understood, all such at once', async () => {
    await using directory = await temporaryDirectory();
    const at = (name: string) => join(directory.path, name);
    await Bun.write(at('wrong.txt'), 'ok.example\nhxxp://evil.example\n');
    expect(
      await problemsOf({
        block_list: [at('none.txt'), at('wrong.txt')],
        allow_list: [directory.path],
        egress_ca: at('wrong.txt'),
      }),
    ).toEqual([
      `egress_ca is "${at('wrong.txt')}", which holds no certificate in PEM form`,
      `block_list is "${at('none.txt')}", which does not exist`,
      expect.stringMatching(
        /^block_list is ".+wrong\.txt", which has lines that are no host or URL:\nline 2: "hxxp:.+defanged/,
      ),
      `allow_list is "${directory.path}", which is a folder`,
    ]);
  });

  test('may name one that cannot be read for another reason', async () => {
    await using directory = await temporaryDirectory();
    const at = (name: string) => join(directory.path, name);
    await symlink(at('round'), at('round'));
    expect(await problemsOf({ block_list: [at('round')] })).toEqual([
      `block_list is "${at('round')}", which cannot be read (ELOOP)`,
    ]);
  });

  test('refuses authorities of which one is damaged', async () => {
    await using directory = await temporaryDirectory();
    const path = join(directory.path, 'authorities.pem');
    await Bun.write(path, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
    expect(await problemsOf({ egress_ca: path })).toEqual([
      `egress_ca is "${path}", which holds 1 in PEM form, of which number 1 is no certificate`,
    ]);
  });
});
