/** Runs a command to its end, as part of making what users get. Throws an Error where it fails. */
export async function run(command: readonly string[]): Promise<void> {
  const child = Bun.spawn([...command], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if ((await child.exited) !== 0) throw new Error(`failed: ${command.slice(1).join(' ')}`);
}
