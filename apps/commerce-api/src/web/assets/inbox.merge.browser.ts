// How an open page of the inbox takes in what happens: each element by its id, never twice, never out of order, never back in time.

import { find, me } from './inbox.kept.browser';

const numberOf = (element: HTMLElement | null | undefined, name: string): number =>
  Number(element?.dataset[name] ?? -Infinity);

/** Bubbles that have their place; those that wait to be sent have none and stand at the end. */
const placed = (thread: ParentNode): HTMLElement[] => [...thread.querySelectorAll<HTMLElement>('.bubble[data-seq]')];

/** Chats that have left the list, as of which version. */
const gone = new Map<string, number>();

const isAtEnd = (thread: HTMLElement): boolean => thread.scrollHeight - thread.scrollTop - thread.clientHeight < 80;

export const toEnd = (): void => {
  const thread = find('thread');
  if (thread) thread.scrollTop = thread.scrollHeight;
  find('fresh')?.setAttribute('hidden', '');
};

const keepTicks = (before: HTMLElement, after: HTMLElement): void => {
  const [old, now] = [before, after].map((bubble) => bubble.querySelector<HTMLElement>('.ticks'));
  if (old && now && numberOf(old, 'rank') > numberOf(now, 'rank')) now.replaceWith(old.cloneNode(true));
};

const placeBubble = (thread: HTMLElement, bubble: HTMLElement): void => {
  const known = find(bubble.id);
  if (known) keepTicks(known, bubble);
  if (known?.dataset.seq === bubble.dataset.seq) {
    if (known && !known.isEqualNode(bubble)) known.replaceWith(bubble);
    return;
  }
  known?.remove();
  const all = placed(thread);
  const before = all.findLast((one) => numberOf(one, 'seq') < numberOf(bubble, 'seq'));
  const first = all[0] ?? thread.querySelector('.bubble');
  if (before) before.after(bubble);
  else thread.insertBefore(bubble, first);
};

/** All of the newest messages: when there is a hole before them, what was there goes. */
const placeThread = (now: HTMLElement): void => {
  const thread = find('thread');
  if (!thread) return;
  const [old, fresh] = [placed(thread), placed(now)];
  const hasHole = old.length > 0 && fresh[0] && numberOf(fresh[0], 'seq') > numberOf(old.at(-1), 'seq') + 1;
  if (hasHole || old.length === 0) {
    for (const each of [...old, ...thread.querySelectorAll('.thread-way')]) each.remove();
    const way = now.querySelector('.thread-way');
    if (way) thread.prepend(way);
  }
  for (const bubble of fresh) placeBubble(thread, bubble);
};

const placeRow = (row: HTMLElement): void => {
  const known = find(row.id);
  const version = numberOf(row, 'version');
  if (version < Math.max(numberOf(known, 'version'), gone.get(row.id) ?? -Infinity)) return;
  const list = document.querySelector<HTMLElement>('#rows ul');
  if (!list || (!known && find('rows')?.dataset.grows === undefined)) return;
  const hadFocus = known?.contains(document.activeElement);
  known?.remove();
  const rank = numberOf(row, 'rank');
  const after = [...list.children].find((one) => numberOf(one as HTMLElement, 'rank') < rank);
  list.insertBefore(row, after ?? null);
  if (hadFocus) row.querySelector('a')?.focus({ preventScroll: true });
};

export const takeAway = (id: string, version: number): void => {
  const row = find(`row-${id}`);
  gone.set(`row-${id}`, version);
  if (row && numberOf(row, 'version') <= version) row.remove();
};

const placeRows = (now: HTMLElement): void => {
  const rows = find('rows');
  const focused = document.activeElement?.closest<HTMLElement>('.row')?.id;
  gone.clear();
  rows?.replaceWith(now);
  if (focused !== undefined) find(focused)?.querySelector('a')?.focus({ preventScroll: true });
};

const placeBand = (now: HTMLElement): void => {
  const band = find('band');
  if (!band || numberOf(now, 'version') < numberOf(band, 'version')) return;
  // Whoever is about to choose something chooses it of what they see
  if (band.contains(document.activeElement) || band.querySelector('details[open]')) {
    band.dataset.unread = now.dataset.unread;
    return;
  }
  band.replaceWith(now);
};

const placeTicks = (now: HTMLElement): void => {
  const ticks = find(now.id);
  if (ticks && numberOf(now, 'rank') > numberOf(ticks, 'rank')) ticks.replaceWith(now);
};

/** What was ticked stays, as long as the question is the same; whoever has signed in again has another key, and whoever else has, none here. */
const placeAnyway = (now: HTMLElement): void => {
  const anyway = find('anyway');
  if (now.dataset.me !== me) return;
  if (anyway?.textContent === now.textContent) anyway.firstChild?.replaceWith(now.firstChild as Node);
  else anyway?.replaceWith(now);
};

const place = (part: HTMLElement): void => {
  const thread = find('thread');
  if (part.id === 'rows') placeRows(part);
  else if (part.id === 'thread') placeThread(part);
  else if (part.id === 'band') placeBand(part);
  else if (part.id === 'anyway') placeAnyway(part);
  else if (part.matches('.ticks')) placeTicks(part);
  else if (part.matches('.row')) placeRow(part);
  else if (part.matches('.bubble') && thread) placeBubble(thread, part);
};

/** Whoever reads at the end stays at the end; whoever reads further up is told that there is more. */
const keepingPlace = (change: () => void): void => {
  const thread = find('thread');
  const last = thread && placed(thread).at(-1)?.id;
  const wasAtEnd = thread === null || isAtEnd(thread);
  change();
  if (wasAtEnd) toEnd();
  else if (thread && placed(thread).at(-1)?.id !== last) find('fresh')?.removeAttribute('hidden');
};

export const take = (parts: Iterable<Element>): void =>
  keepingPlace(() => {
    for (const part of [...parts]) place(part as HTMLElement);
  });

export const takeHtml = (html: string): void => {
  const box = document.createElement('template');
  box.innerHTML = html;
  take(box.content.children);
};
