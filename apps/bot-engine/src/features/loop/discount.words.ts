/** Words by which something costs less or nothing, and those by which that is denied, in Indonesian and English. */
const word = (pattern: string, flags = 'u'): RegExp => new RegExp(String.raw`(?<!\p{L})(?:${pattern})(?!\p{L})`, flags);
const any = (...patterns: readonly string[]): string => patterns.join('|');

/** Words that take something off a price, however they are inflected. */
const CUT =
  '(?:di|ter|men)?(?:diskon|discount|disc|potong|korting|turun)(?:an|kan|in)?(?:nya)?|(?:di|me|ber)kurang(?:i|kan|in)?|cashback|hemat|save';
export const LESS = word(
  any(
    String.raw`${CUT}|(?:off|promo|voucher|kupon|sale|obral)(?:nya)?|lebih murah|cheaper|miring|bayar|pay|dari harga`,
    String.raw`di ?bawah (?:harga )?normal|of the (?:\p{L}+ )?price`,
  ),
);
/** Right beside a whole: otherwise a hundred of a hundred says what something is made of. */
export const CUT_BEFORE = new RegExp(String.raw`(?<!\p{L})(?:${CUT})(?: (?:sebesar|hingga|sampai|up to|of))? $`, 'u');
export const CUT_BEHIND = new RegExp(String.raw`^ (?:off|${CUT})(?!\p{L})`, 'u');
/** Right before a part of a hundred. */
export const GIVEN_BEFORE =
  /(?<!\p{L})(?:(?:kami|kita|saya)(?: \p{L}+)? (?:beri|kasih)|(?:we|i)(?: \p{L}+)? give)(?: kakak| kak| you)? $/u;
export const PERCENT = /^(?:%|(?:persen|percent|prosen|pct)(?:nya|an)?)$/;
/** `per cent`. */
export const OF_HUNDRED = /^(?:cent|sen|seratus)$/;

/** Of what is counted or weighed a half has a price of its own, and of two payments each may be one. */
const MEASURES = any(
  'juta|ribu|jt|rb|miliar|kilo|kilogram|kg|ons|gram|liter|meter|lusin|kodi|porsi|loyang|ekor|pack|box|dus|set|hari|jam|dozen|pound|litre|yard',
);
const NOT_MEASURED = String.raw`(?! (?:${MEASURES}|dulu|di muka|di awal|upfront|now|an?)(?!\p{L}))`;
const fraction = (part: string): RegExp =>
  word(
    any(
      String.raw`(?:${part})(?:nya)?(?:[ -](?:dari|of|the|its|\p{L}+al(?=[ -](?:price|cost)))){0,3}[ -](?:harga|price|off|cost)`,
      String.raw`(?:${CUT}|harganya|harga|bayar|pay)(?: (?:jadi|tinggal|cuma|hanya|saja|aja|cukup|sebesar|only|just)){0,2} (?:${part})(?:nya)?(?!\p{L})${NOT_MEASURED}`,
    ),
    'gu',
  );
/** What of a hundred each of them names. */
export const FRACTIONS: readonly (readonly [RegExp, string])[] = [
  [fraction('setengah|separ[uo]h?|half|1[/⁄]2'), '50'],
  [fraction('sepertiga|third'), '33'],
  [fraction('seperempat|quarter'), '25'],
];

