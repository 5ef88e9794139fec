import { type FusionModel, loadFusionModel } from '#src/engine/fusion/model.ts';
import messageJson from '#src/engine/models/message.json' with { type: 'json' };
import { MESSAGE_FEATURES } from './message-analyzers.ts';

/** Shipped weights and thresholds of verdicts on messages. */
export const MESSAGE_MODEL: FusionModel = loadFusionModel(
  messageJson,
  MESSAGE_FEATURES,
  'src/engine/models/message.json',
);
