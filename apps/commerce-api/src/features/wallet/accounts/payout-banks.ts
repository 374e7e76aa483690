import { bankCodes, banks, type BankCode } from '../../paying/accounts/public';

const WALLETS: ReadonlySet<BankCode> = new Set(['DANA', 'GOPAY', 'LINKAJA', 'OVO', 'SHOPEEPAY']);
/** The least that a store withdraws at once. */
export const LEAST = 10_000;
/** The most at once: of an electronic wallet what Bank Indonesia lets one hold (PBI 20/6/2018), of a bank what it takes in one transfer. */
const MOST = { bank: 500_000_000, ewallet: 20_000_000 } as const;

export type PayoutBankKind = keyof typeof MOST;

/** Where money of a wallet can go. */
export const payoutBanks = bankCodes.map((code) => {
  const kind: PayoutBankKind = WALLETS.has(code) ? 'ewallet' : 'bank';
  return { code, name: banks[code], kind, min: LEAST, max: MOST[kind] };
});

/** In the settlement unit. */
export const mostAt = (code: BankCode): number => MOST[WALLETS.has(code) ? 'ewallet' : 'bank'];
