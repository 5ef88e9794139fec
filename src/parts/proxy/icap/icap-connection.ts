import {
  type AnswerContext,
  echoAnswer,
  errorAnswer,
  type HttpReplacement,
  type Marks,
  optionsAnswer,
  replacementAnswer,
  unmodifiedAnswer,
} from './icap-answer.ts';
import type { ReqmodHead } from './icap-head.ts';
import { createRequestReader, type IcapEvent } from './request-reader.ts';

/** Decision on a request. */
export interface IcapDecision {
  /** Response that replaces the request; null if the request passes. */
  readonly replacement: HttpReplacement | null;
  /** Header fields of the ICAP answer. */
  readonly marks: Marks;
}

/** Dependencies of a connection. */
export interface IcapConnectionParts {
  /** Must not throw. */
  decide(head: ReqmodHead, http: Buffer): IcapDecision;
  readonly istag: () => string;
  readonly maxConnections: number;
  readonly now: () => number;
  /** Sends bytes; false if the peer takes no more for now, until {@link IcapConnection.proceed}. */
  write(bytes: Uint8Array): boolean;
  /** Closes the connection once everything is sent. */
  end(): void;
}

/** A connection without its socket. */
export interface IcapConnection {
  /** Processes received bytes. Returns false if the peer is to send no more until {@link proceed}. */
  receive(bytes: Uint8Array): boolean;
  /** Continues after the peer has taken what was written. Returns the same. */
  proceed(): boolean;
  /** Completes the request being received, then closes; closes at once if there is none. */
  stop(): void;
}

/** The request that is being received. */
interface Pending {
  /** Null while a body is echoed. */
  readonly answer: (() => Buffer) | null;
  readonly closes: boolean;
}

/**
 * Creates a connection. Answers keep the order of requests. A request is answered after everything that its client sends
 * before it waits: an answer that overtakes a body breaks the upload in Squid. A body is echoed or dropped, never held.
 */
export function createIcapConnection(parts: IcapConnectionParts): IcapConnection {
  const { istag, maxConnections, now } = parts;
  const reader = createRequestReader();
  let pending: Pending | null = null;
  let isBlocked = false;
  let [isStopping, isEnded] = [false, false];

  const context = (closes: boolean): AnswerContext => ({ istag: istag(), nowMs: now(), closes: closes || isStopping });
  const send = (bytes: Uint8Array) => {
    isBlocked = !parts.write(bytes);
  };
  const end = () => {
    isEnded = true;
    parts.end();
  };

  function take(event: IcapEvent): void {
    switch (event.kind) {
      case 'options':
        send(optionsAnswer(context(event.closes), maxConnections));
        if (event.closes || isStopping) end();
        return;
      case 'request':
        pending = begin(event.head, event.http);
        return;
      case 'body':
        if (pending?.answer === null && event.bytes.length > 0) send(event.bytes);
        return;
      case 'end': {
        if (pending?.answer) send(pending.answer());
        const isLast = pending?.closes || isStopping;
        pending = null;
        if (isLast) end();
        return;
      }
      case 'error':
        send(errorAnswer(context(true), event.status));
        end();
    }
  }

  function begin(head: ReqmodHead, http: Buffer): Pending {
    const { hasBody, hasPreview, allows204, closes } = head;
    const { replacement, marks } = parts.decide(head, http);
    if (replacement) return { closes, answer: () => replacementAnswer(context(closes), marks, replacement) };
    // In answer to a preview 204 is always allowed (RFC 3507 §4.5).
    if (allows204 || hasPreview) return { closes, answer: () => unmodifiedAnswer(context(closes), marks) };
    send(echoAnswer(context(closes), marks, http, hasBody));
    return { closes, answer: null };
  }

  function proceed(): boolean {
    while (!isBlocked && !isEnded) {
      const event = reader.next();
      if (event === null) break;
      take(event);
    }
    return !isBlocked;
  }

  return {
    receive(bytes) {
      if (isEnded) return true;
      reader.push(bytes);
      return proceed();
    },
    proceed() {
      isBlocked = false;
      return proceed();
    },
    stop() {
      isStopping = true;
      if (!isEnded && pending === null && reader.isIdle) end();
    },
  };
}
