/** What a caller may do with the identity check. */
export const verificationAbilities = ['kyc.write'] as const;
