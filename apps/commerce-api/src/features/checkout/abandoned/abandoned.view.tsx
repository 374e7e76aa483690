import type { ListedPage } from '@platform/data';
import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState, Shown } from '../../../web/page.types';
import { Form, isBack } from '../../../web/ui/form';
import { Icon } from '../../../web/ui/icon';
import { List } from '../../../web/ui/list';
import { Alert, Empty, Moment, Money } from '../../../web/ui/parts';
import type { Column } from '../../../web/ui/table';
import type { AbandonedCart, AbandonedQuery } from './abandoned.dto';
import { abandonedTexts } from './abandoned.texts';

type All = Shown<ListedPage<AbandonedCart>, AbandonedQuery>;

const Remind = ({ form, t, cart }: { readonly form: FormState; readonly t: Reader; readonly cart: AbandonedCart }) => {
  const say = abandonedTexts(t);
  const { id, buyer, reminded_at: at } = cart;
  if (!buyer) return <small>{say.noNumber}</small>;
  return (
    <>
      {at === null ? null : (
        <small>
          {say.remindedAt} <Moment at={at} brief />
        </small>
      )}
      <Form form={{ ...form, action: undefined }} action={`/abandoned-carts/${id}/remind`} name={`remind.${id}`}>
        <button class="button">
          <Icon name="send" />
          {say.remind({ phone: buyer.phone })}
        </button>
      </Form>
    </>
  );
};

const columnsFor = ({ form, t }: Pick<All, 'form' | 't'>): readonly Column<AbandonedCart>[] => {
  const say = abandonedTexts(t);
  return [
    { title: say.buyer, main: true, cell: ({ buyer }) => buyer?.name ?? say.nameless },
    { title: say.cart, cell: ({ lines }) => lines.map(({ name, qty }) => `${t.count(qty)} × ${name}`).join(', ') },
    { title: say.left, sort: 'abandoned_at', cell: ({ abandoned_at: at }) => <Moment at={at} brief /> },
    { title: say.total, number: true, sort: 'total', cell: ({ total }) => <Money amount={total} /> },
    { title: say.reminder, plain: true, cell: (cart) => <Remind {...{ form, t, cart }} /> },
  ];
};

export const AbandonedList = (shown: All): JSX.Element => {
  const { data, query, form, t } = shown;
  const say = abandonedTexts(t);
  return (
    <List
      {...{ path: '/abandoned-carts', query, usualSort: '-abandoned_at', caption: t.nav.places.carts, listed: data }}
      columns={columnsFor(shown)}
      views={[
        { text: t.list.all, set: {} },
        { text: say.views.waiting, set: { reminded: 'false' } },
        { text: say.views.reminded, set: { reminded: 'true' } },
      ]}
      filteredBy={['from', 'to']}
      notice={isBack(form, form.action) ? <Alert text={form.alert} /> : undefined}
      empty={<Empty text={say.none} />}
    />
  );
};
