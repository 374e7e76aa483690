/** Names of the tools, as models call them (design 3.5); an agent has some of them. */
export const toolNames = [
  'search_products',
  'check_stock',
  'get_shipping_cost',
  'create_checkout',
  'check_payment_status',
  'track_waybill',
  'get_store_policy',
  'handover_to_human',
] as const;
export type ToolName = (typeof toolNames)[number];
