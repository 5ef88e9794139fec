import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCertificateAuthority } from '#test/support/certificate-authority.ts';
import { lurecheck } from '#test/support/executable.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { codeIn, WRITTEN } from '../service/manual/written-manual.ts';

const settings = [...WRITTEN]
  .flatMap(([part, text]) => codeIn(part, text))
  .filter(({ language }) => language === 'toml')
  .map(({ part, text }) => [part, text] as const);

test.each(settings)('the settings that %p shows are valid', async (_part, text) => {
  await using directory = temporaryDirectory();
  const file = join(directory.path, 'lurecheck.toml');
  // Files with URLs and keys are where the manual has them on a node, not here.
  const readable = text.replaceAll(
    /(?<=file:|client_key_file = "|tls_\w+ = ")\/etc\/(?:lurecheck|ssl\/check\.example)\/([\w.-]+)/g,
    (_, name: string) => {
      const path = join(directory.path, name);
      writeFileSync(path, contentOf(name), { mode: 0o600 });
      return path;
    },
  );
  await Bun.write(file, readable);
  const { exitCode, stderr } = await lurecheck(['config', 'check', '--config', file]);
  expect([exitCode, stderr]).toEqual([0, '']);
});

const PAIR = createCertificateAuthority(Date.now()).issue({ subject: 'check.example' });

function contentOf(name: string): string {
  if (name === 'chain.pem') return PAIR.pem;
  if (name === 'key.pem') return PAIR.keyPem;
  if (name === 'zone.key') return `zone.example:${btoa('k'.repeat(32))}`;
  if (name.endsWith('.key')) return 'k'.repeat(32);
  if (name.startsWith('webhook')) return `whsec_${'k'.repeat(40)}`;
  return name.includes('limiter') ? 'redis://127.0.0.1:1' : `postgres://a:b@127.0.0.1:1/${name}`;
}

test('help prints the manual, with colours only for a terminal or on request', async () => {
  const { stdout, exitCode } = await lurecheck(['help', 'alerts']);
  expect([exitCode, stdout.includes('\u001b')]).toEqual([0, false]);
  expect(stdout).toStartWith('Alerts\n======\n');
  expect((await lurecheck(['help', 'alerts'], { environment: { FORCE_COLOR: '1' } })).stdout).toContain('\u001b[');
  expect((await lurecheck(['help', '--color', 'always', 'alerts'])).stdout).toContain('\u001b[');
  const { stdout: topics } = await lurecheck(['help', 'topics']);
  expect([...WRITTEN.keys()].filter((part) => !topics.includes(`  help ${part} `))).toEqual([]);
});
