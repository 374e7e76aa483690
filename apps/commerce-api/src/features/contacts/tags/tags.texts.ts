import { catalogue } from '../../../web/i18n/catalogue';
import { counted } from '../../../web/i18n/counted';

/** Of the page of tags. */
export const tagTexts = catalogue(
  {
    title: 'Label pelanggan',
    create: 'Label baru',
    name: 'Nama label',
    save: 'Simpan',
    remove: 'Hapus label',
    removeHint: ({ count }: { count: string }) => `Label ini dilepas dari ${count} pelanggan.`,
    contacts: ({ count }: { count: string }) => `${count} pelanggan`,
    see: 'Lihat pelanggannya',
    none: 'Belum ada label. Label mengelompokkan pelanggan untuk siaran dan pencarian.',
    created: ({ name }: { name: string }) => `Label ${name} dibuat.`,
    saved: ({ name }: { name: string }) => `Label ${name} disimpan.`,
    removed: 'Label dihapus.',
    tooMany: 'Jumlah label sudah yang paling banyak.',
  },
  {
    title: 'Customer tags',
    create: 'New tag',
    name: 'Name of the tag',
    save: 'Save',
    remove: 'Delete tag',
    removeHint: ({ count }) => `It is taken off ${counted(count, 'customer')}.`,
    contacts: ({ count }) => counted(count, 'customer'),
    see: 'See its customers',
    none: 'No tags yet. Tags group customers for broadcasts and searches.',
    created: ({ name }) => `The tag ${name} was made.`,
    saved: ({ name }) => `The tag ${name} was saved.`,
    removed: 'The tag was deleted.',
    tooMany: 'There are as many tags as there may be.',
  },
);
