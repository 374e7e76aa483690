import { InvalidInput, type AnyFailure } from '@platform/errors';
import { Page, Redirect, rendered, Reply, type Endpoint, type RefusedRequest, type Upload } from '@platform/http';
import { uuidv7 } from '@platform/runtime';
import type { DtoClass } from '@platform/validation';
import type { JSX } from 'preact';
import { buyerFailure } from './buyer.failure';
import { previewOf, type PagePreview } from './buyer.preview';
import { TOLD, typedIn, wrongOf } from './form.fields';
import { FORM, isForeign, pageEndpoint, readForm, type Given } from './form.state';
import { readerOf, type Reader } from './i18n/reader';
import type { Pages, WebKit } from './kit';
import type { FormState, PageDefinition, Params } from './page.types';
import { contentPolicy, pageHeaders } from './policy';
import { Reading } from './ui/reading';
import { setCookie } from './sessions/cookies';
import { ShopDocument, type Counted, type ShopFace } from './ui/shop.page';
import type { Guest } from './viewer';

/** In a minute, of one address: a mobile network has hundreds of buyers behind each of its own (docs/adr/0145). */
const PAGES = 1_200;
const FORMS = 300;
/** Carts that are begun. */
export const BEGUN = 120;
const rateOf = (requests: number) => ({ requests, perSeconds: 60, by: 'address' }) as const;

/** What a buyer asks for. */
export interface BuyerAsked<Q = object> {
  readonly params: Params;
  readonly query: Q;
  /** Of their network: whoever asks too often is known by it. */
  readonly address: string;
  /** The header. */
  readonly cookies: string | undefined;
  /** Of who is shown it; undefined: nobody is. */
  readonly userAgent?: string | undefined;
  readonly signal: AbortSignal;
}

export interface BuyerShown<D> {
  readonly data: D;
  readonly t: Reader;
  readonly form: FormState;
}

/** Who is let in: whoever has a link, or anybody. */
interface Entrance {
  readonly guard: 'buyer' | 'visitor';
  /** In a minute, of one address, where it is not as many as usual. */
  readonly requests?: number;
  /** Among whose requests it counts. */
  readonly tenantOf?: (asked: { readonly params: Params }) => string | undefined;
}

/** A page for somebody who has no account. */
export interface BuyerPage<D> extends Entrance, Pick<PageDefinition<D, never>, 'labels' | 'conflicts'> {
  readonly get: string;
  readonly query?: DtoClass;
  /** A redirect leads to what takes the place of this page. */
  readonly load: (asked: BuyerAsked) => Promise<D | Redirect>;
  readonly shop: (data: D) => ShopFace;
  readonly title: (data: D, t: Reader) => string;
  readonly view: (shown: BuyerShown<D>) => JSX.Element;
  /** What is shown of it where its address is sent to somebody. */
  readonly preview?: (data: D, t: Reader) => PagePreview;
  /** Nothing on it is of one person: caches may keep it for a moment. */
  readonly isPublic?: true;
  /** Visits of it are counted. */
  readonly counts?: (data: D) => Counted;
  /** The pictures that it shows: their places are allowed. */
  readonly pictures?: (data: D) => readonly string[];
}
type AnyBuyerPage = BuyerPage<unknown>;

