// Pages that offer to tell their reader of news: what the worker is registered by, and the button. All else they do without it.
export {};

const SCOPE = { scope: '/', updateViaCache: 'none' } as const;

interface Box extends HTMLElement {
  readonly dataset: {
    readonly key?: string;
    readonly known?: string;
    /** What is said, by what is the case. */
    readonly on?: string;
    readonly denied?: string;
    readonly unable?: string;
    readonly failed?: string;
    /** It shows nothing where there is nothing to offer. */
    readonly gentle?: string;
  };
}

const text64 = (bytes: ArrayBuffer | null): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0))))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '');

const idOf = async (endpoint: string): Promise<string> =>
  text64(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint)));

/** What its reader knows this browser by. */
const labelOf = (): string => {
  const { userAgent } = navigator;
  const first = (names: Record<string, RegExp>): string =>
    Object.entries(names).find(([, known]) => known.test(userAgent))?.[0] ?? '';
  const browser = first({
    Edge: /Edg/,
    Opera: /OPR/,
    Firefox: /Firefox|FxiOS/,
    Chrome: /Chrome|CriOS/,
    Safari: /Safari/,
  });
  const system = first({
    Android: /Android/,
    iPhone: /iPhone|iPad/,
    Windows: /Windows/,
    Mac: /Mac OS/,
    Linux: /Linux/,
  });
  return [browser, system].filter((part) => part !== '').join(', ');
};

const said = (box: Box, is: 'on' | 'denied' | 'unable' | 'failed'): void => {
  const line = box.querySelector<HTMLElement>('[role=status]');
  const button = box.querySelector<HTMLElement>('button');
  if (button) button.hidden = is !== 'failed';
  if (line) line.textContent = box.dataset[is] ?? '';
};

/** One that was made for another key of ours is of no use. */
const subscribed = async (worker: ServiceWorkerRegistration, key: string): Promise<PushSubscription> => {
  const before = await worker.pushManager.getSubscription();
  if (before && text64(before.options.applicationServerKey) !== key) await before.unsubscribe();
  return worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
};

/** The form that lies beside the button, as if somebody had filled it in. */
const told = async (form: HTMLFormElement, subscription: PushSubscription): Promise<void> => {
  const values: Record<string, string> = {
    endpoint: subscription.endpoint,
    p256dh: text64(subscription.getKey('p256dh')),
    auth: text64(subscription.getKey('auth')),
    label: labelOf(),
  };
  for (const [name, value] of Object.entries(values)) {
    const input = form.querySelector<HTMLInputElement>(`[name="${name}"]`);
    if (input) input.value = value;
  }
  // Each press is another form: off and on again are two
  const key = form.querySelector<HTMLInputElement>('[name=_idem]');
  if (key) key.value += `.${Date.now()}`;
  const body = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));
  const action = form.getAttribute('action') ?? '';
  const { ok, url } = await fetch(action, { method: 'POST', body });
  // Whoever has to sign in first is led elsewhere
  if (!ok || new URL(url).pathname !== action) throw new Error('not taken');
};

const turnOn = async (box: Box, worker: ServiceWorkerRegistration): Promise<void> => {
  const form = box.querySelector('form');
  if (!form) return;
  if ((await Notification.requestPermission()) !== 'granted') return said(box, 'denied');
  await navigator.serviceWorker.ready;
  await told(form, await subscribed(worker, box.dataset.key ?? ''));
  said(box, 'on');
  if (box.dataset.gentle === undefined) location.reload();
};

const isOn = async ({ dataset }: Box, worker: ServiceWorkerRegistration): Promise<boolean> => {
  const subscription = await worker.pushManager.getSubscription();
  // Of one that was made for a key of before nothing comes
  if (!subscription || text64(subscription.options.applicationServerKey) !== dataset.key) return false;
  return (dataset.known ?? '').split(' ').includes(await idOf(subscription.endpoint));
};

const offer = async (box: Box, worker: ServiceWorkerRegistration): Promise<void> => {
  const isGentle = box.dataset.gentle !== undefined;
  const state = Notification.permission === 'denied' ? 'denied' : (await isOn(box, worker)) ? 'on' : undefined;
  box.hidden = isGentle && state !== undefined;
  if (state) return said(box, state);
  const button = box.querySelector('button');
  if (!button) return;
  button.hidden = false;
  button.addEventListener('click', () => {
    button.disabled = true;
    turnOn(box, worker)
      .catch(() => said(box, 'failed'))
      .finally(() => (button.disabled = false));
  });
};

const start = async (): Promise<void> => {
  const box = document.querySelector<Box>('[data-push]');
  const isAble = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
  const worker =
    'serviceWorker' in navigator ? await navigator.serviceWorker.register('/assets/worker.js', SCOPE) : undefined;
  if (!box) return;
  if (worker && isAble) await offer(box, worker);
  else if (box.dataset.gentle === undefined) said(box, 'unable');
};

document.addEventListener('DOMContentLoaded', () => void start().catch(() => undefined));
