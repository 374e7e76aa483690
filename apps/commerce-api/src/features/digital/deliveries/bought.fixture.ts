import { uuidv7 } from '@platform/runtime';
import { until } from '@platform/testing';
import type { Mail } from '../../../clients/mail.client';
import type { Commerce } from '../../../commerce.fixture';
import { refused } from '../../../asked.fixture';
import { somebody } from '../../checkout/checkout.fixture';
import type { Order } from '../../sales/orders/orders.dto';
import { digitalShop, linksIn, type DigitalShop, type Sells } from '../digital.fixture';

/** What downloads answer that give nothing. */
export const noDownload = {
  unknown: refused(404, 'not_found', 'Download not found'),
  expired: refused(410, 'expired', 'The link has expired or was withdrawn'),
  limit: refused(410, 'download_limit', 'It was downloaded as often as it can be: ask the shop for another link'),
};

export interface Bought {
  readonly shop: DigitalShop;
  readonly order: Order;
  readonly email: string;
  /** Of the first message. */
  readonly text: string;
  readonly links: readonly string[];
}

/** Where a download goes on. */
export const fileOf = (answer: Response): string => new URL(answer.headers.get('location') ?? '').pathname;

/** What buyers do with a service that trusts its proxy, each as somebody else, so that nobody is limited for what others do. */
export const buyersOf = (commerce: Commerce) => {
  const fetched = (path: string, more: RequestInit = {}, url = commerce.url): Promise<Response> =>
    fetch(url + path, { redirect: 'manual', ...more, headers: { ...somebody(), ...more.headers } });
  const mailTo = (to: string): Mail[] => commerce.mails.filter((mail) => mail.to === to);
  return {
    fetched,
    mailTo,
    /** Status and body of a refusal. */
    asked: async (path: string) => {
      const answer = await fetched(path);
      return { status: answer.status, body: (await answer.json()) as object };
    },
    /** A paid order whose links were sent by e-mail. */
    bought: async (sells: Sells = {}, qty = 1): Promise<Bought> => {
      const email = `${uuidv7()}@shop.example`;
      const shop = await digitalShop(commerce, { buyer: { name: 'Budi', phone: '6281234567890', email }, ...sells });
      const order = (await shop.order(qty)).body.data;
      await shop.pay(order);
      await shop.delivered(order);
      const [mail] = mailTo(email);
      return { shop, order, email, text: mail?.text ?? '', links: linksIn(mail?.text) };
    },
    /** Every observer has run. */
    observed: () =>
      until(async () => {
        const jobs = `SELECT 1 FROM commerce_api_jobs.jobs WHERE task_identifier = 'order.paid.digital'`;
        return (await commerce.database.query(jobs)).length === 0;
      }),
    goTo: (at: string): void => commerce.clock.advance(Date.parse(at) - commerce.clock.now().getTime()),
  };
};
