/** What a message can name, by what it is about. */
const VARIABLES = {
  order_created: ['store_name', 'buyer_name', 'order_number', 'total', 'items', 'pay_url'],
  order_paid: ['store_name', 'buyer_name', 'order_number', 'total', 'items'],
  order_shipped: ['store_name', 'buyer_name', 'order_number', 'total', 'items', 'courier', 'waybill'],
  order_delivered: ['store_name', 'buyer_name', 'order_number', 'total', 'items'],
  order_cancelled: ['store_name', 'buyer_name', 'order_number', 'total', 'items'],
  payment_reminder: ['store_name', 'buyer_name', 'order_number', 'total', 'items', 'pay_url'],
  cart_reminder: ['store_name', 'item_count', 'cart_url'],
  download_ready: ['store_name', 'buyer_name', 'order_number', 'downloads'],
  invoice_due: ['store_name', 'invoice_number', 'total', 'due_date', 'pay_url'],
  feedback_request: ['store_name', 'buyer_name', 'ticket_number', 'feedback_url'],
} as const;

/** What a store can write a message for. */
export type MessageEvent = keyof typeof VARIABLES;
export const messageEvents = Object.keys(VARIABLES) as MessageEvent[];

export type VariableOf<E extends MessageEvent> = (typeof VARIABLES)[E][number];
export type Variable = VariableOf<MessageEvent>;
/** A value for every variable of an event; an empty one where there is nothing to tell. */
export type ValuesOf<E extends MessageEvent> = Readonly<Record<VariableOf<E>, string>>;

export const variablesOf = (event: MessageEvent): readonly Variable[] => VARIABLES[event];

export type Locale = 'id' | 'en';

/** In these words a store tells what it has no template for. */
export const defaultBodies: Readonly<Record<Locale, Readonly<Record<MessageEvent, string>>>> = {
  id: {
    order_created:
      'Terima kasih! Pesanan {{order_number}} di {{store_name}} sudah kami terima.\n{{items}}\nTotal: {{total}}\nBayar di {{pay_url}}',
    order_paid:
      'Terima kasih! Pembayaran {{total}} untuk pesanan {{order_number}} di {{store_name}} sudah kami terima.',
    order_shipped: 'Pesanan {{order_number}} dari {{store_name}} sedang dikirim.\n{{courier}} {{waybill}}',
    order_delivered: 'Pesanan {{order_number}} dari {{store_name}} sudah sampai. Terima kasih telah berbelanja!',
    order_cancelled: 'Pesanan {{order_number}} di {{store_name}} dibatalkan.',
    payment_reminder: 'Pesanan {{order_number}} di {{store_name}} menunggu pembayaran {{total}}.\nBayar di {{pay_url}}',
    cart_reminder:
      'Keranjang Anda di {{store_name}} ({{item_count}} produk) masih kami simpan.\nLanjutkan di {{cart_url}}',
    download_ready:
      'Halo {{buyer_name}}, pesanan {{order_number}} dari {{store_name}} sudah dibayar. Ini yang Anda beli:\n\n{{downloads}}',
    invoice_due:
      'Tagihan {{invoice_number}} untuk {{store_name}}: {{total}}, paling lambat {{due_date}}.\nBayar di {{pay_url}}',
    feedback_request:
      'Bagaimana layanan {{store_name}} (tiket {{ticket_number}})? Beri tahu kami di sini:\n{{feedback_url}}',
  },
  en: {
    order_created:
      'Thank you! {{store_name}} has received your order {{order_number}}.\n{{items}}\nTotal: {{total}}\nPay at {{pay_url}}',
    order_paid: 'Thank you! {{store_name}} has received {{total}} for order {{order_number}}.',
    order_shipped: 'Order {{order_number}} of {{store_name}} is on its way.\n{{courier}} {{waybill}}',
    order_delivered: 'Order {{order_number}} of {{store_name}} has arrived. Thank you for shopping with us!',
    order_cancelled: 'Order {{order_number}} of {{store_name}} was cancelled.',
    payment_reminder: 'Order {{order_number}} of {{store_name}} waits for {{total}}.\nPay at {{pay_url}}',
    cart_reminder: 'We have kept your cart at {{store_name}} ({{item_count}} products).\nGo on at {{cart_url}}',
    download_ready:
      'Hello {{buyer_name}}, order {{order_number}} of {{store_name}} is paid. This is what you have bought:\n\n{{downloads}}',
    invoice_due: 'Invoice {{invoice_number}} of {{store_name}}: {{total}}, due on {{due_date}}.\nPay at {{pay_url}}',
    feedback_request:
      'How was the service of {{store_name}} (ticket {{ticket_number}})? Tell us here:\n{{feedback_url}}',
  },
};
