import { catalogue } from '../../../web/i18n/catalogue';

/** Of goods that are picked into a form. */
export const pickingTexts = catalogue(
  {
    goods: 'Barang',
    search: 'Cari nama barang atau SKU',
    find: 'Cari barang',
    add: ({ name }: { name: string }) => `Tambah ${name}`,
    left: ({ count }: { count: string }) => `sisa ${count}`,
    notFound: 'Tidak ada barang dengan kata itu.',
    noGoods: 'Belum ada barang. Cari, lalu tekan tambah.',
    quantity: 'Jumlah',
    quantityHint: 'Kosongkan untuk menghapus barang ini.',
    gone: 'Tidak dijual lagi',
  },
  {
    goods: 'Goods',
    search: 'Search by name or SKU',
    find: 'Find goods',
    add: ({ name }) => `Add ${name}`,
    left: ({ count }) => `${count} left`,
    notFound: 'Nothing has these words.',
    noGoods: 'No goods yet. Search, then press add.',
    quantity: 'Pieces',
    quantityHint: 'Leave it empty to take it out.',
    gone: 'Not on sale any more',
  },
);
