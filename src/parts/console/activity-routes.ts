import { Type } from '@sinclair/typebox';
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
import type { LiveStreams } from './live-streams.ts';

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
