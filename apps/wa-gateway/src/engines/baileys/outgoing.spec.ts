import type { WASocket } from 'baileys';
import type { Library } from './baileys.library';
import type { MessageArchive } from './message.archive';
import { Outgoing } from './outgoing';

const generateWAMessage = jest.fn(async () => ({ message: {} }));
const outgoing = new Outgoing({
  library: { generateWAMessage } as unknown as Library,
  archive: { find: async () => undefined, save: async () => undefined } as unknown as MessageArchive,
  open: () => {
    throw new Error('no files here');
  },
  groups: { remember: async () => undefined },
});
const relayMessage = jest.fn(async (_to: string) => 'A');
const socket = { user: { id: 'me' }, ws: { isOpen: true }, relayMessage } as unknown as WASocket;

it('who is written to by what hides the number gets it, whoever has the number now', async () => {
  const [number, hidden] = ['628123456788@s.whatsapp.net', '9628110000004@lid'];
  await outgoing.send(socket, number, { kind: 'text', text: 'halo' }, { id: 'H', hidden });
  expect(relayMessage.mock.lastCall?.[0]).toBe(hidden);
});

it('a file whose media host says nothing for a minute is given up: its chat does not wait for ever', async () => {
  await outgoing.send(socket, '628123456789@s.whatsapp.net', { kind: 'text', text: 'halo' }, { id: 'A' });
  expect(generateWAMessage).toHaveBeenCalledWith(
    '628123456789@s.whatsapp.net',
    { text: 'halo', linkPreview: null },
    expect.objectContaining({ messageId: 'A', mediaUploadTimeoutMs: 60_000 }),
  );
});
