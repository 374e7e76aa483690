import { createHash } from 'node:crypto';
import type { Express, RequestHandler } from 'express';
import { packed } from './packed';

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
  webmanifest: 'application/manifest+json; charset=utf-8',
  html: 'text/html; charset=utf-8',
  png: 'image/png',
  ico: 'image/x-icon',
};

/** What is under an address with a hash never changes. */
const FOREVER = 'public, max-age=31536000, immutable';
const HASH_BYTES = 5;

const typeOf = (name: string): string => {
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
  if (!type) throw new Error(`${name} has no type: assets end in ${Object.keys(TYPES).join(', ')}`);
  return type;
};

/** `app.css` as `app.1a2b3c4d5e.css`, after its content. */
const hashed = (name: string, content: Buffer | string): string => {
  const dot = name.lastIndexOf('.');
  const hash = createHash('sha256').update(content).digest().subarray(0, HASH_BYTES).toString('hex');
  return `${name.slice(0, dot)}.${hash}${name.slice(dot)}`;
};

interface Shelf<Name extends string> {
  readonly contents: Readonly<Record<Name, Buffer | string>>;
  readonly urls: ReadonlyMap<Name, string>;
  /** By the last part of an address. */
  readonly served: ReadonlyMap<string, RequestHandler>;
  /** By name: what is served at addresses of other contents. */
  readonly ours: ReadonlyMap<string, RequestHandler>;
}

/** The name in an address that names a content. */
const nameIn = (file: string): string => file.replace(/\.[0-9a-f]{10}(?=\.\w+$)/, '');

/**
 * Files of a service's pages. Each is served compressed, before any guard, at `url(name)`, which names its content and may be kept for
 * ever, and at its plain name, which browsers ask for again each time: for files whose address is fixed, such as a manifest. An address of
 * another content is of another release, whose pages are looked at while one rolls out: it is answered with what is here, for the moment.
 * They are made when the first is asked for: a process that shows no page makes none.
 */
export class Assets<Name extends string = string> {
  private shelf: Shelf<Name> | undefined;

  constructor(
    private readonly prefix: string,
    private readonly make: () => Readonly<Record<Name, Buffer | string>>,
    /** Content that follows from its name alone, which therefore stays for ever; undefined: there is no such file. */
    private readonly follows: (file: string) => string | undefined = () => undefined,
    /** Of answers at the plain name of a file. */
    private readonly headers: Partial<Readonly<Record<Name, Readonly<Record<string, string>>>>> = {},
  ) {}

  /** Throws for a file that is not there: a page that names one is wrong at its first test. */
  url(name: Name): string {
    const url = this.opened().urls.get(name);
    if (url === undefined) throw new Error(`there is no asset ${name}`);
    return url;
  }

  /** What is served under a name, for answers that it is a part of. */
  content(name: Name): string {
    return String(this.opened().contents[name]);
  }

  /** Adds their route. */
  mount(app: Express): void {
    app.get(`${this.prefix}/:file`, (request, response, next) => {
      const { file } = request.params;
      const { served, ours } = this.opened();
      const serve = served.get(file) ?? this.followed(file) ?? ours.get(nameIn(file));
      if (serve) return serve(request, response, next);
      return next();
    });
  }

  private followed(file: string): RequestHandler | undefined {
    const content = this.follows(file);
    return content === undefined
      ? undefined
      : packed({ type: typeOf(file), cacheControl: FOREVER, read: () => content });
  }

  private opened(): Shelf<Name> {
    return (this.shelf ??= this.filled());
  }

  private filled(): Shelf<Name> {
    const contents = this.make();
    const urls = new Map<Name, string>();
    const served = new Map<string, RequestHandler>();
    const ours = new Map<string, RequestHandler>();
    for (const [name, content] of Object.entries<Buffer | string>(contents)) {
      const [type, read] = [typeOf(name), () => content];
      const file = hashed(name, content);
      urls.set(name as Name, `${this.prefix}/${file}`);
      served.set(file, packed({ type, cacheControl: FOREVER, read }));
      served.set(name, packed({ type, headers: this.headers[name as Name], read }));
      ours.set(name, packed({ type, read }));
    }
    return { contents, urls, served, ours };
  }
}
