const bulletOf = (line: string): string => line.replace(/^\s*[*+]\s+/, '- ');

const cellsOf = (line: string): string =>
  line
    .split('|')
    .map((cell) => cell.trim())
    .filter(Boolean)
    .join(' - ');

/** A line of a table as a line of text; nothing for the one that draws its head. */
const tableRow = (line: string): string | undefined => {
  if (/^\s*\|?\s*:?-{3,}/.test(line) && line.includes('|')) return undefined;
  return /^\s*\|.*\|\s*$/.test(line) ? cellsOf(line) : line;
};

/** Markdown in WhatsApp's syntax (design 3.7): `**x**` to `*x*`, headings and tables to lines, links to their addresses; no HTML. */
export const whatsappStyle = (text: string): string =>
  text
    .split('\n')
    .flatMap((line) => tableRow(line) ?? [])
    .map((line) => bulletOf(line.replace(/^\s*#{1,6}\s+/, '')))
    .join('\n')
    .replace(/!?\[([^\]\n]*)\]\((https?:\/\/[^)\s]+)\)/g, '$1 $2')
    .replace(/\*\*([^*\n]+)\*\*/g, '*$1*')
    .replace(/__([^_\n]+)__/g, '_$1_')
    .replace(/`{1,3}/g, '')
    .replace(/<\/?(?:b|i|u|em|strong|span|p|br|a)\b[^<>\n]{0,200}>/gi, '');
