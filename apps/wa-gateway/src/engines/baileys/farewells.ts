import type { AuthenticationCreds, WASocket } from 'baileys';
import { Mutex, timeLimit, type Logger } from '@platform/runtime';
import { RestartSlot } from './close-policy';
import type { FarewellStore } from './farewell.store';
import { onFirstWord } from './socket';
import type { Entrance } from './turnstile';

export interface FarewellsOptions {
  readonly store: Pick<FarewellStore, 'save' | 'take' | 'remove'>;
  /** A connection of its own for an account that is given up, without keys and without anybody who listens to messages. */
  readonly open: (creds: AuthenticationCreds) => WASocket;
  readonly entrance: Pick<Entrance, 'enter'>;
  readonly logger: Logger;
}

const LIMIT_MS = 30_000;
const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 6 * 3_600_000;
/** WhatsApp says with these that it knows the link no more. */
const UNLINKED: ReadonlySet<number | undefined> = new Set([401, 403, 406, 411]);

/** Unlinks at WhatsApp what was logged out while there was no line: the phone's list of linked devices keeps no dead entry. */
export class Farewells {
  private readonly slot = new RestartSlot();
  private readonly turns = new Mutex();
  private isStopped = false;
  private current: WASocket | undefined;

  constructor(private readonly options: FarewellsOptions) {}

  /** Durable when it resolves; tried at once, and again with growing pauses. */
  async add(creds: AuthenticationCreds): Promise<void> {
    await this.options.store.save(creds);
    this.start();
  }

  /** What an earlier process could not do is tried. */
  start(): void {
    this.slot.schedule(0, () => void this.turns.run(() => this.tryAll()));
  }

  stop(): void {
    this.isStopped = true;
    this.slot.cancel();
    void this.current?.end(undefined).catch(() => undefined);
  }

  private async tryAll(): Promise<void> {
    const { store, logger } = this.options;
    let left = 0;
    try {
      for (const { account, creds, tries } of await store.take()) {
        if (this.isStopped) return;
        if (await this.unlinks(creds)) await store.remove(account);
        else left = Math.max(left, tries);
      }
    } catch (cause) {
      logger.warn('accounts that are given up could not be read', { cause });
      left = Math.max(left, 1);
    }
    if (left === 0 || this.isStopped) return;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (left - 1));
    this.slot.schedule(pauseMs, () => void this.turns.run(() => this.tryAll()));
  }

  private async unlinks(creds: AuthenticationCreds): Promise<boolean> {
    const { entrance, open, logger } = this.options;
    const pass = await entrance.enter(() => !this.isStopped);
    if (!pass) return false;
    let socket: WASocket | undefined;
    try {
      socket = open(creds);
      this.current = socket;
      onFirstWord(socket, pass.heard);
      return await said(socket);
    } catch (cause) {
      logger.warn('WhatsApp was not told of a logout; it is told later', { cause });
      if (socket && !this.isStopped) pass.unheard();
      return false;
    } finally {
      pass.leave();
      void socket?.end(undefined).catch(() => undefined);
    }
  }
}

/** Whether WhatsApp knows it now. */
const said = (socket: WASocket): Promise<boolean> =>
  new Promise<boolean>((resolve, reject) => {
    const silence = (): void => reject(new Error('WhatsApp does not answer'));
    timeLimit(LIMIT_MS).addEventListener('abort', silence, { once: true });
    socket.ev.on('connection.update', ({ connection, lastDisconnect }) => {
      if (connection === 'open') socket.logout().then(() => resolve(true), reject);
      if (connection !== 'close') return;
      const { output } = (lastDisconnect?.error ?? {}) as { output?: { statusCode?: number } };
      if (UNLINKED.has(output?.statusCode)) resolve(true);
      else reject(lastDisconnect?.error ?? new Error('the connection was closed'));
    });
  });
