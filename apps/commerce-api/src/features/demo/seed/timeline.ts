import type { Row, Rows } from './rows';
import { idAt } from '../shop/public';
import type { Step } from './life';
import { paymentsOf, standingOf, type Chronicle } from './order.rows';
import type { PlannedOrder } from './planned.types';
import { carriedBy } from './parcels';

type Line = readonly [type: string, text: string];

/** What the timeline tells of a step, in the words of whoever writes it otherwise. */
const linesOf = (order: PlannedOrder, { scene, receipts }: Chronicle, step: Step): Line[] => {
  const { parcels } = order;
  const isSent = parcels.sent?.waybill != null;
  switch (step.kind) {
    case 'placed':
      return [['placed', 'Order placed']];
    case 'paid': {
      const amount = paymentsOf(order).find(({ at }) => at === step.at)?.amount ?? 0;
      const isLast = standingOf(order).paidAt === step.at;
      const paid: Line[] = isLast ? [['paid', `Paid, receipt ${receipts.get(order.id) ?? ''}`]] : [];
      return [['payment', `${amount} ${scene.currency} by ${order.method}`], ...paid];
    }
    case 'shipped':
      return [['shipped', carriedBy(parcels)]];
    case 'completed':
      return [...(isSent ? [['delivered', ''] as const] : []), ['completed', '']];
    case 'expired':
      return [['cancelled', 'Nobody has paid in time']];
    case 'returned':
      return [['returned', `${parcels.back?.qty ?? 0} came back`]];
    default:
      return [[step.kind, step.text ?? '']];
  }
};

const AUDITED: Partial<Record<Step['kind'], string>> = {
  paid: 'payment.record',
  shipped: 'shipping.write',
  packed: 'shipping.write',
  returned: 'shipping.write',
};

const diffOf = (order: PlannedOrder, step: Step): Row => {
  if (step.kind === 'placed') return { number: { to: order.number }, total: { to: order.totals.total } };
  if (step.kind === 'paid') return { method: { to: order.method } };
  return { status: { to: step.kind === 'expired' ? 'cancelled' : step.kind } };
};

const auditRow = (order: PlannedOrder, { scene }: Chronicle, step: Step, turn: number): Row => {
  const member = scene.staff.find(({ id }) => id === step.actor);
  const actor = {
    actor_id: step.actor,
    actor_name: member?.name ?? step.actor,
    actor_kind: member ? 'user' : 'system',
  };
  const id = idAt(step.at, `${order.id}/audit/${turn}`);
  const subject = { action: AUDITED[step.kind] ?? 'order.write', subject_type: 'order', subject_id: order.id };
  return { tenant_id: scene.storeId, id, at: step.at, ...actor, ...subject, diff: diffOf(order, step), ip: null };
};

/** Adds what the timeline of an order and the log of the store tell of it. */
export const addTimeline = (rows: Rows, order: PlannedOrder, told: Chronicle): void => {
  let turn = 0;
  order.steps.forEach((step, at) => {
    for (const [type, text] of linesOf(order, told, step)) {
      const id = idAt(step.at, `${order.id}/event/${turn}`, turn);
      rows.add('order_event', {
        store_id: told.scene.storeId,
        order_id: order.id,
        id,
        at: step.at,
        type,
        text,
        actor: step.actor,
      });
      turn += 1;
    }
    rows.add('audit_log', auditRow(order, told, step, at));
  });
};
