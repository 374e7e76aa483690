import type { Cache } from '@platform/data';
import type { Area } from './area';
import type { Config } from './config';
import { composeBilling } from './features/billing/billing.composition';
import { billPayments } from './features/billing/tills/public';
import { composeGateways, type GatewayArea, type GatewayNeeds } from './features/gateways/gateways.composition';
import { anyOf } from './features/gateways/notices/public';
import type { Pushes } from './features/identity/access/public';
import type { composeIdentity } from './features/identity/identity.composition';
import type { composeMedia } from './features/media/media.composition';
import type { OutsideNeeds } from './features/outside/outside.composition';
import { composeOperator } from './features/operator/operator.composition';
import { refundPayouts } from './features/sales/refunds/public';
import { StoreStanding } from './features/shop/store/public';
import { composeVerification } from './features/verification/verification.composition';
import { payoutClientOf, payoutNotices, verifyMatchingAccounts } from './features/wallet/public';
import { composeWallet, type WalletArea } from './features/wallet/wallet.composition';

/** What all areas are made of. */
export type Everything = Omit<Parameters<typeof composeIdentity>[1], 'pushes' | 'media'> & {
  readonly gateways: GatewayNeeds;
  readonly outside?: OutsideNeeds | undefined;
  readonly cache: Cache;
};

interface Beside {
  readonly media: ReturnType<typeof composeMedia>;
  readonly pushes: Pushes;
}

interface Money {
  readonly areas: readonly Area[];
  readonly gateways: GatewayArea;
  /** What a demo shop has of it. */
  readonly seeds: {
    readonly identities: ReturnType<typeof composeVerification>['rows'];
    readonly seedWallet: WalletArea['seedWallet'];
  };
}

/** By what money comes and goes: providers, bills, wallets, who stands behind a store, and what operators decide. */
export const composeMoney = (config: Config, parts: Everything, { media, pushes }: Beside): Money => {
  const { database, gateways: needs } = parts;
  const keepers = anyOf(payoutNotices(database), refundPayouts(database));
  const gateways = composeGateways(config, parts, { ...needs, payouts: keepers });
  const bills = billPayments(database, gateways.tills);
  // What is paid in and out goes through the platform's account at provider B
  const payouts = payoutClientOf(needs.slots.b?.platform?.client);
  const wallet = composeWallet(config, { ...parts, bills, payouts });
  const { withdrawals, seedWallet } = wallet;
  const files = { media: media.library, whenApproved: verifyMatchingAccounts };
  const verification = composeVerification(config, { ...parts, ...files });
  const { kyc, rows: identities } = verification;
  const fileOf = (key: string): string => media.store.placeOf(key);
  const standing = new StoreStanding(pushes);
  const operator = composeOperator(config, { ...parts, kyc, withdrawals, fileOf, standing });
  const billing = composeBilling(config, { ...parts, payments: bills });
  return {
    areas: [gateways.area, billing, wallet, verification, operator],
    gateways,
    seeds: { identities, seedWallet },
  };
};
