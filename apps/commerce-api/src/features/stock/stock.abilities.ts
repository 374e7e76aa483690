/** What a caller may do with stock and warehouses. */
export const stockAbilities = ['stock.write', 'warehouse.write'] as const;
