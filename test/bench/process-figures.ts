/** Processor time of all threads of a process so far, in microseconds; Linux counts it in hundredths of a second (USER_HZ). */
export async function processMicros(pid: number): Promise<number> {
  const [, fields = ''] = (await Bun.file(`/proc/${pid}/stat`).text()).split(') ');
  const [userTicks, systemTicks] = fields.split(' ').slice(11, 13);
  return (Number(userTicks) + Number(systemTicks)) * 10_000;
}

/** The same of a process with all that it started. */
export async function familyMicros(pid: number): Promise<number> {
  const children = Bun.spawnSync(['pgrep', '-P', String(pid)])
    .stdout.toString()
    .trim()
    .split('\n')
    .filter(Boolean);
  const micros = await Promise.all([pid, ...children.map(Number)].map(processMicros));
  return micros.reduce((sum, one) => sum + one, 0);
}

/** Processor time of its first thread so far, in microseconds, which Linux counts to the nanosecond. */
export async function firstThreadMicros(pid: number): Promise<number> {
  const [nanoseconds] = (await Bun.file(`/proc/${pid}/task/${pid}/schedstat`).text()).split(' ');
  return Number(nanoseconds) / 1000;
}

/** What a process holds in memory, in MiB. */
export async function residentMib(pid: number): Promise<number> {
  const status = await Bun.file(`/proc/${pid}/status`).text();
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}
