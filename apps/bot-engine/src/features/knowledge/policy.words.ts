const WORD = /[\p{L}\p{N}]+(?:['-][\p{L}\p{N}]+)*/gu;

/** Words that say how something is asked, not what: of a policy, not of a product. Indonesian, slang, English. */
const STOP = new Set(
  (
    'ada adakah agar aja akan aku anda apa apakah apaan atau bagaimana bagi bagaimanakah bang banget bantu berapa bg biar bila bisa bisakah ' +
    'bkn boleh bolehkah bro brp btw buat bukan bund bunda cara caranya dan dapat dapet dari dengan deh dg di dia dipake do dong donk dulu eh emang ' +
    'engga enggak ga gak gan gimana gimn gini gitu gk gmn gue gw hai halo harus hi iya itu ini jadi jika juga ka kah kak kaka kakak kalau kali kalo ' +
    'kan kapan karena kasih ke kek kena kenapa kita klo km kmu knp ko kok kpn ku lah lagi lalu loh lu lo maaf makasih mana masih mau maupun mba mbak ' +
    'melakukan memang mending mengapa min misal mohon mungkin mw nah nanti ngga nggak nih nya oh ok oke om pada pak pake pas permisi pernah pertanyaan ' +
    'pgn please pun punya saat saja sama sampe saya sebagai sebelum sedang seperti setelah siang sih sini sis sist soal sudah sdh supaya tanya ' +
    'tanyain tapi tau tentang terus thx toh tolong tp trus tuh tidak udah udh untuk utk utuk ya yaa yah yang yg selamat pagi sore malam ' +
    'bs bsa sy blm belum kmn smp cek siapa a about am an and any are as at be been by can could did does doing for from get give given got had has have hello help hey how i if in into is it its ' +
    'just know like long may me my need no not of on or our please shall should so some take takes tell thanks that the their them there they this to u us want was we what ' +
    'when where which who why will with would you your yours'
  ).split(' '),
);

const LONGEST_WORD = 40;
const MOST_WORDS = 16;

/** What a question about a policy is about: each word once, in lower case, at most 16. */
export const policyWords = (question: string): string[] => {
  const words = question.normalize('NFKC').toLowerCase().match(WORD) ?? [];
  const said = words.filter((word) => !STOP.has(word) && word.length > 1 && word.length <= LONGEST_WORD);
  return [...new Set(said)].slice(0, MOST_WORDS);
};
