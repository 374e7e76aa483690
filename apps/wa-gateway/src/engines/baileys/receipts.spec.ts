import type { BinaryNode } from 'baileys';
import { acknowledgementOf, receiptOf } from './receipts';

const ME = { id: '628110000001:3@s.whatsapp.net', lid: '9001:3@lid' };
const BUDI = '628123456789@s.whatsapp.net';
const node = (attrs: Record<string, string>, content?: BinaryNode[]): BinaryNode => ({
  tag: 'receipt',
  attrs,
  content,
});
const levelOf = (attrs: Record<string, string>) => receiptOf(node({ id: 'A', t: '17', ...attrs }), ME)?.level;

describe('a receipt', () => {
  it.each([
    [undefined, 'delivered'],
    ['read', 'viewed'],
    ['played', 'played'],
    ['sender', undefined],
    ['inactive', undefined],
    ['retry', undefined],
    ['read-self', undefined],
    ['peer_msg', undefined],
    ['hist_sync', undefined],
    ['server-error', undefined],
  ])('of type %s is %s', (type, level) => {
    expect(levelOf({ from: BUDI, ...(type ? { type } : {}) })).toBe(level);
    expect(levelOf({ from: '1203@g.us', participant: BUDI, ...(type ? { type } : {}) })).toBe(level);
  });

  it('of our own account, by number or by LID, in a group or not, changes nothing', () => {
    for (const own of ['628110000001@s.whatsapp.net', '628110000001:7@s.whatsapp.net', '9001:7@lid']) {
      expect(levelOf({ from: own, type: 'read' })).toBeUndefined();
      expect(levelOf({ from: '1203@g.us', participant: own, type: 'read' })).toBeUndefined();
    }
  });

  it('may be for several messages, and says who read in a group', () => {
    const items = ['B', 'C'].map((id) => ({ tag: 'item', attrs: { id } }));
    const list = [{ tag: 'list', attrs: {}, content: items }];
    const attrs = {
      id: 'A',
      from: '1203@g.us',
      participant: '77:2@lid',
      participant_pn: BUDI,
      type: 'read',
      t: '1795180012',
    };
    expect(receiptOf(node(attrs, list), ME)).toEqual({
      ids: ['A', 'B', 'C'],
      chat: '1203@g.us',
      participant: '77:2@lid',
      participantNumber: BUDI,
      level: 'viewed',
      at: 1_795_180_012,
    });
  });
});

it("the server's answer to a message is an acknowledgement, or says why not", () => {
  const ack = { tag: 'ack', attrs: { class: 'message', id: 'A', from: BUDI, t: '17' } };
  expect(acknowledgementOf(ack)).toEqual({ id: 'A', chat: BUDI, at: 17 });
  expect(acknowledgementOf({ ...ack, attrs: { ...ack.attrs, error: '463' } })).toMatchObject({ error: '463' });
});
