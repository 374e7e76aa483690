import type { Socket } from 'socket.io';

/** How much may wait for a client that does not read, and for how long nothing may get through to it. */
export interface Patience {
  readonly events: number;
  readonly milliseconds: number;
}

export const PATIENCE: Patience = { events: 2_000, milliseconds: 20_000 };

/**
 * Closes a connection whose client has stopped reading, before the events that wait for it fill the memory. It delays nobody
 * else meanwhile: every connection has its own buffer. The client fetches what it missed when it is back.
 */
export const dropWhenStuck = ({ conn }: Socket, { events, milliseconds }: Patience): void => {
  let waiting = 0;
  let drained = Date.now();
  conn.on('drain', () => {
    waiting = 0;
    drained = Date.now();
  });
  conn.on('packetCreate', () => {
    // The time begins with the first packet after everything had left
    if (waiting === 0) drained = Date.now();
    waiting += 1;
    // `true`: without waiting for the buffer to drain, which will not happen
    if (waiting > events && Date.now() - drained > milliseconds) conn.close(true);
  });
};
