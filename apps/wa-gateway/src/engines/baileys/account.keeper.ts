import type { AuthenticationCreds } from 'baileys';
import { retry, type Logger, type RetryOptions } from '@platform/runtime';
import type { EngineSink } from '../engine.types';
import type { AuthStore } from './auth.store';

export interface AccountKeeperOptions {
  readonly store: AuthStore;
  readonly retrying: RetryOptions;
  readonly logger: Logger;
  /** Whose the device is that has the account. */
  readonly custody: Pick<EngineSink, 'isOurs' | 'forgives'>;
  /** At WhatsApp, as soon as it can be reached; durable when it resolves. */
  readonly unlinkLater: (creds: AuthenticationCreds) => Promise<void>;
}

/** The account that a device is linked to: read for a connection, saved as it changes, put away when it is lost. */
export class AccountKeeper {
  private creds: AuthenticationCreds | undefined;
  private saving: Promise<void> = Promise.resolve();

  constructor(private readonly options: AccountKeeperOptions) {}

  get unlinkLater(): AccountKeeperOptions['unlinkLater'] {
    return this.options.unlinkLater;
  }

  get linked(): AuthenticationCreds | undefined {
    return this.creds?.account ? this.creds : undefined;
  }

  /** As it is stored. Rejects when that cannot be told. */
  async read(): Promise<void> {
    this.creds = await this.options.store.creds();
  }

  /** As it is stored; where none is linked the rest of an older one is removed first. */
  async readOrRenew(): Promise<void> {
    await this.read();
    if (!this.linked) await this.options.store.clear();
  }

  /**
   * For a connection; none where the device is another process's by now. Also asks whether the store is there: without it
   * nothing could be taken.
   */
  async credentials(): Promise<AuthenticationCreds | undefined> {
    const { store, custody } = this.options;
    const stored = await store.creds();
    this.creds ??= stored;
    return (await custody.isOurs()) ? this.creds : undefined;
  }

  /** See `EngineSink.isOurs`. */
  isOurs(): Promise<boolean> {
    return this.options.custody.isOurs();
  }

  /** See `EngineSink.forgives`; what that login changed is read. */
  async forgives(): Promise<boolean> {
    if (!(await this.options.custody.forgives())) return false;
    await this.saving;
    // Forgiven is forgiven: what cannot be read now is mostly what is known
    await this.read().catch(() => undefined);
    return true;
  }

  /** It has changed. */
  save(): void {
    const { creds } = this;
    const { store, retrying, logger } = this.options;
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
    await this.options.store.archive();
  }

  /** The same as often as it takes, within limits. */
  async forget(): Promise<void> {
    const patience = { ...this.options.retrying, givingUp: () => undefined };
    await retry(() => this.archive(), patience).catch((cause: unknown) =>
      this.options.logger.error('the keys of a lost account were not archived', { cause }),
    );
  }
}
