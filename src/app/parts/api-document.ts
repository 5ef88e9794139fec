import { openApiDocument } from '#src/service/server/docs/openapi.ts';
import type { LateRoutes } from '#src/service/server/late-routes.ts';
import { ALL_PARTS } from '../parts.ts';

/** Writes the OpenAPI 3.1 document of the API under `basePath`, with the routes of all parts. */
export const apiDocument = (basePath: string) =>
  openApiDocument(
    basePath,
    ALL_PARTS.flatMap(({ routes }): readonly LateRoutes[] => routes),
  );
