import { catalogue } from '../../../web/i18n/catalogue';

/** Of the choice by which ways somebody is told. */
export const waysTexts = catalogue(
  {
    title: 'Pemberitahuan',
    text: 'Pilih lewat mana Anda diberi tahu. Lewat WhatsApp hanya ke nomor yang sudah dikonfirmasi.',
    event: 'Tentang',
    ways: { in_app: 'Di sini', email: 'Lewat email', whatsapp: 'Lewat WhatsApp', push: 'Di HP' },
    way: ({ way, event }: { way: string; event: string }) => `${event}, ${way}`,
    save: 'Simpan pilihan',
    saved: 'Pilihan pemberitahuan disimpan.',
  },
  {
    title: 'Notifications',
    text: 'Choose how you are told. By WhatsApp only to a number that is confirmed.',
    event: 'About',
    ways: { in_app: 'Right here', email: 'By email', whatsapp: 'By WhatsApp', push: 'On my devices' },
    way: ({ way, event }) => `${event} - ${way}`,
    save: 'Save the choice',
    saved: 'Your choice was saved.',
  },
);
