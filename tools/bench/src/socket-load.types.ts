/** Agents who listen, and customers who write; one message to a process of its own, so that one clock times both. */
export interface SocketJob {
  readonly port: number;
  readonly token: string;
  readonly sockets: number;
  /** Of these, so many stop reading. */
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
