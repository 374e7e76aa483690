import type { KeyObject } from 'node:crypto';
import { jwtVerify } from 'jose';

/** What a client application of ads-api asks a credit to pay for. */
export interface Claimed {
  readonly application_id: string;
  readonly account_id: string;
  /** In major units, as ads-api counts. */
  readonly amount: number;
  readonly currency: string;
}

/** Where a credit is brought to; rejects one that pays for nothing. */
export interface CreditTaker {
  take(credit: string, claimed: Claimed): Promise<void>;
}

const WEEK_SECONDS = 7 * 86_400;

/** ads-api as its design says (3.6): one credit, once, for its application, account, amount and currency. */
export const fakeCreditTaker = (issuers: Readonly<Record<string, KeyObject>>, now: () => Date): CreditTaker => {
  const taken = new Set<string>();
  return {
    take: async (credit, claimed) => {
      const key = issuers['commerce-api'];
      if (!key) throw new Error('Payment is not verified');
      const options = { algorithms: ['RS256'], issuer: 'commerce-api', audience: 'ads-api', currentDate: now() };
      const { payload } = await jwtVerify(credit, key, options);
      const { jti, reference, iat = 0, exp = Infinity } = payload;
      const fits = (['application_id', 'account_id', 'amount', 'currency'] as const).every(
        (name) => payload[name] === claimed[name],
      );
      const isWhole = typeof jti === 'string' && typeof reference === 'string' && typeof payload.paid_at === 'string';
      if (!fits || !isWhole || exp - iat > WEEK_SECONDS) throw new Error('Payment is not verified');
      if (taken.has(jti) || taken.has(String(reference))) throw new Error('Payment already used');
      taken.add(jti).add(String(reference));
    },
  };
};
