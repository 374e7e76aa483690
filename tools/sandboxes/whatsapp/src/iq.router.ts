import type { IqHandlers, IqRequest } from './iq.types';
import { SERVER_JID } from './jid';
import type { Network } from './network';
import { children, element } from './node.reader';

/** Answers every request; one without a handler gets an empty result and is recorded as unlisted. */
export class IqRouter {
  constructor(
    private readonly network: Network,
    private readonly handlers: IqHandlers,
  ) {}

  answer(request: Omit<IqRequest, 'body'>): void {
    const { node, connection } = request;
    if (node.attrs.type !== 'get' && node.attrs.type !== 'set') return;
    const body = children(node)[0];
    const key = `${node.attrs.xmlns}/${node.attrs.type}/${body?.tag ?? ''}`;
    const handler = this.handlers[key];
    if (!handler) this.network.unlistedIqs.push(key);
    const content = handler?.({ ...request, body }) ?? [];
    const type = content[0]?.tag === 'error' ? 'error' : 'result';
    connection.send(element('iq', { from: node.attrs.to ?? SERVER_JID, type, id: node.attrs.id }, content));
  }
}
