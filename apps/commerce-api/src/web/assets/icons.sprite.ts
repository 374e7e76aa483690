import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { icons } from '../ui/icon';

const folder = (): string => dirname(require.resolve('@tabler/icons/outline/home.svg'));

/** Tabler's drawing of an icon as a symbol; its frame, which is drawn in nothing, is left out. */
const symbolOf = (name: string): string => {
  const svg = readFileSync(join(folder(), `${name}.svg`), 'utf8');
  const shapes = [...svg.matchAll(/<(?:path|circle|rect|line|polyline|ellipse)\b[^>]*\/>/g)].map(([shape]) => shape);
  const drawn = shapes.filter((shape) => !shape.includes('stroke="none"')).join('');
  return `<symbol id="${name}" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${drawn}</symbol>`;
};

/** All icons that pages use, in one file. */
export const iconSprite = (): string =>
  `<svg xmlns="http://www.w3.org/2000/svg">${icons.map((name) => symbolOf(name)).join('')}</svg>`;
