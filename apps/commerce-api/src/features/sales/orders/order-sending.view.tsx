import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState } from '../../../web/page.types';
import { Form, isBack } from '../../../web/ui/form';
import { Icon } from '../../../web/ui/icon';
import { Way } from '../../../web/ui/reading';
import { moneyTexts } from './order-money.texts';
import type { OrderView } from './orders.dto';

interface Parts {
  readonly form: FormState;
  readonly t: Reader;
  readonly order: OrderView;
}

interface SendParts extends Parts {
  readonly name: 'invoice' | `download.${string}`;
  readonly what: string;
  readonly deliveryId?: string;
}

/** Who gets it stands on the button. */
const SendForm = ({ form, t, order, name, what, deliveryId }: SendParts): JSX.Element => {
  const say = moneyTexts(t);
  const { phone, email } = order.buyer;
  return (
    <Form form={form} action={`/orders/${order.id}/send`} name={name}>
      {deliveryId === undefined ? null : (
        <>
          <input type="hidden" name="delivery_id" value={deliveryId} />
          <p class="hint">{say.downloadHint}</p>
        </>
      )}
      <div class="row-actions">
        <button class="button" name="channel" value="whatsapp">
          <Icon name="send" />
          {say.to({ what, where: `+${phone}` })}
        </button>
        {email === undefined ? null : (
          <button class="button" name="channel" value="email">
            <Icon name="mail" />
            {say.to({ what, where: email })}
          </button>
        )}
      </div>
    </Form>
  );
};

/** What is sent again, and to whom. */
export const Sending = ({ form, t, order, mayResend }: Parts & { readonly mayResend: boolean }): JSX.Element => {
  const say = moneyTexts(t);
  const open = mayResend ? order.deliveries.filter(({ revoked_at }) => revoked_at === null) : [];
  const names = ['invoice', ...open.map(({ id }) => `download.${id}`)];
  return (
    <details class="panel" open={names.some((name) => isBack(form, name))}>
      <summary class="link">{say.send}</summary>
      <SendForm
        {...{ form, t, order, name: 'invoice', what: order.receipt_no === null ? say.sendInvoice : say.sendReceipt }}
      />
      {open.map(({ id, name }) => (
        <SendForm
          {...{
            form,
            t,
            order,
            name: `download.${id}`,
            deliveryId: id,
            what: say.download({ name: name ?? say.keys }),
          }}
        />
      ))}
    </details>
  );
};

/** Papers of an order: pages to be printed. */
export const Papers = ({ t, order }: Omit<Parts, 'form'>): JSX.Element => {
  const say = moneyTexts(t);
  const isPacked = order.shipments.some(({ direction, status }) => direction === 'out' && status !== 'cancelled');
  return (
    <div class="row-actions">
      <Way class="button" to={`/orders/${order.id}/invoice`}>
        <Icon name="printer" />
        {say.printInvoice}
      </Way>
      {isPacked ? (
        <Way class="button" to={`/orders/${order.id}/label`}>
          <Icon name="truck" />
          {say.printLabel}
        </Way>
      ) : null}
    </div>
  );
};
