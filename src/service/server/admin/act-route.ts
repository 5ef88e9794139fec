import { createHash } from 'node:crypto';
import type { TSchema } from '@sinclair/typebox';
import type { ActPlace, OperatorAct, PreviewedAct } from '#src/admin/audit/act.ts';
import type { Scope } from '#src/admin/keys/api-key.ts';
import type { Actor } from '#src/core/base/actor.ts';
import { documented } from '../http/documented.ts';
import { noBody, parseJsonObject } from '../http/json-body.ts';
import { readQuery } from '../http/known-parameters.ts';
import { type Problem, ProblemError } from '../http/problem.ts';
import type { ProblemCode } from '../http/problem-kinds.ts';
import { refusals } from '../http/refusals.ts';
import { type ChangeParts, CONSOLE_REFUSALS, refusing, waitLong } from './change-parts.ts';
import { actorOf, admitScopes } from './requester.ts';

const REQUIRED: Problem = {
  code: 'precondition_required',
  detail: 'Read the object first, and send its ETag in If-Match, so that nobody overwrites the change of another.',
};

/** Refusal of a change of an object that is not as its client read it. */
const PRECONDITION_FAILED: Problem = {
  code: 'precondition_failed',
  detail: 'Somebody else changed this meanwhile. Read it again, then repeat the change.',
};

/** Returns the strong entity tag of an object: a digest of its content as JSON. */
export function etagOf(content: unknown): string {
  return `"${createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22)}"`;
}

/**
 * Refuses the change of an object that is not as its client read it (RFC 9110 §13.1.1). Throws ProblemError 428 without
 * `If-Match`, and 412 if no tag in it is the present one.
 *
 * @param etag tag of the object as it is now
 */
function requireMatch({ headers }: Pick<Request, 'headers'>, etag: string): void {
  const sent = headers.get('if-match');
  if (sent === null) throw new ProblemError(REQUIRED);
  const tags = sent.split(',').map((tag) => tag.trim());
  if (!tags.includes(etag) && sent.trim() !== '*') throw new ProblemError(PRECONDITION_FAILED);
}

/** Performs the acts of operators in a running service. */
export interface ActRunner<Place extends ActPlace> {
  readonly place: Place;
  /** Returns the effect of an act, which it does not commit. Previews are made one at a time. */
  preview<Input, Draft, Effect>(
    act: Pick<OperatorAct<Input, Draft, unknown, Place>, 'prepare' | 'discard'> & PreviewedAct<Draft, Effect, Place>,
    input: Input,
  ): Promise<Effect>;
  /** Prepares an act for as long as `work` takes. */
  withDraft<Input, Draft, Done, Result>(
    act: OperatorAct<Input, Draft, Done, Place>,
    input: Input,
    work: (draft: Draft, commit: (by: Actor) => Promise<Done>) => Promise<Result>,
  ): Promise<Result>;
}

/** Dependencies of routes that perform acts. */
export interface ActParts<Place extends ActPlace = ActPlace> extends ChangeParts {
  readonly acts: ActRunner<Place>;
}

/** Parser and text of a route in the API document, beside those of the act. */
interface ActDocument<Params, Query, Answers, Code extends ProblemCode> {
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  /** The text of the body; absent without one. */
  readonly body?: { readonly description: string; readonly example: unknown };
  readonly params?: Params;
  readonly query?: Query;
  readonly parse?: (context: { readonly request: Request }) => object | Promise<object>;
  readonly answers: Answers;
  /** Codes beside those of every route of the console. */
  readonly refuses: readonly Code[];
}

type Hook<Body, Params, Query> = (Body extends TSchema ? { body: Body } : unknown) &
  (Params extends TSchema ? { params: Params } : unknown) &
  (Query extends TSchema ? { query: Query } : unknown);

type ConsoleCode = (typeof CONSOLE_REFUSALS)[number];

function hookOf<Body extends TSchema | null, Answers, Code extends ProblemCode, Params, Query>(
  input: Body,
  { id, summary, description, body, params, query, answers, refuses }: ActDocument<Params, Query, Answers, Code>,
) {
  const schemas = {
    ...(input && body && { body: documented(input, body) }),
    ...(params && { params }),
    ...(query && { query }),
  };
  return {
    ...(schemas as Hook<Body, Params, Query> & object),
    response: { ...answers, ...refusals<ConsoleCode | Code>(...CONSOLE_REFUSALS, ...refuses) },
    detail: { operationId: id, tags: ['Console'], summary, description },
  };
}

