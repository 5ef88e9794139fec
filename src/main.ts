import { run } from '#src/cli/index.ts';
import { openProcessIo } from '#src/cli/process-io.ts';

const io = openProcessIo();
await io.exit(await run(process.argv.slice(2), io));
