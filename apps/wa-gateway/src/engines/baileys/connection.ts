import { setTimeout as pause } from 'node:timers/promises';
import type { AuthenticationCreds, BaileysEventMap, WASocket } from 'baileys';
import { retry, type Clock, type Logger, type RetryOptions, type Semaphore } from '@platform/runtime';
import { nohpOf, parseCallbackNumber } from '@platform/contracts';
import type { DeviceState, Jid, QrInfo } from '../engine.types';
import type { AuthStore } from './auth.store';
import { ClosePolicy, RestartSlot } from './close-policy';
import type { LineKeys } from './line.keys';

export interface OpenLine {
  readonly socket: WASocket;
  readonly keys: LineKeys;
}

export interface ConnectionOptions {
  readonly store: AuthStore;
  readonly open: (creds: AuthenticationCreds) => OpenLine;
  readonly state: (state: DeviceState, cause?: string) => void;
  readonly qr: (info: QrInfo) => void;
  readonly gate: Semaphore;
  readonly retrying: RetryOptions;
  readonly codeLifeMs: number | undefined;
  readonly random: () => number;
  readonly clock: Clock;
  readonly logger: Logger;
}

const FIRST_CODE_MS = 60_000;
const CODE_MS = 20_000;
const STORE_PAUSE_MS = 1_000;
const LOGOUT_LIMIT_MS = 10_000;

interface Round {
  phone?: Jid;
  code?: string;
  qr?: string;
  attempt: number;
}

/** The line of one device: which account, whether it is up, and what follows when it goes down (design 3.1). */
export class Connection {
  private creds: AuthenticationCreds | undefined;
  private current: OpenLine | undefined;
  private isOpen = false;
  private isStopped = false;
  private round: Round | undefined;
  private leaveGate: () => void = () => undefined;
  private saving: Promise<void> = Promise.resolve();
  private readonly policy: ClosePolicy;
  private readonly slot = new RestartSlot();

  constructor(private readonly options: ConnectionOptions) {
    this.policy = new ClosePolicy(options.random);
  }

  /** Up, or nothing. */
  get socket(): WASocket | undefined {
    return this.isOpen ? this.current?.socket : undefined;
  }

  get account(): AuthenticationCreds | undefined {
    return this.creds?.account ? this.creds : undefined;
  }

  /** A linked device connects. */
  async start(mayConnect: boolean): Promise<void> {
    try {
      this.creds = await this.options.store.creds();
    } catch (cause) {
      this.options.logger.warn('the account of a device cannot be read yet', { cause });
      return this.slot.schedule(STORE_PAUSE_MS, () => void this.start(mayConnect));
    }
    if (!this.account || !mayConnect || this.isStopped) return;
    this.options.state('connecting');
    void this.connect();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    this.slot.cancel();
    const line = this.current;
    await line?.socket.end(undefined);
    await line?.keys.settled();
    this.leaveGate();
    await this.saving;
  }

  /** An unlinked device gets codes. A linked one that was stopped, replaced for instance, comes back: somebody wants it to. */
  async pair(phone: Jid | undefined): Promise<void> {
    if (this.round) return this.offerTypedCode(phone);
    if (this.current) return;
    this.round = { phone, attempt: 0 };
    try {
      // Asked of the store: an account that could not be read yet is not one that is missing
      this.creds = await this.options.store.creds();
      if (this.account) this.round = undefined;
      else await this.options.store.clear();
    } catch (cause) {
      this.round = undefined;
      throw cause;
    }
    this.options.state('connecting');
    this.slot.cancel();
    void this.connect();
  }

  /** Unlinks at WhatsApp when it can be reached in time, and here in any case. */
  async logout(): Promise<void> {
    const { store, logger, state } = this.options;
    const line = this.current;
    const socket = line?.socket;
    this.slot.cancel();
    this.current = undefined;
    this.isOpen = false;
    const failed = (cause: unknown): void => logger.warn('WhatsApp was not told of the logout', { cause });
    if (socket) await Promise.race([socket.logout().catch(failed), pause(LOGOUT_LIMIT_MS, undefined, { ref: false })]);
    await socket?.end(undefined).catch(failed);
    this.leaveGate();
    this.round = undefined;
    this.creds = undefined;
    await line?.keys.settled();
    await this.saving;
    await store.archive();
    state('logged_out');
  }

