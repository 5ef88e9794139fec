import { once } from 'node:events';
import net, { type Socket } from 'node:net';
import zlib from 'node:zlib';

/** One step of a hostile server; the members are those of the vector files. */
export interface Op {
  readonly op: string;
  readonly data?: string;
  readonly n?: number;
  readonly times?: number;
  readonly ms?: number;
  readonly everyMs?: number;
  readonly mib?: number;
  readonly encoding?: string;
  readonly fill?: string;
  readonly text?: string;
  readonly keep?: number;
  readonly junk?: string;
  readonly bytes?: number;
  readonly windowLog?: number;
}

export interface ScriptServer extends AsyncDisposable {
  readonly port: number;
  /** The first line of every request, and `?` where none came. */
  readonly requests: readonly string[];
  /** How many connections there have been. */
  connections(): number;
  /** Resolves once no connection is open any more. */
  closed(): Promise<void>;
}

/** Plays for each connection the script that `choose` names for the requested path. A script that begins with an end does not wait for a request. */
export async function serveScript(
  choose: (path: string, request: string) => readonly Op[] | Buffer,
  atOnce = false,
  at = { address: '127.0.0.1', port: 0 },
): Promise<ScriptServer> {
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  let connections = 0;
  const server = net.createServer((socket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    const begin = (request: string) => {
      const line = request.split('\r\n')[0] ?? '?';
      requests.push(line);
      const script = choose(line.split(' ')[1] ?? '', request);
      if (Buffer.isBuffer(script)) socket.end(script);
      else void play(socket, script);
    };
    if (atOnce) begin('?');
    else socket.once('data', (data) => begin(data.toString('latin1')));
    socket.resume();
  });
  server.listen(at.port, at.address);
  await once(server, 'listening');
  const bound = server.address();
  return {
    port: bound && typeof bound === 'object' ? bound.port : 0,
    requests,
    connections: () => connections,
    async closed() {
      while (sockets.size > 0) await new Promise(setImmediate);
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function play(socket: Socket, script: readonly Op[]): Promise<void> {
  for (const op of script) {
    if (socket.destroyed) return;
    await step(socket, op);
  }
}

async function step(socket: Socket, op: Op): Promise<void> {
  const data = Buffer.from(op.data ?? '', op.op.endsWith('Hex') || op.op === 'hex' ? 'hex' : 'latin1');
  const text = Buffer.from(op.text ?? '');
  switch (op.op) {
    case 'send':
    case 'hex':
      return write(socket, data);
    case 'repeat':
      return write(socket, Buffer.alloc((op.n ?? 0) * data.length, data));
    case 'b64':
      return write(socket, Buffer.from(op.data ?? '', 'base64'));
    case 'zeros':
      return write(socket, Buffer.alloc(op.bytes ?? 0));
    case 'flood':
    case 'floodHex': {
      const piece = Buffer.alloc(data.length * (op.times ?? 1), data);
      while (!socket.destroyed) await write(socket, piece);
      return;
    }
    case 'drip':
    case 'dripHex':
      while (!socket.destroyed) {
        await write(socket, data);
        await Bun.sleep(op.everyMs ?? 100);
      }
      return;
    case 'wait':
      return await Bun.sleep(op.ms ?? 0);
    case 'hang':
    case 'afterClientHello':
      return;
    case 'end':
      socket.end();
      return;
    case 'rst':
      socket.resetAndDestroy();
      return;
    default:
      return write(socket, withLength(coded(op, text)));
  }
}

function withLength(body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]);
}

function coded(op: Op, text: Buffer): Buffer {
  switch (op.op) {
    case 'bomb':
      return bomb(op.encoding ?? '', op.mib ?? 1);
    case 'gzipTruncated':
      return zlib.gzipSync(text).subarray(0, op.keep);
    case 'gzipTrailing':
      return Buffer.concat([zlib.gzipSync(text), Buffer.from(op.junk ?? 'junk', 'latin1')]);
    case 'gzipBadCrc': {
      const body = zlib.gzipSync(text);
      body.writeUInt32LE(body.readUInt32LE(body.length - 8) ^ 1, body.length - 8);
      return body;
    }
    case 'deflateRaw':
      return zlib.deflateRawSync(text);
    case 'zstdWindow':
      return zlib.zstdCompressSync(Buffer.alloc(1 << 20), {
        params: { [zlib.constants.ZSTD_c_windowLog]: op.windowLog ?? 27 },
      });
    default:
      throw new Error(`unknown op ${op.op}`);
  }
}

/** Coded data that inflates to `mib` MiB, made of one coded MiB over and over. */
function bomb(encoding: string, mib: number): Buffer {
  const zeros = Buffer.alloc(1 << 20);
  if (encoding === 'zstd') return Buffer.alloc(zlib.zstdCompressSync(zeros).length * mib, zlib.zstdCompressSync(zeros));
  if (encoding === 'gzip-multi') return Buffer.alloc(zlib.gzipSync(zeros).length * mib, zlib.gzipSync(zeros));
  if (encoding === 'br') {
    const params = { [zlib.constants.BROTLI_PARAM_QUALITY]: 3 };
    return zlib.brotliCompressSync(Buffer.alloc(mib << 20, 'the quick brown fox '), { params });
  }
  const block = zlib.deflateRawSync(zeros, { finishFlush: zlib.constants.Z_FULL_FLUSH });
  return Buffer.concat([zlib.gzipSync('').subarray(0, 10), Buffer.alloc(block.length * mib, block)]);
}

function write(socket: Socket, data: Buffer): Promise<void> {
  if (socket.destroyed || socket.write(data)) return Promise.resolve();
  return new Promise((resolve) => {
    socket.once('drain', resolve);
    socket.once('close', () => resolve());
  });
}
