import type { WASocket } from 'baileys';
import type { Library } from './baileys.library';
import type { MessageArchive } from './message.archive';
import { Outgoing } from './outgoing';

it('a file whose media host says nothing for a minute is given up: its chat does not wait for ever', async () => {
  const generateWAMessage = jest.fn(async () => ({ message: {} }));
  const outgoing = new Outgoing({
    library: { generateWAMessage } as unknown as Library,
    archive: { find: async () => undefined, save: async () => undefined } as unknown as MessageArchive,
    open: () => {
      throw new Error('no files here');
    },
    groups: { remember: async () => undefined },
  });
  const socket = { user: { id: 'me' }, relayMessage: async () => 'A' } as unknown as WASocket;
  await outgoing.send(socket, '628123456789@s.whatsapp.net', { kind: 'text', text: 'halo' }, { id: 'A' });
  expect(generateWAMessage).toHaveBeenCalledWith(
    '628123456789@s.whatsapp.net',
    { text: 'halo', linkPreview: null },
    expect.objectContaining({ messageId: 'A', mediaUploadTimeoutMs: 60_000 }),
  );
});
