import { Type } from '@sinclair/typebox';
import type { Server } from 'bun';
import { BackupError } from '#src/admin/backup/backup-format.ts';
import { brandProblemOf } from '#src/admin/brands/change-brands.ts';
import { ModelNotFoundError } from '#src/admin/model-changes/model-not-found.ts';
import { PackError, type PackFault } from '#src/admin/packs/pack-error.ts';
import { SettingsError } from '#src/core/base/settings/settings-error.ts';
import { parameter } from '../http/parameter.ts';
import { badFields, type Problem, ProblemError } from '../http/problem.ts';
import type { SignedInParts } from './requester.ts';

/** What the routes work with that change what is active. */
export interface ChangeParts extends SignedInParts {
  /** Runs changes one after the other, so that nothing changes between the comparison of `If-Match` and the change. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
}

/** `preview=true`: the answer is the effect of the change, and nothing is changed. */
export const PREVIEW = {
  preview: Type.Optional(
    parameter('true or false', (text) => text === 'true' || text === 'false', {
      type: 'boolean',
      default: false,
      description: 'Return the effect of the change, and change nothing',
    }),
  ),
};

export const PreviewQuerySchema = Type.Object(PREVIEW);

/** Keeps a connection open that is silent during long work. */
export function waitLong({
  request,
  server,
}: {
  readonly request: Request;
  readonly server: Pick<Server<unknown>, 'timeout'> | null;
}): void {
  server?.timeout(request, 0);
}

/** Faults of the file itself, which no state of the service changes. */
const FAULTS_OF_FILE: readonly PackFault[] = [
  ...(['not_a_pack', 'newer_format', 'cut_short', 'damaged', 'not_signed', 'forged'] as const),
];

/** Runs an operation. Throws ProblemError for what it refuses. */
export async function refusing<T>(operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    const problem = problemOf(error);
    throw problem ? new ProblemError(problem) : error;
  }
}

function problemOf(error: unknown): Problem | null {
  if (error instanceof ModelNotFoundError) return { code: 'not_found', detail: sentence(error.message) };
  const ofBrand = brandProblemOf(error);
  if (ofBrand !== null)
    return badFields([{ field: 'domains', code: 'invalid_body', message: `cannot be used: ${ofBrand}` }]);
  if (error instanceof PackError) {
    const code = FAULTS_OF_FILE.includes(error.code) ? 'invalid_body' : 'conflict';
    return { code, detail: sentence(`the pack is refused: ${error.message}`) };
  }
  if (error instanceof SettingsError || error instanceof BackupError)
    return { code: 'conflict', detail: sentence(error.message) };
  return null;
}

function sentence(message: string): string {
  const begun = message.charAt(0).toUpperCase() + message.slice(1);
  return begun.endsWith('.') ? begun : `${begun}.`;
}
