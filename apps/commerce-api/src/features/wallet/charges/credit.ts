import { signStatement, type SigningKey } from '@platform/auth';

const LIFE_SECONDS = 7 * 86_400;
const DECIMALS: Readonly<Record<string, number>> = { IDR: 0, JPY: 0, KRW: 0, VND: 0 };
const USUAL_DECIMALS = 2;

/** As ads-api counts: 150000 IDR is 150000, 1050 USD is 10.5. */
export const majorUnits = (amount: number, currency: string): number =>
  Number((amount / 10 ** (DECIMALS[currency] ?? USUAL_DECIMALS)).toFixed(USUAL_DECIMALS));

/** What a credit states. */
export interface CreditedCharge {
  readonly id: string;
  readonly reference: string;
  readonly application_id: string;
  /** Digits alone. */
  readonly account_id: string;
  readonly amount: number;
  readonly currency: string;
  readonly created_at: Date;
}

/**
 * The statement of payment that ads-api takes for a charge (design 5.6). It follows from the charge alone: asked for again it is the same
 * text, and so the same credit there.
 */
export const creditOf = (key: SigningKey, charge: CreditedCharge): Promise<string> => {
  const { id, reference, application_id, account_id, amount, currency, created_at: paidAt } = charge;
  const iat = Math.floor(paidAt.getTime() / 1000);
  return signStatement(key, {
    ...{ iss: 'commerce-api', aud: 'ads-api', jti: id, reference, application_id, account_id },
    ...{ amount: majorUnits(amount, currency), currency, paid_at: paidAt.toISOString(), iat, exp: iat + LIFE_SECONDS },
  });
};
