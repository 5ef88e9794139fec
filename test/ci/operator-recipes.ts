import { LANGUAGES } from '#src/core/languages/languages.ts';
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

/** A part with a setting, a condition and a route. */
export const part: Recipe = {
  async begin(copy) {
    await copy.write(
      'src/parts/tide/settings.ts',
      `import { setting } from '#src/core/base/settings/setting.ts';
import { booleanValue } from '#src/core/base/settings/setting-kind.ts';

/** Settings of the tide. */
export const TIDE_SETTINGS = {
  tables: { Pages: { tide: setting(['serve'], booleanValue, false, 'Tell the tide at /api/tide.') } },
  rules: [],
};
`,
    );
    await copy.write(
      'src/parts/tide/open-tide.ts',
      `import type { OpenedPart } from '#src/app/parts/service.ts';
import { notice } from '#src/core/base/text/condition.ts';

/** An open tide. */
export interface OpenedTide extends OpenedPart {
  /** True if it is high. */
  readonly isHigh: boolean;
}

/** Opens the tide, which is high. */
export function openTide(): OpenedTide {
  return {
    isHigh: true,
    notices: () => [notice('tide_high', 'The tide is high.')],
    [Symbol.asyncDispose]: async () => {},
  };
}
`,
    );
    await copy.write(
      'src/parts/tide/tide-route.ts',
      `import { Type } from '@sinclair/typebox';
import { answer } from '#src/service/server/http/answer.ts';
import { refusals } from '#src/service/server/http/refusals.ts';
import { ownHost, type SiteParts } from '#src/service/server/http/request-site.ts';
import { routesWith } from '#src/service/server/http/routes-with.ts';

export const TideSchema = Type.Object(
  { high: Type.Boolean({ description: 'True if it is high' }) },
  { $id: 'Tide', description: 'The tide' },
);

export interface TideRouteParts extends Pick<SiteParts, 'isOwnHost'> {
  readonly isHigh: () => boolean;
}

/** \`GET /api/tide\`: the tide. */
export const tideRoute = routesWith<TideRouteParts>()
  .onTransform(ownHost)
  .get('/api/tide', ({ service }) => ({ high: service.isHigh() }), {
    response: {
      200: answer(TideSchema, { description: 'The tide.', example: { high: true } }),
      ...refusals('invalid_parameter', 'misdirected', 'internal'),
    },
    detail: { operationId: 'readTide', tags: ['Health'], summary: 'Is the tide high?', description: 'The tide.' },
  });
`,
    );
    await copy.write(
      'src/parts/tide/part.ts',
      `import type { PartRoutes } from '#src/app/parts/service.ts';
import { definePart } from '#src/parts/define-part.ts';
import type { OpenedTide } from './open-tide.ts';
import { TIDE_SETTINGS } from './settings.ts';

const TIDE_ROUTES = {
  heads: ['GET /api/tide'],
  load: async () => (await import('./tide-route.ts')).tideRoute,
  own: ({ opened }) => ({ isHigh: () => opened()?.isHigh ?? false }),
} as const satisfies PartRoutes<OpenedTide>;

/** The tide. */
export const tidePart = definePart({
  name: 'tide',
  settings: TIDE_SETTINGS,
  conditions: ['tide_high'],
  isOn: ({ tide }) => tide,
  open: async () => (await import('./open-tide.ts')).openTide(),
  routes: [TIDE_ROUTES],
});
`,
    );
    await copy.write(
      'test/parts/tide/tide.test.ts',
      `import { expect, test } from 'bun:test';
import { Elysia } from 'elysia';
import { SETTINGS } from '#src/app/config.ts';
import { openParts } from '#src/app/parts/open-parts.ts';
import type { Service } from '#src/app/parts/service.ts';
import { defaultsOf } from '#src/core/base/settings/setting.ts';

test('the tide is told while the setting is on', async () => {
  for (const tide of [true, false]) {
    const running = () => ({ ...defaultsOf(SETTINGS), tide });
    await using parts = await openParts({ running } as Service);
    expect(parts.notices().map(({ code }) => code)).toEqual(tide ? ['tide_high'] : []);
    const route = parts.routes(running, () => {}).find(({ heads }) => heads.includes('GET /api/tide'));
    const app = new Elysia().decorate('service', { isOwnHost: () => true, ...route?.own(false) });
    const served = app.use((await route?.load()) ?? new Elysia());
    const response = await served.handle(new Request('http://127.0.0.1/api/tide'));
    expect(await response.json()).toEqual({ high: tide });
  }
});
`,
    );
    // Before a recipe that copies a language.
    for (const tag of Object.keys(LANGUAGES)) {
      await copy.replace(
        `src/core/languages/${tag}.json`,
        / *"condition\.browser_unguarded"/,
        `    "condition.tide_high": "${tag === 'en' ? 'The tide is high.' : `(${tag})`}",\n$&`,
      );
    }
    const parts = 'src/app/parts.ts';
    await copy.replace(parts, /import \{ tuningPart/, "import { tidePart } from '#src/parts/tide/part.ts';\n$&");
    await copy.replace(parts, / {2}browserPart,\n/, '$&  tidePart,\n');
    const settings = 'src/app/parts/part-basis.ts';
    await copy.replace(settings, /\n\n/, "\nimport { TIDE_SETTINGS } from '#src/parts/tide/settings.ts';\n\n");
    await copy.replace(settings, /BROWSER_SETTINGS\]/, 'BROWSER_SETTINGS, TIDE_SETTINGS]');
    await copy.replace(
      'test/support/layers.ts',
      / {2}'parts\/feeds': \{/,
      "  'parts/tide': { about: 'the tide', values: FOR_PARTS },\n$&",
    );
  },
  asked: [],
  async finish(copy) {
    await copy.replace('test/service/server/running-server.ts', / {8}misp: \{/, '        isHigh: () => true,\n$&');
    const openapi = 'test/service/server/openapi.test.ts';
    const schema = "import { TideSchema } from '#src/parts/tide/tide-route.ts';\n";
    await copy.replace(openapi, /import \{ startServer/, `${schema}$&`);
    await copy.replace(openapi, /\n {2}About: /, '\n  Tide: TideSchema,$&');
    await copy.replace(openapi, /\.\.\.\['readAbout',/, "...['readTide'],\n      $&");
    await copy.replace(
      'test/service/server/answers.test.ts',
      / {2}'GET \/api\/about': null,/,
      "$&\n  'GET /api/tide': null,",
    );
  },
};
