import { dirname } from 'node:path';
import { faultOf } from '#src/checks/store/file/fault.ts';

/** An upgrade cannot continue: the reason, and what has changed on the host, in sentences. */
export class UpgradeError extends Error {
  override readonly name = 'UpgradeError';
}

/** Converts the system's refusal to change files beside an executable to a sentence; returns other errors unchanged. */
export function asRefusal(error: unknown, program: string): unknown {
  const fault = error instanceof Error && 'syscall' in error ? faultOf(error) : null;
  if (fault === null) return error;
  return new UpgradeError(`Nothing can be written to ${dirname(program)}: ${fault.matter}.`, { cause: error });
}
