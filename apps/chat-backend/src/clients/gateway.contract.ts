import { uuidv7 } from '@platform/runtime';
import type { GatewayClient } from './gateway.client';

export interface GatewaySubject {
  readonly client: GatewayClient;
  /** Connected. */
  readonly instance: string;
  /** Of a customer with a phone. */
  readonly number: string;
}

/** What this service relies on at wa-gateway; runs on the fake here, and in tools/stack on the service itself. */
export const gatewayContract = (subjectOf: () => GatewaySubject): void => {
  const { signal } = new AbortController();
  const textOf = ({ instance, number }: GatewaySubject, text: string) => ({
    ...{ pesanId: uuidv7(), role: 'agent', quotedId: null },
    ...{ instance, number, text },
  });

  it('wa-gateway takes a message once, however often it is sent', async () => {
    const message = textOf(subjectOf(), 'satu');
    const { client } = subjectOf();
    const first = await client.send(message, signal);
    expect(first).toEqual({ status: 200, message: expect.any(String), accepted: { id: expect.stringMatching(/./) } });
    expect((await client.send(message, signal)).accepted).toEqual(first.accepted);
  });

  it('wa-gateway gives every message an id of its own', async () => {
    const { client } = subjectOf();
    const [one, two] = [textOf(subjectOf(), 'dua'), textOf(subjectOf(), 'tiga')];
    const ids = [await client.send(one, signal), await client.send(two, signal)].map(({ accepted }) => accepted?.id);
    expect(new Set(ids).size).toBe(2);
  });

  it('wa-gateway takes a receipt, also of messages that it does not know', async () => {
    const { client, instance, number } = subjectOf();
    expect(await client.markRead({ instance, number, ids: [uuidv7()] }, signal)).toEqual({
      ...{ status: 200, message: 'success mark read' },
    });
  });

  it('wa-gateway names its devices and which of them are connected', async () => {
    const { client, instance } = subjectOf();
    expect(await client.devices()).toEqual(expect.arrayContaining([{ instance, status: 'connected' }]));
  });
};
