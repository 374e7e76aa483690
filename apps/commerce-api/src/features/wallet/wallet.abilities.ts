/** What a caller may do with the money of a store. */
export const walletAbilities = ['wallet.read', 'wallet.topup', 'wallet.withdraw', 'wallet.charge'] as const;
