/*
 * Colours that a shop has chosen for a page of its own. No page may say a style (its policy allows none inline), so each choice has a
 * stylesheet whose name is the choice: it needs no table, and may be kept for ever.
 */

export interface Look {
  /** `#1a2b3c`, all of them. */
  readonly background?: string | undefined;
  readonly text?: string | undefined;
  readonly accent?: string | undefined;
  /** Of buttons. */
  readonly shape?: 'square' | 'rounded' | 'pill' | undefined;
}

const COLOUR = '([0-9a-f]{6}|)';
const NAME = new RegExp(`^look\\.${COLOUR}-${COLOUR}-${COLOUR}-(square|rounded|pill|)\\.css$`);
const RADIUS = { square: '0', rounded: '12px', pill: '999px' } as const;
const [BLACK, WHITE] = ['#14211b', '#ffffff'];

const digits = (colour = ''): string => (/^#[0-9a-f]{6}$/.test(colour) ? colour.slice(1) : '');

/** The address of its stylesheet; undefined where the usual look is meant. */
export const lookUrl = ({ background, text, accent, shape = undefined }: Look): string | undefined => {
  const name = `${digits(background)}-${digits(text)}-${digits(accent)}-${shape ?? ''}`;
  return name === '---' ? undefined : `/assets/look.${name}.css`;
};

const channel = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
/** From 0, black, to 1, white. */
const brightness = (colour: string): number => {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => channel(parseInt(colour.slice(at, at + 2), 16) / 255));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
/** What is read best on it. */
export const on = (colour: string): string => (brightness(colour) > 0.25 ? BLACK : WHITE);

/** The stylesheet of that name; undefined: none. What is not chosen goes well with what is. */
export const lookOf = (file: string): string | undefined => {
  const [, background, text, accent, shape] = NAME.exec(file) ?? [];
  if (background === undefined) return undefined;
  const colour = (given = ''): string | undefined => (given === '' ? undefined : `#${given}`);
  const [ground, ink, button] = [colour(background), colour(text), colour(accent)];
  const paper = ground ?? (ink && on(ink));
  return [
    ...(paper ? [`.look,body:has(>main>.look){background:${paper};color:${ink ?? on(paper)}}`] : []),
    ...(button ? [`.look .look-button{background:${button};border-color:${button};color:${on(button)}}`] : []),
    ...(shape ? [`.look .look-button{border-radius:${RADIUS[shape as keyof typeof RADIUS]}}`] : []),
  ].join('\n');
};
