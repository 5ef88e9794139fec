import { Type } from '@sinclair/typebox';

/** Input of the acts on models. */
export const ModelChoiceSchema = Type.Object(
  { model: Type.String({ minLength: 1, maxLength: 200, description: 'Version of an installed model, or `shipped`' }) },
  { $id: 'ModelChoice', additionalProperties: false, description: 'The model to select' },
);
