import { setTimeout as pause } from 'node:timers/promises';
import type { AuthenticationCreds, BaileysEventMap, WASocket } from 'baileys';
import type { Logger } from '@platform/runtime';
import type { DeviceState, Jid } from '../engine.types';
import type { AccountKeeper } from './account.keeper';
import { isReplaced, RestartSlot, type ClosePolicy, type Closing, type ClosingDecision } from './close-policy';
import type { LineKeys } from './line.keys';
import type { Pairing } from './pairing';
import { onFirstWord } from './socket';
import type { Entrance, Pass } from './turnstile';

export interface OpenLine {
  readonly socket: WASocket;
  readonly keys: LineKeys;
}

export interface ConnectionOptions {
  readonly account: AccountKeeper;
  readonly pairing: Pairing;
  readonly policy: ClosePolicy;
  readonly open: (creds: AuthenticationCreds) => OpenLine;
  readonly state: (state: DeviceState, cause?: string, until?: Date) => void;
  readonly entrance: Entrance;
  readonly logger: Logger;
}

type ClosingError = Error & { readonly output?: { readonly statusCode?: number }; readonly data?: unknown };

const endOf = (error: ClosingError | undefined): Pick<Closing, 'code' | 'text' | 'expire'> => {
  const { expire } = (error?.data ?? {}) as { expire?: unknown };
  return { code: error?.output?.statusCode, text: error?.message ?? '', expire };
};

const STORE_PAUSE_MS = 1_000;
const LOGOUT_LIMIT_MS = 10_000;

/** The line of one device: whether it is up, and what follows when it goes down (design 3.1). */
export class Connection {
  private current: OpenLine | undefined;
  private isOpen = false;
  private isStopped = false;
  /** Nobody has logged out since it was last to connect. */
  private isWanted = false;
  /** Of the latest attempt to connect, also when that is over. */
  private pass: Pass | undefined;
  private readonly slot = new RestartSlot();
  private readonly unwatch: () => void;

  constructor(private readonly options: ConnectionOptions) {
    this.unwatch = options.entrance.watch(() => this.hurry());
  }

  /** Up, or nothing. */
  get socket(): WASocket | undefined {
    return this.isOpen ? this.current?.socket : undefined;
  }

  get account(): AuthenticationCreds | undefined {
    return this.options.account.linked;
  }

  /** A linked device connects after so many milliseconds; not at all when they are left out. */
  async start(afterMs: number | undefined): Promise<void> {
    const { account, state, logger } = this.options;
    try {
      await account.read();
    } catch (cause) {
      logger.warn('the account of a device cannot be read yet', { cause });
      return this.slot.schedule(STORE_PAUSE_MS, () => void this.start(afterMs));
    }
    if (!account.linked || afterMs === undefined || this.isStopped) return;
    this.isWanted = true;
    if (afterMs > 0) return this.slot.schedule(afterMs, () => void this.connect());
    state('connecting');
    void this.connect();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    this.slot.cancel();
    this.unwatch();
    const line = this.current;
    await line?.socket.end(undefined);
    await line?.keys.settled();
    this.pass?.leave();
    await this.options.account.settled();
  }

  /**
   * An unlinked device gets codes, at once: somebody stands there with a phone. A linked one that was stopped, replaced for
   * instance, comes back when it is its turn: somebody wants it to.
   */
  async pair(phone: Jid | undefined): Promise<void> {
    const { account, pairing, policy, state } = this.options;
    if (pairing.isUnderWay) return pairing.offerTypedCode(phone, this.current?.socket);
    if (this.current) return;
    pairing.begin(phone);
    try {
      // Asked of the store: an account that could not be read yet is not one that is missing
      await account.readOrRenew();
    } catch (cause) {
      pairing.end();
      throw cause;
    }
    if (account.linked) pairing.end();
    else policy.renew();
    state('connecting');
    this.slot.cancel();
    this.isWanted = true;
    void this.connect(account.linked ? 'in turn' : 'at once');
  }

  /** Unlinks at WhatsApp, at once or when it can be reached, and here in any case. */
  async logout(): Promise<void> {
    const { account, pairing, state } = this.options;
    const line = this.current;
    const given = account.linked;
    const isUp = this.isOpen;
    this.slot.cancel();
    this.isWanted = false;
    this.current = undefined;
    this.isOpen = false;
    const isTold = isUp && line !== undefined && (await this.unlinked(line.socket));
    await line?.socket.end(undefined).catch(() => undefined);
    this.pass?.leave();
    pairing.end();
    account.drop();
    await line?.keys.settled();
    if (given && !isTold) await account.unlinkLater(given);
    await account.archive();
    state('logged_out');
  }