const SHIPPING = '(?:ongkir|ongkos(?: kirim)?|biaya (?:kirim|pengiriman)|shipping|delivery)';
const US = '(?:kami|kita|toko|penjual)';
const BEAR = '(?:tanggung|nanggung|menanggung|bayarin|bayarkan)';
const NONE = '(?:tidak|tak|nggak|enggak|gak|ga)';
export const FREE = word(
  any(
    '(?:di|meng)?gratis+(?:kan|in|an)?(?:nya)?|cuma-?(?:cuma|2)|for free|get one free|bonus(?:nya)?',
    `(?:bebas|free|tanpa)[ -]?${SHIPPING}(?:nya)?|bebas biaya|free (?:gift|of charge)`,
    // Not `free size` nor `feel free`
    '(?:dapat|dapet|dpt|get|plus|(?<=nya )(?=free)) ?free(?! size)',
    '(?:is|are) free(?! (?:size|from|of|at|on|to))',
    `${SHIPPING}(?:nya)? (?:free|nol|zero)`,
    String.raw`ongkir(?:nya)? 0(?![.,]?\d)`,
    `${SHIPPING}(?:nya)? (?:(?:sudah|akan|biar) )?(?:${US} (?:yang )?(?:${BEAR}|bayar)|ditanggung (?:oleh )?${US})`,
    `${US} (?:yang )?${BEAR} ${SHIPPING}(?:nya)?`,
    String.raw`(?:we|i)(?:['’]ll| will)? (?:cover|pay)(?: for)?(?: the| your)? ${SHIPPING}`,
    `${NONE} (?:usah|perlu) bayar ongkir|${NONE} (?:ada|kena|dikenakan|pakai|pake) ${SHIPPING}(?:nya)?(?! (?:ke |gratis|free))`,
    `(?:no|zero) ${SHIPPING} (?:cost|fee|charge)s?|zero ${SHIPPING}|(?:don['’]t|not) (?:have to )?pay for ${SHIPPING}|${SHIPPING} (?:is )?on us`,
    String.raw`(?:beli|buy|ambil) (?:\d+|satu|dua|one|two),? (?:dapat|dapet|dpt|get) (?:\d+|satu|dua|tiga|one|two|three)`,
    'on the house|complimentary|at no (?:extra |additional )?(?:cost|charge)|no extra (?:cost|charge)',
    '(?:dapat|dapet|dpt) hadiah',
  ),
  'gu',
);
/** Words by which a shop gives something, beside those of `FREE`. */
export const GIVEN = word(
  any(
    '(?<!feel )free(?! size)|tanpa biaya|tidak (?:ada|kena|dikenakan|dipungut) biaya',
    'no (?:extra |additional )?(?:cost|charge|fee)|hadiah',
  ),
  'gu',
);

const NOT = String.raw`(?:tidak|tak|nggak|enggak|gak|ga|belum|bukan|jangan|dilarang|no|(?<!why )not|never|without|cannot|unable to|\p{L}{2,5}n['’]t)`;
const IF = 'jika|bila|apabila|andai|if|when';
const NOT_IF = String.raw`(?<!(?<!\p{L})(?:${IF})(?: \p{L}+){0,4} )`;
/** Of `kalau`, which also only says what is spoken of: `kalau ke Papua belum ada`. */
const NOT_FOR = String.raw`(?:(?<!(?<!\p{L})kal(?:au|o)(?: \p{L}+){0,4} )${NOT}|${NOT}(?= (?:ada|bisa|dapat|tersedia)(?!\p{L})))`;
const AND = `${IF}|kalau|kalo|dan|and|serta|tanpa`;

/** Before or behind an offer: it is said not to be one. */
export interface Denial {
  readonly before: RegExp;
  readonly behind: RegExp;
}

/** `between` a denial and the offer, and with what one behind it may go on. */
const denial = (between: string, goingOn: string): Denial => ({
  before: new RegExp(String.raw`${NOT_IF}(?<!\p{L})${NOT_FOR}${between} $`, 'u'),
  behind: new RegExp(
    String.raw`^(?:-?nya)?(?: (?!(?:${AND})(?!\p{L}))\p{L}+){0,3} (?:${NOT} (?:ada|tersedia|berlaku|bisa|dapat|menyediakan|memberikan|available|possible)(?!\p{L})${goingOn}|sudah (?:berakhir|habis|selesai)(?!\p{L}))`,
    'u',
  ),
});

