import { expect, test } from 'bun:test';
import { cp, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { COMPONENTS } from '#src/engine/analyzers/index.ts';
import { parseAs } from '../../support/parse-as.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const ROOT = join(import.meta.dir, '../..');
const URL_CHECKED = 'http://wax.moon.example/';

const MOON_ANALYZER = `import type { Target } from '#src/core/url/target.ts';
import type { Analyzer } from './analyzer.ts';

/** Hears the moon in a host. */
export const moonAnalyzer: Analyzer<'moon', { readonly target: Target }, 'moon.in_host'> = {
  component: 'moon',
  features: ['moon.in_host'],
  analyze({ target: { host } }) {
    return { features: host.text.includes('moon') ? [{ name: 'moon.in_host', value: 1, message: 'the moon is up' }] : [], terms: [] };
  },
};
`;

/** The sources once more, in a folder that goes away, as they are for somebody who adds to them. */
async function copyOfSources() {
  const folder = temporaryDirectory();
  for (const name of ['src', 'test', 'drizzle', '.ci', 'package.json', 'tsconfig.json']) {
    await cp(join(ROOT, name), join(folder.path, name), { recursive: true });
  }
  await symlink(join(ROOT, 'node_modules'), join(folder.path, 'node_modules'));
  return {
    write: async (file: string, text: string) => void (await Bun.write(join(folder.path, file), text)),
    replace: async (file: string, from: string | RegExp, to: string) => {
      const text = await Bun.file(join(folder.path, file)).text();
      expect(text).toMatch(from);
      await Bun.write(join(folder.path, file), text.replace(from, to));
    },
    run: async (...args: string[]) => {
      const child = Bun.spawn([process.execPath, ...args], {
        cwd: folder.path,
        stdout: 'pipe',
        stderr: 'pipe',
        env: {},
      });
      const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
      return { stdout, stderr, exitCode };
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

const Result = Type.Object({
  analysis_details: Type.Object({
    individual_scores: Type.Record(Type.String(), Type.Union([Type.Number(), Type.Null()])),
    reasons: Type.Array(
      Type.Object({ component: Type.String(), code: Type.String(), message: Type.String(), weight: Type.Number() }),
    ),
  }),
});

test('a new analyzer is one file, one entry in the registry, and its weights', async () => {
  await using sources = await copyOfSources();
  await sources.write('src/analyzers/moon.ts', MOON_ANALYZER);
  await sources.replace('src/engine/analyzers/index.ts', /^/, "import { moonAnalyzer } from './moon.ts';\n");
  await sources.replace('src/engine/analyzers/index.ts', /\n\] as const/, '\n  moonAnalyzer,\n] as const');

  expect(await sources.run('x', 'tsc', '--noEmit')).toEqual({ stdout: '', stderr: '', exitCode: 0 });

  const check = ['src/main.ts', 'check', '--network', 'none', '--format', 'json', URL_CHECKED];
  const refused = await sources.run(...check);
  expect(refused).toMatchObject({ stdout: '', exitCode: 1 });
  expect(refused.stderr).toContain('moon.in_host');
  expect(refused.stderr).toContain('src/engine/models/fusion.json');

  await sources.replace(
    'src/engine/models/fusion.json',
    /"weights": \{/,
    '$&"moon.in_host": {"weight": 1.5, "source": "felt"},',
  );
  const { stdout, stderr } = await sources.run(...check);
  expect(stderr).toBe('');
  const { individual_scores, reasons } = parseAs(Result, JSON.parse(stdout)).analysis_details;
  expect(individual_scores['moon']).toBeCloseTo(1 / (1 + Math.exp(-1.5)), 12);
  expect(reasons).toContainEqual({ component: 'moon', code: 'moon.in_host', message: 'The moon is up.', weight: 1.5 });

  const document = (await sources.run('src/main.ts', 'openapi')).stdout;
  expect(document).toMatch(/"individual_scores":\s*\{[^}]*"moon":\s*null/);
  expect(document.match(new RegExp(`"${COMPONENTS.at(-1)}",\\s*"moon"`, 'g'))).toHaveLength(2);
});
