import type { JSX } from 'preact';
import type { BuyerShown } from '../../../web/buyer.page';
import type { Reader } from '../../../web/i18n/reader';
import { Field, FileField, MoneyField } from '../../../web/ui/field';
import { Form, isBack } from '../../../web/ui/form';
import { hx } from '../../../web/ui/hx';
import { Moment, Money, Notice } from '../../../web/ui/parts';
import { leavingOf, leftToPay } from '../../sales/payments/public';
import type { Bought } from './bought';
import { buyingTexts } from './buying.texts';
import { Downloads, Goods, OtherPages, Standing } from './parts.view';
import { isPayable, mayChange, paces, payStateOf, type Pace, type PayState } from './pay.state';
import type { Ways } from './pay.ways';

/** An order to be paid, and how. */
export interface Paying extends Bought {
  readonly ways: Ways;
}
type Shown = BuyerShown<Paying>;

interface Asking {
  readonly token: string;
  readonly state: PayState;
  /** When the page was opened, in milliseconds. */
  readonly since: number;
  readonly pace: Pace | undefined;
  readonly t: Reader;
}

/** How the payment stands. An open page asks for this part again, ever slower; it is replaced only by something else, as it is read aloud. */
export const PayStanding = ({ token, state, since, pace, t }: Asking): JSX.Element => {
  const isAsked = pace !== undefined && mayChange(state);
  const again = isAsked && {
    ...{ get: `/pay/${token}/status?since=${since}&pace=${pace}&seen=${state}`, trigger: `every ${paces[pace]}s` },
    ...({ target: '#status', swap: 'outerHTML' } as const),
  };
  return (
    <div id="status" role="status" class="standing" {...(again ? hx(again) : {})}>
      <Standing state={state} t={t} />
    </div>
  );
};

/** A text that is typed elsewhere; copied by a tap where there is script. */
const Copied = ({ text, shown, t }: { readonly text: string; readonly shown: JSX.Element; readonly t: Reader }) => {
  const { copy, copied } = buyingTexts(t);
  return (
    <span class="copied">
      {shown}
      <button class="button" type="button" data-copy={text} data-done={copied} hidden>
        {copy}
      </button>
    </span>
  );
};

const Amount = ({ data: { order }, t }: Shown): JSX.Element => {
  const say = buyingTexts(t);
  const due = leftToPay(order);
  const [kept, leaving] = [order.total - due, leavingOf(order.refunds)];
  return (
    <div class="amount">
      <small>{say.toPay}</small>
      <Copied text={String(due)} shown={<Money amount={due} />} t={t} />
      {kept === 0 ? null : (
        <small>
          {say.received}: <Money amount={kept} />
        </small>
      )}
      {leaving === 0 ? null : (
        <small>
          {say.leaving}: <Money amount={leaving} />
        </small>
      )}
      {order.pay_expires_at === null ? null : (
        <small>
          {say.until} <Moment at={order.pay_expires_at} />
        </small>
      )}
    </div>
  );
};

const ProofForm = ({ data: { token }, form, t }: Shown): JSX.Element => {
  const say = buyingTexts(t);
  const common = { form, of: 'proof' };
  return (
    <details class="adder" open={isBack(form, 'proof')}>
      <summary class="button button-main">{say.proof}</summary>
      <Form form={form} action={`/pay/${token}/proof`} name="proof" isUpload>
        <FileField {...common} label={say.file} hint={say.fileHint} accept="image/*,application/pdf" />
        <MoneyField {...common} name="amount" label={say.amount} hint={say.amountHint} />
        <Field {...common} name="bank" label={say.bank} autocomplete="off" maxLength={60} />
        <button class="button button-main">{say.send}</button>
      </Form>
    </details>
  );
};

const Transfer = (shown: Shown): JSX.Element | null => {
  const { data, t } = shown;
  const say = buyingTexts(t);
  const { ways, order } = data;
  const { accounts } = ways;
  if (accounts.length === 0) return order.payment_method === 'transfer' ? <Notice text={say.noAccount} /> : null;
  return (
    <section class="panel">
      <h2>{say.transfer}</h2>
      <p>{say.exactly}</p>
      <ul class="bought">
        {accounts.map(({ bank, number, holder }) => (
          <li>
            <span>
              <b>{bank}</b>
              <br />
              <small dir="auto">{say.holder({ name: holder })}</small>
            </span>
            <Copied text={number} shown={<span class="code">{number}</span>} t={t} />
          </li>
        ))}
      </ul>
      <ProofForm {...shown} />
    </section>
  );
};

/** By a provider: the payment that waits there, or one that is opened now. */
const Providers = ({ data: { token, ways }, form, t }: Shown): JSX.Element | null => {
  const say = buyingTexts(t);
  const { open, providers } = ways;
  if (open === undefined && providers.length === 0) return null;
  return (
    <section class="panel">
      {open === undefined ? null : (
        <a class="button button-main" href={open.url} rel="noreferrer">
          {say.payNow}
        </a>
      )}
      {ways.isAway ? <p class="alert bad">{say.away}</p> : null}
      {open === undefined || providers.length === 0 ? null : <h2>{say.otherWays}</h2>}
      {providers.length === 0 ? null : (
        <Form form={form} action={`/pay/${token}/proof`} name="pay">
          <div class="shop-choices">
            {providers.map((code) => (
              <button class={open === undefined ? 'button button-main' : 'button'} name="method" value={code}>
                {say.payWith({ name: say.providers[code] })}
              </button>
            ))}
          </div>
        </Form>
      )}
    </section>
  );
};

/** What an order that is to be paid costs, and the ways to pay it; the one that was chosen first. */
export const PayPage = (shown: Shown): JSX.Element => {
  const { data, t } = shown;
  const { token, order } = data;
  const say = buyingTexts(t);
  const state = payStateOf(data);
  const ways = order.payment_method === 'transfer' ? [Transfer, Providers] : [Providers, Transfer];
  return (
    <>
      <section class="panel narrow-card">
        <h1>{say.order({ number: order.number })}</h1>
        <PayStanding {...{ token, state, t }} since={data.now.getTime()} pace="quick" />
        {isPayable(state) ? <Amount {...shown} /> : null}
        {mayChange(state) ? (
          <a class="link" href={`/pay/${token}/finish`}>
            {say.check}
          </a>
        ) : null}
      </section>
      {isPayable(state) ? ways.map((Way) => <Way {...shown} />) : null}
      <Downloads order={order} now={data.now} t={t} />
      <Goods order={order} t={t} />
      <OtherPages {...{ token, t }} of="pay" />
    </>
  );
};
