import { catalogue } from '../../../web/i18n/catalogue';

/** Of what a new shop has to do. */
export const setupTexts = catalogue(
  {
    title: 'Siapkan toko',
    progress: ({ done, all }: { done: string; all: string }) => `${done} dari ${all} langkah selesai`,
    ready: 'Semua langkah selesai. Toko Anda siap.',
    done: 'Selesai',
    open: 'Belum',
    steps: {
      shop: { name: 'Lengkapi profil toko', text: 'Keterangan, nomor telepon, dan alamat yang dilihat pembeli.' },
      product: { name: 'Tambah produk pertama', text: 'Nama, harga, dan stok. Foto bisa menyusul.' },
      payment: { name: 'Atur cara bayar', text: 'Rekening untuk transfer, atau pembayaran otomatis.' },
      shipping: { name: 'Atur pengiriman', text: 'Kurir, ongkir tetap, atau ambil di toko.' },
      device: { name: 'Hubungkan nomor WhatsApp', text: 'Chat pembeli masuk ke satu tempat.' },
      team: { name: 'Undang tim', text: 'Setiap orang melihat yang menjadi tugasnya saja.' },
      sale: { name: 'Bagikan toko Anda', text: 'Kirim alamat toko ke pembeli; selesai setelah pesanan pertama.' },
    },
  },
  {
    title: 'Set up the shop',
    progress: ({ done, all }) => `${done} of ${all} steps done`,
    ready: 'All steps are done. Your shop is ready.',
    done: 'Done',
    open: 'To do',
    steps: {
      shop: {
        name: 'Complete the profile of the shop',
        text: 'Description, phone number and address that buyers see.',
      },
      product: { name: 'Add a first product', text: 'Name, price and stock. Pictures can follow.' },
      payment: { name: 'Say how you are paid', text: 'An account for transfers, or payments by a provider.' },
      shipping: { name: 'Say how you send', text: 'Couriers, a flat price, or pick-up at the shop.' },
      device: { name: 'Connect a WhatsApp number', text: "All buyers' chats come to one place." },
      team: { name: 'Invite your team', text: 'Everybody sees what is their task alone.' },
      sale: { name: 'Share your shop', text: 'Send its address to buyers; done with the first order.' },
    },
  },
);
