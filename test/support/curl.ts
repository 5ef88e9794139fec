/** What `curl` got. */
export interface Curled {
  readonly status: number;
  readonly body: string;
  readonly location: string;
}

/** A way for `curl` to ask a name on this machine, and to trust what it shows. */
export interface CurlWay {
  readonly name: string;
  readonly port: number;
  /** File with the certificate of its authority. */
  readonly authority: string;
}

const MARK = '\n--- ';

/** The arguments by which `curl` asks `path`; `from` is an address of this machine. */
export function curlTo({ name, port, authority }: CurlWay, path: string, more: readonly string[], from = '127.0.0.1') {
  const way = ['--resolve', `${name}:${port}:127.0.0.1`, '--cacert', authority, '--interface', from];
  return ['curl', '-sS', ...way, ...more, `https://${name}:${port}${path}`];
}

/** Asks as a client at `from`. Throws an Error with what `curl` said where nobody answered. */
export async function curl(way: CurlWay, path: string, more: readonly string[] = [], from?: string): Promise<Curled> {
  const written = ['-w', `${MARK}%{http_code} %{redirect_url}`];
  const child = Bun.spawn(curlTo(way, path, [...written, ...more], from), { stdout: 'pipe', stderr: 'pipe' });
  const [text, said, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (code !== 0) throw new Error(`curl ended with ${code}: ${said}`);
  const at = text.lastIndexOf(MARK);
  const [status = '', location = ''] = text.slice(at + MARK.length).split(' ');
  return { status: Number(status), body: text.slice(0, at), location };
}
