// Counts visits of a shop. It leaves no name behind, and keeps nothing of anybody who has not agreed.

/** Of the shop; the answer that carries this script puts them around it (`features/shopfront/doors`). */
declare const PIXEL: { readonly slug: string };

type EventName = 'page_view' | 'view_content' | 'add_to_cart' | 'checkout' | 'purchase';

/** A longer one names no source. */
const LONGEST = 200;
const { slug } = PIXEL;
/** All shops of the platform share an origin: what is agreed with one is said to no other, which knows nobody from there. */
const [ANSWER, VISITOR] = [`shop_consent ${slug}`, `shop_visitor ${slug}`];
const script = document.currentScript as HTMLScriptElement | null;
const address = new URL('/api/tracking/event', script?.src || location.href).href;

/** A browser may forbid it to be kept. */
const kept = (name: string, value?: string): string | null => {
  try {
    if (value !== undefined) localStorage.setItem(name, value);
    return localStorage.getItem(name);
  } catch {
    return null;
  }
};

const random = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Who says so to all pages need not be asked by each. */
const isRefused = (): boolean =>
  (navigator as { readonly globalPrivacyControl?: boolean }).globalPrivacyControl === true || kept(ANSWER) === 'no';
const isAgreed = (): boolean => !isRefused() && kept(ANSWER) === 'yes';

/** Where the visitor is, and what it says of where they came from; nothing else that an address may hold. */
const placeOf = ({ origin, pathname, search }: Location): string => {
  const place = new URL(pathname, origin);
  for (const [name, value] of new URLSearchParams(search))
    if (name.startsWith('utm_') && value.length <= LONGEST) place.searchParams.set(name, value);
  return place.href;
};

const tell = (event: EventName, data?: object): void => {
  const consent = isAgreed();
  const visitor = consent ? (kept(VISITOR) ?? kept(VISITOR, random()) ?? random()) : random();
  const body = { event, event_id: random(), visitor_id: visitor, url: placeOf(location), store_slug: slug, consent };
  const headers = { 'Content-Type': 'application/json' };
  void fetch(address, {
    ...{ method: 'POST', headers, keepalive: true, credentials: 'omit' },
    body: JSON.stringify(data ? { ...body, data } : body),
  }).catch(() => undefined);
};

const answered = (answer: string): void => {
  kept(ANSWER, answer);
  for (const asked of document.querySelectorAll<HTMLElement>('[data-pixel-ask]')) asked.hidden = true;
  if (answer === 'yes') tell('page_view');
};

const start = (): void => {
  const mark = document.documentElement.dataset;
  // The same script may stand on a page twice
  if (mark.shopCounted === slug) return;
  mark.shopCounted = slug;
  tell('page_view');
  const event = script?.dataset.event as EventName | undefined;
  if (event) tell(event);
  document.addEventListener('shop:event', ({ detail }: CustomEventInit<{ event: EventName; data?: object }>) => {
    if (detail) tell(detail.event, detail.data);
  });
  if (isRefused() || kept(ANSWER) !== null) return;
  for (const asked of document.querySelectorAll<HTMLElement>('[data-pixel-ask]')) asked.hidden = false;
  for (const button of document.querySelectorAll<HTMLElement>('[data-pixel-answer]'))
    button.addEventListener('click', () => answered(button.dataset.pixelAnswer ?? 'no'));
};

start();
