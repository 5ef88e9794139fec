/** Runs a command of the system. Throws an Error with what it said where it fails. */
export async function runCommand(command: readonly string[]): Promise<void> {
  const child = Bun.spawn([...command], { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) === 0) return;
  throw new Error(`${command.join(' ')} failed: ${`${stdout}${stderr}`.trim()}`);
}

/** Whether a command is there and ends well. */
export function succeeds(...command: string[]): boolean {
  return Bun.which(command[0] ?? '') !== null && Bun.spawnSync(command, { stdout: 'ignore', stderr: 'ignore' }).success;
}

/** What a command prints; nothing where it is not there. */
export async function printed(...command: string[]): Promise<string> {
  if (Bun.which(command[0] ?? '') === null) return '';
  const child = Bun.spawn(command, { stdin: 'ignore', stdout: 'pipe', stderr: 'ignore' });
  return await child.stdout.text();
}
