import type { JSX } from 'preact';
import type { Shown } from '../../../web/page.types';
import { Form } from '../../../web/ui/form';
import { Chip, Money } from '../../../web/ui/parts';
import { Facts } from '../../../web/ui/table';
import type { Invoice } from '../invoices/public';
import { billingTexts } from './billing.texts';
import { BILL_TONES } from './billing.view';

type One = Shown<Invoice>;

/** The ways to pay it; the amount stands on each. */
const Pay = ({ data: { id, amount, url }, form, t }: One): JSX.Element => {
  const say = billingTexts(t);
  const sum = { amount: t.money(amount) };
  return (
    <Form form={form} action={`/billing/invoices/${id}/pay`}>
      <div class="row-actions">
        <button class="button button-main" name="method" value="wallet">
          {say.payWallet(sum)}
        </button>
        {url === null ? (
          <button class="button" name="method" value="b">
            {say.payOnline(sum)}
          </button>
        ) : (
          <a class="button" href={url} rel="noreferrer">
            {say.payNow}
          </a>
        )}
      </div>
    </Form>
  );
};

export const BillView = (shown: One): JSX.Element => {
  const { data, t, viewer } = shown;
  const say = billingTexts(t);
  const { status, lines, amount, created_at, due_at, paid_at } = data;
  const times = [
    [say.made, created_at],
    [say.due, due_at],
    [say.paidAt, paid_at],
  ] as const;
  return (
    <>
      <p>
        <Chip tone={BILL_TONES[status]}>{say.billStates[status]}</Chip>
      </p>
      {status === 'open' && viewer.caller.abilities.has('billing.write') ? <Pay {...shown} /> : null}
      <section class="panel">
        <Facts facts={times.flatMap(([name, at]) => (at === null ? [] : [[name, t.moment(at)] as const]))} />
        <Facts
          facts={[
            ...lines.map(({ text, qty, amount: of }) => [`${t.count(qty)} × ${text}`, <Money amount={of} />] as const),
            [say.total, <Money amount={amount} />],
          ]}
        />
      </section>
    </>
  );
};
