/** The names of a shop's rows, one of each kind. */
export type Rows = Readonly<Record<RowName, string>>;
export type RowName =
  | ('product' | 'image' | 'variant' | 'sku' | 'category' | 'productImport' | 'warehouse' | 'second' | 'transfer')
  | ('contact' | 'spare' | 'phone' | 'address' | 'tag' | 'contactImport')
  | ('coupon' | 'order' | 'orderNumber' | 'orderItem')
  | ('payment' | 'proof' | 'account' | 'link' | 'cart' | 'cartToken' | 'method' | 'shipment' | 'member' | 'role')
  | ('payout' | 'withdrawal' | 'topup' | 'charge')
  | ('invitation' | 'apiToken' | 'upload' | 'verification' | 'bill' | 'addon')
  | ('invoiceNumber' | 'reference' | 'event')
  | ('digital' | 'file' | 'delivery' | 'download')
  | ('domain' | 'pixel' | 'webhook')
  | ('template' | 'notification' | 'room')
  | ('chatTeam' | 'device' | 'rule' | 'reply')
  | ('biolink' | 'block' | 'tracker' | 'reportFile');
/** Those that another service keeps. */
export type OwnedRows = Readonly<Record<OwnedName, string>>;
export type OwnedName = 'agent' | 'knowledge' | 'trial' | 'broadcast' | 'ticket' | 'conversation';
export type AllRows = Rows & OwnedRows;

const PLACES: readonly (readonly [path: string, row: RowName | OwnedName])[] = [
  ['/api/products/import/{jobId}', 'productImport'],
  ['/api/contact/import/{jobId}', 'contactImport'],
  ['/api/digital-store/deliveries/{id}', 'delivery'],
  ['/api/digital-store/download/{token}', 'download'],
  ['/api/digital-store/{id}', 'digital'],
  ['/api/products/{id}', 'product'],
  ['/api/category_product/{id}', 'category'],
  ['/api/variant_product/sku/{sku}', 'sku'],
  ['/api/variant_product/{id}', 'variant'],
  ['/api/order/number/{orderNumber}', 'orderNumber'],
  ['/api/order/{id}', 'order'],
  ['/api/payment/bank-transfer/{id}', 'account'],
  ['/api/payment/{id}', 'payment'],
  ['/api/pay_a/status/{invoiceNumber}', 'invoiceNumber'],
  ['/api/pay_c/status/{reference}', 'reference'],
  ['/api/logs/webhook/{id}', 'event'],
  ['/api/checkout/links/{id}', 'link'],
  ['/api/checkout/abandoned/{token}', 'cart'],
  ['/api/checkout/session/{token}', 'cartToken'],
  ['/api/coupon/{id}', 'coupon'],
  ['/api/contact/phone/{phone}', 'phone'],
  ['/api/contact/{id}', 'contact'],
  ['/api/tag/{id}', 'tag'],
  ['/api/shipping/methods/{id}', 'method'],
  ['/api/shipping/shipments/{id}', 'shipment'],
  ['/api/warehouse/transfer/{id}', 'transfer'],
  ['/api/warehouse/{id}', 'warehouse'],
  ['/api/wallet/topup/{id}', 'topup'],
  ['/api/wallet/charge/{id}', 'charge'],
  ['/api/wallet/withdraw/{id}', 'withdrawal'],
  ['/api/wallet/bank-account/{id}', 'payout'],
  ['/api/team/invitation/{id}', 'invitation'],
  ['/api/team/roles/{id}', 'role'],
  ['/api/team/{id}', 'member'],
  ['/api/settings/api-tokens/{id}', 'apiToken'],
  ['/api/settings/webhooks/{id}', 'webhook'],
  ['/api/custom_domain/{id}', 'domain'],
  ['/api/pixel/{id}', 'pixel'],
  ['/api/template-message/{id}', 'template'],
  ['/api/notification/{id}', 'notification'],
  ['/api/teamchat/rooms/{id}', 'room'],
  ['/api/team_chat/{id}', 'chatTeam'],
  ['/api/device/{id}', 'device'],
  ['/api/chatbot/{id}', 'rule'],
  ['/api/response-template/{id}', 'reply'],
  ['/api/livechat/conversations/{id}', 'conversation'],
  ['/api/agent/{id}', 'agent'],
  ['/api/testing/sessions/{id}', 'trial'],
  ['/api/broadcast/{id}', 'broadcast'],
  ['/api/ticketing-feedback/{id}', 'ticket'],
  ['/api/biolink/{id}', 'biolink'],
  ['/api/tracker/{id}', 'tracker'],
  ['/api/report/export/{id}', 'reportFile'],
  ['/api/upload/{id}', 'upload'],
  ['/api/verification/{id}', 'verification'],
  ['/api/subscription/invoices/{id}', 'bill'],
  ['/api/addon/active/{id}', 'addon'],
];
const FURTHER: Readonly<Record<string, RowName | OwnedName>> = {
  ...{ imageId: 'image', addressId: 'address', fileId: 'file', linkId: 'block', knowledgeId: 'knowledge' },
};

const placeOf = (path: string) => PLACES.find(([each]) => path === each || path.startsWith(`${each}/`));

/** The path of a route with a shop's rows in it; undefined where it names none. */
export const pathWith = (path: string, rows: AllRows): string | undefined => {
  const [template, row] = placeOf(path) ?? [];
  if (!template || !row) return undefined;
  return path
    .replace(template, template.replace(/\{\w+\}/, rows[row]))
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => rows[FURTHER[name] as RowName]);
};

/** The path with one row of a shop and another one's row inside of it; undefined where it names only one. */
export const pathWithin = (path: string, outer: AllRows, inner: AllRows): string | undefined => {
  const [, row] = placeOf(path) ?? [];
  return row && path.split('{').length > 2 ? pathWith(path, { ...inner, [row]: outer[row] }) : undefined;
};
