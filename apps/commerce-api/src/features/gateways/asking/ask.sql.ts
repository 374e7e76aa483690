import { changedOrder } from '../../sales/news/public';

/** Nobody else asks until then: whoever was killed meanwhile keeps it from the next for so long. */
const LEASE = "interval '30 seconds'";

/** One process asks for an attempt at a time, and holds no lock meanwhile; none of an order of a suspended store (ADR 143): $1 store, $2 payment, $3 now. */
export const CLAIM = `
  UPDATE payment SET calls = calls + 1, asking_until = $3::timestamptz + ${LEASE}, poll_at = $3::timestamptz + ${LEASE}, updated_at = $3
  WHERE store_id = $1 AND id = $2 AND status = 'created' AND provider IN ('a', 'b', 'c')
    AND (asking_until IS NULL OR asking_until <= $3)
    AND (order_id IS NULL OR (SELECT s.status FROM store s WHERE s.store_id = $1) <> 'suspended')
  RETURNING id, order_id, invoice_id, provider, mode, request_id, invoice_number, amount, currency, channels, notify_path, expires_at,
    polls`;

/** What is paid, as its provider shows it: $1 store, $2 order. */
export const ORDER = `
  SELECT o.id, o.placed_at, o.number, o.buyer, s.name AS store,
    (SELECT json_agg(json_build_object('name', i.name, 'qty', i.qty, 'price', i.price) ORDER BY i.position)
      FROM order_item i WHERE i.store_id = o.store_id AND i.order_id = o.id) AS lines
  FROM sales_order o JOIN store s ON s.store_id = o.store_id WHERE o.store_id = $1 AND o.id = $2`;

/** The same of a bill, which its store pays: $1 store, $2 bill. */
export const BILL = `
  SELECT i.id, i.kind, i.number, json_build_object('name', s.name, 'phone', coalesce(s.phone, '')) AS buyer, s.name AS store,
    (SELECT json_agg(json_build_object('name', line->>'text', 'qty', 1, 'price', (line->>'amount')::bigint))
      FROM jsonb_array_elements(i.lines) AS line) AS lines
  FROM invoice i JOIN store s ON s.store_id = i.store_id WHERE i.store_id = $1 AND i.id = $2`;

/** Before its payments, as everybody does. */
export const LOCK_ORDER = 'SELECT 1 FROM sales_order WHERE store_id = $1 AND id = $2 FOR UPDATE';
export const LOCK_BILL = 'SELECT 1 FROM invoice WHERE store_id = $1 AND id = $2 FOR UPDATE';

/**
 * The provider has it, and waits for the buyer; of one that has ended meanwhile it is only written down where it is: $1 store, $2 payment,
 * $3 address, $4 the provider's reference, $5 until when, $6 now, $7 when it is asked, $8 actor.
 */
export const OPENED = `
  WITH opened AS (
    UPDATE payment SET url = $3, provider_ref = coalesce(provider_ref, $4), asking_until = NULL, polls = 0, updated_at = $6,
      expires_at = CASE WHEN status = 'created' THEN $5 ELSE expires_at END,
      poll_at = CASE WHEN status = 'created' THEN $7 ELSE poll_at END,
      status = CASE WHEN status = 'created' THEN 'pending' ELSE status END
    WHERE store_id = $1 AND id = $2 RETURNING store_id, id, order_id, status
  ), told AS (
    INSERT INTO payment_event (store_id, payment_id, id, at, type, text, actor)
    SELECT store_id, id, uuidv7(), $6, 'opened', 'Waits for the buyer', $8 FROM opened
  )
  UPDATE sales_order o SET payment_status = 'pending', updated_at = $6 FROM opened p
  WHERE o.store_id = $1 AND o.id = p.order_id AND p.status = 'pending' AND o.status <> 'cancelled'
    AND o.payment_status IN ('unpaid', 'failed', 'expired') RETURNING (${changedOrder('o')}).id AS job`;

/** Nobody knows whether the provider has it, or it has not: the same is asked again. $1 store, $2 payment, $3 now, $4 when. */
export const UNANSWERED = `
  UPDATE payment SET asking_until = NULL, polls = polls + 1, poll_at = $4, updated_at = $3
  WHERE store_id = $1 AND id = $2 AND status = 'created'`;
