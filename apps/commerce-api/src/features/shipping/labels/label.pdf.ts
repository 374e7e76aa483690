import { cut } from '@platform/runtime';
import { given, inFont, moneyIn, pdfOf, placeLines, type PdfDocument } from '../../papers/pdf/public';
import { code128 } from './code128';
import type { Label } from './label.sql';
import { labelWords } from './label.words';

/** Points of A6, the paper of label printers. */
const SIZE: [number, number] = [297.64, 419.53];
const MARGIN = 14;
const WIDTH = SIZE[0] - 2 * MARGIN;
const BOTTOM = SIZE[1] - MARGIN;
const GAP = 6;
const BARS = { height: 46, widest: 1.5 };
/** A long text must not push the goods off the paper. */
const LONGEST = 160;

interface Style {
  readonly size?: number;
  readonly bold?: boolean;
  readonly align?: 'left' | 'center';
}

/** Draws a text at `y`, as far as there is room: a second page would be lost. What is below it. */
const line = (
  document: PdfDocument,
  text: string,
  y: number,
  { size = 8, bold = false, align = 'left' }: Style = {},
): number => {
  document.font(bold ? 'Helvetica-Bold' : 'Helvetica').fontSize(size);
  const shown = cut(text, LONGEST);
  const room = BOTTOM - y;
  const height = document.heightOfString(shown, { width: WIDTH });
  if (document.currentLineHeight() <= room)
    document.text(shown, MARGIN, y, { width: WIDTH, height: room, ellipsis: true, align });
  return y + Math.min(height, room) + 1;
};

const lines = (document: PdfDocument, texts: readonly string[], y: number, style?: Style): number =>
  texts.reduce((below, text) => line(document, text, below, style), y);

const rule = (document: PdfDocument, y: number): number => {
  document
    .moveTo(MARGIN, y)
    .lineTo(MARGIN + WIDTH, y)
    .lineWidth(0.7)
    .stroke();
  return y + GAP;
};

/** Bars over the whole width at most, with their text below. */
const barcode = (document: PdfDocument, text: string, y: number): number => {
  const widths = code128(text);
  const modules = widths.reduce((sum, width) => sum + width, 0);
  // Ten modules of nothing on both sides, which readers need
  const module = Math.min(BARS.widest, WIDTH / (modules + 20));
  let x = MARGIN + (WIDTH - modules * module) / 2;
  widths.forEach((width, at) => {
    if (at % 2 === 0) document.rect(x, y, width * module, BARS.height);
    x += width * module;
  });
  document.fill('#000000');
  return line(document, text, y + BARS.height + 3, { size: 10, bold: true, align: 'center' });
};

/** As many of the goods as there is room for, and how many more there are. */
const goods = (document: PdfDocument, { lines: all, locale }: Label, from: number): void => {
  let y = from;
  for (const [at, { qty, name, sku }] of all.entries()) {
    if (y + 22 > BOTTOM && at < all.length - 1) {
      line(document, `+ ${all.length - at} ${labelWords[locale].more}`, y);
      return;
    }
    y = line(document, cut(`${qty} x ${name} (${sku})`, 55), y);
  }
};

const collectedIn = ({ collect, currency, locale }: Label): string =>
  `${labelWords[locale].collect}: ${moneyIn(locale, currency)(collect)}`;

/** A long place is written smaller. */
const sizeOf = (place: readonly string[]): number => (place.join(' ').length > 200 ? 7 : 10);

const drawLabel = (document: PdfDocument, label: Label): void => {
  const { sender, receiver, address, locale, collect } = label;
  const words = labelWords[locale];
  const carrier = given([label.courier, label.service]).join(' ');
  let y = line(document, sender.name, MARGIN, { size: 12, bold: true });
  if (carrier !== '') y = line(document, carrier, y, { size: 12, bold: true });
  y = barcode(document, label.waybill ?? label.number, rule(document, y + 2));
  // Before everything that may be long
  if (collect > 0) y = line(document, collectedIn(label), y, { size: 12, bold: true, align: 'center' });
  y = line(document, words.to, rule(document, y + 2), { bold: true });
  y = line(document, `${cut(receiver.name, 100)}  +${receiver.phone}`, y, { size: 11, bold: true });
  const place = [...placeLines(address), ...given([address?.note])];
  y = lines(document, place, y, { size: sizeOf(place) });
  y = line(document, words.from, rule(document, y + GAP), { bold: true });
  y = lines(document, given([sender.phone && `${sender.name}  +${sender.phone}`, ...placeLines(sender.address)]), y);
  const weight = label.weight_g > 0 ? [`${words.weight} ${label.weight_g} g`] : [];
  y = line(document, [`${words.order} ${label.number}`, ...weight].join('  -  '), rule(document, y + GAP), {
    bold: true,
  });
  goods(document, label, y + 2);
};

/** The PDF of a label: one page of A6, with the waybill, or else the number of the order, as a barcode. */
export const labelPdf = (label: Label, at: Date): Promise<Buffer> => {
  const drawable = inFont(label);
  const options = {
    ...{ size: SIZE, margin: 0, lang: label.locale, displayTitle: true },
    info: { Title: drawable.waybill ?? drawable.number, Author: drawable.sender.name, CreationDate: at },
  };
  return pdfOf(options, (document) => drawLabel(document, drawable));
};
