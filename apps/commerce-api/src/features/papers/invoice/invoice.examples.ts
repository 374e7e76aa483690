import { succeeds } from '../../../examples';

const line = {
  ...{ name: 'Sepatu Lari Nusa Hitam 42', sku: 'SEPATU-HITAM-42', price: 250_000, qty: 2 },
  ...{ discount_share: 50_000, tax: 0, total: 500_000 },
};

export const invoiceExamples = {
  show: succeeds(
    'to be paid by transfer',
    {
      ...{ number: 'INV-260301-7K3QX9', receipt_no: null, locale: 'id', timezone: 'Asia/Jakarta', currency: 'IDR' },
      ...{ status: 'open', payment_status: 'unpaid', payment_method: 'transfer' },
      ...{ placed_at: '2026-03-01T08:00:00.000Z', paid_at: null },
      store: {
        name: 'Toko Nusa',
        phone: '6281111111111',
        address: { line: 'Jl. Merdeka 7', city: 'Bandung' },
        npwp: null,
      },
      ...{ buyer: { name: 'Budi', phone: '6281234567890' }, address: null, lines: [line] },
      ...{ subtotal: 500_000, discount: 50_000, coupon: { code: 'LEBARAN', amount: 50_000 }, shipping_total: 0 },
      ...{ fee: 0, tax_total: 0, tax: null, total: 450_000, paid_total: 0, due: 450_000 },
      accounts: [{ bank: 'BCA', number: '5210001234', holder: 'Sari Nusa' }],
    },
    { request: { format: 'json' } },
  ),
} as const;
