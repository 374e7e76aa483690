import { paperOf, type OrderInvoice, type Paper } from '../invoice/public';

/** What goes along with the PDF. */
export interface Letter {
  readonly subject: string;
  readonly text: string;
  readonly filename: string;
}

const words = {
  id: {
    greeting: (name: string, title: string) => `Halo ${name}, terlampir ${title}`,
    of: (number: string, store: string) => `${number} dari ${store}.`,
  },
  en: {
    greeting: (name: string, title: string) => `Hello ${name}, attached is ${title}`,
    of: (number: string, store: string) => `${number} of ${store}.`,
  },
} as const;

/** Names are other people's texts: no line of them becomes one of the message. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** The message in which an invoice is sent, with the sum and where to transfer it. */
export const letterOf = (invoice: OrderInvoice, paper: Paper = paperOf(invoice)): Letter => {
  const { number, locale, buyer } = invoice;
  const store = oneLine(paper.store);
  const { greeting, of } = words[locale];
  const hello = `${greeting(oneLine(buyer.name), paper.title.toLowerCase())} ${of(number, store)}`;
  const facts = [paper.total, ...paper.afterwards].map(([name, value]) => `${name}: ${value}`);
  const accounts = paper.accounts.lines.map(oneLine);
  const transfer = accounts.length > 0 ? [`${paper.accounts.title}:`, ...accounts] : [];
  return {
    subject: `${paper.title} ${number} - ${store}`,
    text: [hello, '', ...facts, ...transfer].join('\n'),
    filename: `${number}.pdf`,
  };
};
