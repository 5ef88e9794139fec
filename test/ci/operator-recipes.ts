import type { Recipe } from './recipe.ts';

/** A setting. */
export const setting: Recipe = {
  async begin(copy) {
    await copy.replace(
      'src/checks/check/settings.ts',
      /CHECK_SETTINGS = \{/,
      "$&\n  moon_phase: setting(CHECKING, wholeNumber(1), 4, 'Phase of the moon during a check.'),",
    );
  },
  asked: [],
};

/** A command. */
export const command: Recipe = {
  async begin(copy) {
    await copy.write(
      'src/interfaces/cli/commands/moon.ts',
      `import type { Command } from '../command.ts';

/** \`lurecheck moon\` */
export const moonCommand: Command<'moon'> = {
  name: 'moon',
  operands: '',
  summary: 'print the moon',
  options: {},
  examples: [
    { line: 'lurecheck moon', purpose: 'Print the moon.' },
    { line: 'lurecheck moon > moon.txt', purpose: 'Print it to a file.' },
  ],
  async run(_invocation, io) {
    await io.stdout.write('moon\\n');
    return 0;
  },
};
`,
    );
    const registry = 'src/interfaces/cli/registry.ts';
    const line = "  moon: async () => (await import('./commands/moon.ts')).moonCommand,\n";
    await copy.replace(registry, / {2}version: async/, `${line}$&`);
    await copy.replace(registry, /\['verify', 'about', /, "$&'moon', ");
  },
  asked: [],
};

/** A thing that an operator can do. */
export const act: Recipe = {
  async begin(copy) {
    await copy.write(
      'src/parts/lists/moon-acts.ts',
      `import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import type { OperatorAct } from '#src/admin/audit/act.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { replaceFile } from '#src/core/base/files/locked-file.ts';

/** Input of an act on the moon. */
export const MoonPhaseSchema = Type.Object(
  { phase: Type.Integer({ description: 'Phase of the moon, from 0' }) },
  { $id: 'MoonPhase', additionalProperties: false, description: 'A phase of the moon' },
);

/** Sets the phase of the moon. */
export const SET_MOON: OperatorAct<number, number, void> = {
  name: 'moon.set',
  scope: 'admin',
  input: MoonPhaseSchema,
  files: [],
  async prepare(phase) {
    if (phase >= 0 && phase < 8) return phase;
    throw new OperationError('moon_refused', [\`the moon has no phase \${phase}: expected 0 to 7\`]);
  },
  audit: (phase) => ({ subject: null, detail: { phase } }),
  commit: (phase, { dataDir }) => replaceFile(join(dataDir, 'moon.txt'), \`\${phase}\`),
};
`,
    );
    await copy.write(
      'test/parts/lists/moon-acts.test.ts',
      `import { expect, test } from 'bun:test';
import { perform } from '#src/admin/audit/act.ts';
import { SET_MOON } from '#src/parts/lists/moon-acts.ts';
import { auditLines } from '#test/support/audit-lines.ts';
import { ownPlace } from '#test/support/own-place.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

test('a phase of the moon is recorded, one that it has not is refused', async () => {
  await using directory = temporaryDirectory();
  const place = ownPlace(directory.path);
  await perform(SET_MOON, place, { key: 'desk' }, 3);
  const refused = perform(SET_MOON, place, { key: 'desk' }, 8);
  await expect(refused).rejects.toMatchObject({ errorCode: 'moon_refused' });
  expect(auditLines(directory.path)).toEqual([{ action: 'moon.set', subject: null, detail: { phase: 3 } }]);
});
`,
    );
  },
  asked: ['src/parts/lists/moon-acts.ts'],
  async finish(copy) {
    await copy.replace(
      'src/core/base/errors/error-table.ts',
      / {2}feedback_refused:/,
      "  moon_refused: { problem: 'conflict', exit: 1 },\n$&",
    );
  },
};
