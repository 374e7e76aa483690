import type { Database } from '@platform/data';
import { NotFound } from '@platform/errors';
import { area, dataOf, done, pageOf, type Endpoint } from '@platform/http';
import type { Clock } from '@platform/runtime';
import { byOf } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import type { ChatCopies } from '../../chat/copies/public';
import type { PayPages } from '../../sales/payments/public';
import { variablesOf, type MessageEvent } from './message.events';
import { previewedOrder, type ToldOrder } from './order.values';
import { render } from './render';
import { MessageTemplate, NewTemplate, Preview, PreviewBody, TemplateChange, TemplatesQuery } from './templates.dto';
import {
  addTemplate,
  changeTemplate,
  deleteTemplate,
  templateById,
  templateListing,
  templateRefusals,
} from './templates.sql';

interface Parts {
  readonly database: Database;
  readonly clock: Clock;
  readonly copies: Pick<ChatCopies, 'touched'>;
  readonly pages: PayPages;
}

/** What only the message itself will know. */
const LATER = '…';

const previewOf = (event: MessageEvent, body: string, { values }: ToldOrder): Preview => {
  const later = Object.fromEntries(variablesOf(event).map((name) => [name, LATER]));
  return { text: render(body, { ...later, ...values }) };
};

export const templatesEndpoints = ({ database, clock, copies, pages }: Parts): Endpoint[] => {
  const by = byOf(clock);
  return area({ prefix: '/api/template-message', tag: 'Chat' }, [
    endpoint({
      get: '',
      summary: 'Order and shipping message templates',
      guard: 'template.write',
      query: TemplatesQuery,
      reply: pageOf(MessageTemplate),
      refuses: [],
      handle: ({ caller, query }) => templateListing.page(database, caller.storeId, query),
    }),
    endpoint({
      post: '',
      summary: 'Create template',
      guard: 'template.write',
      status: 201,
      body: NewTemplate,
      reply: dataOf(MessageTemplate, 'Template created'),
      refuses: [templateRefusals.eventTaken, templateRefusals.tooMany],
      handle: (input) => database.tx((tx) => addTemplate(tx, copies, by(input), input.body)),
    }),
    endpoint({
      put: '/{id}',
      summary: 'Update template',
      guard: 'template.write',
      body: TemplateChange,
      reply: dataOf(MessageTemplate, 'Template updated'),
      refuses: ['notFound', templateRefusals.eventTaken],
      handle: (input) => database.tx((tx) => changeTemplate(tx, copies, by(input), [input.params.id, input.body])),
    }),
    endpoint({
      delete: '/{id}',
      summary: 'Delete template',
      guard: 'template.write',
      reply: done('Template deleted'),
      refuses: ['notFound'],
      handle: (input) => database.tx((tx) => deleteTemplate(tx, copies, by(input), input.params.id.toLowerCase())),
    }),
    endpoint({
      post: '/{id}/preview',
      summary: 'Render template for an order',
      guard: 'template.write',
      body: PreviewBody,
      reply: dataOf(Preview),
      refuses: ['notFound'],
      handle: async ({ caller: { storeId }, params, body }) => {
        const { event, body: text } = await templateById(database, storeId, params.id);
        const order = await previewedOrder(database, { storeId, id: body.order_id }, pages, clock.now());
        if (!order) throw new NotFound('Order not found');
        return previewOf(event, text, order);
      },
    }),
  ]);
};
