import { spawnSync } from 'node:child_process';
import PDFParser from 'pdf2json';

interface Parsed {
  readonly Pages: readonly { readonly Texts: readonly { readonly R: readonly { readonly T: string }[] }[] }[];
}

/** The texts of each page of a PDF, one a line, as a parser that knows nothing of ours reads them. Rejects what is no PDF. */
export const textOf = (pdf: Buffer): Promise<string[]> =>
  new Promise((resolve, reject) => {
    const parser = new PDFParser();
    parser.on('pdfParser_dataError', (failure) => reject(failure instanceof Error ? failure : failure.parserError));
    parser.on('pdfParser_dataReady', ({ Pages }: Parsed) =>
      resolve(
        Pages.map(({ Texts }) => Texts.map(({ R }) => R.map(({ T }) => decodeURIComponent(T)).join('')).join('\n')),
      ),
    );
    // It reads the whole memory behind a buffer, of which small ones share one piece
    const own = Buffer.alloc(pdf.length);
    pdf.copy(own);
    parser.parseBuffer(own, -1);
  });

/** The text as `pdftotext` of poppler reads it; nothing on machines without it. */
export const byPoppler = (pdf: Buffer): string[] => {
  const { error, stdout } = spawnSync('pdftotext', ['-layout', '-', '-'], { input: pdf });
  return error ? [] : [stdout.toString()];
};
