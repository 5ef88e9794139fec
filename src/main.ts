import { restartWithOptions } from '#src/interfaces/cli/runtime-options.ts';

const argv = process.argv.slice(2);
restartWithOptions(argv);
// Loaded afterwards, so that a restart takes the time of the bare runtime.
const [{ run }, { openProcessIo }] = await Promise.all([
  import('#src/interfaces/cli/index.ts'),
  import('#src/interfaces/cli/process-io.ts'),
]);
const io = openProcessIo();
await io.exit(await run(argv, io));
