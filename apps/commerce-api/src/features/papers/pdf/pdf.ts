import type PDFDocument from 'pdfkit';
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

/** The bytes of what `draw` draws, in the standard fonts that every reader has: its texts have gone through `inFont`. */
export const pdfOf = (
  options: ConstructorParameters<typeof PDFDocument>[0],
  draw: (document: PdfDocument) => void,
): Promise<Buffer> => {
  const document = new (pdfkit())(options);
  const chunks: Buffer[] = [];
  const whole = new Promise<Buffer>((resolve, reject) => {
    document.on('data', (chunk: Buffer) => chunks.push(chunk));
    document.on('end', () => resolve(Buffer.concat(chunks)));
    document.on('error', reject);
  });
  draw(document);
  document.end();
  return whole;
};