/** Denied is something else, and what follows is promised all the more. */
const BUT =
  'hanya|cuma|saja|sekadar|perlu|usah|ragu|khawatir|rugi|masalah|bayar|biaya|min|minim\\p{L}*|syarat|batas\\p{L}*|lebih|melebihi|lewatkan|ketinggalan|lupa|only|more|just|need|pay|cost|charge|limit|miss|forget|problem|worr\\p{L}*';
const CONDITION =
  'minim\\p{L}*|min|maks\\p{L}*|max\\p{L}*|syarat|batas\\p{L}*|biaya|ongkos|ketentuan|kuota|tambahan|cost|charge|limit|condition\\p{L}*';
/** A shop forbids in many words. */
export const BY_SHOP = denial(
  String.raw`(?: (?!(?:${BUT})(?!\p{L}))\p{L}+){0,5}`,
  String.raw`(?<!berlaku(?= (?:untuk|bagi|di|ke|pada)))(?!(?: \p{L}+)? (?:${CONDITION})(?!\p{L}))`,
);

/** Having it, giving it, and of them when and to whom. */
const HAVE = any(
  'ada|bisa|(?:men)?dapat(?:kan)?|dapet|dpt|(?:mem|di)?beri(?:kan)?|(?:di)?kasih|ngasih|(?:men)?janji(?:kan)?|(?:me)?nawar(?:kan|in)|tawar(?:kan|in)',
  '(?:meny|s)edia(?:kan|in)|punya|memiliki|berlaku|termasuk|ikut|pernah|sedang|(?:meng)?adakan|(?:me)?layani|produk|barang',
  '(?:promo|program|layanan|penawaran|diskon|potongan|voucher|kupon|subsidi)(?: (?:ongkir|ongkos kirim|pengiriman|harga|belanja))?',
  String.raw`have|has|having|offer\p{L}*|give|giving|provide|grant|promise|get|includ\p{L}+|any|an?|the|currently|actually|eligible|qualify|approve|do|able|discounts?|promos?|deals?`,
);
const WHEN = any(
  'saat|ini|itu|sekarang|hari|lagi|dulu|kami|kita|saya|untuk|buat|bagi|sebesar|sampai|hingga|apa|apapun|pun',
  'to|for|of|you|your|this|that|yet|up|is|are|be|with|at|moment|right|now',
);
const CLOSING = any(
  'kak|kakak|ya|lagi|(?:untuk )?saat ini|(?:untuk )?sekarang|hari ini|dulu|nih|sih|kok|kami|kita|saya|di sini|di toko kami|promo(?:nya)?|mohon',
  '(?:untuk|for) (?:produk|barang|pesanan|order|this) (?:ini|itu|tersebut|kakak|item|product|order)',
  '(?:di)?(?:beri|kasih|penuhi|proses|sediakan|lakukan|pakai|gunakan)(?:kan)?|here|now|right now|at the moment|currently|yet|sorry|maaf|anymore|today',
);
const END = String.raw`(?= *(?:[^\p{L}\p{N} ]|$)| (?:karena|sebab|soalnya|jadi|sehingga|tapi|tetapi|namun|because|since|but|so|dan|and)(?!\p{L}))`;
/** A bot denies the offer alone: whoever need not fear, miss or hesitate is promised it, as where it is not found elsewhere or not beaten. */
export const BY_BOT = denial(
  `(?: (?:${HAVE})(?: (?:${HAVE}|${WHEN})){0,4}(?: ongkir)?)?`,
  `(?: (?:${CLOSING}))*${END}`,
);
/** Behind what is denied: there it is given, or it was asked. */
export const UNLESS =
  /^(?: \p{L}+){0,3}(?:,? (?:kecuali|selain|jika|kalau|kalo|bila|apabila|sebelum|unless|except|if|before|lain|lainnya|elsewhere|else|saja|seperti ini)(?!\p{L})| ?\?)/u;
