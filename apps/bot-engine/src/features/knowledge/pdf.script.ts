/**
 * Run by a Node of its own: reads a PDF from standard input and writes its text, at most as many characters as told, to standard
 * output. Plain JavaScript in a text, because a bundle is one file, and what it starts must be in it. `pdfjs` runs no script of
 * a document, and is asked for no fonts and pictures. argv: address of unpdf, characters.
 */
export const PDF_SCRIPT = `
  const [address, most] = process.argv.slice(1);
  const { getDocumentProxy } = await import(address);
  const bytes = [];
  for await (const part of process.stdin) bytes.push(part);
  const options = { isEvalSupported: false, useSystemFonts: false, disableFontFace: true, verbosity: 0 };
  const document = await getDocumentProxy(new Uint8Array(Buffer.concat(bytes)), options);
  let left = Number(most);
  for (let n = 1; n <= document.numPages && left > 0; n++) {
    const page = await document.getPage(n);
    const { items } = await page.getTextContent();
    const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\\n' : '') : '')).join('') + '\\n\\n';
    left -= text.length;
    await new Promise((written) => process.stdout.write(text, written));
    page.cleanup();
  }
  process.exit(0);
`;
