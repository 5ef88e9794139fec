import { FEATURE_NAMES } from '#src/analyzers/index.ts';
import type { AssessSettings, Models } from '#src/assess/models.ts';
import { loadFusionModel } from '#src/fusion/model.ts';
import { loadLexicalModel } from '#src/lexical/model.ts';
import fusionJson from '#src/models/fusion.json' with { type: 'json' };
import lexicalPath from '#src/models/lexical.bin' with { type: 'file' };
import { defaultAssessSettings } from '#src/program/models.ts';
import { knowledge } from './knowledge.ts';

const fusion = loadFusionModel(fusionJson, FEATURE_NAMES);

/** The models that the product ships. */
export const MODELS: Models = {
  knowledge,
  ownBrands: [],
  lexical: loadLexicalModel(await Bun.file(lexicalPath).arrayBuffer(), knowledge),
  fusion,
  version: 'test',
};

/** The settings that the product ships with. */
export const SETTINGS: AssessSettings = defaultAssessSettings(MODELS);
