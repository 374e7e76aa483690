import { CUSTOMER, cloudAccount } from './cloud.fixture';

/** How Meta's documentation shows a file; the sandbox has one under this id. */
const file = (id: string, more: object = {}) => ({ id, mime_type: 'image/jpeg; codecs=x', sha256: 'q2a0', ...more });

/** Messages with a file that can be had under the id `media`. */
const withFile = (media: string): Readonly<Record<string, object>> => ({
  image: { image: file(media, { caption: 'bukti' }) },
  video: { video: file(media, { caption: 'video' }) },
  audio: { audio: file(media, { voice: true }) },
  document: { document: file(media, { caption: 'tagihan', filename: 'tagihan.pdf' }) },
  sticker: { sticker: file(media, { animated: false }) },
});

const WITHOUT_FILE: Readonly<Record<string, object>> = {
  text: { text: { body: 'lihat https://toko.example/42' } },
  reply: { type: 'text', text: { body: 'itu' }, context: { from: '628110000001', id: 'wamid.QUOTED' } },
  forwarded: { type: 'text', text: { body: 'iklan' }, context: { forwarded: true, frequently_forwarded: true } },
  'from an advertisement': {
    type: 'text',
    text: { body: 'promo?' },
    referral: {
      source_url: 'https://fb.example/ad',
      source_type: 'ad',
      source_id: '120',
      headline: 'Sepatu',
      body: 'Diskon',
      media_type: 'image',
      image_url: 'https://fb.example/a.jpg',
      ctwa_clid: 'Aff-n8',
    },
  },
  'about a product': {
    type: 'text',
    text: { body: 'ini ada?' },
    context: { from: '628110000001', id: 'wamid.P', referred_product: { catalog_id: '1', product_retailer_id: 'SKU' } },
  },
  location: { location: { latitude: -6.2, longitude: 106.8, name: 'Toko', address: 'Jl. Melati 1', url: 'https://t' } },
  contacts: {
    contacts: [
      {
        name: { formatted_name: 'Sari Dewi', first_name: 'Sari', last_name: 'Dewi', middle_name: 'A', prefix: 'Bu' },
        birthday: '1990-01-01',
        phones: [{ phone: '+62 811', wa_id: '62811', type: 'CELL' }],
        emails: [{ email: 's@toko.example', type: 'WORK' }],
        addresses: [{ street: 'Jl. Melati', city: 'Jakarta', zip: '10110', country: 'Indonesia', country_code: 'id' }],
        org: { company: 'Toko', department: 'Gudang', title: 'Kepala' },
        urls: [{ url: 'https://toko.example', type: 'WORK' }],
      },
    ],
  },
  reaction: { reaction: { message_id: 'wamid.REACTED', emoji: '👍' } },
  button: { button: { text: 'Ya', payload: 'YES' }, context: { from: '628110000001', id: 'wamid.B' } },
  'reply button': {
    type: 'interactive',
    interactive: { type: 'button_reply', button_reply: { id: 'b1', title: 'Ya' } },
  },
  'list row': {
    type: 'interactive',
    interactive: { type: 'list_reply', list_reply: { id: 'r1', title: 'Sepatu', description: 'hitam' } },
  },
  flow: {
    type: 'interactive',
    interactive: { type: 'nfm_reply', nfm_reply: { response_json: '{"a":1}', body: 'Sent', name: 'flow' } },
  },
  order: {
    order: {
      catalog_id: '1',
      text: 'pesan ya',
      product_items: [{ product_retailer_id: 'SKU', quantity: 1, item_price: 250_000, currency: 'IDR' }],
    },
  },
  'call permission': {
    type: 'interactive',
    interactive: {
      type: 'call_permission_reply',
      call_permission_reply: { response: 'accept', response_source: 'user' },
    },
  },
  'number changed': { type: 'system', system: { body: 'Budi changed', wa_id: '62811', type: 'user_changed_number' } },
  unsupported: { errors: [{ code: 131_051, title: 'Unsupported', message: 'm', error_data: { details: 'd' } }] },
  welcome: { type: 'request_welcome' },
};

/** One message of every type that Meta documents, with all that it says; `media`: id of a file that can be had. */
export const cloudMessages = (media: string): Readonly<Record<string, object>> => ({
  ...withFile(media),
  ...WITHOUT_FILE,
});

/** What Meta posts of one change, with all that it says. */
const webhook = <T extends object>(told: T) => ({
  object: 'whatsapp_business_account',
  entry: [
    {
      id: '102290129340398',
      changes: [
        {
          field: 'messages',
          value: {
            messaging_product: 'whatsapp',
            metadata: { display_phone_number: '15550783881', phone_number_id: cloudAccount.phone_number_id },
            ...told,
          },
        },
      ],
    },
  ],
});

/** A message of Budi. */
export const cloudWebhook = (type: string, message: object, id: string) =>
  webhook({
    contacts: [{ profile: { name: 'Budi', username: '@budi' }, wa_id: CUSTOMER, user_id: 'ID.13491208655302' }],
    messages: [{ from: CUSTOMER, from_user_id: 'ID.13491208655302', id, timestamp: '1795180010', type, ...message }],
  });

/** The status of a send. */
export const cloudStatus = (status: string, { id, ours }: { id: string; ours: string }) =>
  webhook({
    statuses: [
      {
        id,
        status,
        timestamp: '1795180020',
        recipient_id: CUSTOMER,
        recipient_user_id: 'ID.13491208655302',
        biz_opaque_callback_data: ours,
        conversation: { id: 'c1', origin: { type: 'service' }, expiration_timestamp: '1795266420' },
        pricing: { pricing_model: 'PMP', category: 'service', type: 'regular', billable: false },
        errors: [{ code: 131_026, title: 't', message: 'm', error_data: { details: 'd' }, href: 'https://d' }],
      },
    ],
  });
