import { EventEmitter } from 'node:events';
import { silentLogger } from '@platform/runtime';
import type { AuthenticationCreds, WASocket } from 'baileys';
import { Farewells } from './farewells';
import { Turnstile } from './turnstile';

/** A connection that WhatsApp opens at once. */
const opening = (): WASocket => {
  const ev = new EventEmitter();
  setImmediate(() => ev.emit('connection.update', { connection: 'open' }));
  return {
    ev,
    ws: new EventEmitter(),
    logout: async () => undefined,
    end: async () => undefined,
  } as unknown as WASocket;
};

it('an account that cannot be used takes no place from the devices, and holds up no other farewell', async () => {
  const turnstile = new Turnstile({ places: 1, logger: silentLogger });
  const told: string[] = [];
  const removed = new Promise<void>((resolve) => {
    const account = (name: string) => ({ account: name, creds: { name } as unknown as AuthenticationCreds, tries: 1 });
    const farewells = new Farewells({
      store: {
        save: async () => undefined,
        take: async () => [account('broken'), account('sound')],
        remove: async (name) => {
          told.push(name);
          resolve();
        },
      },
      open: (creds) => {
        if ((creds as unknown as { name: string }).name === 'broken') throw new Error('no key');
        return opening();
      },
      entrance: turnstile.entrance('receiver'),
      logger: silentLogger,
    });
    farewells.start();
  });
  await removed;
  expect([told, turnstile.connecting]).toEqual([['sound'], 0]);
});
