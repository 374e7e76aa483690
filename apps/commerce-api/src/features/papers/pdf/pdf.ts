import type PDFDocument from 'pdfkit';
import { Mutex } from '@platform/runtime';
import { printable } from './printable';

/** Not before somebody wants a PDF: it takes time to load, and much memory. */
const pdfkit = () => require('pdfkit') as typeof PDFDocument;
export type PdfDocument = InstanceType<typeof PDFDocument>;

/** All its texts, as the fonts can draw them. */
export const inFont = <Value>(value: Value): Value => {
  if (typeof value === 'string') return printable(value) as Value;
  if (Array.isArray(value)) return value.map((each: unknown) => inFont(each)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inFont<unknown>(each)])) as Value;
};

/** Of a process: drawing is work for the processor alone, and whoever wants many leaves everybody else their turn. */
const drawing = new Mutex();

/**
 * The bytes of what `draw` draws, in the standard fonts that every reader has: its texts have gone through `inFont`. One document at a time;
 * what takes longer than a few milliseconds is to await its turn in between.
 */
export const pdfOf = (
  options: ConstructorParameters<typeof PDFDocument>[0],
  draw: (document: PdfDocument) => void | Promise<void>,
): Promise<Buffer> =>
  drawing.run(async () => {
    const document = new (pdfkit())(options);
    const chunks: Buffer[] = [];
    const whole = new Promise<Buffer>((resolve, reject) => {
      document.on('data', (chunk: Buffer) => chunks.push(chunk));
      document.on('end', () => resolve(Buffer.concat(chunks)));
      document.on('error', reject);
    });
    await draw(document);
    document.end();
    return whole;
  });
