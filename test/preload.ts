import { plugin } from 'bun';
import { HANG_MS } from './support/patience.ts';

// Bun 1.4 reads no time-out from bunfig.toml (oven-sh/bun#7789), and `setDefaultTimeout` in a preloaded file holds for the
// first test file alone (oven-sh/bun#43787). So each test file says it, on its first line, that the others keep theirs.
const patience = `import { setDefaultTimeout as bePatient } from 'bun:test'; bePatient(${HANG_MS});`;

plugin({
  name: 'patience',
  setup(build) {
    build.onLoad({ filter: /\.test\.ts$/ }, async ({ path }) => ({
      contents: `${patience} ${await Bun.file(path).text()}`,
      loader: 'ts',
    }));
  },
});
