import type { MediaUse } from './parity.driver';
import { answers501, messageOf, sendMessage, type ParityCase } from './parity.world';

const LENGTH = 40_000;

/** A file of that kind by its first bytes; the rest is noise that no encoding must change. */
const fileOf = (head: string): Buffer => {
  const bytes = Buffer.alloc(LENGTH);
  for (let at = 0; at < LENGTH; at++) bytes[at] = (at * 31 + (at >> 8)) % 256;
  Buffer.from(head, 'latin1').copy(bytes);
  return bytes;
};

interface MediaFact {
  readonly bytes: Buffer;
  readonly mimetype: string;
  /** Of the callback: one of the contract's six (design 1 row 7). */
  readonly type: string;
  readonly caption?: string;
  readonly fileName?: string;
}

const MEDIA: Readonly<Record<MediaUse, MediaFact>> = {
  image: { bytes: fileOf('\xff\xd8\xff\xe0\0\x10JFIF\0'), mimetype: 'image/jpeg', type: 'image', caption: 'yang ini' },
  video: { bytes: fileOf('\0\0\0\x18ftypmp42'), mimetype: 'video/mp4', type: 'video', caption: 'lihat' },
  document: {
    bytes: fileOf('%PDF-1.7\n'),
    mimetype: 'application/pdf',
    type: 'document',
    caption: 'daftar harga',
    fileName: 'harga.pdf',
  },
  audio: { bytes: fileOf('ID3\x04\0\0'), mimetype: 'audio/mpeg', type: 'audio' },
  voice: { bytes: fileOf('OggS\0\x02'), mimetype: 'audio/ogg', type: 'audio' },
  sticker: { bytes: fileOf('RIFF\0\0\0\0WEBPVP8 '), mimetype: 'image/webp', type: 'image' },
};

const mediaCases = (Object.entries(MEDIA) as [MediaUse, MediaFact][]).flatMap(
  ([kind, { bytes, mimetype, type, caption, fileName }]): ParityCase[] => {
    const words = { ...(caption === undefined ? {} : { caption }), ...(fileName === undefined ? {} : { fileName }) };
    return [
      {
        name: `media: ${kind} arrives byte by byte`,
        run: async ({ budi, heard }) => {
          const id = await budi.send({ kind, bytes, mimetype, ...words });
          const rawMessage = {
            fileUrl: '<url>',
            mimetype,
            fileName: fileName ?? '<name>',
            fileSize: bytes.length,
          };
          const { fields, file } = await heard(id);
          expect(fields).toEqual(
            messageOf(budi, { id, type, rawMessage, ...(caption === undefined ? {} : { caption }) }),
          );
          expect(file?.mimetype).toBe(mimetype);
          expect(file?.bytes.equals(bytes)).toBe(true);
        },
      },
      {
        name: `media: ${kind} reaches the phone byte by byte`,
        needs: [kind],
        run: async ({ budi, sendMedia, shown }) => {
          const fields = {
            ...(caption === undefined ? {} : { caption }),
            ...(fileName === undefined ? {} : { filename: fileName }),
          };
          const id = await sendMedia(budi.number, kind, bytes, fields);
          const { content } = await shown(budi, id);
          expect({ ...content, bytes: undefined }).toEqual({ kind, ...words, bytes: undefined });
          expect('bytes' in content && content.bytes.equals(bytes)).toBe(true);
        },
      },
    ];
  },
);

const PLACE = { latitude: -6.2, longitude: 106.816, name: 'Kantor', address: 'Jl. Sudirman 1' };

const places: ParityCase[] = [
  {
    name: 'a place arrives with its fields',
    run: async ({ budi, heard }) => {
      const id = await budi.send({ kind: 'location', ...PLACE });
      expect(await heard(id)).toEqual({
        fields: messageOf(budi, {
          id,
          type: 'chat',
          latitude: '-6.2',
          longitude: '106.816',
          locationName: 'Kantor',
          locationAddress: 'Jl. Sudirman 1',
        }),
      });
    },
  },
  {
    name: 'a place reaches the phone',
    needs: ['location'],
    run: async ({ budi, client, instanceID, shown }) => {
      const { id } = await client.data<{ id: string }>(
        client.post('/api/send-location', {
          instanceID,
          number: budi.number,
          latitude: PLACE.latitude,
          longitude: String(PLACE.longitude),
          locationName: PLACE.name,
          locationAddress: PLACE.address,
        }),
      );
      expect((await shown(budi, id)).content).toEqual({ kind: 'location', ...PLACE });
    },
  },
];

const POLL = { name: 'Ukuran?', options: ['40', '41', '42'] };

const cards: ParityCase[] = [
  {
    name: 'a contact arrives as its name',
    run: async ({ budi, heard }) => {
      const id = await budi.send({ kind: 'contact', name: 'Pak Joko', phone: '628129999999' });
      expect(await heard(id)).toEqual({ fields: messageOf(budi, { id, type: 'chat', text: 'Pak Joko' }) });
    },
  },
  {
    name: 'a contact is sent by the service, which no route reaches',
    needs: ['contact'],
    run: async ({ budi, client, sendContact, shown }) => {
      const contact = { name: 'Gudang', phone: '628110000099' };
      const id = await sendContact(budi.number, contact);
      expect((await shown(budi, id)).content).toEqual({ kind: 'contact', ...contact });
      expect((await client.post('/api/send-contact', { number: budi.number, contact })).status).toBe(404);
    },
  },
  {
    name: 'a poll arrives as its question',
    needs: ['poll'],
    run: async ({ budi, heard }) => {
      const id = await budi.send({ kind: 'poll', ...POLL });
      expect(await heard(id)).toEqual({ fields: messageOf(budi, { id, type: 'chat', text: 'Ukuran?' }) });
    },
  },
  {
    name: 'our poll reaches the phone',
    needs: ['poll'],
    otherwise: answers501(sendMessage(() => ({ poll: POLL }))),
    run: async ({ budi, send, shown }) => {
      const id = await send(budi.number, { poll: POLL });
      expect((await shown(budi, id)).content).toEqual({ kind: 'poll', ...POLL, selectable: 1 });
    },
  },
];

/** Everything that is no text, both ways. */
export const contentCases: readonly ParityCase[] = [...mediaCases, ...places, ...cards];
