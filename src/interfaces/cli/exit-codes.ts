/** Exit codes, for help and the manual. A command returns no other code, which the compiler ensures. */
export const EXIT_CODES = [
  { code: 0, meaning: 'done' },
  { code: 1, meaning: 'the work, or one of its inputs, failed; answers are in the output' },
  { code: 2, meaning: 'invalid command line or setting; nothing was done' },
  { code: 3, meaning: 'service status: installed, not running' },
  { code: 4, meaning: 'service status: not installed' },
  {
    code: 10,
    meaning: '--fail-on warn: the worst decision is warn; rescore: of those that got worse',
  },
  { code: 20, meaning: '--fail-on: the worst decision is block; rescore: of those that got worse' },
  { code: 129, meaning: 'terminated by SIGHUP' },
  { code: 130, meaning: 'terminated by Ctrl+C (SIGINT)' },
  { code: 141, meaning: 'the reader closed the output (SIGPIPE)' },
  { code: 143, meaning: 'terminated by SIGTERM; serve shuts down gracefully and exits with 0' },
] as const;

export type ExitCode = (typeof EXIT_CODES)[number]['code'];
