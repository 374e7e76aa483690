import { rowsOf, textAt } from './json.reader';
import type { Scene } from './scene';
import { contentWords } from './words';

/** Labels that stand for what cannot be said in words: `[gambar]`, `[audio]`. */
const LABELS = /\[[\p{L}: ]{1,40}\]/gu;

/** Pictures are answered by what is certain about them: type and bytes. What was asked beside them is answered as well. */
export const withPictures = ({ pictures, question, results, say }: Scene, said: string): string => {
  if (pictures.length === 0) return said;
  const seen = `${say.picture}: ${pictures.map(({ mediaType, bytes }) => `${mediaType} ${bytes} byte`).join(', ')}.`;
  const asked = contentWords(question.replaceAll(LABELS, '')).length > 0 || results.length > 0;
  return asked ? `${seen}\n${said}` : seen;
};

export const WRONG_PRICE = 'Rp1.000';

/** Fault `sandbox-wrongprice`: an invented price beside every product that a tool has told of. */
export const wronglyPriced = ({ results }: Scene, said: string): string => {
  const names = results.flatMap(({ data }) => rowsOf(data).map((row) => textAt(row, 'name') ?? textAt(row, 'sku')));
  return [...new Set(names)].reduce<string>(
    (text, name) => (name === undefined ? text : text.replaceAll(name, `${name} ${WRONG_PRICE}`)),
    said,
  );
};
