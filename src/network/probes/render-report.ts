/**
 * Result of a visit with a browser. `skipped`: the page was seen without one, or there is none; `disabled`: the settings
 * exclude this check; `overloaded`: no place was free in time.
 */
export type RenderStatus = 'ok' | 'skipped' | 'timeout' | 'overloaded' | 'error' | 'disabled';

/** Report on a visit with a browser, as plain JSON. */
export interface RenderReport {
  readonly status: RenderStatus;
  /** Last URL of the browser; null if it went nowhere. */
  readonly finalUrl: string | null;
  /** Requests that the page made. */
  readonly requests: number;
  /** Connections that the egress policy refused. */
  readonly refused: number;
  readonly seconds: number;
  /** Null if none was taken. */
  readonly screenshot: { readonly sha256: string; readonly width: number; readonly height: number } | null;
}

/** Returns the report on a browser that was not used. */
export function notRendered(status: RenderStatus, seconds = 0): RenderReport {
  return { status, finalUrl: null, requests: 0, refused: 0, seconds, screenshot: null };
}
