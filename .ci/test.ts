import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { parseArgs } from 'node:util';

const isStage = { type: 'boolean', default: false } as const;
const { values: stage } = parseArgs({ options: { slow: isStage, system: isStage }, strict: true });
const bun = process.execPath;

/** How the name of a test file ends that belongs into the slow stage. */
const SLOW = '.slow.test.ts';

/** Checks types. Several checkers at once repeat each other's work, and end no sooner on two processors. */
const TYPES = [bun, 'x', 'tsc', '--noEmit', '--checkers', '1'];

/** Conditions to test before the test files; each counts as one test. */
const GATES: readonly (readonly [string, readonly string[]])[] = [
  ['types', TYPES],
  ['types of the web page', [...TYPES, '-p', 'src/interfaces/ui']],
  ['lint', [bun, 'x', 'biome', 'ci', '--error-on-warnings', '.']],
  ['build', [bun, '.ci/build.ts']],
];

const total = { passed: 0, failed: 0 };

// Files that are tested at the same time would build it at the same time.
if ((stage.slow || stage.system) && !existsSync('dist/lurecheck')) await run([bun, '.ci/build.ts']);

// Six at a time: most wait for time-outs and restarts, but browsers and databases use several processors each. The slowest
// begin first; `--update-timings` measures them anew.
if (stage.system)
  await runTests(['--parallel=6', '--timings=.ci/timings.json', '--path-ignore-patterns=none', './test/system/']);
else if (stage.slow) await runTests(['--parallel', SLOW]);
else {
  const closed = new Set<string>();
  await Promise.all(
    GATES.map(async ([name, command]) => {
      const { exitCode } = await run(command);
      if (exitCode !== 0) closed.add(name);
      process.stdout.write(`${name}: ${exitCode === 0 ? 'passed' : 'FAILED'}\n`);
    }),
  );
  total.passed += GATES.length - closed.size;
  total.failed += closed.size;
  // Types and lint may fail and the tests still say more; without the executable there is nothing to test.
  const ignored = ['test/system/**', `**/*${SLOW}`].map((pattern) => `--path-ignore-patterns=${pattern}`);
  if (!closed.has('build')) await runTests(['--parallel', ...ignored]);
}

process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;

async function runTests(args: readonly string[]): Promise<void> {
  if (stage.system && (await readdir('test/system')).length === 0) return;
  const { exitCode, stderr } = await run([bun, 'test', ...args]);
  const count = (word: string) => Number(new RegExp(`^\\s*(\\d+) ${word}$`, 'm').exec(stderr)?.[1] ?? 0);
  total.passed += count('pass');
  total.failed += count('fail');
  // A crash, or a file that cannot be loaded, may leave no failed test behind.
  if (exitCode !== 0 && count('fail') === 0) total.failed++;
}

/** Runs a command to its end; what it says on stderr is shown and returned. */
async function run(command: readonly string[]): Promise<{ exitCode: number; stderr: string }> {
  const child = Bun.spawn([...command], { stdin: 'ignore', stdout: 'inherit', stderr: 'pipe' });
  let stderr = '';
  const decoder = new TextDecoder();
  for await (const chunk of child.stderr) {
    process.stderr.write(chunk);
    stderr += decoder.decode(chunk, { stream: true });
  }
  return { exitCode: await child.exited, stderr };
}
