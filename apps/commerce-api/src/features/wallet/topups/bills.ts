import { uuidv7 } from '@platform/runtime';
import type { BillPayments } from './topups.service';

const OPEN = `
  INSERT INTO payment (store_id, id, invoice_id, attempt, request_id, provider, invoice_number, amount, currency, status, mode,
    created_at, updated_at)
  SELECT $1::varchar, $2::uuid, i.id, 1, uuidv7(), 'b', i.number || '-1', i.amount, i.currency, 'created', 'platform', $4::timestamptz, $4
  FROM invoice i WHERE i.store_id = $1 AND i.id = $3
    AND NOT EXISTS (SELECT FROM payment p WHERE p.store_id = i.store_id AND p.invoice_id = i.id)`;

/** Attempts that nobody is asked to open. */
export const unaskedBills: BillPayments = {
  open: (tx, { storeId, at }, invoice) => tx.query(OPEN, [storeId, uuidv7(), invoice.id, at]),
  ask: () => Promise.resolve(),
};
