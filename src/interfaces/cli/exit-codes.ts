/** How a run can end, for help, the manual and the README. A command returns no other code: the compiler sees to it. */
export const EXIT_CODES = [
  { code: 0, meaning: 'done' },
  { code: 1, meaning: 'the work, or one of its inputs, failed; what was answered stands in the output' },
  { code: 2, meaning: 'the command line or a setting is wrong; nothing was done' },
  { code: 3, meaning: 'service status: it is installed, and does not run' },
  { code: 4, meaning: 'service status: it is not installed' },
  {
    code: 10,
    meaning: '--fail-on warn: the worst decision is warn; of rescore, of those that are graver now',
  },
  { code: 20, meaning: '--fail-on: the worst decision is block; of rescore, likewise' },
  { code: 129, meaning: 'ended by SIGHUP' },
  { code: 130, meaning: 'ended by Ctrl+C (SIGINT)' },
  { code: 141, meaning: 'whoever read the output went away' },
  { code: 143, meaning: 'ended by SIGTERM; serve closes in order and ends with 0' },
] as const;

/** What a run can end with. */
export type ExitCode = (typeof EXIT_CODES)[number]['code'];
