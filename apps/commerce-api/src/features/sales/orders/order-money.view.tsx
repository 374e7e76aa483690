import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState } from '../../../web/page.types';
import { Field, MoneyField, Select } from '../../../web/ui/field';
import { Form, isBack } from '../../../web/ui/form';
import { Icon } from '../../../web/ui/icon';
import { Chip, Money, Section, type Tone } from '../../../web/ui/parts';
import { Table, type Column } from '../../../web/ui/table';
import { bankCodes, banks } from '../../paying/accounts/public';
import { leftToPay } from '../payments/public';
import { refundMethods, type Refund } from '../refunds/public';
import { moneyTexts } from './order-money.texts';
import { orderTexts } from './orders.texts';
import type { OrderProof, OrderView } from './orders.dto';

interface Parts {
  readonly form: FormState;
  readonly t: Reader;
  readonly order: OrderView;
}

const pathOf = ({ id }: OrderView, what: string): string => `/orders/${id}/${what}`;

/** A transfer that a buyer has shown, with the way to its picture. */
export interface ShownProof extends OrderProof {
  readonly url: string | null;
}

const Look = ({ text, t }: { readonly text: string; readonly t: Reader }): JSX.Element => (
  <div class="alert bad">
    <Icon name="alert-triangle" />
    <div>
      <b>{orderTexts(t).review.title}</b>
      <p>{text}</p>
    </div>
  </div>
);

/** Why somebody must look at the payment of an order. */
export const Review = ({ order, t }: Omit<Parts, 'form'>): JSX.Element => {
  const { review } = orderTexts(t);
  const { review_reason: reason } = order;
  const known = reason === 'overpaid' || reason === 'stock' || reason === 'cancelled' ? review[reason] : review.proof;
  return <Look text={known} t={t} />;
};

/** Another sum than was asked for came, on which the platform decides: the shop knows what its order waits for. */
export const PutAside = ({ order: { payments }, t }: Omit<Parts, 'form'>): JSX.Element | null =>
  payments.some(({ review_reason }) => review_reason === 'amount') ? (
    <Look text={moneyTexts(t).otherSum} t={t} />
  ) : null;

export const ProofForm = ({ form, t, order, proof }: Parts & { readonly proof: ShownProof }): JSX.Element => {
  const say = moneyTexts(t);
  const of = `proof.${proof.id}`;
  const isOwed = leftToPay(order) > 0;
  const hint = proof.amount === null ? say.proofAll : say.proofSays({ amount: t.money(proof.amount) });
  return (
    <Form form={form} action={pathOf(order, 'proof')} name={of}>
      <fieldset class="form-two">
        <legend>{say.proof}</legend>
        {proof.url === null ? null : (
          <p>
            <a class="button" href={proof.url} target="_blank" rel="noreferrer">
              <Icon name="photo" />
              {say.proofOpen}
            </a>{' '}
            {proof.bank}
          </p>
        )}
        <input type="hidden" name="proof_id" value={proof.id} />
        {isOwed ? (
          <MoneyField {...{ form, of, name: 'amount', label: say.proofAmount, hint }} />
        ) : (
          <p class="hint">{say.proofPaid}</p>
        )}
        <Field {...{ form, of, name: 'note', label: say.proofNote, hint: say.proofNoteHint, maxLength: 500 }} />
      </fieldset>
      <div class="row-actions">
        <button class="button" name="decision" value="reject">
          {say.reject}
        </button>
        {isOwed ? (
          <button class="button button-main" name="decision" value="approve">
            {say.approve}
          </button>
        ) : null}
      </div>
    </Form>
  );
};

const Bank = ({ form, t, of }: Omit<Parts, 'order'> & { readonly of: string }): JSX.Element => {
  const say = moneyTexts(t);
  return (
    <fieldset class="form-two">
      <legend>{say.bank}</legend>
      <p class="hint">{say.bankHint}</p>
      <Select
        {...{ form, of, name: 'bank[bank_code]', label: say.bankCode }}
        options={[['', say.noBank], ...bankCodes.map((code) => [code, banks[code]] as const)]}
      />
      <Field {...{ form, of, name: 'bank[number]', label: say.bankNumber, inputMode: 'numeric', maxLength: 34 }} />
      <Field {...{ form, of, name: 'bank[holder]', label: say.bankHolder, maxLength: 100 }} />
    </fieldset>
  );
};

const isByGateway = ({ payments }: OrderView): boolean => payments.some(({ provider }) => /^[abc]$/.test(provider));

/** What came in and was not given back yet. */
export const leftToRefund = ({ paid_total, refunded_total }: OrderView): number =>
  Math.max(0, paid_total - refunded_total);

export const RefundForm = ({ form, t, order, mayPayOut }: Parts & { readonly mayPayOut: boolean }): JSX.Element => {
  const say = moneyTexts(t);
  const of = 'refund';
  const isThere = { manual: true, provider: isByGateway(order), payout: isByGateway(order) && mayPayOut };
  const methods = refundMethods.filter((method) => isThere[method]);
  const hint = say.refundHint({ amount: t.money(leftToRefund(order)) });
  return (
    <details class="panel" open={isBack(form, of)}>
      <summary class="link">{say.refund}</summary>
      <Form form={form} action={pathOf(order, 'refund')} name={of}>
        <div class="form-two">
          <MoneyField {...{ form, of, name: 'amount', label: say.refund, hint }} />
          <Select
            {...{ form, of, name: 'method', label: say.refundMethod }}
            options={[...methods].reverse().map((method) => [method, say.refundMethods[method]])}
          />
          <Field {...{ form, of, name: 'reason', label: say.reason, maxLength: 200, required: true }} />
        </div>
        {isThere.payout ? <Bank {...{ form, t, of }} /> : null}
        <div class="row-actions">
          <button class="button button-danger">{say.refundTo({ name: order.buyer.name })}</button>
        </div>
      </Form>
    </details>
  );
};

const TONES: Readonly<Record<Refund['status'], Tone>> = {
  ...{ requested: 'wait', processing: 'info', succeeded: 'good', failed: 'bad' },
};

const columnsFor = (t: Reader): readonly Column<Refund>[] => {
  const say = moneyTexts(t);
  return [
    { title: say.reason, main: true, cell: ({ reason }) => reason },
    {
      ...{ title: say.refundMethod, plain: true },
      cell: ({ status, method, failure }) => (
        <>
          <Chip tone={TONES[status]}>{say.refundStates[status]}</Chip> {say.refundMethods[method]}{' '}
          {failure === null ? null : <small>{failure}</small>}
        </>
      ),
    },
    { title: say.refunds, number: true, cell: ({ amount }) => <Money amount={amount} /> },
  ];
};

export const RefundList = ({ t, order }: Omit<Parts, 'form'>): JSX.Element | null => {
  const { refunds } = moneyTexts(t);
  return order.refunds.length === 0 ? null : (
    <Section title={refunds}>
      <Table caption={refunds} rows={order.refunds} columns={columnsFor(t)} />
    </Section>
  );
};
