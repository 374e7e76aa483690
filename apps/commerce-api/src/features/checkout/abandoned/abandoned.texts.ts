import { catalogue } from '../../../web/i18n/catalogue';

/** Of the page of carts that were left. */
export const abandonedTexts = catalogue(
  {
    none: 'Belum ada keranjang yang ditinggalkan. Keranjang yang tidak jadi dibayar akan tampil di sini.',
    views: { waiting: 'Belum diingatkan', reminded: 'Sudah diingatkan' },
    buyer: 'Pembeli',
    nameless: 'Tanpa nama',
    cart: 'Isi keranjang',
    left: 'Ditinggalkan',
    total: 'Total',
    reminder: 'Pengingat',
    remind: ({ phone }: { phone: string }) => `Ingatkan +${phone}`,
    remindedAt: 'Diingatkan',
    noNumber: 'Tidak ada nomor',
    queued: 'Pengingat akan segera dikirim lewat WhatsApp.',
    already: 'Pembeli ini sudah diingatkan dalam 24 jam terakhir.',
    noNumberLeft: 'Pembeli ini tidak meninggalkan nomor.',
    unwanted: 'Pelanggan ini diblokir atau tidak mau menerima pesan.',
  },
  {
    none: 'No carts were left yet. Those that nobody pays for will show here.',
    views: { waiting: 'Not reminded', reminded: 'Reminded' },
    buyer: 'Buyer',
    nameless: 'Without a name',
    cart: 'In the cart',
    left: 'Left',
    total: 'Worth',
    reminder: 'Reminder',
    remind: ({ phone }) => `Remind +${phone}`,
    remindedAt: 'Was reminded',
    noNumber: 'No number',
    queued: 'The reminder is sent by WhatsApp in a moment.',
    already: 'This buyer was reminded within the last 24 hours.',
    noNumberLeft: 'This buyer has left no number.',
    unwanted: 'This customer is blocked or wants no messages.',
  },
);
