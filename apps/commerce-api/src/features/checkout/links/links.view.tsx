import type { ListedPage } from '@platform/data';
import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState, Shown } from '../../../web/page.types';
import { Check, Field } from '../../../web/ui/field';
import { Adder, Form, SaveBar } from '../../../web/ui/form';
import { List } from '../../../web/ui/list';
import { Chip, Empty, Section } from '../../../web/ui/parts';
import type { Column } from '../../../web/ui/table';
import { Picker, type Picking } from '../../sales/picking/public';
import { linkStates, type CheckoutLink, type CheckoutLinksQuery } from './links.dto';
import { linkTexts } from './links.texts';

interface Links extends ListedPage<CheckoutLink> {
  /** While it is being changed. */
  readonly link: CheckoutLink | undefined;
  readonly picking: Picking;
}
type All = Shown<Links, CheckoutLinksQuery>;

interface Parts {
  readonly form: FormState;
  readonly t: Reader;
  readonly picking: Picking;
  readonly of: 'create' | 'save';
  readonly link?: CheckoutLink;
}

const LinkForm = ({ form, t, picking, of, link }: Parts): JSX.Element => {
  const say = linkTexts(t);
  const settings = link?.settings;
  return (
    <Form form={form} action="/checkout-links" name={of}>
      {link ? <input type="hidden" name="id" value={link.id} /> : null}
      <Picker {...{ form, t, of, list: 'lines', picking }} />
      <fieldset class="form-two">
        <legend>{say.name}</legend>
        <Field
          {...{ form, of, name: 'name', label: say.name, hint: say.nameHint, maxLength: 80, required: true }}
          value={link?.name}
        />
        <Field
          {...{ form, of, name: 'settings[redirect_url]', label: say.redirect, hint: say.redirectHint, type: 'url' }}
          {...{ inputMode: 'url', maxLength: 2048, value: settings?.redirect_url }}
        />
        <Check
          {...{ form, of, name: 'settings[require_address]', label: say.address, hint: say.addressHint }}
          value={settings?.require_address}
        />
        <Check
          {...{ form, of, name: 'settings[show_coupon]', label: say.coupon, value: settings?.show_coupon ?? true }}
        />
      </fieldset>
      <SaveBar text={say.save}>
        {link ? (
          <a class="button" href="/checkout-links">
            {t.form.cancel}
          </a>
        ) : null}
      </SaveBar>
    </Form>
  );
};

const SwitchForm = ({ form, t, link }: Pick<Parts, 'form' | 't'> & { readonly link: CheckoutLink }): JSX.Element => {
  const say = linkTexts(t);
  const isOn = link.status === 'active';
  return (
    <Form form={form} action="/checkout-links" name="switch">
      <input type="hidden" name="id" value={link.id} />
      {isOn ? <p class="hint">{say.disableHint}</p> : null}
      <div class="row-actions">
        <button class={isOn ? 'button button-danger' : 'button'} name="status" value={isOn ? 'disabled' : 'active'}>
          {isOn ? say.disable : say.enable}
        </button>
      </div>
    </Form>
  );
};

const columnsFor = (t: Reader): readonly Column<CheckoutLink>[] => {
  const say = linkTexts(t);
  return [
    {
      ...{ title: say.name, main: true, sort: 'name' },
      cell: ({ id, name }) => <a href={`/checkout-links?id=${id}`}>{name}</a>,
    },
    {
      ...{ title: say.state, plain: true },
      cell: ({ status }) => <Chip tone={status === 'active' ? 'good' : 'plain'}>{say.states[status]}</Chip>,
    },
    { title: say.link, cell: ({ url, code }) => <span class="code">{url ?? code}</span> },
    { title: say.views, number: true, sort: 'views', cell: ({ views }) => t.count(views) },
    { title: say.placed, number: true, cell: ({ placed }) => t.count(placed) },
    { title: say.paid, number: true, cell: ({ paid }) => t.count(paid) },
  ];
};

export const LinkList = ({ data, query, t }: All): JSX.Element => {
  const say = linkTexts(t);
  const states = linkStates.map((status) => ({ text: say.states[status], set: { status } }));
  return (
    <List
      {...{ path: '/checkout-links', query, usualSort: '-created_at', caption: t.nav.places.checkoutLinks }}
      listed={data}
      columns={columnsFor(t)}
      search={say.search}
      views={[{ text: t.list.all, set: {} }, ...states]}
      empty={<Empty text={say.none} />}
    />
  );
};

export const LinksView = (shown: All): JSX.Element => {
  const { data, form, t } = shown;
  const { link, picking } = data;
  const say = linkTexts(t);
  return (
    <>
      {link ? (
        <Section title={say.edit({ name: link.name })}>
          <LinkForm {...{ form, t, picking, of: 'save', link }} />
          <SwitchForm {...{ form, t, link }} />
        </Section>
      ) : (
        <Adder title={say.create} isOpen={form.action === 'create'}>
          <LinkForm {...{ form, t, picking, of: 'create' }} />
        </Adder>
      )}
      <LinkList {...shown} />
    </>
  );
};
