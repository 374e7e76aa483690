import type { JSX } from 'preact';
import type { Need } from '../../../abilities';
import type { Shown } from '../../../web/page.types';
import { isBack } from '../../../web/ui/form';
import { Icon } from '../../../web/ui/icon';
import { Moment, Money, Section } from '../../../web/ui/parts';
import { Way } from '../../../web/ui/reading';
import { Facts, Table, type Column } from '../../../web/ui/table';
import type { Reader } from '../../../web/i18n/reader';
import { leftToPay } from '../payments/public';
import type { Desk } from './order-desk';
import { deskTexts } from './order-desk.texts';
import { OrderForm } from './order-desk.view';
import { leftToRefund, ProofForm, PutAside, RefundForm, RefundList, Review, type ShownProof } from './order-money.view';
import { Papers, Sending } from './order-sending.view';
import { CancelForm, NoteForm, PaymentForm, StepForm, WaybillForm } from './order.forms';
import { isToSend, nextStep } from './order.next';
import type { OrderEvent, OrderItem, OrderView as Order } from './orders.dto';
import { orderTexts } from './orders.texts';
import { OrderChips } from './orders.view';

export interface OrderDetail {
  readonly order: Order;
  readonly events: readonly OrderEvent[];
  readonly mayEdit: boolean;
  /** While it is being changed. */
  readonly desk: Desk | undefined;
  /** Those that somebody is to decide on. */
  readonly proofs: readonly ShownProof[];
}
type One = Shown<OrderDetail, object>;

const has = ({ viewer }: One, ability: Need): boolean => viewer.caller.abilities.has(ability);

/** Why somebody must look at its payment. */
/** The form of the next step, for who may take it. */
const NextForm = (shown: One): JSX.Element | null => {
  const { data, form, t } = shown;
  const { order } = data;
  const step = nextStep(order);
  const mayPay = has(shown, 'payment.record') && leftToPay(order) > 0;
  const parts = { form, t, order };
  if (step === 'pay') return mayPay ? <PaymentForm {...parts} /> : null;
  if (step === 'review') {
    const again = order.review_reason === 'stock' && has(shown, 'order.write');
    return (
      <>
        <Review order={order} t={t} />
        {again ? <StepForm {...parts} to="processing" /> : null}
        {mayPay ? <PaymentForm {...parts} /> : null}
      </>
    );
  }
  // Whoever only packs and sends begins with the waybill
  if (!has(shown, 'order.write'))
    return has(shown, 'shipping.write') && isToSend(order) ? <WaybillForm {...parts} /> : null;
  if (step === 'pack') return <StepForm {...parts} to="processing" />;
  if (step === 'ship') return <WaybillForm {...parts} />;
  return step === 'complete' ? <StepForm {...parts} to="completed" /> : null;
};

const Next = (shown: One): JSX.Element => {
  const { data, form, t } = shown;
  const { order } = data;
  const say = orderTexts(t);
  // Whatever comes next, its buyer waits for whoever checks what they have shown, as home says
  const proofs = has(shown, 'payment.record') ? data.proofs : [];
  const step = nextStep(order);
  const next = step === 'none' ? null : NextForm(shown);
  const idle = step === 'pay' ? say.payments.pending : say.nothing;
  return (
    <section class="panel next">
      <h2>{say.next}</h2>
      <PutAside order={order} t={t} />
      {proofs.map((proof) => (
        <ProofForm {...{ form, t, order, proof }} />
      ))}
      {next ?? (proofs.length === 0 ? <p>{idle}</p> : null)}
      {order.pay_url === null ? null : (
        <p>
          {say.payLink}: <span class="code">{order.pay_url}</span>
        </p>
      )}
    </section>
  );
};

/** Steps beside the next one. */
const Others = (shown: One): JSX.Element | null => {
  const { data, form, t } = shown;
  const { order } = data;
  const isOpen = order.status === 'open' || order.status === 'processing';
  const parts = { form, t, order };
  if (!isOpen || !has(shown, 'order.write')) return null;
  const canComplete = order.status === 'processing' && nextStep(order) !== 'complete';
  return (
    <details class="panel" open={isBack(form, 'cancel') || (canComplete && isBack(form, 'completed'))}>
      <summary class="link">{orderTexts(t).others}</summary>
      {canComplete ? <StepForm {...parts} to="completed" /> : null}
      <CancelForm {...parts} />
    </details>
  );
};

/** Money that goes back, and what its buyer is sent. */
const Afterwards = (shown: One): JSX.Element => {
  const { data, form, t } = shown;
  const { order } = data;
  const parts = { form, t, order };
  return (
    <>
      {has(shown, 'order.write') ? <Sending {...parts} mayResend={has(shown, 'digital.write')} /> : null}
      {has(shown, 'order.refund') && leftToRefund(order) > 0 ? (
        <RefundForm {...parts} mayPayOut={has(shown, 'wallet.withdraw')} />
      ) : null}
      <Papers t={t} order={order} />
    </>
  );
};

/** An unpaid order as a form. */
const Editing = ({ data: { order, desk }, form, t }: One): JSX.Element | null => {
  const { edit, editHint } = deskTexts(t);
  return desk ? (
    <Section title={edit}>
      <p class="hint">{editHint}</p>
      <OrderForm {...{ form, t, desk, order, of: 'save', action: `/orders/${order.id}` }} />
    </Section>
  ) : null;
};

