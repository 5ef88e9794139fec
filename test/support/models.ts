import { defaultAssessSettings } from '#src/admin/active/models.ts';
import { FEATURE_NAMES } from '#src/engine/analyzers/index.ts';
import type { AssessSettings, Models } from '#src/engine/assess/settings.ts';
import { loadFusionModel } from '#src/engine/fusion/model.ts';
import { loadLexicalModel } from '#src/engine/lexical/model.ts';
import fusionJson from '#src/engine/models/fusion.json' with { type: 'json' };
import lexicalPath from '#src/engine/models/lexical.bin' with { type: 'file' };
import { knowledge } from './knowledge.ts';

const fusion = loadFusionModel(fusionJson, FEATURE_NAMES);

/** The models that the product ships. */
export const MODELS: Models = {
  knowledge,
  configuredBrands: [],
  lexical: loadLexicalModel(await Bun.file(lexicalPath).arrayBuffer(), knowledge),
  fusion,
  version: 'test',
};

/** The settings that the product ships with. */
export const SETTINGS: AssessSettings = defaultAssessSettings(MODELS);