/** A route that reads: the scopes of which one is needed, its answers, and its text in the API document. */
export function viewRoute<
  Answers,
  Code extends ProblemCode,
  Params extends TSchema | undefined = undefined,
  Query extends TSchema | undefined = undefined,
>(scopes: readonly Scope[], document: Omit<ActDocument<Params, Query, Answers, Code>, 'body' | 'parse'>) {
  return {
    ...hookOf(null, document),
    transform: [admitScopes(...scopes), readQuery],
  };
}

/** The route of an act: who may perform it, its body, its answers, and its text in the API document. */
export function actRoute<
  Body extends TSchema | null,
  Answers,
  Code extends ProblemCode,
  Params extends TSchema | undefined = undefined,
  Query extends TSchema | undefined = undefined,
>(
  { scope, input }: { readonly scope: Scope; readonly input: Body },
  { parse = input === null ? noBody : parseJsonObject, ...document }: ActDocument<Params, Query, Answers, Code>,
) {
  return {
    ...hookOf(input, document),
    parse: [admitScopes(scope), parse],
    transform: readQuery,
    beforeHandle: waitLong,
  };
}

/** A request for a change. */
interface ChangeRequest<Parts extends ChangeParts> {
  readonly request: Request;
  readonly service: Parts;
  /** `true` for the effect alone. */
  readonly preview?: string | undefined;
}

/** How a change is made. */
interface Change<Answer, Shown> {
  /** Returns the ETag that the client must know, null for none. Throws ProblemError if the change cannot be made. */
  readonly current?: (() => Promise<string | null>) | undefined;
  /** Returns the effect; absent if it cannot be previewed. */
  readonly effect?: (() => Promise<Shown>) | undefined;
  readonly make: (by: Actor) => Promise<Answer>;
  /** Member of the body that a refusal may be about. */
  readonly field?: string | undefined;
}

/** Changes an object as its client read it, or returns the effect alone. Throws ProblemError. */
export async function changedAsRead<Answer, Shown = never>(
  { request, service: { inTurn }, preview }: ChangeRequest<ChangeParts>,
  { current, effect, make, field }: Change<Answer, Shown>,
): Promise<NoInfer<Answer | Shown>> {
  return await refusing(async () => {
    await current?.();
    if (preview === 'true' && effect) return await effect();
    return await inTurn(async () => {
      const tag = (await current?.()) ?? null;
      if (tag !== null) requireMatch(request, tag);
      return await make(actorOf(request));
    });
  }, field);
}

/** How a request performs an act. */
interface Performance<Input, Draft, Done, Made, Effect, Shown, Answer>
  extends Pick<Change<Answer, Shown>, 'current' | 'field'> {
  readonly input: Input;
  /** Describes the effect to the client; absent if it cannot be previewed. */
  readonly effect?: (effect: Effect) => Shown;
  /** Makes the change; by default what was prepared is committed. */
  readonly make?: (draft: Draft, commit: () => Promise<Done>) => Promise<Made>;
  readonly answer: (made: Made) => Promise<Answer> | Answer;
}

/** Performs an act on an object as its client read it, or returns its effect alone. Throws ProblemError. */
export async function performed<
  Input,
  Draft,
  Done,
  Place extends ActPlace,
  Answer,
  Made = Done,
  Effect = never,
  Shown = never,
>(
  context: ChangeRequest<ActParts<Place>>,
  act: OperatorAct<Input, Draft, Done, NoInfer<Place>> & Partial<PreviewedAct<Draft, Effect, NoInfer<Place>>>,
  { input, make, answer, effect: describe, ...rest }: Performance<Input, Draft, Done, Made, Effect, Shown, Answer>,
): Promise<NoInfer<Answer | Shown>> {
  const { acts } = context.service;
  const { preview } = act;
  return await changedAsRead(context, {
    ...rest,
    effect: preview && describe && (async () => describe(await acts.preview({ ...act, preview }, input))),
    make: async (by) =>
      await answer(
        await acts.withDraft(act, input, (draft, commit) =>
          // Without another way, what is made is what the act returns.
          make ? make(draft, () => commit(by)) : (commit(by) as Promise<unknown> as Promise<Made>),
        ),
      ),
  });
}