  private unlinked(socket: WASocket): Promise<boolean> {
    const failed = (cause: unknown): boolean => {
      this.options.logger.warn('WhatsApp was not told of the logout; it is told later', { cause });
      return false;
    };
    const told = socket.logout().then(() => true, failed);
    return Promise.race([told, pause(LOGOUT_LIMIT_MS, false, { ref: false })]);
  }

  /** Closes the line; it comes back by itself. */
  drop(cause: unknown): void {
    this.options.logger.warn('the line to WhatsApp closes: the store does not answer', { cause });
    this.current?.keys.end();
    void this.current?.socket.end(new Error('the store does not answer'));
  }

  /** `at once`: a person waits for it, and stands in no queue behind the devices of a start. */
  private async connect(when: 'in turn' | 'at once' = 'in turn'): Promise<void> {
    const { account, entrance, open, logger } = this.options;
    if (!this.isFree) return;
    const pass = when === 'at once' ? entrance.enterAtOnce() : await entrance.enter(() => this.isFree);
    if (!pass) return;
    try {
      const creds = await account.credentials();
      if (!creds || !this.isFree) return pass.leave();
      this.pass = pass;
      this.current = open(creds);
      onFirstWord(this.current.socket, pass.heard);
      this.listen(this.current);
    } catch (cause) {
      pass.leave();
      logger.warn('a device cannot connect yet', { cause });
      this.slot.schedule(STORE_PAUSE_MS, () => void this.connect());
    }
  }

  /** The pause after a failure is for what is wrong with the device, and ends when WhatsApp was silent to everybody. */
  private hurry(): void {
    if (this.pass?.isExcused) this.slot.hurry();
  }

  /** To connect; what was so before it waited may not be so afterwards. */
  private get isFree(): boolean {
    return this.isWanted && !this.isStopped && !this.current;
  }

  private listen(line: OpenLine): void {
    line.socket.ev.on('creds.update', () => {
      if (line === this.current) this.options.account.save();
    });
    line.socket.ev.on('connection.update', (update) => {
      if (line === this.current) this.changed(line, update);
    });
  }

  private changed(line: OpenLine, { connection, qr, lastDisconnect }: BaileysEventMap['connection.update']): void {
    if (qr !== undefined) {
      this.pass?.leave();
      this.options.pairing.codeShown(qr, line.socket);
    }
    if (connection === 'open') this.opened();
    if (connection === 'close') void this.closed(line, lastDisconnect?.error);
  }

  private opened(): void {
    const { policy, pairing, state } = this.options;
    this.pass?.leave();
    policy.opened();
    pairing.end();
    this.isOpen = true;
    state('connected');
  }

  private async closed(line: OpenLine, error: ClosingError | undefined): Promise<void> {
    const { account, pairing, logger, state } = this.options;
    const byUs = line.keys.hasEnded;
    // What we end proves nothing about WhatsApp
    this.pass?.[byUs || this.isStopped ? 'leave' : 'unheard']();
    this.isOpen = false;
    await line.keys.settled();
    const decision = await this.judged(line, { ...endOf(error), byUs });
    if (this.current !== line) return;
    this.current = undefined;
    if (this.isStopped || !decision) return;
    const cause = [error?.output?.statusCode, error?.message].filter(Boolean).join(' ');
    // Half a pairing is worth nothing: with `me` in it the next socket would log in instead of registering
    if (!account.linked) account.drop();
    if (decision.kind === 'restart') {
      state(decision.state, cause, decision.until);
      const when = decision.afterMs === 0 ? 'at once' : 'in turn';
      this.slot.schedule(decision.afterMs, () => void this.connect(when));
      return this.hurry();
    }
    pairing.end();
    this.slot.cancel();
    if (decision.archive) await account.forget();
    if (decision.state === 'outdated') logger.error('client version refused, update baileys or WA_VERSION', { cause });
    state(decision.state, cause);
  }

  /** What follows; nothing when another process has the device: then its end is not ours to tell, nor are the keys to put away. */
  private async judged(line: OpenLine, closing: Omit<Closing, 'linked'>): Promise<ClosingDecision | undefined> {
    if (this.current !== line || this.isStopped) return undefined;
    const { account, policy, logger } = this.options;
    const isForgiven = isReplaced(closing) && (await this.told(() => account.forgives()));
    if (isForgiven) logger.warn('a device was replaced by a process of ours that had hung: it comes back');
    const decision = policy.decide({ ...closing, linked: account.linked !== undefined, isForgiven });
    return decision.kind === 'restart' || (await this.told(() => account.isOurs())) ? decision : undefined;
  }

  /** As soon as the store can tell. */
  private async told(question: () => Promise<boolean>): Promise<boolean> {
    while (!this.isStopped) {
      try {
        return await question();
      } catch (cause) {
        this.options.logger.warn('nobody can tell yet whose a device is', { cause });
        await pause(STORE_PAUSE_MS, undefined, { ref: false });
      }
    }
    return false;
  }
}
