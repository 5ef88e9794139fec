import { type Static, Type } from '@sinclair/typebox';

const ModelSchema = Type.Object(
  {
    version: Type.String({ description: 'Version of the model' }),
    shipped: Type.Boolean({ description: 'True if it is built into the program' }),
    in_force: Type.Boolean({ description: 'True if it is selected' }),
    problem: Type.Union([Type.String(), Type.Null()], { description: 'Why it cannot be used; null if it can' }),
  },
  { $id: 'ListedModel', description: 'A model of this installation' },
);

export const ModelsSchema = Type.Object(
  {
    items: Type.Array(ModelSchema, { description: 'The built-in model, then the installed ones' }),
    etag: Type.String({ description: 'Tag of the selection, for `If-Match`' }),
  },
  { $id: 'Models', description: 'The models of this installation' },
);

/** The models, and the tag of the selection. */
export type ShownModels = Static<typeof ModelsSchema>;

/** A model. */
export type ModelRow = Static<typeof ModelSchema>;
