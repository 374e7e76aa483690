import { catalogue } from '../../../web/i18n/catalogue';

/** Of the page that an invitation leads to. */
export const acceptTexts = catalogue(
  {
    title: 'Undangan bergabung',
    text: ({ store, role }: { store: string; role: string }) =>
      `Anda diundang bekerja di toko ${store} sebagai ${role}.`,
    email: 'Email',
    name: 'Nama Anda',
    password: 'Kata sandi',
    known: 'Kata sandi akun Anda di platform ini.',
    fresh: 'Untuk akun baru Anda: paling sedikit 8 karakter, dan bukan yang sering dipakai orang.',
    submit: 'Terima undangan',
    already: 'Anda sudah bekerja di toko ini. Masuk saja seperti biasa.',
  },
  {
    title: 'Invitation to join',
    text: ({ store, role }) => `You are invited to work in the shop ${store} as ${role}.`,
    email: 'Email address',
    name: 'Your name',
    password: 'Password',
    known: 'The password of your account on this platform.',
    fresh: 'For your new account: at least 8 characters, and none that many people use.',
    submit: 'Accept the invitation',
    already: 'You work in this shop already. Just sign in as usual.',
  },
);
