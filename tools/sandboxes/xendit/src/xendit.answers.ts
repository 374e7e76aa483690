import type { Json, TillPayment } from '@platform/sandbox-till';

export const BUSINESS_ID = '5f21361959ba2b788dcf5c8f';

/** PAID becomes SETTLED at Xendit days later; FAILED does not exist for invoices: a try of the buyer failed, the invoice stays PENDING. */
export const INVOICE_STATUS = { pending: 'PENDING', paid: 'PAID', failed: 'PENDING', expired: 'EXPIRED' } as const;

export const BANKS = ['BCA', 'BNI', 'BRI', 'MANDIRI', 'PERMATA'];

const bank = (code: string, amount: number): Json => ({
  ...{ bank_code: code, collection_type: 'POOL', transfer_amount: amount, bank_branch: 'Virtual Account' },
  ...{ account_holder_name: 'SANDBOX', bank_account_number: '8860800000000' },
});

const paidParts = ({ status, paidAmount, updatedAt, channel }: TillPayment): Json =>
  status === 'paid'
    ? {
        ...{ paid_amount: paidAmount, paid_at: updatedAt, payment_method: 'BANK_TRANSFER', payment_channel: channel },
        ...{ adjusted_received_amount: paidAmount, fees_paid_amount: 0, bank_code: channel },
      }
    : {};

const shared = (payment: TillPayment): Json => ({
  id: payment.id,
  external_id: payment.invoice,
  user_id: BUSINESS_ID,
  status: INVOICE_STATUS[payment.status],
  merchant_name: 'SANDBOX',
  amount: payment.amount,
  description: payment.description,
  currency: payment.currency,
  created: payment.createdAt,
  updated: payment.updatedAt,
  ...paidParts(payment),
});

/** The whole object: the official client throws where one of the arrays is missing. */
export const invoiceAnswer = (payment: TillPayment, url: string): Json => ({
  ...shared(payment),
  merchant_profile_picture_url: 'https://xnd-merchant-logos.s3.amazonaws.com/business/production/sandbox.png',
  expiry_date: payment.expiresAt,
  invoice_url: url,
  available_banks: BANKS.map((code) => bank(code, payment.amount)),
  available_retail_outlets: [{ retail_outlet_name: 'ALFAMART' }],
  available_ewallets: [{ ewallet_type: 'OVO' }],
  available_qr_codes: [{ qr_code_type: 'QRIS' }],
  available_direct_debits: [{ direct_debit_type: 'DD_BRI' }],
  available_paylaters: [{ paylater_type: 'KREDIVO' }],
  should_exclude_credit_card: false,
  should_send_email: false,
  ...(payment.returnUrl === null ? {} : { success_redirect_url: payment.returnUrl }),
  ...(Array.isArray(payment.asked.items) ? { items: payment.asked.items } : {}),
});

/** Flat, as the webhook brings it. */
export const invoiceNotice = (payment: TillPayment): Json => shared(payment);

export interface PayoutRow {
  readonly id: string;
  readonly account: string;
  readonly idempotencyKey: string;
  readonly status: 'ACCEPTED' | 'REQUESTED' | 'SUCCEEDED' | 'FAILED' | 'REVERSED';
  readonly failureCode: string | null;
  readonly created: string;
  readonly updated: string;
  readonly asked: Json;
}

export const payoutAnswer = (row: PayoutRow): Json => {
  const { reference_id, channel_code, channel_properties, amount, currency, description } = row.asked;
  return {
    ...{ id: row.id, reference_id, channel_code, channel_properties, amount, currency, description },
    ...{ business_id: BUSINESS_ID, status: row.status, created: row.created, updated: row.updated },
    ...(row.failureCode === null ? {} : { failure_code: row.failureCode }),
    estimated_arrival_time: row.created,
  };
};

export const payoutNotice = (row: PayoutRow): Json => ({
  event: `payout.${row.status.toLowerCase()}`,
  business_id: BUSINESS_ID,
  created: row.updated,
  data: payoutAnswer(row),
});
