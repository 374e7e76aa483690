export { inFont, pdfOf, type PdfDocument } from './pdf';
export { given, LANGUAGE, moneyIn, placeLines, type PaperLocale } from './texts';
