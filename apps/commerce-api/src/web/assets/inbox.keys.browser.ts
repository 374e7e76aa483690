// Keys of the inbox, for who has a keyboard: each does what a link or a button of the page does.
import { ifItMay } from './inbox.kept.browser';

const SWITCH = 'inbox keys';
const list = document.querySelector<HTMLDetailsElement>('#keys');
const button = list?.querySelector<HTMLButtonElement>('[data-keys]');
const isChat = document.querySelector('.inbox-open') !== null;

let isOn = ifItMay(() => localStorage.getItem(SWITCH)) !== 'off';

const say = (): void => {
  if (button) button.textContent = (isOn ? button.dataset.off : button.dataset.on) ?? '';
};
const toggle = (): void => {
  isOn = !isOn;
  say();
  ifItMay(() => localStorage.setItem(SWITCH, isOn ? 'on' : 'off'));
};

const rows = (): HTMLAnchorElement[] => [...document.querySelectorAll<HTMLAnchorElement>('#rows .row a')];
/** In a chat the next one is opened; in the list it is only gone to. */
const move = (by: 1 | -1): void => {
  const all = rows();
  const at = all.findIndex((row) => (isChat ? row.hasAttribute('aria-current') : row === document.activeElement));
  const next = all[at < 0 ? 0 : at + by];
  if (isChat && next && !next.hasAttribute('aria-current')) next.click();
  else next?.focus();
};

const goTo = (selector: string): void => document.querySelector<HTMLElement>(selector)?.focus();
const press = (...values: readonly string[]): void =>
  values.flatMap((value) => document.querySelector<HTMLElement>(`#band button[value=${value}]`) ?? [])[0]?.click();

const search = (): void => {
  const area = document.querySelector<HTMLTextAreaElement>('#composer textarea');
  if (!area) return goTo('.chats input[type=search]');
  area.focus();
  if (area.value !== '') return;
  area.value = '/';
  area.dispatchEvent(new Event('input', { bubbles: true }));
};
const back = (): void => {
  if (isChat) location.assign(`/chats${location.search}`);
};
const help = (): void => {
  if (!list) return;
  list.open = !list.open;
  list.scrollIntoView({ block: 'nearest' });
};

const DOES: Readonly<Record<string, () => unknown>> = {
  ...{ j: () => move(1), k: () => move(-1), r: () => goTo('#composer textarea') },
  ...{ a: () => press('take', 'takeover'), e: () => press('close'), '/': search, '?': help, Escape: back },
};

/** Where letters are letters. */
const isTyped = (target: EventTarget | null): target is HTMLElement =>
  target instanceof HTMLElement && target.matches('input:not([type=checkbox]), textarea, select, [contenteditable]');

const pressed = (event: KeyboardEvent): void => {
  const { key, target, altKey, ctrlKey, metaKey, isComposing } = event;
  if (!isOn || altKey || ctrlKey || metaKey || isComposing || event.defaultPrevented) return;
  if (document.querySelector('dialog[open]')) return;
  if (isTyped(target)) {
    if (key === 'Escape') target.blur();
    return;
  }
  const does = Object.hasOwn(DOES, key) ? DOES[key] : undefined;
  if (!does) return;
  event.preventDefault();
  does();
};

if (list && button && matchMedia('(pointer: fine)').matches) {
  list.hidden = false;
  say();
  button.addEventListener('click', toggle);
  document.addEventListener('keydown', pressed);
}
