import { setImmediate as othersTurn } from 'node:timers/promises';
import { inFont, pdfOf, type PdfDocument } from '../pdf/public';
import type { Named, Paper } from './paper';

/** Points of A4. */
const MARGIN = 48;
const WIDTH = 595.28 - 2 * MARGIN;
const BOTTOM = 841.89 - MARGIN - 24;
const GAP = 8;
const LEADING = 3;
const RIGHT = { align: 'right' } as const;

type Weight = 'Helvetica' | 'Helvetica-Bold';
interface Box {
  readonly x: number;
  readonly width: number;
  readonly size?: number;
  readonly weight?: Weight;
  readonly align?: 'left' | 'right';
}

/** Draws from the top to the bottom, on as many pages as it takes. */
class Sheet {
  y = MARGIN;

  constructor(private readonly document: PdfDocument) {}

  heightOf(text: string, { width, size = 9, weight = 'Helvetica' }: Omit<Box, 'x'>): number {
    return this.document.font(weight).fontSize(size).heightOfString(text, { width });
  }

  /** Points that the widest of these texts takes in one line. */
  widthOf(texts: readonly string[], size: number): number {
    const { document } = this;
    document.font('Helvetica-Bold').fontSize(size);
    return Math.max(...texts.map((text) => document.widthOfString(text)));
  }

  /** Draws at `y`; resolves to what is below it. */
  text(text: string, y: number, { x, width, size = 9, weight = 'Helvetica', align = 'left' }: Box): number {
    const { document } = this;
    document.font(weight).fontSize(size).text(text, x, y, { width, align });
    return document.y + LEADING;
  }

  rule(y: number): void {
    this.document
      .moveTo(MARGIN, y)
      .lineTo(MARGIN + WIDTH, y)
      .lineWidth(0.5)
      .strokeColor('#bbbbbb')
      .stroke();
  }

  /** Goes on at the top of a new page unless there is room for so much. True when it did. */
  turn(height: number): boolean {
    if (this.y + height <= BOTTOM) return false;
    this.document.addPage();
    this.y = MARGIN;
    return true;
  }
}

const LEFT: Box = { x: MARGIN, width: WIDTH * 0.52 };
const BESIDE: Box = { x: MARGIN + WIDTH * 0.58, width: WIDTH * 0.42 };

const drawNamed = (sheet: Sheet, from: number, named: readonly Named[], weight: Weight = 'Helvetica'): number => {
  let y = from;
  for (const [name, value] of named) {
    const below = sheet.text(name, y, { ...BESIDE, weight, width: BESIDE.width * 0.5 });
    const value_ = { ...BESIDE, ...RIGHT, weight, x: BESIDE.x + BESIDE.width * 0.4, width: BESIDE.width * 0.6 };
    y = Math.max(below, sheet.text(value, y, value_));
  }
  return y;
};

const drawLines = (sheet: Sheet, from: number, lines: readonly string[]): number =>
  lines.reduce((y, line) => sheet.text(line, y, LEFT), from);

const drawHead = (sheet: Sheet, paper: Paper): void => {
  const top = sheet.y;
  const left = drawLines(
    sheet,
    sheet.text(paper.store, top, { ...LEFT, size: 14, weight: 'Helvetica-Bold' }),
    paper.storeLines,
  );
  const title = [paper.title, paper.mark].filter((word) => word !== '').join(' - ');
  const titled = sheet.text(title, top, { ...BESIDE, ...RIGHT, size: 14, weight: 'Helvetica-Bold' });
  sheet.y = Math.max(left, drawNamed(sheet, titled, paper.facts)) + GAP;
  const buyer = sheet.text(paper.buyer.title, sheet.y, { ...LEFT, weight: 'Helvetica-Bold' });
  sheet.y = drawLines(sheet, buyer, paper.buyer.lines) + GAP;
};

const CELL = 8;
/** Columns of numbers are as wide as their widest; the item has the rest. */
const boxesOf = (sheet: Sheet, { columns, rows }: Paper): Box[] => {
  const widths = columns.map((column, at) =>
    at === 0 ? 0 : sheet.widthOf([column, ...rows.map((row) => row[at] ?? '')], CELL) + GAP,
  );
  widths[0] = WIDTH - widths.reduce((sum, width) => sum + width, 0);
  return widths.map((width, at) => ({
    ...{ x: MARGIN + widths.slice(0, at).reduce((sum, one) => sum + one, 0), width, size: CELL },
    align: at === 0 ? 'left' : 'right',
  }));
};

const drawRow = (sheet: Sheet, boxes: readonly Box[], cells: readonly string[], weight: Weight = 'Helvetica'): void => {
  const top = sheet.y;
  const below = boxes.map((box, at) => sheet.text(cells[at] ?? '', top, { ...box, weight }));
  sheet.y = Math.max(...below) + LEADING;
  sheet.rule(sheet.y - LEADING);
};

/** So many are drawn in a few milliseconds. */
const ROWS_AT_ONCE = 5;

const drawGoods = async (sheet: Sheet, paper: Paper): Promise<void> => {
  const boxes = boxesOf(sheet, paper);
  const head = () => drawRow(sheet, boxes, paper.columns, 'Helvetica-Bold');
  head();
  for (const [at, row] of paper.rows.entries()) {
    if (at % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) await othersTurn();
    const heights = boxes.map((box, at) => sheet.heightOf(row[at] ?? '', box));
    if (sheet.turn(Math.max(...heights) + 2 * LEADING)) head();
    drawRow(sheet, boxes, row);
  }
};

const drawSums = (sheet: Sheet, { sums, total, afterwards, accounts }: Paper): void => {
  const lines = sums.length + afterwards.length + 1;
  sheet.turn(lines * 16 + 2 * GAP);
  sheet.y = drawNamed(sheet, sheet.y + GAP, sums);
  sheet.y = drawNamed(sheet, sheet.y, [total], 'Helvetica-Bold');
  sheet.y = drawNamed(sheet, sheet.y, afterwards) + GAP;
  if (accounts.lines.length === 0) return;
  sheet.turn((accounts.lines.length + 1) * 16);
  sheet.y = drawLines(
    sheet,
    sheet.text(accounts.title, sheet.y, { ...LEFT, weight: 'Helvetica-Bold' }),
    accounts.lines,
  );
};

const drawFooters = (document: PdfDocument, word: string): void => {
  const { start, count } = document.bufferedPageRange();
  for (let at = 0; at < count; at++) {
    document.switchToPage(start + at);
    // Text below the margin would begin a page of its own
    document.page.margins.bottom = 0;
    const text = `${word} ${at + 1}/${count}`;
    document
      .font('Helvetica')
      .fontSize(8)
      .text(text, MARGIN, BOTTOM + 12, { width: WIDTH, align: 'center', lineBreak: false });
  }
};

/** The PDF of a paper: A4, in the standard font that every reader has, with the head of the table on every page. */
export const invoicePdf = (paper: Paper, at: Date): Promise<Buffer> => {
  const drawable = inFont(paper);
  const [[, number] = ['', '']] = drawable.facts;
  const options = {
    ...{ size: 'A4', margin: MARGIN, bufferPages: true, lang: paper.locale, displayTitle: true },
    info: { Title: `${drawable.title} ${number}`, Author: drawable.store, CreationDate: at },
  };
  return pdfOf(options, async (document) => {
    const sheet = new Sheet(document);
    drawHead(sheet, drawable);
    await drawGoods(sheet, drawable);
    drawSums(sheet, drawable);
    drawFooters(document, drawable.page);
  });
};
