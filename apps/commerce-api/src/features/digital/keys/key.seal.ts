/** What a sealed key is bound to: it opens as this row's alone. */
export const sealedFor = (storeId: string, id: string): string => `license_key ${storeId} ${id}`;
