/** Runs a system command. Throws an Error with its output if it fails. */
export async function runCommand(command: readonly string[]): Promise<void> {
  const child = Bun.spawn([...command], { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) === 0) return;
  throw new Error(`${command.join(' ')} failed: ${`${stdout}${stderr}`.trim()}`);
}

/** Returns true if a command exists and succeeds. */
export function succeeds(...command: string[]): boolean {
  return Bun.which(command[0] ?? '') !== null && Bun.spawnSync(command, { stdout: 'ignore', stderr: 'ignore' }).success;
}

/** Returns the output of a command; empty if it does not exist. */
export async function printed(...command: string[]): Promise<string> {
  if (Bun.which(command[0] ?? '') === null) return '';
  const child = Bun.spawn(command, { stdin: 'ignore', stdout: 'pipe', stderr: 'ignore' });
  return await child.stdout.text();
}
