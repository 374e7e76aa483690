import { spoken } from './silent.speech';

it.each([
  '',
  ' . ',
  'Subtitles by the Amara.org community',
  'Terima kasih telah menonton!',
  'Terima kasih sudah menonton video ini. Sampai jumpa di video selanjutnya.',
  'Takarir oleh Budi',
  'Thank you for watching! Please subscribe to my channel.',
  '[Musik]',
  '(music) ♪♪',
  '[BLANK_AUDIO]',
])('nobody says %j: a speech model hears it in silence', (transcript) => expect(spoken(transcript)).toBe(''));

it.each([
  'terima kasih kak',
  'Terima kasih, jam buka berapa?',
  'ada sepatu hitam? terima kasih sudah menonton',
  'mau pesan musik box (dua)',
  '2',
])('a customer says %j', (transcript) => expect(spoken(transcript)).toBe(transcript));