/** Beside the number. */
export const OrderTool = ({ data: { order, mayEdit, desk }, t }: One): JSX.Element | null =>
  mayEdit && !desk ? (
    <a class="button" href={`/orders/${order.id}?edit=true`}>
      <Icon name="edit" />
      {deskTexts(t).edit}
    </a>
  ) : null;

const itemColumns = (t: Reader): readonly Column<OrderItem>[] => {
  const say = orderTexts(t);
  return [
    { title: say.item, main: true, cell: ({ name }) => name },
    { title: 'SKU', plain: true, cell: ({ sku }) => <span class="code">{sku}</span> },
    { title: say.quantity, cell: ({ qty, price }) => `${t.count(qty)} × ${t.money(price)}` },
    { title: say.total, number: true, cell: ({ total }) => <Money amount={total} /> },
  ];
};

const Amounts = ({ data: { order }, t }: One): JSX.Element => {
  const say = orderTexts(t);
  const isIncluded = order.tax?.mode !== 'added';
  const lines: readonly (readonly [string, number])[] = [
    [say.subtotal, order.subtotal],
    ...(order.discount > 0 ? [[say.discount, -order.discount] as const] : []),
    ...(order.shipping_total > 0 ? [[say.shippingTotal, order.shipping_total] as const] : []),
    ...(order.fee > 0 ? [[say.fee, order.fee] as const] : []),
    ...(order.tax_total > 0 && !isIncluded ? [[say.tax, order.tax_total] as const] : []),
    [say.total, order.total],
    // A part of the total is none of what it is the sum of
    ...(order.tax_total > 0 && isIncluded ? [[say.taxIncluded, order.tax_total] as const] : []),
    [say.paidTotal, order.paid_total],
    ...(order.refunded_total > 0 ? [[say.refunded, order.refunded_total] as const] : []),
  ];
  return <Facts facts={lines.map(([name, amount]) => [name, <Money amount={amount} />])} />;
};

const placeOf = ({ address }: Order): string =>
  [address?.line, address?.district, address?.city, address?.province, address?.postcode].filter(Boolean).join(', ');

const Buyer = (shown: One): JSX.Element => {
  const { data, t } = shown;
  const { order } = data;
  const say = orderTexts(t);
  const { buyer, contact_id: contact, shipping, note, shipments } = order;
  const sent = shipments.flatMap(({ courier, waybill }) => (waybill === null ? [] : [`${courier ?? ''} ${waybill}`]));
  const how =
    shipping?.kind === 'pickup' ? say.pickup : [shipping?.courier, shipping?.service].filter(Boolean).join(' ');
  const facts: readonly (readonly [string, string])[] = [
    [say.phone, `+${buyer.phone}`],
    [say.address, placeOf(order)],
    [say.shipping, how],
    [say.waybill, sent.join(', ')],
    [say.note, note ?? ''],
  ];
  return (
    <section class="panel">
      <h2>{say.buyer}</h2>
      <b>{contact === null ? buyer.name : <Way to={`/contacts/${contact}`}>{buyer.name}</Way>}</b>
      <Facts facts={facts.filter(([, text]) => text !== '')} />
      {has(shown, 'chat.reply') ? (
        <Way to={`/chats?view=all&q=${buyer.phone}`} class="link">
          {say.openChat}
        </Way>
      ) : null}
    </section>
  );
};

const Timeline = ({ data: { events }, t }: One): JSX.Element => {
  const { events: names } = orderTexts(t);
  const nameOf = (type: string): string => (names as Readonly<Record<string, string>>)[type] ?? names.other;
  return (
    <ol class="timeline">
      {[...events].reverse().map(({ type, at }) => (
        <li>
          {nameOf(type)} <Moment at={at} brief />
        </li>
      ))}
    </ol>
  );
};

const Notes = (shown: One): JSX.Element => {
  const { data, form, t } = shown;
  const { order } = data;
  return (
    <>
      {order.notes.length === 0 ? null : (
        <ul class="rows">
          {order.notes.map(({ text, created_at: at }) => (
            <li class="panel">
              {text}
              <small>
                <Moment at={at} />
              </small>
            </li>
          ))}
        </ul>
      )}
      {has(shown, 'order.write') ? <NoteForm form={form} t={t} order={order} /> : null}
    </>
  );
};

/** What can be done with it; while it is changed, nothing else. */
const Work = (shown: One): JSX.Element =>
  shown.data.desk ? (
    <Editing {...shown} />
  ) : (
    <>
      <Next {...shown} />
      <Others {...shown} />
      <Afterwards {...shown} />
    </>
  );

export const OrderPage = (shown: One): JSX.Element => {
  const { data, t } = shown;
  const { order } = data;
  const say = orderTexts(t);
  return (
    <>
      <p class="order-head">
        <OrderChips order={order} t={t} />
        <strong>
          <Money amount={order.total} />
        </strong>
        <small>
          {say.channels[order.channel]} · <Moment at={order.placed_at} />
        </small>
      </p>
      <Work {...shown} />
      <Section title={say.items}>
        <Table caption={say.items} rows={order.items} columns={itemColumns(t)} />
      </Section>
      <div class="halves">
        <Buyer {...shown} />
        <section class="panel">
          <h2>{say.sum}</h2>
          <Amounts {...shown} />
        </section>
      </div>
      <RefundList t={t} order={order} />
      <div class="halves">
        <Section title={say.timeline}>
          <Timeline {...shown} />
        </Section>
        <Section title={say.notes}>
          <Notes {...shown} />
        </Section>
      </div>
    </>
  );
};
