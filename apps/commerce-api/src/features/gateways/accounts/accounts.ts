import type { SecretBox } from '@platform/auth';
import type { Sql } from '@platform/data';
import type { IncomingHttpHeaders } from 'node:http';
import type { Slot, Till } from '../../../clients/gateways';
import { accountClaims, credentialsOf, type Gateways } from '../../paying/methods/public';
import type { GatewayClient, GatewayCode, NoticeReader } from '../port';
import { nameIn } from './notice.names';

export type Credentials = Readonly<Record<string, string>>;
export type { Slot, Till };
export type Slots = Readonly<Record<GatewayCode, Slot | undefined>>;

/** Whose notice it is: the platform's where `storeId` is null, or a store's own account's. */
export interface Signer {
  readonly storeId: string | null;
  readonly notices: NoticeReader;
}

/** All accounts at all providers: the platform's by the settings, those of stores by what they have entered. */
export class GatewayAccounts implements Gateways {
  constructor(
    private readonly slots: Slots,
    private readonly sql: Sql,
    private readonly box: SecretBox,
  ) {}

  isThere(code: GatewayCode): boolean {
    return this.slots[code] !== undefined;
  }

  hasPlatform(code: GatewayCode): boolean {
    return this.slots[code]?.platform !== undefined;
  }

  feeOf(code: GatewayCode): { percent_bp: number; fixed: number } {
    const { percentBp, fixed } = this.slots[code]?.fee ?? { percentBp: 0, fixed: 0 };
    return { percent_bp: percentBp, fixed };
  }

  isTrusted(code: GatewayCode): boolean {
    return this.slots[code]?.trusted === true;
  }

  /** The account that a payment was made with; undefined: there is none any more. */
  async clientOf(storeId: string, code: GatewayCode, mode: 'platform' | 'direct'): Promise<GatewayClient | undefined> {
    if (mode === 'platform') return this.slots[code]?.platform?.client;
    return (await this.own(storeId, code))?.client;
  }

  /** The accounts that a notice names: whether it is really theirs, their readers tell. */
  async named(code: GatewayCode, headers: IncomingHttpHeaders, raw: Buffer): Promise<Signer[]> {
    const slot = this.slots[code];
    const name = nameIn(code, headers, raw);
    if (!slot || name === undefined) return [];
    const stores = await accountClaims.storesOf(this.sql, code, name);
    const own = await Promise.all(
      stores.map(async (storeId) => ({ storeId, notices: (await this.own(storeId, code))?.notices })),
    );
    const ofStores = own.flatMap(({ storeId, notices }) => (notices ? [{ storeId, notices }] : []));
    const { platform } = slot;
    return platform?.name === name ? [{ storeId: null, notices: platform.notices }, ...ofStores] : ofStores;
  }

  /** Somebody who can read the notices of a provider, whosever they are; undefined: nobody has an account there. */
  reader(code: GatewayCode): NoticeReader | undefined {
    return this.slots[code]?.platform?.notices;
  }

  /** The same for a notice of a store's own account. */
  async readerFor(storeId: string, code: GatewayCode): Promise<NoticeReader | undefined> {
    return this.reader(code) ?? (await this.own(storeId, code))?.notices;
  }

  private async own(storeId: string, code: GatewayCode): Promise<Till | undefined> {
    const credentials = await credentialsOf(this.sql, this.box, storeId, code);
    return credentials && this.slots[code]?.open(credentials);
  }
}
