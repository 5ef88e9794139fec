import { type Static, Type } from '@sinclair/typebox';
import { readShape } from '#src/core/base/text/json-shape.ts';

const FusionModelSchema = Type.Object(
  {
    version: Type.Literal(1),
    /** Name of this set of weights; part of `model_version`. */
    name: Type.String({ minLength: 1 }),
    /** Day on which these weights, or the lexical model beside them, were last changed. */
    date: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
    /** Factor on every term of the trained lexical model, fitted on held-out folds. */
    term_scale: Type.Number({ exclusiveMinimum: 0, maximum: 10 }),
    /** Probabilities from which on a check is warned of and blocked, at the base rate of 5 %. */
    thresholds: Type.Object({
      warn: Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1 }),
      block: Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1 }),
    }),
    /** Log-odds (nats) that the features of one component may add at most, and take away at most. */
    caps: Type.Record(
      Type.String(),
      Type.Object({ min: Type.Number({ maximum: 0 }), max: Type.Number({ minimum: 0 }) }),
    ),
    /** Log-odds (nats) of each feature at its full value, with where the figure comes from. */
    weights: Type.Record(Type.String(), Type.Object({ weight: Type.Number(), source: Type.String({ minLength: 1 }) })),
  },
  { additionalProperties: false },
);

/** Weights by feature name, checked against the code's names when it was loaded. */
export type FusionModel = Static<typeof FusionModelSchema>;

/** The model file does not fit this program. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
}

/** The weights that are part of the program. */
const SHIPPED_FILE = 'src/engine/models/fusion.json';

/**
 * Reads a fusion model and holds its names against those that the analyzers may emit.
 *
 * @param file what messages call it
 * @throws ModelError naming every feature without a weight and every weight without a feature.
 */
export function loadFusionModel(json: unknown, featureNames: readonly string[], file = SHIPPED_FILE): FusionModel {
  const model = readFusionModel(json, file);
  const { weights } = model;
  const known = new Set(featureNames);
  const missing = featureNames.filter((name) => !Object.hasOwn(weights, name));
  const surplus = Object.keys(weights).filter((name) => !known.has(name));
  if (missing.length > 0 || surplus.length > 0) {
    throw new ModelError(`${file} does not fit the analyzers: ${misfits(missing, surplus).join('; ')}`);
  }
  return model;
}

/**
 * Reads a fusion model that another version of the program may have written: what is kept, or comes in a pack, is used for
 * years. A feature that it does not know weighs what it does in `own`; a weight that no analyzer emits any more is left out.
 *
 * @param own the weights that are part of this program
 * @param file what messages call it
 * @throws ModelError where it is no model, or knows none of the features.
 */
export function loadCarriedFusionModel(json: unknown, own: FusionModel, file: string): FusionModel {
  const model = readFusionModel(json, file);
  const known = Object.entries(model.weights).filter(([name]) => Object.hasOwn(own.weights, name));
  if (known.length === 0) throw new ModelError(`${file} has a weight for none of the features`);
  return { ...model, weights: { ...own.weights, ...Object.fromEntries(known) } };
}

function readFusionModel(json: unknown, file: string): FusionModel {
  const shaped = readShape(FusionModelSchema, json);
  if ('problem' in shaped) throw new ModelError(`${file} is no model: ${shaped.problem}`);
  return shaped.value;
}

function misfits(missing: readonly string[], surplus: readonly string[]): string[] {
  const problems: string[] = [];
  if (missing.length > 0) problems.push(`give each of these features a weight with its source: ${missing.join(', ')}`);
  if (surplus.length > 0) problems.push(`take out these weights, which no analyzer emits: ${surplus.join(', ')}`);
  return problems;
}
