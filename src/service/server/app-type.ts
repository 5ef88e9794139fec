import type { DefinitionBase, Elysia, EphemeralType, MetadataBase, RouteBase, SingletonBase } from 'elysia';
import type { createServer } from './app.ts';

/**
 * The server as a type, from which a client in TypeScript knows every route: `treaty<App>(url)` of `@elysiajs/eden`.
 * Elysia's own type lets each route that has a schema answer with 422 as well; here a request that breaks one gets 400.
 */
export type App =
  ReturnType<typeof createServer> extends Elysia<
    infer Prefix,
    infer Singleton extends SingletonBase,
    infer Definitions extends DefinitionBase,
    infer Metadata extends MetadataBase,
    infer Routes,
    infer Ephemeral extends EphemeralType,
    infer Volatile extends EphemeralType
  >
    ? Elysia<Prefix, Singleton, Definitions, Metadata, Declared<Routes>, Ephemeral, Volatile>
    : never;

/** Routes with the answers that they declare: they are nested by the parts of a path, then by method. */
type Declared<Routes> = {
  [Key in keyof Routes]: Routes[Key] extends { response: infer Response }
    ? Omit<Routes[Key], 'response'> & { response: Omit<Response, 422> }
    : Declared<Routes[Key]>;
} extends infer All extends RouteBase
  ? All
  : never;
