import type { Socket } from 'socket.io';

/** How much may wait for a client that does not read, and for how long nothing of it may get through. */
export interface Patience {
  readonly events: number;
  readonly milliseconds: number;
}

export const PATIENCE: Patience = { events: 2_000, milliseconds: 20_000 };

/**
 * Closes a connection whose client has stopped reading, before what waits for it fills the memory. Nobody else is delayed by
 * it meanwhile: every connection has a buffer of its own. The client asks for what it missed when it is back.
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
    // `true`: without waiting for the buffer to empty, which is what will not happen
    if (waiting > events && Date.now() - drained > milliseconds) conn.close(true);
  });
};
