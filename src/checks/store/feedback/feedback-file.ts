import { existsSync } from 'node:fs';

/** Returns the path of a data directory's feedback. */
export function feedbackFileIn(dataDir: string): string {
  return `${dataDir}/feedback.sqlite`;
}

/** Returns true if a data directory has feedback. */
export function hasFeedback(dataDir: string): boolean {
  return existsSync(feedbackFileIn(dataDir));
}
