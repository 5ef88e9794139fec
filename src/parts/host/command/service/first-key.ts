import { fstatSync } from 'node:fs';
import type { Io } from '#src/core/base/io.ts';
import { parseJson } from '#src/core/base/text/json-shape.ts';

/** The key that signs the operator in to the console of a new installation. */
const FIRST_KEY = ['key', 'create', 'admin', '--scope', 'admin'] as const;

/** States what {@link printFirstKey} will do. */
export const FIRST_KEY_PLAN = 'create  the key "admin" with the scope admin, and print it, unless a key exists\n';

/**
 * Creates the first key of the installation and prints it on a separate line; prints nothing if there is a key. It runs
 * the command `key` in a process of its own, which becomes the owner of the data directory. No key is printed to an
 * output that the journal stores. A failure is reported and does not undo the installation.
 *
 * @param program the executable
 */
export async function printFirstKey(program: string, isQuiet: boolean, io: Io): Promise<void> {
  const { environment, stdout, stderr } = io;
  const sudo = environment['SUDO_UID'];
  // Settings of the operator's shell are not those of the service.
  const env = { PATH: environment['PATH'] ?? '', ...(sudo !== undefined && { SUDO_UID: sudo }) };
  const run = async (...args: readonly string[]) => {
    const child = Bun.spawn([program, ...args], { env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' });
    const [printed, said] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    return { printed, said, isDone: (await child.exited) === 0 };
  };
  const skip = async (why: string) =>
    await stderr.write(
      `lurecheck: no first key was created: ${why}; create it with lurecheck ${FIRST_KEY.join(' ')}\n`,
    );
  const found = await run('key', 'list', '--format', 'json');
  const keys = parseJson(found.printed);
  if (!found.isDone || !Array.isArray(keys))
    return await skip(`the keys cannot be read: ${found.said.trim().replace(/\n/g, '; ')}`);
  if (keys.length > 0) return;
  if (isJournal(environment)) return await skip('the journal would store it');
  const { printed, said } = await run(...FIRST_KEY);
  if (printed === '') return await skip(said.trim().replace(/\n/g, '; '));
  await stdout.write(printed);
  if (isQuiet) return;
  await stderr.write(
    'lurecheck: this is the first key, with the scope admin, for #/console of the page; store it, it is not shown again\n',
  );
}

/** Returns true if the journal stores this process's output (systemd.exec(5), `$JOURNAL_STREAM`). */
function isJournal(environment: Io['environment']): boolean {
  const stream = environment['JOURNAL_STREAM'];
  const { dev, ino } = fstatSync(1);
  return stream === `${dev}:${ino}`;
}
