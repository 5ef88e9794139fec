import { run } from '#src/interfaces/cli/index.ts';
import { openProcessIo } from '#src/interfaces/cli/process-io.ts';

const io = openProcessIo();
await io.exit(await run(process.argv.slice(2), io));