interface Incoming extends Omit<BuyerAsked, 'cookies' | 'userAgent'> {
  readonly caller: Guest;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

const seenOf = ({ onlyLooks }: Guest, headers: Incoming['headers']) => ({
  cookies: headers.cookie,
  userAgent: onlyLooks ? undefined : headers['user-agent'],
});

/** Nothing proves where these forms come from but their origin: whoever has the link may send them. */
const EMPTY = { fields: {}, errors: {}, csrf: '' } as const;

const SHARED = { 'Cache-Control': 'public, max-age=30', 'Referrer-Policy': 'same-origin' };
// The language is that of the request
const VARY = 'Accept-Language, Cookie, HX-Request, HX-Target';

/** What a policy can name; a host may hold signs that mean something else there. */
const ORIGIN = /^https?:\/\/[\w.:[\]-]+$/;

const headersOf = ({ isPublic, pictures }: AnyBuyerPage, data: unknown): Readonly<Record<string, string>> => {
  const elsewhere = (pictures?.(data) ?? []).flatMap((url) => (URL.canParse(url) ? [new URL(url).origin] : []));
  const media = [...new Set(elsewhere)].filter((origin) => ORIGIN.test(origin));
  return {
    ...pageHeaders('secret'),
    ...(media.length > 0 && { 'Content-Security-Policy': contentPolicy({ media }) }),
    ...(isPublic && { ...SHARED, Vary: VARY }),
  };
};

const shownPage = (kit: WebKit, page: AnyBuyerPage, { caller, data }: { caller: Guest; data: unknown }, back = {}) => {
  const shop = page.shop(data);
  const t = readerOf(caller.locale, shop.timezone, kit.clock.now());
  const View = page.view;
  const form: FormState = { ...EMPTY, key: uuidv7(), ...back };
  const html = (
    <ShopDocument
      {...{ t, shop, files: kit.assets.files, title: page.title(data, t) }}
      {...{ isStill: page.isPublic, preview: previewOf(page.preview?.(data, t)), counted: page.counts?.(data) }}
    >
      <View data={data} t={t} form={form} />
    </ShopDocument>
  );
  return new Reply(rendered(html), { headers: headersOf(page, data) });
};

const onward = (to: Redirect, cookies: readonly string[] = []): Reply<Redirect> => {
  const headers = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' };
  return new Reply(to, { headers: { ...headers, ...(cookies.length > 0 && { 'Set-Cookie': [...cookies] }) } });
};

// Links are passed on with the marks of whoever counts them: `utm_source`, `fbclid`
const OPEN = { unknownKeys: 'ignore' } as const;

/** A page that buyers see: without an account, without script, and kept by nobody. */
export const buyerPage = <D,>(definition: BuyerPage<D>): Pages & { readonly definition: BuyerPage<D> } => {
  const { get, guard, query, tenantOf, load } = definition;
  const rate = rateOf(definition.requests ?? PAGES);
  const pages: Pages = (kit) => [
    pageEndpoint({
      ...{ get, guard, query, tenantOf, rate, ...OPEN, summary: `The page ${get}` },
      refused: buyerFailure(kit),
      handle: async ({ params, query: asked, address, signal, caller, headers }: Incoming) => {
        const data = await load({ params, query: asked, address, signal, ...seenOf(caller, headers) });
        if (data instanceof Redirect) return onward(data);
        return shownPage(kit, definition as unknown as AnyBuyerPage, { caller, data });
      },
    }),
  ];
  return Object.assign(pages, { definition });
};

interface StepAsked<Q> extends BuyerAsked<Q> {
  /** An open page asks for it. */
  readonly isPart: boolean;
  readonly guest: Guest;
}

interface BuyerStep<Q> extends Entrance {
  readonly get: string;
  readonly query?: DtoClass & (new () => Q);
  readonly go: (asked: StepAsked<Q>) => Promise<Reached>;
}
/** Elsewhere; or the part of an open page that it has asked for; or that page anew, all of it; or nothing new. */
export type Reached =
  'same' | Redirect | { readonly part: JSX.Element; readonly t: Reader } | { readonly anew: string };

const reached = (to: Reached): Reply<Page | Redirect> => {
  if (to instanceof Redirect) return onward(to);
  const headers = pageHeaders('secret');
  if (to === 'same') return new Reply(new Page(''), { status: 204, headers });
  if ('anew' in to) return new Reply(new Page(''), { headers: { ...headers, 'HX-Redirect': to.anew } });
  return new Reply(rendered(<Reading.Provider value={to.t}>{to.part}</Reading.Provider>), { headers });
};

/** An address that shows no page of its own: it leads on, or answers a part of an open page. */
export const buyerStep =
  <Q = object,>({ get, guard, query, tenantOf, requests = PAGES, go }: BuyerStep<Q>): Pages =>
  (kit) => [
    pageEndpoint({
      ...{ get, guard, query, tenantOf, ...OPEN, summary: `The way ${get}`, rate: rateOf(requests) },
      refused: buyerFailure(kit),
      handle: async ({ params, query: asked, address, signal, caller: guest, headers }: Incoming) => {
        const isPart = headers['hx-request'] !== undefined;
        const seen = seenOf(guest, headers);
        return reached(await go({ params, query: asked as Q, address, signal, guest, isPart, ...seen }));
      },
    }),
  ];

interface Running<B> {
  readonly params: Params;
  readonly body: B;
  readonly files: readonly Upload[];
  readonly address: string;
  /** Of this form: the same when it is sent again. */
  readonly key: string;
  readonly cookies: string | undefined;
}

/** Where it goes on, and what the browser is to keep. */
export interface Onward {
  readonly to: string;
  readonly cookies: readonly { readonly name: string; readonly value: string; readonly maxAge: number }[];
}

interface BuyerAction<B extends object> {
  readonly body?: DtoClass<B> & (new () => B);
  /** Resolves to where it goes on. */
  readonly run: (running: Running<B>) => Promise<string | Onward>;
}
type AnyBuyerAction = BuyerAction<object>;

/** One action of a buyer's page; its types follow from its body. */
export const buyerAction = <B extends object>(action: BuyerAction<B>): AnyBuyerAction =>
  action as unknown as AnyBuyerAction;

interface BuyerForms extends Pick<Entrance, 'requests'> {
  readonly post: string;
  /** The page that is shown again when something is wrong. */
  readonly of: { readonly definition: unknown };
  /** A file goes with the form of this action. */
  readonly files?: { readonly limit: number; readonly margin: number; readonly with: string };
  /** By the field `action`; what is called `save` is meant where there is none. */
  readonly on: Readonly<Record<string, AnyBuyerAction>>;
}

const actionOf = ({ on }: BuyerForms, { action = 'save' }: Given): AnyBuyerAction => {
  const known = typeof action === 'string' && Object.hasOwn(on, action) ? on[action] : undefined;
  if (known) return known;
  throw new InvalidInput([{ field: 'action', tag: 'oneof', message: 'action is none of this page' }]);
};

/** As they were sent; of what is too large nothing was read: it was the form with the file. */
const fieldsOf = ({ kind }: AnyFailure, { given }: RefusedRequest, { files }: BuyerForms) => {
  const fields = given?.fields as { readonly action?: string } | undefined;
  return kind === 'tooLarge' && files ? { action: files.with, ...fields } : fields;
};

/** The same page again, with what was typed and what is wrong with it. */
const cameBack =
  (kit: WebKit, page: AnyBuyerPage, forms: BuyerForms) =>
  async (failure: AnyFailure, asked: RefusedRequest): Promise<Reply<Page | Redirect>> => {
    const { caller, request, status } = asked;
    const guest = caller as Guest | undefined;
    const fields = fieldsOf(failure, asked, forms);
    const isSaid = TOLD.has(failure.kind) || isForeign(failure) || page.conflicts?.[failure.kind] !== undefined;
    if (!guest || !fields || !isSaid) return buyerFailure(kit)(failure, asked);
    const params = (request.params ?? {}) as Params;
    const { signal } = new AbortController();
    // Without what the browser keeps: it would lead elsewhere, where nothing is said
    const data = await page.load({ params, query: {}, address: request.address, signal, cookies: undefined });
    if (data instanceof Redirect) return onward(data);
    const t = readerOf(guest.locale);
    const back = { action: fields.action, fields: typedIn(fields), ...wrongOf(failure, t, page) };
    const reply = shownPage(kit, page, { caller: guest, data }, back);
    return new Reply(reply.value, { ...reply.options, status });
  };

interface Sent extends Incoming {
  readonly body: Given;
  readonly files: readonly Upload[];
}

const carrying = ({ limit, margin }: NonNullable<BuyerForms['files']>) => ({
  files: { file: { maxBytes: limit } },
  formLimit: limit + margin,
});

/** The forms of a buyer's page that post to one address. */
export const buyerForms =
  (forms: BuyerForms): Pages =>
  (kit): readonly Endpoint[] => {
    const page = forms.of.definition as AnyBuyerPage;
    const { guard, tenantOf } = page;
    const rate = rateOf(forms.requests ?? FORMS);
    return [
      pageEndpoint({
        ...{ ...FORM, post: forms.post, guard, tenantOf, rate, summary: `The forms of ${page.get}` },
        ...(forms.files && carrying(forms.files)),
        refused: cameBack(kit, page, forms),
        handle: async ({ params, body: fields, files, address, headers }: Sent) => {
          const { body: dto, run } = actionOf(forms, fields);
          const body = dto ? readForm(dto, fields) : {};
          const key = typeof fields._idem === 'string' ? fields._idem : uuidv7();
          const reached = await run({ params, body, files, address, key, cookies: headers.cookie });
          const { to, cookies } = typeof reached === 'string' ? { to: reached, cookies: [] } : reached;
          const kept = cookies.map(({ name, value, maxAge }) => setCookie(name, value, { secure: kit.secure, maxAge }));
          return onward(new Redirect(to, 303), kept);
        },
      }),
    ];
  };
