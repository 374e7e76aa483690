/** Stop words: never part of a product name, never a reason to prefer one sentence over another. */
const STOP = new Set(
  (
    'dan di ke dengan itu ini untuk saya aku kak kakak kaka sis gan min bang mas mbak ada apakah apa masih mau ingin cari carikan lihat tanya dong deh sih ya yah iya ' +
    'ready ga gak nggak tidak yg yang brp berapa harga harganya buat nya bisa boleh tolong minta kasih info stok stock tersedia available beli pesan order checkout buy ' +
    'purchase ongkir ongkos kirim kirimkan pengiriman jadi juga saja aja dulu lagi kalau kalo dari pada dalam adalah atau kapan gimana bagaimana dimana kami kita anda ' +
    'ok oke okay setuju lanjut yes no pcs buah pasang biji unit x status ' +
    'the a an is are do does did you your we our i me my have has of to in on for and or with what where when how much many please it this that can could would want ' +
    'like need any some there shipping ship deliver delivery price sell'
  ).split(' '),
);

const GREETINGS = new Set(
  'halo hallo hai hi hello hey hei helo pagi siang sore malam selamat assalamualaikum permisi morning afternoon evening good p test tes'.split(
    ' ',
  ),
);

export const wordsOf = (text: string): string[] =>
  text.toLowerCase().match(/[\p{L}\p{N}]+(?:[-'][\p{L}\p{N}]+)*/gu) ?? [];

/** Without the Indonesian suffix -nya ("ongkirnya"), which is a determiner. */
export const withoutSuffix = (text: string): string => text.replace(/(\p{L}{3,})nya\b/giu, '$1');

/** The words worth comparing or searching for, in order. */
export const contentWords = (text: string): string[] =>
  wordsOf(withoutSuffix(text)).filter((word) => !STOP.has(word) && !GREETINGS.has(word));

/** Whether a line only greets; "halo, ada sepatu?" is a question. */
export const isGreeting = (text: string): boolean => {
  const words = wordsOf(text);
  return words.some((word) => GREETINGS.has(word)) && contentWords(text).length === 0 && !/\?/.test(text);
};

export const isThanks = (text: string): boolean => /^\s*(?:terima ?kasih|makasih|thanks|thank you|tq)\b/i.test(text);

export const sentencesOf = (text: string): string[] =>
  text
    .split(/\n|(?<=[.!?])\s+(?=[\p{Lu}\p{N}"])/u)
    .map((sentence) => sentence.replace(/^[\s\-*#•>]+/, '').trim())
    .filter((sentence) => sentence !== '');
