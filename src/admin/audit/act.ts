import type { TSchema } from '@sinclair/typebox';
import type { Actor } from '#src/core/base/actor.ts';
import { type AuditedChange, appendAudit, audited } from './audit-log.ts';

/** Files of the data directory that acts change, and that the nodes of a fleet share. */
export type ChangedFile = 'brands' | 'lists' | 'model' | 'packs';

/** An installation in which acts are performed: by a running service, or by a command. */
export interface ActPlace {
  readonly dataDir: string;
  /** Runs a change of files of the data directory, and brings it to the other nodes and to the running service. */
  readonly change: <T>(files: readonly ChangedFile[], work: () => Promise<T>) => Promise<T>;
}

/** Something that an operator can do. Console, route and command perform it in the same way. */
export interface OperatorAct<Input, Draft, Done, Place extends ActPlace = ActPlace> {
  /** Name in the audit log, such as `lists.add`. */
  readonly name: string;
  /** Scope that a key or user needs for it. */
  readonly scope: 'admin' | 'feedback' | 'lists';
  /** Schema of the body of a request for it; null if it has none. */
  readonly input: TSchema | null;
  readonly files: readonly ChangedFile[];
  /** True for seconds of work on one core, of which a service does one at a time. */
  readonly isHeavy?: boolean;
  /** True to record the act after its commit, which replaces the audit log. */
  readonly isRecordedAfter?: boolean;
  /** Prepares the change without making it. Throws OperationError, or an error of its own, if it cannot be made. */
  prepare(input: Input, place: Place): Promise<Draft>;
  /** Returns the subject and the details of the line in the audit log: no secret, and no URL of a private check. */
  audit(draft: Draft, place: Place): Omit<AuditedChange, 'action'>;
  commit(draft: Draft, place: Place): Promise<Done>;
  /** Applies what follows from the change. Its failure is reported, but the change was made and is recorded as such. */
  afterCommit?(draft: Draft, place: Place): Promise<void>;
  /** Removes what was prepared and is not needed. */
  discard?(draft: Draft): Promise<void>;
}

/** Member of an act whose effect can be shown before it is made. */
export interface PreviewedAct<Draft, Effect, View> {
  /** Returns the effect that committing a draft would have. */
  preview(draft: Draft, view: View): Promise<Effect>;
}

/** Returns the effect of an act, which is prepared for that and not committed. */
export async function effectOf<Input, Draft, Effect, Place extends ActPlace>(
  act: Pick<OperatorAct<Input, Draft, unknown, Place>, 'prepare' | 'discard'> & PreviewedAct<Draft, Effect, Place>,
  place: Place,
  input: Input,
): Promise<Effect> {
  const draft = await act.prepare(input, place);
  try {
    return await act.preview(draft, place);
  } finally {
    await act.discard?.(draft);
  }
}

/** Performs an act, and records it. Throws OperationError without a change if it cannot be recorded. */
export async function perform<Input, Draft, Done, Place extends ActPlace>(
  act: OperatorAct<Input, Draft, Done, Place>,
  place: Place,
  by: Actor,
  input: Input,
): Promise<Done> {
  return await withDraft(act, place, input, (_, commit) => commit(by));
}

/**
 * Prepares an act for as long as `work` takes, which may show its effect, and commit it. Unless it was committed, the draft is
 * discarded.
 */
export async function withDraft<Input, Draft, Done, Place extends ActPlace, Result>(
  act: OperatorAct<Input, Draft, Done, Place>,
  place: Place,
  input: Input,
  work: (draft: Draft, commit: (by: Actor) => Promise<Done>) => Promise<Result>,
): Promise<Result> {
  const draft = await act.prepare(input, place);
  let isCommitted = false;
  const commit = (by: Actor) =>
    place.change(act.files, async () => {
      const record = () => ({ action: act.name, ...act.audit(draft, place) });
      const make = async () => {
        const made = await act.commit(draft, place);
        isCommitted = true;
        return made;
      };
      const done = await (act.isRecordedAfter ? make() : audited(place.dataDir, by, record(), make));
      if (act.isRecordedAfter) appendAudit(place.dataDir, by, record());
      await act.afterCommit?.(draft, place);
      return done;
    });
  try {
    return await work(draft, commit);
  } finally {
    if (!isCommitted) await act.discard?.(draft);
  }
}
