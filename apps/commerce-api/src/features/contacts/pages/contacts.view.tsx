import type { ListedPage } from '@platform/data';
import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { Shown } from '../../../web/page.types';
import { Adder, isBack } from '../../../web/ui/form';
import { Icon } from '../../../web/ui/icon';
import { ImportLink } from '../../../web/ui/import.link';
import { List } from '../../../web/ui/list';
import { Chip, Empty, Money } from '../../../web/ui/parts';
import { Way } from '../../../web/ui/reading';
import type { Column } from '../../../web/ui/table';
import { NewContactForm } from './contact.forms';
import type { ContactRow, SegmentQuery } from '../people/public';
import { contactTexts } from './contacts.texts';

type All = Shown<ListedPage<ContactRow>, SegmentQuery>;
type Of = { readonly contact: ContactRow; readonly t: Reader };

/** What somebody is called; of who has only written so far their number. */
export const contactName = ({ name, phone }: Pick<ContactRow, 'name' | 'phone'>): string => name ?? `+${phone}`;

/** What is particular about somebody, and their tags. */
export const ContactChips = ({ contact: { blocked, opted_out: out, tags }, t }: Of): JSX.Element => {
  const say = contactTexts(t);
  return (
    <span class="chips">
      {blocked ? <Chip tone="bad">{say.blocked}</Chip> : null}
      {out ? <Chip tone="wait">{say.optedOut}</Chip> : null}
      {tags.map(({ name }) => (
        <Chip tone="info">{name}</Chip>
      ))}
    </span>
  );
};

const columnsFor = (t: Reader): readonly Column<ContactRow>[] => {
  const say = contactTexts(t);
  return [
    {
      ...{ title: say.name, main: true, sort: 'name' },
      cell: (contact) => <a href={`/contacts/${contact.id}`}>{contactName(contact)}</a>,
    },
    { title: say.phone, plain: true, cell: ({ phone }) => `+${phone}` },
    { title: say.tags, plain: true, cell: (contact) => <ContactChips contact={contact} t={t} /> },
    { title: say.orders, plain: true, cell: ({ orders_count: n }) => say.ordersOf({ count: t.count(n) }) },
    { title: say.spent, number: true, sort: 'spent', cell: ({ spent }) => <Money amount={spent} /> },
  ];
};

export const ContactList = ({ data, query, t }: All): JSX.Element => {
  const say = contactTexts(t);
  return (
    <List
      {...{ path: '/contacts', query, usualSort: '-created_at', caption: t.nav.places.contacts, listed: data }}
      columns={columnsFor(t)}
      search={say.search}
      views={[
        { text: t.list.all, set: {} },
        { text: say.loyal, set: { min_orders: '3' } },
        { text: say.blocked, set: { blocked: 'true' } },
      ]}
      filteredBy={['tag_ids', 'source', 'city', 'last_order_from']}
      empty={<Empty text={say.none} />}
    />
  );
};

export const ContactsView = (shown: All): JSX.Element => {
  const { form, t, viewer } = shown;
  return (
    <>
      {viewer.caller.abilities.has('contact.write') ? (
        <Adder title={contactTexts(t).create} isOpen={isBack(form)}>
          <NewContactForm form={form} t={t} />
        </Adder>
      ) : null}
      <ContactList {...shown} />
    </>
  );
};

/** Beside the heading of the list. */
export const ContactTools = ({ t, viewer }: All): JSX.Element => (
  <>
    {viewer.caller.abilities.has('contact.export') ? (
      <a href="/contacts/export" class="button only-wide">
        <Icon name="file-export" />
        {contactTexts(t).download}
      </a>
    ) : null}
    <ImportLink to="/contacts/import" may={viewer.caller.abilities.has('contact.write')} />
    <Way to="/tags" class="button">
      <Icon name="tag" />
      {contactTexts(t).tags}
    </Way>
  </>
);
