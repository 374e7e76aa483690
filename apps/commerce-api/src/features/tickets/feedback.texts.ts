import { catalogue } from '../../web/i18n/catalogue';

/** Of the page on which a customer says how they were served. */
export const feedbackTexts = catalogue(
  {
    title: 'Bagaimana layanan kami?',
    rating: 'Nilai layanan',
    marks: { 1: 'Sangat buruk', 2: 'Buruk', 3: 'Cukup', 4: 'Baik', 5: 'Sangat baik' },
    text: 'Ada yang ingin Anda sampaikan?',
    textHint: 'Boleh kosong',
    send: 'Kirim penilaian',
    thanks: 'Terima kasih! Penilaian Anda sudah kami terima.',
    already: 'Anda sudah memberi penilaian. Terima kasih!',
    away: 'Penilaian belum bisa disimpan. Coba lagi sebentar.',
  },
  {
    title: 'How did we serve you?',
    rating: 'Your rating',
    marks: { 1: 'Very bad', 2: 'Bad', 3: 'All right', 4: 'Good', 5: 'Very good' },
    text: 'Is there something you want to tell us?',
    textHint: 'May stay empty',
    send: 'Send rating',
    thanks: 'Thank you! We have your rating.',
    already: 'You have given your rating already. Thank you!',
    away: 'Your rating cannot be saved now. Try again in a moment.',
  },
);
