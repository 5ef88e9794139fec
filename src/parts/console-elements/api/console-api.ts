import { piecesOf, RefusalError, send } from '#src/interfaces/ui/api/api.ts';
import { createEventReader, type StreamEvent } from '#src/interfaces/ui/api/event-stream.ts';

/** All of a kind. */
export interface Items<T> {
  readonly items: readonly T[];
}

/** A change that is asked of the service. */
export interface Order {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to the address of the page. */
  readonly path: string;
  /** Sent as JSON, a file as its bytes. */
  readonly body?: object | Blob;
  /** State of the object that the change is meant for; sent as `If-Match`. */
  readonly etag?: string | null;
}

/** Requests of the console. All throw RefusalError. */
export interface ConsoleApi {
  read<T>(path: string, signal?: AbortSignal): Promise<T>;
  change<T>(order: Order): Promise<T>;
  /** Takes server-sent events until their stream ends. */
  events(path: string, take: (event: StreamEvent) => void, signal: AbortSignal): Promise<void>;
}

/** Creates the requests of a session; `expired` is called when the service no longer knows it. */
export function createConsoleApi(expired: (isChange: boolean) => void): ConsoleApi {
  async function ask(path: string, init: RequestInit, isChange: boolean): Promise<Response> {
    try {
      return await send(path, init);
    } catch (error) {
      if (error instanceof RefusalError && error.refusal.status === 401) expired(isChange);
      throw error;
    }
  }

  async function request<T>(path: string, init: RequestInit, isChange: boolean): Promise<T> {
    const text = await (await ask(path, init, isChange)).text();
    return (text === '' ? null : JSON.parse(text)) as T;
  }
  return {
    read: async (path, signal) => await request(path, signal ? { signal } : {}, false),
    async change<T>({ method, path, body, etag }: Order) {
      const type = body instanceof Blob ? 'application/octet-stream' : 'application/json';
      const headers = { ...(body && { 'Content-Type': type }), ...(etag && { 'If-Match': etag }) };
      const content = body === undefined || body instanceof Blob ? body : JSON.stringify(body);
      const init = { method, headers, ...(content !== undefined && { body: content }) };
      return await request<T>(path, init, true);
    },
    async events(path, take, signal) {
      const response = await ask(path, { headers: { Accept: 'text/event-stream' }, signal }, false);
      const read = createEventReader();
      for await (const piece of piecesOf(response)) for (const event of read(piece)) take(event);
    },
  };
}

/** Returns the address of a route, with its parts encoded and the query values that are given. */
export function routeAddress(
  parts: readonly string[],
  query: Readonly<Record<string, string | boolean | null | undefined>> = {},
): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value ? [[name, String(value)]] : []));
  const path = ['api', ...parts.map(encodeURIComponent)].join('/');
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}
