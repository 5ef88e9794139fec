import { OperationError } from '#src/core/base/errors/operation-error.ts';
import type { Logger } from '#src/core/base/logger.ts';

/** Logs that a changed file was refused and what was active before stays so. */
export const logRefused =
  (event: string, logger: Pick<Logger, 'error'>) =>
  (error: unknown): void =>
    logger.error(event, error instanceof OperationError ? { problems: error.problems } : { error });

/** Files of the data directory that the service runs without if they cannot be used. */
export type DataFile = 'keys' | 'lists' | 'brands' | 'model' | 'packs';

/** A file that cannot be used, and what is active in its place. */
export interface FileFault {
  /** A file of the data directory, or a list that a setting names. */
  readonly file: DataFile | 'audit' | 'named_list';
  /** For the operator: a sentence with the file and the remedy. */
  readonly problem: string;
  /** For the public: a sentence without a path. */
  readonly notice: string;
  /** Name of a list that a setting names. */
  readonly list?: string;
}

/** Effects of a file that is unusable at startup. */
export const AT_START: Readonly<Record<DataFile, string>> = {
  keys: 'The keys cannot be read: no key is accepted.',
  lists: 'The lists cannot be read: none is active.',
  brands: 'The configured brands cannot be read: none is active.',
  model: 'The selected model cannot be used: the built-in one is active.',
  packs: 'The active packs cannot be determined.',
};

/** Effects of a file that becomes unusable later. */
export const WHILE_RUNNING: Readonly<Record<DataFile, string>> = {
  keys: 'The file of keys cannot be read as it is now: the keys before its change stay active.',
  lists: 'The lists cannot be read: the previous ones stay active.',
  brands: 'The configured brands cannot be read as they are now: those before stay active.',
  model: 'The selected model cannot be used: the one before stays active.',
  packs: 'The active packs cannot be determined.',
};

/** The fault of a file of the data directory. Throws what is no fault of a file again. */
export function dataFileFault(file: DataFile, error: unknown, when: 'start' | 'later'): FileFault {
  if (!(error instanceof OperationError)) throw error;
  return { file, problem: error.message, notice: (when === 'start' ? AT_START : WHILE_RUNNING)[file] };
}

/** The fault of a list that a setting names. */
export function namedListFault(name: string, { message }: OperationError): FileFault {
  const problem = `${message}\nmake the file readable for the service, or correct it; then reload the service (SIGHUP)`;
  return { file: 'named_list', problem, notice: `The list ${name} cannot be read: it is not active.`, list: name };
}

/** Accepts faults that a reload found before, and throws the error of any other: what is sound is taken up beside them. */
export function onlyKnownFaults(before: readonly FileFault[]) {
  const still: FileFault[] = [];
  const accept = (isIt: (fault: FileFault) => boolean, error: unknown): void => {
    const known = before.find(isIt);
    if (known === undefined) throw error;
    still.push(known);
  };
  return { still, accept };
}
