import type { AnyElysia, Elysia, RouteBase } from 'elysia';
import { openApiDocument } from '#src/service/server/docs/openapi.ts';
import type { LateRoutes } from '#src/service/server/late-routes.ts';
import type { RARE_ROUTES, routes } from '#src/service/server/routes.ts';
import { ALL_PARTS } from '../parts.ts';

/** Writes the OpenAPI 3.1 document of the API under `basePath`, with the routes of all parts. */
export const apiDocument = (basePath: string) =>
  openApiDocument(
    basePath,
    ALL_PARTS.flatMap(({ routes }): readonly LateRoutes[] => routes),
  );

type Server = typeof routes;

/** A member for the loaded routes of each part, so that they are parameters of one function. */
type OfPart<Late> = Late extends { load(): Promise<infer Loaded extends AnyElysia> }
  ? (routes: Loaded['~Routes']) => void
  : never;

type LateOnes = typeof RARE_ROUTES | (typeof ALL_PARTS)[number]['routes'][number];

type OfParts = OfPart<LateOnes> extends (routes: infer All) => void ? All : never;

type Routes = Server['~Routes'] & OfParts;

/**
 * The server as a type, from which a client in TypeScript knows every route: `treaty<App>(url)` of `@elysiajs/eden`.
 * Elysia's own type lets each route that has a schema answer with 422 as well; here a request that breaks one gets 400.
 * Its parameters are read as members: to infer them all, the compiler would compare the whole class.
 */
export type App = Elysia<
  Server['~Prefix'],
  Server['~Singleton'],
  Server['~Definitions'],
  Server['~Metadata'],
  Declared<Routes>,
  Server['~Ephemeral'],
  Server['~Volatile']
>;

/** Routes with the answers that they declare: they are nested by the parts of a path, then by method. */
type Declared<All> = {
  [Key in keyof All]: All[Key] extends { response: infer Response }
    ? Omit<All[Key], 'response'> & { response: Omit<Response, 422> }
    : Declared<All[Key]>;
} extends infer All extends RouteBase
  ? All
  : never;
