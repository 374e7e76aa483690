import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerOf, written } from './answer';
import type { RequestView } from './request-view';
import { send } from './send';
import type { Service } from './service';

/** Answers a path that no route has, or that is hidden: by a page where the service shows one to people, else by its envelope. */
export const answerUnknown = async (
  { unknownPage, envelope }: Pick<Service, 'unknownPage' | 'envelope'>,
  view: RequestView,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const usual = answerOf(envelope.unknownRoute());
  const page = await unknownPage?.(view);
  const writing = { envelope, status: usual.status, nothing: false, write: (value: unknown) => value };
  await send(request, response, page === undefined ? usual : written(page, writing, undefined));
};
