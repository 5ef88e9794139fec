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
      /** Probability from which on the gate holds a request by its spelling; models before 0.3 have none. */
      gate: Type.Optional(Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1 })),
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

/** Weights by feature name. */
export type FusionModel = Static<typeof FusionModelSchema>;

/** A model file does not fit this program. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
}

/**
 * Threshold of the gate for a model that brings none. The share of busy hosts that such a model holds was not measured, so
 * it is as high as any measured one.
 */
const UNMEASURED_GATE = 0.99;

/** Returns the probability from which on the gate holds a request by its spelling. */
export function gateThreshold({ thresholds }: Pick<FusionModel, 'thresholds'>): number {
  return thresholds.gate ?? UNMEASURED_GATE;
}

/** The shipped weights. */
const SHIPPED_FILE = 'src/engine/models/fusion.json';

/**
 * Parses a fusion model and compares its names with the features of the analyzers.
 *
 * @param file name of the file in messages
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
 * Parses a fusion model that another version of the program may have written: stored models and packs are used for
 * years. A missing feature has its weight in `own`; weights of unknown features are ignored.
 *
 * @param own shipped weights
 * @param file name of the file in messages
 * @throws ModelError if it is not a model, or has no known feature.
 */
export function loadForeignFusionModel(json: unknown, own: FusionModel, file: string): FusionModel {
  const model = readFusionModel(json, file);
  const known = Object.entries(model.weights).filter(([name]) => Object.hasOwn(own.weights, name));
  if (known.length === 0) throw new ModelError(`${file} has no weight for a known feature`);
  return { ...model, weights: { ...own.weights, ...Object.fromEntries(known) } };
}

function readFusionModel(json: unknown, file: string): FusionModel {
  const shaped = readShape(FusionModelSchema, json);
  if ('problem' in shaped) throw new ModelError(`${file} is not a model: ${shaped.problem}`);
  return shaped.value;
}

function misfits(missing: readonly string[], surplus: readonly string[]): string[] {
  const problems: string[] = [];
  if (missing.length > 0)
    problems.push(`add a weight with its source for each of these features: ${missing.join(', ')}`);
  if (surplus.length > 0) problems.push(`remove these weights, which no analyzer emits: ${surplus.join(', ')}`);
  return problems;
}
