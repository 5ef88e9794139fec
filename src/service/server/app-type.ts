import type { Elysia, RouteBase } from 'elysia';
import type { everyRoute } from './every-route.ts';

type Server = typeof everyRoute;

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
  Declared<Server['~Routes']>,
  Server['~Ephemeral'],
  Server['~Volatile']
>;

/** Routes with the answers that they declare: they are nested by the parts of a path, then by method. */
type Declared<Routes> = {
  [Key in keyof Routes]: Routes[Key] extends { response: infer Response }
    ? Omit<Routes[Key], 'response'> & { response: Omit<Response, 422> }
    : Declared<Routes[Key]>;
} extends infer All extends RouteBase
  ? All
  : never;
