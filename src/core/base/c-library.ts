import type { FFIFunction } from 'bun:ffi';

/** Sends datagrams to a unix socket. Disposing of it closes the sending socket. */
export interface UnixDatagrams extends Disposable {
  /** Returns whether the system accepted the datagram; does not block. */
  send(bytes: Uint8Array): boolean;
  /** Returns whether the datagram socket exists. */
  isThere(): boolean;
}

/** Values of <sys/socket.h> and <fcntl.h>, which are the same on every Linux that the program is made for. */
const [AF_UNIX, SOCK_DGRAM, SOCK_CLOEXEC, MSG_DONTWAIT, MSG_NOSIGNAL] = [1, 2, 0o2000000, 0x40, 0x4000];

/** Maximum length of a socket name, in bytes (unix(7), `sun_path`). */
const MAX_NAME_BYTES = 108;

/**
 * Connects to the socket of a path, or of an abstract name that begins with @; a string states why it failed. The
 * runtime has no unix datagram sockets, so the C library is called.
 */
export async function openUnixDatagrams(address: string): Promise<UnixDatagrams | string> {
  // An @ stands for the zero byte with which abstract names begin.
  const name = Buffer.from(address.replace(/^@/, '\0'));
  if (!/^[/@]./.test(address) || name.length >= MAX_NAME_BYTES) return 'it is neither a path nor an abstract name';
  const library = await openCLibrary({
    socket: { args: ['i32', 'i32', 'i32'], returns: 'i32' },
    connect: { args: ['i32', 'ptr', 'u32'], returns: 'i32' },
    sendto: { args: ['i32', 'ptr', 'u64', 'i32', 'ptr', 'u32'], returns: 'i64' },
    close: { args: ['i32'], returns: 'i32' },
  });
  if (library === null) return 'the C library cannot be called';
  const { addressOf } = library;
  const { socket, connect, sendto, close } = library.symbols;
  const descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return 'no socket can be made';
  // struct sockaddr_un: the family in the order of the machine's bytes, which is little-endian, then the name.
  const to = Buffer.concat([Buffer.from([AF_UNIX, 0]), name]);
  return {
    send(bytes) {
      const flags = MSG_NOSIGNAL | MSG_DONTWAIT;
      return (
        Number(sendto(descriptor, addressOf(bytes), bytes.length, flags, addressOf(to), to.length)) === bytes.length
      );
    },
    isThere: () => connect(descriptor, addressOf(to), to.length) === 0,
    [Symbol.dispose]() {
      close(descriptor);
      library.close();
    },
  };
}

/** File names of glibc, and of musl by processor. */
const NAMES = ['libc.so.6', 'libc.musl-x86_64.so.1', 'libc.musl-aarch64.so.1'];

/** Opens functions of the C library that the runtime lacks; null if it cannot be loaded. */
export async function openCLibrary<const Functions extends Record<string, FFIFunction>>(functions: Functions) {
  const { dlopen, ptr } = await import('bun:ffi');
  for (const name of NAMES) {
    try {
      const library = dlopen(name, functions);
      return { symbols: library.symbols, addressOf: ptr, close: () => library.close() };
    } catch {
      // Try the next name.
    }
  }
  return null;
}
