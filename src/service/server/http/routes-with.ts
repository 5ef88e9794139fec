import { Elysia, type SingletonBase } from 'elysia';

/** Own member of the context of hooks and handlers. */
export interface WithService<Service> {
  readonly service: Service;
}

/** The context of routes that work with a service. */
interface Singleton<Service> extends SingletonBase {
  readonly decorator: { service: Service };
  readonly store: Record<never, never>;
  readonly derive: Record<never, never>;
  readonly resolve: Record<never, never>;
}

/**
 * Declares routes that find what they work with as `service` in their context. They hold nothing themselves: an app that
 * serves them is decorated with the service, and the OpenAPI document is written from the same routes.
 */
export function routesWith<Service>() {
  return new Elysia<'', Singleton<Service>>();
}