  /** Closes the line; it comes back by itself. */
  drop(cause: unknown): void {
    this.options.logger.warn('the line to WhatsApp closes: the store does not answer', { cause });
    this.current?.keys.end();
    void this.current?.socket.end(new Error('the store does not answer'));
  }

  private async connect(): Promise<void> {
    if (this.isStopped || this.current) return;
    const leave = await this.options.gate.acquire();
    try {
      // Also asks whether the store is there: without it nothing could be taken
      const creds = await this.options.store.creds();
      if (this.isStopped || this.current) return leave();
      this.creds ??= creds;
      this.leaveGate = leave;
      this.current = this.options.open(this.creds);
      this.listen(this.current);
    } catch (cause) {
      leave();
      this.options.logger.warn('a device cannot connect yet', { cause });
      this.slot.schedule(STORE_PAUSE_MS, () => void this.connect());
    }
  }

  private listen(line: OpenLine): void {
    line.socket.ev.on('creds.update', () => this.save(line));
    line.socket.ev.on('connection.update', (update) => {
      if (line === this.current) this.changed(update);
    });
  }

  private changed({ connection, qr, lastDisconnect }: BaileysEventMap['connection.update']): void {
    if (qr !== undefined) this.codeShown(qr);
    if (connection === 'open') this.opened();
    if (connection === 'close') void this.closed(lastDisconnect?.error);
  }

  private opened(): void {
    this.leaveGate();
    this.policy.opened();
    this.round = undefined;
    this.isOpen = true;
    this.options.state('connected');
  }

  private async closed(error: (Error & { output?: { statusCode?: number } }) | undefined): Promise<void> {
    const line = this.current;
    this.leaveGate();
    this.isOpen = false;
    await line?.keys.settled();
    if (this.current !== line) return;
    this.current = undefined;
    if (this.isStopped) return;
    const linked = this.account !== undefined;
    const decision = this.policy.decide({ code: error?.output?.statusCode, text: error?.message ?? '', linked });
    const cause = [error?.output?.statusCode, error?.message].filter(Boolean).join(' ');
    // Half a pairing is worth nothing: with `me` in it the next socket would log in instead of registering
    if (!linked) this.creds = undefined;
    if (decision.kind === 'restart') {
      this.options.state(decision.state, cause);
      return this.slot.schedule(decision.afterMs, () => void this.connect());
    }
    this.round = undefined;
    this.slot.cancel();
    if (decision.archive) await this.forget();
    if (decision.state === 'outdated')
      this.options.logger.error('client version refused, update baileys or WA_VERSION', { cause });
    this.options.state(decision.state, cause);
  }

  private async forget(): Promise<void> {
    const { store, retrying, logger } = this.options;
    this.creds = undefined;
    await this.saving;
    await retry(() => store.archive(), { ...retrying, givingUp: () => undefined }).catch((cause: unknown) =>
      logger.error('the keys of a lost account were not archived', { cause }),
    );
  }

  private save(line: OpenLine): void {
    const { store, retrying, logger } = this.options;
    const { creds } = this;
    if (!creds || line !== this.current) return;
    this.saving = this.saving
      .then(() => retry(() => store.saveCreds(creds), retrying))
      .catch((cause: unknown) => logger.error('the credentials of a device were not saved', { cause }));
  }

  private codeShown(qr: string): void {
    this.leaveGate();
    this.round ??= { attempt: 0 };
    this.round.attempt += 1;
    this.round.qr = qr;
    if (this.round.phone && !this.round.code) void this.offerTypedCode(this.round.phone);
    else this.offer(this.round);
  }

  private offer({ qr, code, attempt }: Round): void {
    const life = this.options.codeLifeMs ?? (attempt === 1 ? FIRST_CODE_MS : CODE_MS);
    const expiresAt = new Date(this.options.clock.now().getTime() + life);
    if (qr !== undefined) this.options.qr({ qr, attempt, expiresAt, ...(code ? { code } : {}) });
  }

  private async offerTypedCode(phone: Jid | undefined): Promise<void> {
    const { round, current } = this;
    const address = phone === undefined ? undefined : parseCallbackNumber(phone);
    if (!round || !address || round.code) return;
    round.phone = phone;
    if (!current || round.qr === undefined) return;
    try {
      round.code = await current.socket.requestPairingCode(nohpOf(address));
    } catch (cause) {
      this.options.logger.warn('WhatsApp gave no pairing code', { cause });
    }
    this.offer(round);
  }
}
