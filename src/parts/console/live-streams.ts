import type { LiveListener } from '#src/checks/check/live-checks.ts';
import type { Visibility } from '#src/core/base/visibility.ts';

/** Maximum number of live views, of one key or user and of all. */
const MAX_OF_HOLDER = 4;
const MAX_VIEWS = 64;

/** Events that wait for a slow client; later checks are counted instead. */
const MAX_WAITING = 100;

/** Maximum checks shown per second: more cannot be read, and a busy service must not spend time on them. */
const MAX_PER_SECOND = 20;

/** Seconds without an event after which a comment is sent: it finds clients that disconnected, and proxies keep the connection. */
const QUIET_SECONDS = 15;

const SECOND_MS = 1000;

/** Source of the checks and mails of a live view. */
export type WatchLive = (watcher: LiveListener) => Disposable;

/** A client that asks for a live view. */
export interface LiveAsker {
  /** Name of its key or user. */
  readonly holder: string;
  /** Logs that it may read. */
  readonly logs: readonly Visibility[];
  /** Returns false once its session has ended, or its key was revoked or changed. */
  readonly mayGoOn: () => boolean;
}

/** The live views of a process. */
export interface LiveStreams {
  /** Opens a live view; null if there are too many. */
  open(asker: LiveAsker): Response | null;
}

interface View {
  readonly holder: string;
  readonly logs: readonly Visibility[];
  /** Sends the event of a check, or counts the check if it is not shown (null) or the client is slow. */
  send(event: string | null): void;
  /** Runs once per second. */
  beat(): void;
  end(): void;
}

const encoder = new TextEncoder();

/** Creates the live views. Without views there is neither a watcher nor a timer. */
export function createLiveStreams(watch: WatchLive, stopping: AbortSignal): LiveStreams {
  const views = new Set<View>();
  let source: Disposable | null = null;
  let timer: ReturnType<typeof setInterval> | null = null;
  let shown = 0;

  const onEvent: LiveListener = (event, visibility, read) => {
    const text = shown++ < MAX_PER_SECOND ? eventOf(event, read()) : null;
    for (const view of views) if (view.logs.includes(visibility)) view.send(text);
  };

  function add(view: View): void {
    views.add(view);
    source ??= watch(onEvent);
    timer ??= setInterval(() => {
      shown = 0;
      for (const one of views) one.beat();
    }, SECOND_MS);
  }

  function remove(view: View): void {
    views.delete(view);
    if (views.size > 0) return;
    source?.[Symbol.dispose]();
    if (timer !== null) clearInterval(timer);
    source = null;
    timer = null;
  }

  const endAll = () => {
    for (const view of views) view.end();
  };
  stopping.addEventListener('abort', endAll, { once: true });

  return {
    open(asker) {
      const own = [...views].filter(({ holder }) => holder === asker.holder);
      if (own.length >= MAX_OF_HOLDER || views.size >= MAX_VIEWS || stopping.aborted) return null;
      let view: View | null = null;
      const body = new ReadableStream<Uint8Array>(
        {
          start(controller) {
            view = createView(asker, controller, remove);
            add(view);
            view.send(eventOf('open', {}));
          },
          cancel: () => view?.end(),
        },
        new CountQueuingStrategy({ highWaterMark: MAX_WAITING }),
      );
      // The second keeps nginx from holding the events back.
      return new Response(body, { headers: { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' } });
    },
  };
}

/** JSON holds no line break, so one `data` line carries it whole. */
function eventOf(event: 'open' | 'check' | 'mail' | 'skipped', data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

function createView(
  { holder, logs, mayGoOn }: LiveAsker,
  controller: ReadableStreamDefaultController<Uint8Array>,
  onEnd: (view: View) => void,
): View {
  let [skipped, quietSeconds, isOpen] = [0, 0, true];
  const hasRoom = () => (controller.desiredSize ?? 0) > 0;
  const write = (text: string) => {
    quietSeconds = 0;
    controller.enqueue(encoder.encode(text));
  };
  const view: View = {
    holder,
    logs,
    send(event) {
      // Before each event, so that no check is shown to a session that has ended.
      if (!mayGoOn()) view.end();
      else if (event !== null && hasRoom()) write(event);
      else skipped++;
    },
    beat() {
      if (!mayGoOn()) return view.end();
      quietSeconds++;
      if (!hasRoom()) return;
      if (skipped > 0) write(eventOf('skipped', { checks: skipped }));
      else if (quietSeconds >= QUIET_SECONDS) write(': \n\n');
      skipped = 0;
    },
    end() {
      if (!isOpen) return;
      isOpen = false;
      onEnd(view);
      try {
        controller.close();
      } catch {
        // The client has left.
      }
    },
  };
  return view;
}
