import { answers501, jid, messageOf, sendMessage, type ParityCase } from './parity.world';

/** What gets lost or changed where somebody counts bytes, escapes or trims. */
const DIFFICULT = {
  emoji: 'halo 👋🏽 keluarga 👨‍👩‍👧‍👦',
  'right-to-left': 'مرحبا، هل المقاس ٤٢ متوفر؟',
  newlines: 'satu\n\ndua\n\ttiga',
  'form characters': 'a=b&c="d"; --boundary\r\nContent-Type: x',
  'four thousand characters': 'panjang '.repeat(500).trim(),
};

const texts: ParityCase[] = [
  {
    name: 'a text arrives as kind chat',
    run: async ({ budi, heard }) => {
      const id = await budi.send({ kind: 'text', text: 'ada stok?' });
      expect(await heard(id)).toEqual({ fields: messageOf(budi, { id, text: 'ada stok?', type: 'chat' }) });
    },
  },
  {
    name: 'a text reaches the phone',
    run: async ({ budi, send, shown }) => {
      const id = await send(budi.number, { text: 'Ada, kak' });
      expect(await shown(budi, id)).toEqual({ id, content: { kind: 'text', text: 'Ada, kak' } });
    },
  },
  ...Object.entries(DIFFICULT).map(([what, text]): ParityCase => ({
    name: `${what} survive both ways`,
    run: async ({ budi, heard, send, shown }) => {
      const id = await budi.send({ kind: 'text', text });
      // A form's line break is CR LF; what was a lone LF stays one
      expect((await heard(id)).fields.text).toBe(text);
      const back = await send(budi.number, { text });
      expect((await shown(budi, back)).content).toEqual({ kind: 'text', text });
    },
  })),
  {
    name: 'two people have lanes, names and numbers of their own',
    run: async ({ budi, siti, heard }) => {
      const first = await budi.send({ kind: 'text', text: 'dari Budi' });
      const second = await siti.send({ kind: 'text', text: 'dari Siti' });
      expect(await heard(first)).toEqual({
        fields: messageOf(budi, { id: first, text: 'dari Budi', type: 'chat' }),
      });
      expect(await heard(second)).toEqual({
        fields: messageOf(siti, { id: second, text: 'dari Siti', type: 'chat' }),
      });
    },
  },
];

const quotes: ParityCase[] = [
  {
    name: 'an answer to our message quotes it',
    run: async ({ budi, heard, send, shown }) => {
      const asked = await send(budi.number, { text: 'Ukuran berapa?' });
      await shown(budi, asked);
      const id = await budi.send({ kind: 'text', text: '42' }, { quoted: asked });
      expect(await heard(id)).toEqual({
        fields: messageOf(budi, { id, text: '42', type: 'extendedtext', quoteMsg: 'Ukuran berapa?' }),
      });
    },
  },
  {
    name: 'our answer quotes the message',
    needs: ['quote'],
    otherwise: answers501(sendMessage(() => ({ text: 'x', quoted_id: 'Q' }))),
    run: async ({ budi, heard, send, shown }) => {
      const asked = await budi.send({ kind: 'text', text: 'Berapa harganya?' });
      await heard(asked);
      const id = await send(budi.number, { text: '250 ribu', quoted_id: asked });
      expect(await shown(budi, id)).toEqual({ id, content: { kind: 'text', text: '250 ribu' }, quoted: asked });
    },
  },
  {
    name: 'an edited message arrives as a new one that names the old',
    needs: ['edit_in'],
    run: async ({ budi, heard }) => {
      const target = await budi.send({ kind: 'text', text: 'ukran 42' });
      await heard(target);
      const id = await budi.send({ kind: 'edit', target, text: 'ukuran 42' });
      const expected = messageOf(budi, { id, text: 'ukuran 42', type: 'chat', rawMessage: { editOf: target } });
      expect(await heard(id)).toEqual({ fields: expected });
    },
  },
  {
    name: 'a deleted message is told to sockets only',
    needs: ['edit_in'],
    run: async ({ budi, count, events, heard, settled, until }) => {
      const target = await budi.send({ kind: 'text', text: 'salah kirim' });
      await heard(target);
      await budi.send({ kind: 'revoke', target });
      const told = () => events('messageRevoked').filter(({ id }) => id === target);
      await until(told, ({ length }) => length > 0);
      await settled();
      expect(told()).toEqual([{ instanceID: 'parity', number: jid(budi), id: target, fromMe: false }]);
      expect(count(target)).toBe(1);
    },
  },
];

const reactions: ParityCase[] = [
  {
    name: 'a reaction to our message is told to sockets only',
    run: async ({ budi, count, events, send, settled, shown, until }) => {
      const target = await send(budi.number, { text: 'Sudah dikirim' });
      await shown(budi, target);
      const id = await budi.send({ kind: 'reaction', target, emoji: '👍' });
      const told = () => events('messageReaction').filter((event) => event.id === id);
      await until(told, ({ length }) => length > 0);
      await settled();
      expect(told()).toEqual([
        {
          instanceID: 'parity',
          id,
          number: jid(budi),
          fromMe: false,
          name: 'Budi',
          timestamp: '<time>',
          reaction: { id: target, emoji: '👍' },
        },
      ]);
      expect(count(id)).toBe(0);
    },
  },
  {
    name: 'our reaction reaches the phone',
    needs: ['reaction'],
    otherwise: answers501(sendMessage(() => ({ reaction: { id: 'R', emoji: '🙏' } }))),
    run: async ({ budi, heard, send, shown }) => {
      const target = await budi.send({ kind: 'text', text: 'makasih' });
      await heard(target);
      const id = await send(budi.number, { reaction: { id: target, emoji: '🙏' } });
      expect((await shown(budi, id)).content).toEqual({ kind: 'reaction', target, emoji: '🙏' });
    },
  },
];

/** Texts both ways, and what hangs on them: quotes, edits, reactions. */
export const textCases: readonly ParityCase[] = [...texts, ...quotes, ...reactions];
