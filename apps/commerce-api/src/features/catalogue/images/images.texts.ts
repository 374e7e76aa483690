import { catalogue } from '../../../web/i18n/catalogue';

interface Which {
  readonly at: string;
}

/** Of the pictures on the page of a product. */
export const imageTexts = catalogue(
  {
    pictures: 'Gambar',
    none: 'Belum ada gambar. Produk bergambar lebih cepat terjual.',
    file: 'Foto produk',
    hint: 'JPG, PNG, WebP, atau GIF, paling besar 10 MB. Foto dari HP langsung bisa: pembeli mendapat ukuran yang kecil.',
    add: 'Tambah gambar',
    main: 'Utama',
    makeMain: 'Jadikan utama',
    makeMainNamed: ({ at }: Which) => `Jadikan gambar ${at} yang utama`,
    remove: 'Hapus',
    removeNamed: ({ at }: Which) => `Hapus gambar ${at}`,
    added: 'Gambar ditambahkan.',
    removed: 'Gambar dihapus.',
    moved: 'Gambar utama diganti.',
    wrongType: 'Berkas ini bukan gambar JPG, PNG, WebP, atau GIF.',
    tooLarge: 'Gambar ini lebih besar dari 10 MB.',
    tooMany: 'Satu produk paling banyak 20 gambar. Hapus satu dulu.',
    full: 'Tempat berkas di paket Anda sudah penuh. Hapus yang tidak dipakai, atau perbesar paket.',
  },
  {
    pictures: 'Pictures',
    none: 'No pictures yet. Products with a picture sell faster.',
    file: 'Photo of the product',
    hint: 'JPG, PNG, WebP or GIF, 10 MB at most. Photos as your phone takes them will do: buyers get a small one.',
    add: 'Add the picture',
    main: 'Main one',
    makeMain: 'Make it the main one',
    makeMainNamed: ({ at }) => `Make picture ${at} the main one`,
    remove: 'Remove',
    removeNamed: ({ at }) => `Remove picture ${at}`,
    added: 'The picture was added.',
    removed: 'The picture was removed.',
    moved: 'The main picture was changed.',
    wrongType: 'This file is no JPG, PNG, WebP or GIF picture.',
    tooLarge: 'This picture is larger than 10 MB.',
    tooMany: 'A product has at most 20 pictures. Remove one first.',
    full: 'Your plan has no room for more files. Delete what is not used, or take a larger plan.',
  },
);
