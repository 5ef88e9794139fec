import { expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findInstallation } from '#src/core/base/files/installation.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const CONFIG = 'etc/lurecheck/lurecheck.toml';
const ENVIRONMENT = 'etc/lurecheck/environment';

test.each([
  ['no service', {}, null],
  ['a settings file', { [CONFIG]: '' }, { config: CONFIG, environment: {} }],
  [
    'an environment that names another file',
    { [ENVIRONMENT]: 'LURECHECK_CONFIG=/srv/a.toml\n' },
    { config: '/srv/a.toml' },
  ],
  ['a unit of an administrator', { 'etc/systemd/system/lurecheck.service': '' }, { config: null, environment: {} }],
  ['a unit of a package', { 'usr/lib/systemd/system/lurecheck.service': '' }, { config: null, environment: {} }],
  ['a script of OpenRC', { 'etc/init.d/lurecheck': '' }, { config: null, environment: {} }],
  [
    'a unit with variables alone',
    { 'lib/systemd/system/lurecheck.service': '', [ENVIRONMENT]: 'LURECHECK_RATE_LIMIT="7"\n' },
    { config: null, environment: { LURECHECK_RATE_LIMIT: '7' } },
  ],
])('commands find %s', async (_, files, found) => {
  await using directory = temporaryDirectory();
  for (const [path, text] of Object.entries<string>(files)) {
    mkdirSync(dirname(join(directory.path, path)), { recursive: true });
    writeFileSync(join(directory.path, path), text);
  }
  const config = found?.config === CONFIG ? join(directory.path, CONFIG) : found?.config;
  if (found === null) expect(findInstallation(directory.path)).toBeNull();
  else expect(findInstallation(directory.path)).toMatchObject({ ...found, config: config ?? null });
});
