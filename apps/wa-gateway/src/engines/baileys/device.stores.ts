import type { SecretBox } from '@platform/auth';
import { isRefusedForEver, type Database } from '@platform/data';
import type { RetryOptions } from '@platform/runtime';
import { AuthStore } from './auth.store';
import type { Library } from './baileys.library';
import { FarewellStore } from './farewell.store';
import { IdentityStore } from '../identity.store';
import { MessageArchive } from './message.archive';
import { StubStore } from './stub.store';

/** What one device keeps. */
export interface DeviceStore {
  readonly auth: AuthStore;
  readonly archive: MessageArchive;
  readonly identities: IdentityStore;
  readonly stubs: StubStore;
  readonly farewells: FarewellStore;
}

const PAUSE_MS = 250;

/** The database as devices see it: accounts and keys, messages, and who hides behind a LID; secrets are sealed. */
export class DeviceStores {
  constructor(
    private readonly database: Database,
    private readonly box: SecretBox,
    /** How long it may be away before the line closes. */
    private readonly limitMs: number,
  ) {}

  of(instanceId: string, library: Library): DeviceStore {
    const { database, box } = this;
    return {
      auth: new AuthStore(instanceId, database, box, library),
      archive: new MessageArchive(instanceId, database, box, library),
      identities: new IdentityStore(instanceId, database),
      stubs: new StubStore(instanceId, database),
      farewells: new FarewellStore(instanceId, database, box, library),
    };
  }

  /**
   * While the store is away nothing may leave: `givingUp` is called before anybody hears of the failure (design 3.2). What it
   * refuses for ever is no absence: the line stays, or one message would keep all others out.
   */
  retrying(givingUp: RetryOptions['givingUp']): RetryOptions {
    return { limitMs: this.limitMs, pauseMs: PAUSE_MS, givingUp, isFinal: isRefusedForEver };
  }
}
