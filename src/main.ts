import { run } from '#src/cli/index.ts';
import { openProcessIo } from '#src/cli/process-io.ts';

// Only the exit code is set: `process.exit` would cut what is still on its way into a pipe.
const io = openProcessIo();
process.exitCode = await run(process.argv.slice(2), io);
io.close();
