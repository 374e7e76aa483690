import { contentWords } from './words';

const LABEL = String.raw`(?:nama|name|alamat|address|kota|city|tujuan|kurir|courier|kupon|kode kupon|coupon)\b`;

const field = (labels: string, value: string, text: string): string | undefined =>
  new RegExp(String.raw`\b(?:${labels})\b(?:\s+(?:saya|penerima|my|is))*\s*[:=]?\s*(${value})`, 'iu')
    .exec(text)?.[1]
    ?.replace(/[\s,.]+$/, '')
    .trim() || undefined;

/** "2 pcs", "pesan 3", "x2"; a bare number elsewhere is more likely part of a name or an address. */
export const quantityIn = (text: string): number | undefined => {
  const match =
    /\b(\d{1,3})\s*(?:pcs|buah|pasang|biji|unit|pieces|pairs?)\b|\b(?:pesan|beli|order|checkout|buy|ambil|x)\s*(\d{1,3})\b/i.exec(
      text,
    );
  const quantity = Number(match?.[1] ?? match?.[2]);
  return Number.isInteger(quantity) && quantity > 0 ? quantity : undefined;
};

const AFTER_CITY = String.raw`(?=\s+(?:berapa|brp|ya|yah|kak|dong|via|pakai|pake|dengan|untuk|buat|nama|alamat|by|with|how|please|itu|ada|bisa)\b|[,.;?!\n]|\s*$)`;

export const cityIn = (text: string): string | undefined =>
  field('kota|city|tujuan|destination', String.raw`\p{L}[\p{L} '-]*?${AFTER_CITY}`, text) ??
  new RegExp(String.raw`\b(?:ke|to)\s+(?:kota\s+)?(\p{L}[\p{L} '-]{1,60}?)${AFTER_CITY}`, 'iu').exec(text)?.[1]?.trim();

export const orderNumberIn = (text: string): string | undefined =>
  /\bINV-[A-Z0-9-]{3,60}\b/i.exec(text)?.[0].toUpperCase();

/** 8 to 40 letters and digits, of which at least five digits; never an order number. */
export const waybillIn = (text: string): string | undefined =>
  (text.match(/\b[A-Z0-9][A-Z0-9-]{6,38}[A-Z0-9]\b/gi) ?? []).find(
    (code) => !/^INV-/i.test(code) && code.replace(/\D/g, '').length >= 5,
  );

export const courierIn = (text: string): string | undefined =>
  /\b(jne|jnt|j&t|sicepat|pos|tiki|anteraja|ninja|lion|gosend|grab)\b/i.exec(text)?.[1]?.toLowerCase();

export const priceLimitIn = (text: string): number | undefined => {
  const match = /\b(?:di ?bawah|max|maksimal|under|below|budget)\s*(?:rp\.?\s*)?([\d.]+)\s*(ribu|rb|k|juta|jt)?/i.exec(
    text,
  );
  if (!match?.[1]) return undefined;
  const unit = { ribu: 1e3, rb: 1e3, k: 1e3, juta: 1e6, jt: 1e6 }[match[2]?.toLowerCase() ?? ''] ?? 1;
  return Number(match[1].replaceAll('.', '')) * unit;
};

/** A known SKU that the customer names, ignoring case. */
export const skuIn = (text: string, known: readonly string[]): string | undefined =>
  known.find((sku) =>
    text
      .toLowerCase()
      .split(/[\s,;?!]+/)
      .includes(sku.toLowerCase()),
  );

export const customerNameIn = (text: string): string | undefined =>
  field('nama|name', String.raw`\p{L}[^,;\n]*?(?=[,;\n]|\s+${LABEL}|$)`, text);

export const addressIn = (text: string): string | undefined =>
  field('alamat|address', String.raw`[^;\n]{3,}?(?=[,;\n\s]+${LABEL}|[;\n]|$)`, text);

/** What the customer looks for: the content words before any delivery detail, at most 120 characters. */
export const productWordsIn = (text: string): string => {
  const wanted = text
    .replace(new RegExp(String.raw`\b${LABEL}[\s\S]*$`, 'i'), ' ')
    .replace(new RegExp(String.raw`\b(?:ke|to)\s+\p{L}[\p{L} '-]*?${AFTER_CITY}`, 'giu'), ' ')
    .replace(/\b(?:di ?bawah|max|maksimal|under|below|budget)\s*(?:rp\.?\s*)?[\d.]+\s*(?:ribu|rb|k|juta|jt)?/gi, ' ')
    .replace(
      /\b\d{1,3}\s*(?:pcs|buah|pasang|biji|unit|pieces|pairs?)\b|\b(?:pesan|beli|order|checkout|buy|ambil)\s*\d{1,3}\b|\bx\s*\d{1,3}\b/gi,
      ' ',
    );
  return contentWords(wanted).join(' ').slice(0, 120).trim();
};
