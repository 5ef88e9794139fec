import { connect } from 'node:net';

/** How a mail is sent. */
export interface SmtpOptions {
  /** Maximum number of bytes that are sent at once; all by default. */
  readonly pieceBytes?: number;
}

/**
 * Sends a mail by SMTP to an address of `office.example`, and returns the answer to its end. Throws if a step before is
 * refused.
 *
 * @param mail with CRLF as line ends, and no line that begins with a dot
 */
export async function sendMail(port: number, mail: string, { pieceBytes }: SmtpOptions = {}): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  let [text, waiting] = ['', Promise.withResolvers<void>()];
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    waiting.resolve();
  });
  socket.on('error', (error) => waiting.reject(error));
  socket.on('close', () => waiting.reject(new Error(`the mail server closed the connection: ${text}`)));
  const reply = async () => {
    for (;;) {
      const whole = /^\d{3} .*\r\n/m.exec(text);
      if (whole) {
        text = text.slice(whole.index + whole[0].length);
        return whole[0].trim();
      }
      await waiting.promise;
      waiting = Promise.withResolvers();
    }
  };
  const write = async (bytes: Buffer) => {
    const size = pieceBytes ?? bytes.length;
    for (let at = 0; at < bytes.length; at += size) {
      if (!socket.write(bytes.subarray(at, at + size))) await new Promise((resolve) => socket.once('drain', resolve));
    }
  };
  const step = async (line: string, code: string) => {
    await write(Buffer.from(`${line}\r\n`));
    const said = await reply();
    if (!said.startsWith(code)) throw new Error(`${line}: ${said}`);
  };
  try {
    await reply();
    await step('EHLO sender.example', '250');
    await step('MAIL FROM:<it@bank.example>', '250');
    await step('RCPT TO:<anna@office.example>', '250');
    await step('DATA', '354');
    await write(Buffer.from(`${mail}\r\n.\r\n`, 'latin1'));
    return await reply();
  } finally {
    waiting.promise.catch(() => {});
    socket.destroy();
  }
}
