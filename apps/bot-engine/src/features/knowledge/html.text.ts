/** Elements whose content nobody reads. */
const SILENT = new Set(['script', 'style', 'noscript', 'template', 'svg', 'head', 'nav', 'iframe', 'object', 'select']);
/** Elements that do not end a line. */
const INLINE = new Set(
  'a abbr b bdi bdo cite code em font i img ins kbd label mark q s samp small span strong sub sup time u var wbr'.split(
    ' ',
  ),
);
const NAMED: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', ndash: '–', mdash: '—', hellip: '…', bull: '•' },
  ...{ rsquo: '’', lsquo: '‘', rdquo: '”', ldquo: '“', copy: '©', reg: '®', deg: '°', times: '×' },
};
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi;

const character = (code: number): string => (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '');

const decoded = (text: string): string =>
  text.replace(ENTITY, (whole, decimal?: string, hex?: string, name = '') => {
    if (decimal !== undefined) return character(Number(decimal));
    if (hex !== undefined) return character(parseInt(hex, 16));
    return NAMED[String(name).toLowerCase()] ?? whole;
  });

const NAME = /^<\/?([a-z][a-z0-9]{0,15})/i;

/** What a tag between texts is read as. */
const breakOf = (name: string): string => {
  if (INLINE.has(name)) return '';
  return name === 'p' || /^h\d$/.test(name) ? '\n\n' : '\n';
};

interface Tag {
  readonly name: string;
  readonly opens: boolean;
  /** Where the text goes on. */
  readonly end: number;
}

/** The tag or comment that begins here; undefined for one that never ends. */
const tagAt = (html: string, at: number): Tag | undefined => {
  const isComment = html.startsWith('<!--', at);
  const close = html.indexOf(isComment ? '-->' : '>', at);
  if (close < 0) return undefined;
  if (isComment) return { name: '!', opens: false, end: close + 3 };
  const name = NAME.exec(html.slice(at, at + 20))?.[1]?.toLowerCase() ?? '';
  return { name, opens: html[at + 1] !== '/', end: close + 1 };
};

/** Behind the end tag of a silent element; the end of the page for one that is never ended, which browsers show nothing of either. */
const endOf = (html: string, name: string, from: number): number => {
  const tag = new RegExp(`</${name}`, 'gi');
  tag.lastIndex = from;
  const end = tag.exec(html)?.index;
  const close = end === undefined ? -1 : html.indexOf('>', end);
  return close < 0 ? html.length : close + 1;
};

/** The text that a person sees of a page, roughly. Passes over the page once, whatever is wrong with it. */
export const textOfHtml = (html: string): string => {
  const seen: string[] = [];
  let at = 0;
  for (let open = html.indexOf('<'); open >= 0; open = html.indexOf('<', at)) {
    seen.push(html.slice(at, open));
    const tag = tagAt(html, open);
    if (!tag) return decoded(seen.join(''));
    at = tag.opens && SILENT.has(tag.name) ? endOf(html, tag.name, tag.end) : tag.end;
    seen.push(breakOf(tag.name));
  }
  return decoded([...seen, html.slice(at)].join(''));
};
