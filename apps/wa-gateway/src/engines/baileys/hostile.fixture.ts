import type { proto } from 'baileys';
import type { BinaryNode } from './baileys.library';

const SHOP = '628110000001@s.whatsapp.net';
const SARI = '628120000009@s.whatsapp.net';

const context: proto.IContextInfo = {
  stanzaId: 'QUOTED',
  participant: SHOP,
  remoteJid: SHOP,
  mentionedJid: [SARI],
  quotedMessage: { extendedTextMessage: { text: 'yang tadi' } },
  conversionSource: 'FB_Ads',
  externalAdReply: { title: 'Promo', body: 'Diskon', sourceUrl: 'https://fb.example/ad', ctwaClid: 'Aff', ref: 'r' },
  groupMentions: [{ groupJid: '120363000000000009@g.us', groupSubject: 'Keluarga' }],
  forwardedNewsletterMessageInfo: { newsletterJid: '1@newsletter', newsletterName: 'Kabar', accessibilityText: 'a' },
};
/** Nobody has it, and it is no path of the media host: the message goes without it at once. */
const file = { url: 'https://mmg.whatsapp.net/f', directPath: 'nowhere', mimetype: 'image/jpeg' };
const key = { remoteJid: SHOP, id: 'EARLIER', participant: SARI };
const options = [{ optionName: 'Hitam', optionHash: 'h' }, { optionName: 'Putih' }];

/** A message of every type that says something of its own. */
export const messages: Readonly<Record<string, proto.IMessage>> = {
  text: { conversation: 'halo' },
  link: {
    extendedTextMessage: {
      text: 'lihat https://toko.example',
      matchedText: 'https://toko.example',
      title: 'Toko',
      description: 'Sepatu',
      thumbnailDirectPath: '/v/t',
      inviteLinkParentGroupSubjectV2: 'Keluarga',
    },
  },
  reply: { extendedTextMessage: { text: 'itu', contextInfo: context } },
  image: { imageMessage: { ...file, caption: 'bukti', staticUrl: 's', contextInfo: { stanzaId: 'QUOTED' } } },
  sticker: { stickerMessage: { ...file, accessibilityLabel: 'senyum' } },
  video: { videoMessage: { ...file, caption: 'video' } },
  'round video': { ptvMessage: file },
  audio: { audioMessage: { ...file, ptt: true } },
  document: { documentMessage: { ...file, title: 'tagihan', fileName: 'tagihan.pdf', caption: 'ini' } },
  'document with a caption': {
    documentWithCaptionMessage: { message: { documentMessage: { ...file, fileName: 'tagihan.pdf', caption: 'ini' } } },
  },
  location: { locationMessage: { degreesLatitude: 1, degreesLongitude: 2, name: 'Toko', address: 'Jl. 1', url: 'u' } },
  'live location': { liveLocationMessage: { degreesLatitude: 1, degreesLongitude: 2, caption: 'jalan' } },
  contact: { contactMessage: { displayName: 'Sari', vcard: 'BEGIN:VCARD\nFN:Sari\nTEL;waid=62812:+62812\nEND:VCARD' } },
  contacts: {
    contactsArrayMessage: { displayName: 'dua orang', contacts: [{ displayName: 'Sari', vcard: 'BEGIN:VCARD' }] },
  },
  poll: { pollCreationMessage: { name: 'Warna?', options } },
  'poll of today': { pollCreationMessageV3: { name: 'Warna?', options } },
  reaction: { reactionMessage: { key, text: '👍', groupingKey: '👍' } },
  edit: { protocolMessage: { type: 14, key, editedMessage: { conversation: 'maksud saya merah' } } },
  'disappearing text': { ephemeralMessage: { message: { extendedTextMessage: { text: 'rahasia' } } } },
  'picture to be viewed once': { viewOnceMessageV2: { message: { imageMessage: { ...file, caption: 'sekali' } } } },
  button: {
    buttonsResponseMessage: { selectedButtonId: 'b1', selectedDisplayText: 'Ya', contextInfo: { stanzaId: 'B' } },
  },
  'template button': { templateButtonReplyMessage: { selectedId: 'b1', selectedDisplayText: 'Ya' } },
  'list row': {
    listResponseMessage: { title: 'Sepatu', description: 'hitam', singleSelectReply: { selectedRowId: 'r1' } },
  },
  flow: {
    interactiveResponseMessage: {
      body: { text: 'Sent' },
      nativeFlowResponseMessage: { name: 'flow', paramsJson: '{"a":1}' },
    },
  },
  buttons: {
    buttonsMessage: {
      contentText: 'Pilih',
      footerText: 'Toko',
      text: 'Halo',
      buttons: [{ buttonId: 'b1', buttonText: { displayText: 'Ya' } }],
    },
  },
  list: {
    listMessage: {
      title: 'Menu',
      description: 'Pilih',
      buttonText: 'Buka',
      footerText: 'Toko',
      sections: [{ title: 'Sepatu', rows: [{ title: 'Hitam', description: '42', rowId: 'r1' }] }],
    },
  },
  order: { orderMessage: { orderId: 'O1', orderTitle: 'Sepatu', message: 'pesan', token: 't', sellerJid: SHOP } },
  product: {
    productMessage: {
      product: {
        productId: 'P1',
        title: 'Sepatu',
        description: 'hitam',
        currencyCode: 'IDR',
        retailerId: 'SKU',
        url: 'u',
      },
      businessOwnerJid: SHOP,
      body: 'ini',
      footer: 'Toko',
    },
  },
  'invitation to a group': {
    groupInviteMessage: {
      groupJid: '120363000000000009@g.us',
      inviteCode: 'c',
      groupName: 'Keluarga',
      caption: 'ikut',
    },
  },
  event: {
    eventMessage: { name: 'Bazar', description: 'besok', joinLink: 'j', location: { name: 'Toko', address: 'Jl. 1' } },
  },
  call: { call: { conversionSource: 'FB_Ads' } },
  'missed call': { callLogMesssage: { participants: [{ jid: SARI }] } },
  'payment request': {
    requestPaymentMessage: { noteMessage: { conversation: 'bayar' }, currencyCodeIso4217: 'IDR', requestFrom: SHOP },
  },
  comment: { commentMessage: { message: { conversation: 'setuju' }, targetMessageKey: key } },
};

