/** Listening agents and writing customers, both in one child process, so that one clock times both. Sent to it as one message. */
export interface SocketJob {
  readonly port: number;
  readonly token: string;
  readonly sockets: number;
  /** How many of them stop reading. */
  readonly slow: number;
  readonly messages: number;
  readonly perSecond: number;
}

export interface SocketResult {
  /** Seconds until every socket was connected. */
  readonly connected: number;
  /** Milliseconds from the customer's request to its event at a socket, over all messages and reading sockets. */
  readonly p50: number;
  readonly p99: number;
  /** Milliseconds from the request to its own answer, which leaves after the commit. */
  readonly answer50: number;
  readonly answer99: number;
  /** Events that reading sockets never got. */
  readonly missing: number;
}
