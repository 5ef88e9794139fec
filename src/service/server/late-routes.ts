import { type AnyElysia, type Context, Elysia } from 'elysia';
import { lazily } from '#src/core/base/lazily.ts';

/** Routes that most services are never asked for: they are loaded with the first request to one of them. */
export interface LateRoutes {
  /** Method and path of each, as in `GET /api/session`. */
  readonly heads: readonly string[];
  load(): Promise<AnyElysia>;
}

/** Late routes of a server. */
export interface ServedLate extends LateRoutes {
  /** Their dependencies, beside those that a server gives all routes. */
  readonly own: object;
}

const finished = new WeakSet<object>();

/** Returns true for a response of late routes, which is complete. */
export function isFinished(response: unknown): response is Response {
  return response instanceof Response && finished.has(response);
}

/**
 * Declares late routes by their methods and paths alone.
 *
 * @param serve makes the app that answers as their routes say
 */
export function declareLate(
  all: readonly (LateRoutes & { own(): Promise<object> })[],
  serve: (routes: AnyElysia, own: object) => AnyElysia,
) {
  const declared = new Elysia({ normalize: false });
  for (const { heads, load, own } of all) {
    const loaded = lazily(async () => {
      const app = serve(await load(), await own());
      return { app, handlers: new Map(app.routes.map((one) => [`${one.method} ${one.path}`, one.compile()])) };
    });
    const answer = async (head: string, context: Context) => {
      const { app, handlers } = await loaded();
      // Routes ask it who the client is, and for patience.
      app.server = context.server;
      const response = await handlers.get(head)?.(Object.assign(context, app.decorator));
      if (response instanceof Response) finished.add(response);
      return response;
    };
    for (const head of heads) {
      const [method = '', path = ''] = head.split(' ');
      declared.route(method, path, (context) => answer(head, context), { parse: 'none' });
    }
  }
  return declared;
}
