import type { Logger } from '#src/core/base/logger.ts';
import { VERSION } from '#src/core/base/version.ts';
import type { Readiness } from '#src/service/server/health-routes.ts';
import type { FollowedDataFile } from '../data-files.ts';
import { bindSocketFile } from '../listen/socket-file.ts';
import { type ControlState, controlSocketIn } from './ask-control.ts';

/** Dependencies of the control socket. */
export interface ControlParts {
  readonly files: readonly FollowedDataFile[];
  readonly readiness: () => Promise<Readiness>;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Answers the owner of the data directory on a unix socket in it: `GET /state`, and `POST /look`, which applies changed
 * files at once. If the directory cannot hold a socket, commands lack only the confirmation.
 */
export async function openControlSocket(
  dataDir: string,
  { files, readiness, logger }: ControlParts,
): Promise<AsyncDisposable> {
  async function state(): Promise<ControlState> {
    const { problem, notices } = await readiness();
    const standings = files.map(({ name, followed }) => [name, followed.state()] as const);
    const { pid } = process;
    return {
      version: VERSION,
      pid,
      ready: problem === null,
      notices: [...notices],
      files: Object.fromEntries(standings),
    };
  }

  async function answer(request: Request, server: Pick<Bun.Server<unknown>, 'timeout'>): Promise<Response> {
    const { pathname } = new URL(request.url);
    const asked = `${request.method} ${pathname}`;
    if (asked !== 'GET /state' && asked !== 'POST /look') return new Response(null, { status: 404 });
    // A list of a million entries takes seconds.
    server.timeout(request, 0);
    if (asked === 'POST /look') await Promise.all(files.map(({ followed }) => followed.checkNow()));
    return Response.json(await state());
  }

  const path = controlSocketIn(dataDir);
  let server: ReturnType<typeof Bun.serve> | undefined;
  try {
    await bindSocketFile(path, () => {
      server = Bun.serve({ unix: path, development: false, fetch: (request, server) => answer(request, server) });
    });
  } catch (error) {
    logger.warn('control.unavailable', { path, error });
  }
  return {
    async [Symbol.asyncDispose]() {
      await server?.stop(true);
    },
  };
}