/** Says something about another message: no callback, and nothing may follow from it for others. */
export const notices: Readonly<Record<string, proto.IMessage>> = {
  revocation: { protocolMessage: { type: 0, key } },
  vote: {
    pollUpdateMessage: { pollCreationMessageKey: key, vote: { encPayload: Buffer.alloc(32), encIv: Buffer.alloc(12) } },
  },
  'pinned message': { pinInChatMessage: { key, type: 1 } },
  'kept message': { keepInChatMessage: { key, keepType: 1 } },
  'encrypted reaction': {
    encReactionMessage: { targetMessageKey: key, encPayload: Buffer.alloc(32), encIv: Buffer.alloc(12) },
  },
};

const t = '1795180010';
const group = '120363000000000009@g.us';
const notification = (type: string, content: BinaryNode[]): BinaryNode => ({
  tag: 'notification',
  attrs: { from: group, participant: SARI, id: 'N1', t, type, notify: 'Sari' },
  content,
});

/** What WhatsApp itself tells a device, as stanzas. */
export const stanzas: Readonly<Record<string, BinaryNode>> = {
  receipt: { tag: 'receipt', attrs: { from: SARI, id: 'R1', t, type: 'read' } },
  'receipt of a group': {
    tag: 'receipt',
    attrs: { from: group, participant: SARI, participant_pn: SARI, id: 'R2', t },
  },
  'receipt of several messages': {
    tag: 'receipt',
    attrs: { from: SARI, id: 'R3', t },
    content: [{ tag: 'list', attrs: {}, content: [{ tag: 'item', attrs: { id: 'R4' } }] }],
  },
  acknowledgement: { tag: 'ack', attrs: { class: 'message', id: 'A1', from: SARI, t } },
  refusal: { tag: 'ack', attrs: { class: 'message', id: 'A2', from: SARI, t, error: '479' } },
  'subject of a group': notification('w:gp2', [{ tag: 'subject', attrs: { subject: 'Keluarga', s_t: t, s_o: SARI } }]),
  'description of a group': notification('w:gp2', [
    { tag: 'description', attrs: { id: 'D1' }, content: [{ tag: 'body', attrs: {}, content: 'Kami' }] },
  ]),
  'new member': notification('w:gp2', [
    {
      tag: 'add',
      attrs: { reason: 'invite' },
      content: [{ tag: 'participant', attrs: { jid: SARI, phone_number: SARI } }],
    },
  ]),
  'new group': notification('w:gp2', [
    {
      tag: 'create',
      attrs: { type: 'new', key: 'k' },
      content: [
        {
          tag: 'group',
          attrs: { id: '120363000000000010', creator: SARI, creation: t, subject: 'Baru', s_t: t, s_o: SARI },
          content: [{ tag: 'participant', attrs: { jid: SARI, type: 'superadmin' } }],
        },
      ],
    },
  ]),
  picture: notification('picture', [{ tag: 'set', attrs: { jid: SARI, id: 'P1', author: SARI } }]),
  call: {
    tag: 'call',
    attrs: { from: SARI, id: 'C1', t, notify: 'Sari', platform: 'android', version: '2' },
    content: [
      {
        tag: 'offer',
        attrs: { 'call-id': 'CALL', 'call-creator': SARI, caller_pn: SARI },
        content: [{ tag: 'audio', attrs: { enc: 'opus', rate: '16000' } }],
      },
    ],
  },
  presence: { tag: 'presence', attrs: { from: SARI, type: 'unavailable', last: t } },
  'somebody types': {
    tag: 'chatstate',
    attrs: { from: SARI },
    content: [{ tag: 'composing', attrs: { media: 'audio' } }],
  },
};

/** A message that is only announced, as what may be viewed once is. */
export const announced = (from: string, id: string): BinaryNode => ({
  tag: 'message',
  attrs: { from, id, t, type: 'media', notify: 'Sari' },
  content: [{ tag: 'unavailable', attrs: { type: 'view_once_unavailable_fanout' } }],
});
