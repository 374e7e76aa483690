import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { overTcp } from '@platform/testing';

export interface Gate {
  /** The database through the gate. */
  readonly url: string;
  /** Statements that went through so far. */
  statements(): number;
  close(): void;
  open(): void;
  end(): void;
}

const QUERY = 'Q'.charCodeAt(0);
const EXECUTE = 'E'.charCodeAt(0);

/** Counts statements in what a client says: PostgreSQL's frontend protocol 3, messages of a type byte and a length. */
const statementCounter = (counted: () => void): ((chunk: Buffer) => void) => {
  let waiting = Buffer.alloc(0);
  // The first message of a connection has no type
  let head = 0;
  return (chunk) => {
    waiting = Buffer.concat([waiting, chunk]);
    while (waiting.length >= head + 4) {
      const length = head + waiting.readInt32BE(head);
      if (waiting.length < length) return;
      if (head === 1 && (waiting[0] === QUERY || waiting[0] === EXECUTE)) counted();
      waiting = waiting.subarray(length);
      head = 1;
    }
  };
};

/** Stands between service and database, so that the database can go away and come back, and its statements be counted. */
export const openGate = async (database: string): Promise<Gate> => {
  const target = overTcp(database);
  let open = true;
  let statements = 0;
  const sockets = new Set<Socket>();
  const server: Server = createServer((inner) => {
    if (!open) return void inner.destroy();
    const outer = connect(Number(target.port), target.hostname);
    for (const socket of [inner, outer])
      sockets.add(socket.on('error', () => undefined).on('close', () => (inner.destroy(), outer.destroy())));
    inner.on(
      'data',
      statementCounter(() => void (statements += 1)),
    );
    inner.pipe(outer).pipe(inner);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  const cut = () => sockets.forEach((socket) => socket.destroy());
  return {
    url: url.href,
    statements: () => statements,
    close: () => ((open = false), cut()),
    open: () => (open = true),
    end: () => (cut(), server.close()),
  };
};
