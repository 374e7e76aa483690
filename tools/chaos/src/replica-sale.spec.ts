import { heardFindings } from './replica-merchant';
import { contactFindings, toldFindings } from './replica-sale.verdict';

describe('the verdict of a sale', () => {
  const order = { number: 'INV-1', phone: '62813', total: 10_000, paid: true, by: 'buyer', shownBefore: 1 } as const;

  it('finds nothing where a buyer was told once of the order and once of the money', () => {
    expect(toldFindings(order, ['placed', 'paid'])).toEqual([]);
    expect(toldFindings({ ...order, paid: false }, ['placed'])).toEqual([]);
  });

  it('tells of a buyer who was told twice, not at all, or of money that never came', () => {
    expect(toldFindings(order, ['placed', 'paid', 'paid'])).toEqual([
      'INV-1: its buyer was told 2 times that it is paid, which it is',
    ]);
    expect(toldFindings(order, ['placed'])).toEqual(['INV-1: its buyer was told 0 times that it is paid, which it is']);
    expect(toldFindings({ ...order, paid: false }, ['placed', 'paid'])).toEqual([
      'INV-1: its buyer was told 1 times that it is paid, which it is not',
    ]);
    expect(toldFindings({ ...order, shownBefore: 0 }, ['paid'])).toEqual([
      'INV-1: its buyer was told 0 times that it is placed',
    ]);
    expect(toldFindings({ ...order, shownBefore: 2 }, ['placed', 'placed', 'paid'])).toEqual([
      'INV-1: its buyer was told 2 times that it is placed',
    ]);
  });

  it('tells of a program of the shop that heard of an order late, twice or not, and of none that a repeat was sent to', () => {
    const [created, paid] = ['order.created', 'order.paid'].map((event) => ({
      eventId: event,
      event,
      number: 'INV-1',
    }));
    const heard = (...news: (typeof created)[]) =>
      heardFindings(
        news.flatMap((one) => one ?? []),
        order,
      );
    expect(heard(created, created, paid, paid)).toEqual([]);
    expect(heard(paid, created)).toEqual([
      "INV-1: its shop's program was told order.paid, order.created instead of order.created, order.paid",
    ]);
    expect(heard(created)).toHaveLength(1);
    expect(heard(created, paid, paid && { ...paid, eventId: 'another' })).toHaveLength(1);
  });

  const contact = { phone: '62813', contacts: 1, orders: 1, spent: 10, ordersThere: 1, spentThere: 10, same: true };

  it.each([
    ['is two contacts', { contacts: 2 }, '62813 is the number of 2 contacts'],
    [
      'has not reached chat-backend',
      { ordersThere: null, spentThere: null, same: null },
      'contact 62813: 1 orders for 10, at chat-backend null for null',
    ],
    ['is behind at chat-backend', { spentThere: 0 }, 'contact 62813: 1 orders for 10, at chat-backend 1 for 0'],
    ['is another one there', { same: false }, 'contact 62813: 1 orders for 10, at chat-backend 1 for 10'],
  ])('tells of a buyer who %s', (_, change, finding) => {
    expect(contactFindings(contact)).toEqual([]);
    expect(contactFindings({ ...contact, ...change })).toEqual([finding]);
  });
});
