/** What a caller may do with shipping methods and shipments. */
export const shippingAbilities = ['shipping.write'] as const;
