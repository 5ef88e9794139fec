import { Type } from '@sinclair/typebox';
import type { LiveListener } from '#src/checks/check/live-checks.ts';
import { type Activity, ActivitySchema } from '#src/checks/record/activity.ts';
import type { Actor } from '#src/core/base/actor.ts';
import { VISIBILITIES, type Visibility } from '#src/core/base/visibility.ts';
import { viewRoute } from '#src/service/server/admin/act-route.ts';
import { waitLong } from '#src/service/server/admin/change-parts.ts';
import { actorOf, requesterOf, type SignedInParts, staysSignedIn } from '#src/service/server/admin/requester.ts';
import { answer } from '#src/service/server/http/answer.ts';
import { type Problem, ProblemError } from '#src/service/server/http/problem.ts';
import { routesWith } from '#src/service/server/http/routes-with.ts';
import { LOG_SCOPES } from './check-routes.ts';

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
type WatchLive = (watcher: LiveListener) => Disposable;

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
interface LiveStreams {
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

/**
 * Creates the live views. Without views there is neither a watcher nor a timer.
 *
 * @param beatMs length of what counts as a second, in milliseconds
 */
export function createLiveStreams(watch: WatchLive, stopping: AbortSignal, beatMs = SECOND_MS): LiveStreams {
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
    }, beatMs);
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

/** Operations on the activity of the last 24 hours. */
export interface ActivityOperations {
  /** Returns what passed in these logs; those that the node may not read are left out. */
  read(logs: readonly Visibility[], by: Actor): Promise<Activity>;
  /** Returns those of the logs that the node may show while they are written, and notes who watches. */
  watched(logs: readonly Visibility[], by: Actor): readonly Visibility[];
  readonly live: LiveStreams;
}

export interface ActivityRouteParts extends SignedInParts {
  readonly activity: ActivityOperations;
}

/** Returns the logs whose checks a requester may see. */
function logsOf(request: Request): Visibility[] {
  const { scopes } = requesterOf(request);
  return VISIBILITIES.filter((log) => scopes.includes('admin') || scopes.includes(LOG_SCOPES[log]));
}

const TOO_MANY: Problem = {
  code: 'overloaded',
  detail: 'There are too many live views: at most 4 of a key or user, and 64 of the service.',
  headers: { 'retry-after': '30' },
};

const EXAMPLE: Activity = {
  logs: ['public', 'private'],
  hours: [{ start: '2026-01-31T12:00:00.000Z', allow: 120, warn: 4, block: 9 }],
  blocked_sites: [{ name: 'login-nordwerk.example', checks: 7 }],
  blocked_counted: 9,
  node: {
    since: '2026-01-31T08:00:00.000Z',
    sources: [
      { via: 'api', checks: 120 },
      { via: 'gate', checks: 13 },
    ],
    gate: { requests: 8120, unexamined: 4 },
    mail: null,
  },
};

const LiveSchema = Type.String({
  contentMediaType: 'text/event-stream',
  description:
    'Events `open` (`{}`) once, `check` (a row of the history with `visibility`) for each check as it is logged, ' +
    '`mail` (verdict, codes of reasons and number of links) for each mail that was checked as a whole, and ' +
    '`skipped` (`{checks}`): the number of checks and mails that were not shown, of more than 20 per second or for a slow client.',
});

/** `GET /api/admin/activity` and `GET /api/admin/live`: what passed, and what passes now. */
export const activityRoutes = routesWith<ActivityRouteParts>()
  .get(
    '/api/admin/activity',
    ({ request, service }) => service.activity.read(logsOf(request), actorOf(request)),
    viewRoute(['history', 'history.private'], {
      id: 'readActivity',
      summary: 'Read what passed within the last 24 hours',
      description:
        'Checks by hour and verdict, the most blocked sites, and what this node counts by source, in the logs that the key ' +
        'may read. The audit log names who reads the private log. Scope: `admin`, `history` or `history.private`.',
      answers: {
        200: answer(ActivitySchema, { description: 'What passed.', example: EXAMPLE }),
      },
      refuses: ['log_unavailable'],
    }),
  )
  .get(
    '/api/admin/live',
    (context) => {
      const { request, service } = context;
      const { key, user } = requesterOf(request);
      const opened = service.activity.live.open({
        holder: key === null ? `user ${user}` : `key ${key.name}`,
        logs: service.activity.watched(logsOf(request), actorOf(request)),
        mayGoOn: staysSignedIn(context),
      });
      if (opened === null) throw new ProblemError(TOO_MANY);
      return opened;
    },
    {
      ...viewRoute(['history', 'history.private'], {
        id: 'watchChecks',
        summary: 'Watch the checks of this node',
        description:
          'Server-sent events of the checks that this node logs, in the logs that the key may read. The stream ends with the ' +
          'session or key, and does not count as a use of the session. At most 4 streams per key or user, and 64 in all. ' +
          'Scope: `admin`, `history` or `history.private`.',
        answers: {
          200: answer(LiveSchema, {
            description: 'The checks as they are logged.',
            example: 'event: open\ndata: {}\n\n',
          }),
        },
        refuses: [],
      }),
      beforeHandle: waitLong,
    },
  );
