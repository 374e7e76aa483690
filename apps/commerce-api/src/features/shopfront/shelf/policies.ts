import type { ShopWindow } from '../../catalogue/storefront/public';

export const policies = ['about', 'shipping', 'refund'] as const;
export type Policy = (typeof policies)[number];

/** What a shop says of itself; those pages that say something. */
export const shopPagesOf = (
  shop: Pick<ShopWindow, 'description' | 'shipping_policy' | 'refund_policy'>,
): readonly { readonly page: Policy; readonly text: string }[] =>
  (
    [
      { page: 'about', text: shop.description },
      { page: 'shipping', text: shop.shipping_policy },
      { page: 'refund', text: shop.refund_policy },
    ] as const
  ).filter(({ text }) => text !== '');
