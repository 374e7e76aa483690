/** Accounts whose balance is debit less credit: what somebody owes us, and what we spend. */
const debitAccounts = ['gateway_clearing', 'external_cash', 'fee_expense'] as const;
/** Accounts whose balance is credit less debit: what we owe the store, and what we earn. */
const creditAccounts = [
  ...(['wallet_pending', 'wallet_available', 'wallet_locked', 'ads_funds'] as const),
  ...(['fee_revenue', 'subscription_revenue', 'external_sales'] as const),
] as const;

/** An account of a store (design 3.4). Those of its wallet, and `ads_funds`, are never below 0. */
export type LedgerAccount = (typeof debitAccounts)[number] | (typeof creditAccounts)[number];
export const ledgerAccounts: readonly LedgerAccount[] = [...debitAccounts, ...creditAccounts];

const DEBIT = debitAccounts.map((code) => `'${code}'`).join(', ');
/** SQL of an amount as it moves the balance of its account. */
export const signed = (account: string, side: string, amount: string): string =>
  `(CASE WHEN (${account} IN (${DEBIT})) = (${side} = 'D') THEN ${amount} ELSE -${amount} END)`;
