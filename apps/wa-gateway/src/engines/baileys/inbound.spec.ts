/** @jest-environment ../../tools/jest/native-import.environment.cjs */
import { silentLogger } from '@platform/runtime';
import type { BinaryNode, proto, SignalKeyStoreWithTransaction } from 'baileys';
import { ArrivalReader } from './arrival.reader';
import { Arrivals } from './arrivals';
import { loadLibrary, type Library } from './baileys.library';
import { RecordingSink } from './engine.fixture';
import type { IdentityStore } from '../identity.store';
import { Inbound } from './inbound';
import { People } from './people';

const ME = { id: '628110000001:3@s.whatsapp.net', lid: '9001:3@lid' };
const BUDI = '628123456789@s.whatsapp.net';

let library: Library;
beforeAll(async () => {
  library = await loadLibrary({ logger: silentLogger });
});

const setup = (known: (id: string) => Promise<boolean>) => {
  const sink = new RecordingSink();
  const order: string[] = [];
  sink.store = async () => void order.push('row');
  const identities = { numberOf: async () => undefined, learn: async () => false } as unknown as IdentityStore;
  const people = new People({ identities, mapped: async () => null, news: () => undefined });
  const retrying = { limitMs: 0, pauseMs: 1, givingUp: () => order.push('line closed') };
  const stubs = { hold: async () => undefined, arrived: () => undefined };
  const arrivals = new Arrivals({
    ...{ sink, seal: () => 'sealed', stubs, vote: async () => undefined },
    ...{ retrying, logger: silentLogger },
  });
  const inbound = new Inbound(new ArrivalReader(library, people, () => ME), arrivals, known, retrying);
  return { sink, order, inbound };
};

/** Padding as the protocol has it: so many bytes that say how many they are. */
const padded = (message: proto.IMessage) =>
  Buffer.concat([library.proto.Message.encode(message).finish(), Buffer.from([2, 2])]);

const arrives = async (
  attrs: Record<string, string>,
  decrypt: proto.IMessage | Error,
  more: { known?: (id: string) => Promise<boolean>; hasEnded?: boolean; children?: BinaryNode[] } = {},
) => {
  const { sink, order, inbound } = setup(more.known ?? (async () => false));
  const ciphertext = new Uint8Array([1, 2, 3]);
  const enc = { tag: 'enc', attrs: { type: 'msg' }, content: ciphertext };
  inbound.remember({
    tag: 'message',
    attrs: { id: 'M1', t: '17', ...attrs },
    content: [...(more.children ?? []), enc],
  });
  const original = async () => {
    if (decrypt instanceof Error) throw decrypt;
    return padded(decrypt);
  };
  const repository = { decryptMessage: original, decryptGroupMessage: original };
  const keys = {
    transaction: async <T>(work: () => Promise<T>) => {
      const result = await work();
      order.push('keys');
      return result;
    },
  } as unknown as SignalKeyStoreWithTransaction;
  const guarded = inbound.guard(repository as never, keys, () => more.hasEnded ?? false);
  const result = await guarded.decryptMessage({ jid: BUDI, type: 'msg', ciphertext }).catch((cause: Error) => cause);
  return { sink, order, result };
};

describe('a message on its way in', () => {
  it('has its row before its keys are stored', async () => {
    const { sink, order } = await arrives({ from: BUDI, notify: 'Budi' }, { conversation: 'halo' });
    expect(order).toEqual(['row', 'keys']);
    expect(sink.messages).toMatchObject([{ id: 'M1', chat: BUDI, name: 'Budi', text: 'halo', at: 17, fromMe: false }]);
  });

  it('typed on the phone of the shop is the shop’s own, in the chat it was written to', async () => {
    const attrs = { from: '628110000001@s.whatsapp.net', recipient: '77@lid', recipient_pn: BUDI };
    const sent = { deviceSentMessage: { destinationJid: '77@lid', message: { conversation: 'dari hp' } } };
    const { sink } = await arrives(attrs, sent);
    expect(sink.messages).toMatchObject([{ chat: BUDI, fromMe: true, text: 'dari hp' }]);
  });

  it('in a group names its writer without the device', async () => {
    const attrs = { from: '1203@g.us', participant: '77:4@lid', participant_pn: '628123456789:4@s.whatsapp.net' };
    const { sink } = await arrives({ ...attrs, addressing_mode: 'lid' }, { conversation: 'halo' });
    expect(sink.messages).toMatchObject([{ chat: '1203@g.us', participant: BUDI }]);
  });

  it('of a business without a name has its verified one', async () => {
    const details = library.proto.VerifiedNameCertificate.Details.encode({ verifiedName: 'Toko Resmi' }).finish();
    const content = library.proto.VerifiedNameCertificate.encode({ details }).finish();
    const children = [{ tag: 'verified_name', attrs: {}, content }];
    const { sink } = await arrives({ from: BUDI }, { conversation: 'promo' }, { children });
    expect(sink.messages).toMatchObject([{ name: 'Toko Resmi' }]);
  });

  it.each<[string, Record<string, string>, proto.IMessage]>([
    ['keys of a group alone', { from: BUDI }, { senderKeyDistributionMessage: { groupId: '1203@g.us' } }],
    ['what devices of the shop tell each other', { from: ME.id, category: 'peer' }, { conversation: 'x' }],
    ['a story', { from: 'status@broadcast', participant: BUDI }, { conversation: 'x' }],
  ])('that is %s is not told', async (_, attrs, message) => {
    const { sink, order } = await arrives(attrs, message);
    expect([sink.messages, order]).toEqual([[], ['keys']]);
  });

  it('that was taken before is confirmed as an empty one and not told again', async () => {
    const { sink, result } = await arrives({ from: BUDI }, new Error('Key used already'), {
      known: async (id) => id === 'M1',
    });
    expect(library.unpadRandomMax16(result as Uint8Array)).toHaveLength(0);
    expect(sink.messages).toEqual([]);
  });

  it('that cannot be decrypted and is not known fails as it did', async () => {
    const { result } = await arrives({ from: BUDI }, new Error('Bad MAC'));
    expect(result).toEqual(new Error('Bad MAC'));
  });

  it('that cannot be decrypted is not confirmed while nobody can say whether it is known', async () => {
    const away = { known: () => Promise.reject(new Error('the database is away')) };
    const { result } = await arrives({ from: BUDI }, new Error('Bad MAC'), away);
    expect(result).toEqual(new Error('Bad MAC'));
  });

  it('on a connection that has ended is not taken, and its keys are not stored', async () => {
    const { sink, order, result } = await arrives({ from: BUDI }, { conversation: 'halo' }, { hasEnded: true });
    expect(result).toEqual(new Error('the connection has ended'));
    expect([sink.messages, order]).toEqual([[], []]);
  });
});

it('a store that stays away closes the line before the failure is seen', async () => {
  const { sink, order, inbound } = setup(async () => false);
  sink.store = () => Promise.reject(new Error('away'));
  const message = { key: { remoteJid: BUDI, id: 'P1' }, message: { conversation: 'x' }, messageTimestamp: 17 };
  await expect(inbound.upserted(message)).rejects.toThrow('away');
  expect(order).toEqual(['line closed']);
});
