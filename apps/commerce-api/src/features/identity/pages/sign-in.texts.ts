import { catalogue } from '../../../web/i18n/catalogue';

/** Of signing in. */
export const signInTexts = catalogue(
  {
    title: 'Masuk ke toko Anda',
    email: 'Email',
    password: 'Kata sandi',
    submit: 'Masuk',
    wrong: 'Email atau kata sandi salah.',
    unverified: 'Alamat email ini belum dikonfirmasi.',
    confirm: 'Konfirmasi alamat email',
    forgot: 'Lupa kata sandi?',
    tooMany: ({ minutes }: { minutes: number }) => `Terlalu banyak percobaan. Coba lagi dalam ${minutes} menit.`,
    factor: {
      title: 'Kode keamanan',
      code: 'Kode dari aplikasi autentikator',
      hint: 'Enam angka, atau satu kode pemulihan.',
      submit: 'Lanjut',
      expired: 'Waktunya habis. Silakan masuk lagi.',
      again: 'Masuk dengan akun lain',
    },
    landing: {
      title: 'Toko yang dijalankan dari chat',
      text: 'Pelanggan menulis di WhatsApp, bot menjawab, pesanan dibayar dan dikirim dari satu tempat.',
      register: 'Buka toko baru',
    },
  },
  {
    title: 'Sign in to your shop',
    email: 'Email address',
    password: 'Password',
    submit: 'Sign in',
    wrong: 'Email or password is wrong.',
    unverified: 'This email address is not confirmed yet.',
    confirm: 'Confirm the address',
    forgot: 'Forgot your password?',
    tooMany: ({ minutes }) => `Too many attempts. Try again in ${minutes} minutes.`,
    factor: {
      title: 'Security code',
      code: 'Code of your authenticator',
      hint: 'Six digits, or one recovery code.',
      submit: 'Continue',
      expired: 'Your time is over. Please sign in again.',
      again: 'Sign in with another account',
    },
    landing: {
      title: 'A shop that is run from a chat',
      text: 'Customers write on WhatsApp, a bot answers, orders are paid and shipped from one place.',
      register: 'Open a new shop',
    },
  },
);
