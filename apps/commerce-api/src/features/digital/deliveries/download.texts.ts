import { catalogue } from '../../../web/i18n/catalogue';

/** Of the page to which the message about a download leads. */
export const downloadTexts = catalogue(
  {
    title: 'Unduhan Anda',
    keys: 'Kunci lisensi',
    file: 'Berkas',
    size: 'Ukuran',
    order: 'Pesanan',
    until: 'Berlaku sampai',
    left: ({ count }: { count: string }) => `Masih bisa diunduh ${count} kali`,
    take: 'Unduh',
    none: 'Sudah diunduh sebanyak yang dibolehkan. Minta link baru kepada toko.',
  },
  {
    title: 'Your download',
    keys: 'Licence keys',
    file: 'File',
    size: 'Size',
    order: 'Order',
    until: 'Works until',
    left: ({ count }) => `Can be downloaded ${count} more times`,
    take: 'Download',
    none: 'It was downloaded as often as it can be. Ask the shop for another link.',
  },
);
