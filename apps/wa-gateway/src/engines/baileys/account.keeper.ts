import type { AuthenticationCreds } from 'baileys';
import { retry, type Logger, type RetryOptions } from '@platform/runtime';
import type { AuthStore } from './auth.store';

/** The account that a device is linked to: read for a connection, saved as it changes, put away when it is lost. */
export class AccountKeeper {
  private creds: AuthenticationCreds | undefined;
  private saving: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: AuthStore,
    private readonly retrying: RetryOptions,
    private readonly logger: Logger,
    /** At WhatsApp, as soon as it can be reached; durable when it resolves. */
    readonly unlinkLater: (creds: AuthenticationCreds) => Promise<void>,
  ) {}

  get linked(): AuthenticationCreds | undefined {
    return this.creds?.account ? this.creds : undefined;
  }

  /** As it is stored. Rejects when that cannot be told. */
  async read(): Promise<void> {
    this.creds = await this.store.creds();
  }

  /** As it is stored; where none is linked the rest of an older one is removed first. */
  async readOrRenew(): Promise<void> {
    await this.read();
    if (!this.linked) await this.store.clear();
  }

  /** For a connection. Also asks whether the store is there: without it nothing could be taken. */
  async credentials(): Promise<AuthenticationCreds> {
    const stored = await this.store.creds();
    return (this.creds ??= stored);
  }

  /** It has changed. */
  save(): void {
    const { creds, store, retrying, logger } = this;
    if (!creds) return;
    this.saving = this.saving
      .then(() => retry(() => store.saveCreds(creds), retrying))
      .catch((cause: unknown) => logger.error('the credentials of a device were not saved', { cause }));
  }

  /** Resolves when nothing is on its way to the store any more. */
  settled(): Promise<void> {
    return this.saving;
  }

  /** The next connection begins with what is stored. */
  drop(): void {
    this.creds = undefined;
  }

  /** Nobody reads its keys any more. Rejects when the store does not answer. */
  async archive(): Promise<void> {
    this.drop();
    await this.saving;
    await this.store.archive();
  }

  /** The same as often as it takes, within limits. */
  async forget(): Promise<void> {
    const patience = { ...this.retrying, givingUp: () => undefined };
    await retry(() => this.archive(), patience).catch((cause: unknown) =>
      this.logger.error('the keys of a lost account were not archived', { cause }),
    );
  }
}
