import { cut } from '@platform/runtime';
import type { JSX } from 'preact';
import type { Shown } from '../../../web/page.types';
import { isBack } from '../../../web/ui/form';
import { Away, Empty, Moment, Money, Section } from '../../../web/ui/parts';
import { Way } from '../../../web/ui/reading';
import { Facts } from '../../../web/ui/table';
import { BlockForm, ContactForm, NoteForm } from './contact.forms';
import type { Contact, ContactAddress } from '../people/public';
import { contactTexts } from './contacts.texts';
import { ContactChips } from './contacts.view';

/** Characters. */
const LAST_WORDS = 60;

/** What the page shows of an order. */
export interface Ordered {
  readonly id: string;
  readonly number: string;
  readonly total: number;
  readonly placed_at: string;
}

/** What the page shows of a chat. */
export interface ChatWith {
  readonly id: string;
  readonly last_message: { readonly text: string | null; readonly at: string } | null;
}

export interface ContactDetail {
  readonly contact: Contact;
  readonly orders: readonly Ordered[];
  /** Null: their owner does not tell now; undefined: none of the reader's. */
  readonly chats: readonly ChatWith[] | null | undefined;
}
type One = Shown<ContactDetail>;

const Figures = ({ data: { contact }, t }: One): JSX.Element => {
  const say = contactTexts(t);
  const { orders_count: orders, spent, last_order_at: last, created_at: since, source } = contact;
  return (
    <section class="panel">
      <Facts
        facts={[
          [say.phone, `+${contact.phone}`],
          [say.spent, <Money amount={spent} />],
          [say.orders, t.count(orders)],
          ...(last === null ? [] : [[say.lastOrder, <Moment at={last} brief />] as const]),
          [say.since, t.day(since)],
          ...(source === null ? [] : [[say.source, source === 'order' ? say.fromOrder : source] as const]),
        ]}
      />
    </section>
  );
};

const Orders = ({ data: { contact, orders }, t }: One): JSX.Element => {
  const say = contactTexts(t);
  if (orders.length === 0) return <Empty text={say.noOrders} />;
  return (
    <section class="panel">
      <ol class="rank">
        {orders.map(({ id, number, total, placed_at: at }) => (
          <li>
            <Way to={`/orders/${id}`} class="code">
              {number}
            </Way>
            <span>
              <Moment at={at} brief /> · <Money amount={total} />
            </span>
          </li>
        ))}
      </ol>
      <Way to={`/orders?contact_id=${contact.id}`} class="link">
        {say.allOrders}
      </Way>
    </section>
  );
};

const Chats = ({ data: { chats }, t }: One): JSX.Element => {
  const say = contactTexts(t);
  if (!chats) return <Away />;
  if (chats.length === 0) return <Empty text={say.noChats} />;
  return (
    <ul class="rows">
      {chats.map(({ id, last_message: last }) => (
        <li class="panel">
          {last === null ? null : <p dir="auto">{cut(last.text ?? '', LAST_WORDS)}</p>}
          <small>
            <Way to={`/chats/${id}`} class="link">
              {say.openChat}
            </Way>
            {last === null ? null : (
              <>
                {' · '}
                <Moment at={last.at} brief />
              </>
            )}
          </small>
        </li>
      ))}
    </ul>
  );
};

const lineOf = ({ name, line, district, city, province, postcode }: ContactAddress): string =>
  [name, line, district, city, province, postcode].filter(Boolean).join(', ');

const Addresses = ({ data: { contact }, t }: One): JSX.Element | null =>
  contact.addresses.length === 0 ? null : (
    <Section title={contactTexts(t).addresses}>
      <ul class="rows">
        {contact.addresses.map((address) => (
          <li class="panel">{lineOf(address)}</li>
        ))}
      </ul>
    </Section>
  );

const Notes = ({ data: { contact }, form, t, viewer }: One): JSX.Element => (
  <Section title={contactTexts(t).notes}>
    <ul class="rows">
      {contact.notes.map(({ text, author, created_at: at }) => (
        <li class="panel">
          {text}
          <small>
            {author} · <Moment at={at} brief />
          </small>
        </li>
      ))}
    </ul>
    {viewer.caller.abilities.has('contact.write') ? <NoteForm form={form} t={t} contact={contact} /> : null}
  </Section>
);

export const ContactPage = (shown: One): JSX.Element => {
  const { data, form, t, viewer } = shown;
  const { contact } = data;
  const say = contactTexts(t);
  const mayWrite = viewer.caller.abilities.has('contact.write');
  return (
    <>
      <ContactChips contact={contact} t={t} />
      <div class="halves">
        <Figures {...shown} />
        <Section title={say.latest}>
          <Orders {...shown} />
        </Section>
      </div>
      {data.chats === undefined ? null : (
        <Section title={say.chats}>
          <Chats {...shown} />
        </Section>
      )}
      {mayWrite ? <ContactForm form={form} t={t} contact={contact} /> : null}
      <div class="halves">
        <Notes {...shown} />
        <Addresses {...shown} />
      </div>
      {mayWrite ? (
        <details class="panel" open={isBack(form, 'block') || isBack(form, 'unblock')}>
          <summary class="link">{contact.blocked ? say.unblock : say.block}</summary>
          <BlockForm form={form} t={t} contact={contact} />
        </details>
      ) : null}
    </>
  );
};
