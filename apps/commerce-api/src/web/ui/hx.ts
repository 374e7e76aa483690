/** What htmx does with a link or a form. */
export interface Hx {
  readonly get?: string;
  readonly post?: string;
  readonly target?: `#${string}`;
  readonly swap?: 'outerHTML' | 'innerHTML' | 'beforeend' | 'outerMorph' | 'none';
  readonly trigger?: string;
  readonly pushUrl?: true;
}

const ATTRIBUTES: Readonly<Record<keyof Hx, string>> = {
  get: 'hx-get',
  post: 'hx-post',
  target: 'hx-target',
  swap: 'hx-swap',
  trigger: 'hx-trigger',
  pushUrl: 'hx-push-url',
};

/** The attributes that our pages use. */
export const hxAttributes: readonly string[] = Object.values(ATTRIBUTES);

/** Its attributes: TypeScript checks no name with a hyphen, so a misspelt one would be silent anywhere else. */
export const hx = (what: Hx): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(what).map(([name, value]: [string, unknown]) => [ATTRIBUTES[name as keyof Hx], String(value)]),
  );
