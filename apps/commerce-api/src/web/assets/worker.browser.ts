// What stays when every page is closed: it shows what is pushed, leads to it, and says so when there is no network. It keeps nothing.
export {};

declare const OFFLINE_PAGE: string;
declare const OFFLINE_STYLE: string;

interface Waiting extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Pushed extends Waiting {
  readonly data: { json(): unknown } | null;
}
interface Clicked extends Waiting {
  readonly notification: Notification;
}
interface Fetching extends Waiting {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface WindowOfOurs {
  readonly url: string;
  readonly visibilityState: string;
  focus(): Promise<WindowOfOurs>;
  navigate(url: string): Promise<unknown>;
}

/** As a service worker has it; the pages' own types have no such scope. */
const worker = self as unknown as {
  readonly location: Location;
  readonly registration: {
    showNotification(title: string, options: object): Promise<void>;
    getNotifications(options: object): Promise<readonly { readonly timestamp: number }[]>;
  };
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options: object): Promise<readonly WindowOfOurs[]>;
    openWindow(url: string): Promise<unknown>;
  };
  skipWaiting(): Promise<void>;
  addEventListener<E extends Event>(name: string, hear: (event: E) => void): void;
};

interface News {
  readonly title: string;
  readonly body?: string;
  readonly url: string;
  readonly tag: string;
}

/** So long the next of a chat makes no sound. */
const QUIET_MS = 30_000;

const { origin } = worker.location;

const newsOf = (data: Pushed['data']): News | undefined => {
  try {
    return data?.json() as News;
  } catch {
    return undefined;
  }
};

/** One of our own addresses, whatever it says. */
const pathOf = (url: unknown): string => {
  const to = typeof url === 'string' && URL.canParse(url, origin) ? new URL(url, origin) : undefined;
  return to?.origin === origin ? to.href : `${origin}/dashboard`;
};

const windows = (): Promise<readonly WindowOfOurs[]> =>
  worker.clients.matchAll({ type: 'window', includeUncontrolled: true });

/** Whoever looks at the inbox sees a chat there. */
const isSeen = ({ url, visibilityState }: WindowOfOurs): boolean =>
  visibilityState === 'visible' && new URL(url).pathname.startsWith('/chats');

const show = async (news: News | undefined): Promise<void> => {
  const { title = 'Toko', body, tag, url } = news ?? ({} as Partial<News>);
  const to = pathOf(url);
  if (new URL(to).pathname.startsWith('/chats') && (await windows()).some(isSeen)) return;
  const { registration } = worker;
  // Under one tag the next takes the place of the one before; of a burst the first is heard
  const [before] = tag === undefined ? [] : await registration.getNotifications({ tag });
  const now = Date.now();
  const since = before && now - before.timestamp < QUIET_MS ? before.timestamp : now;
  await registration.showNotification(title, {
    ...{ body, tag, icon: '/assets/icon-192.png', data: to },
    ...{ timestamp: since, renotify: tag !== undefined && since === now },
  });
};

const lead = async (notification: Notification): Promise<void> => {
  notification.close();
  const to = pathOf(notification.data);
  const [open] = (await windows()).filter(({ url }) => new URL(url).origin === origin);
  if (!open) return void (await worker.clients.openWindow(to));
  // Some browsers let nobody have the focus but by a click that they know of
  await open.focus().catch(() => undefined);
  // One that this worker does not serve yet is not led by it
  if (open.url !== to) await open.navigate(to).catch(() => worker.clients.openWindow(to));
};

const offline = (): Response =>
  new Response(OFFLINE_PAGE, {
    status: 503,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `default-src 'none'; style-src '${OFFLINE_STYLE}'; base-uri 'none'; form-action 'none'`,
    },
  });

worker.addEventListener<Waiting>('install', (event) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener<Waiting>('activate', (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener<Pushed>('push', (event) => event.waitUntil(show(newsOf(event.data))));
worker.addEventListener<Clicked>('notificationclick', (event) => event.waitUntil(lead(event.notification)));
worker.addEventListener<Fetching>('fetch', (event) => {
  const { mode, method } = event.request;
  // A form that could not be sent stays the browser's: back leads to what was typed
  if (mode === 'navigate' && method === 'GET') event.respondWith(fetch(event.request).catch(offline));
});
