// Runs in a browser, on a page that is shown: what does not fit in it.

/** The window of a browser may be half a pixel off. */
const SLACK = 1.5;

const nameOf = (element: Element): string => {
  const { id, className } = element;
  const name = element.tagName.toLowerCase();
  const label = typeof className === 'string' && className !== '' ? `.${className.trim().replaceAll(/\s+/g, '.')}` : '';
  return `${name}${id === '' ? label : `#${id}`} “${(element.textContent ?? '').trim().slice(0, 30)}”`;
};

/** Whether what stands beside its edge can be brought into view. */
const scrolls = (element: Element): boolean => /auto|scroll/.test(getComputedStyle(element).overflowX);

const isInScroller = (element: Element): boolean => {
  for (let at = element.parentElement; at; at = at.parentElement) if (scrolls(at)) return true;
  return false;
};

/** For who hears the page, or reaches it by the keyboard. */
const isHiddenOnPurpose = (element: Element): boolean => element.closest('.sr, .skip, svg, [hidden]') !== null;

const isShown = (element: Element): boolean => {
  const { width, height } = element.getBoundingClientRect();
  return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
};

const cutsItsContent = (element: HTMLElement): boolean => {
  if (scrolls(element) || getComputedStyle(element).display === 'inline' || element instanceof HTMLInputElement)
    return false;
  const hides = getComputedStyle(element).overflowY === 'hidden';
  const tooHigh = hides && element.scrollHeight > element.clientHeight + SLACK;
  return element.scrollWidth > element.clientWidth + SLACK || tooHigh;
};

/** Elements that end outside the window or hold more than they show, unless one can scroll to it. Empty: everything fits. */
export const clipped = (): string[] => {
  const all = [...document.body.querySelectorAll<HTMLElement>('*')];
  return all
    .filter((element) => !isHiddenOnPurpose(element) && isShown(element) && !isInScroller(element))
    .filter((element) => {
      const { left, right } = element.getBoundingClientRect();
      return left < -SLACK || right > innerWidth + SLACK || cutsItsContent(element);
    })
    .map(nameOf);
};

/** Whatever is pressed by a finger and is smaller than one: at least 44 by 24 pixels, links within a text aside (WCAG 2.2, 2.5.8). */
export const tooSmall = (): string[] =>
  [...document.querySelectorAll<HTMLElement>('a, button, select, summary, input:not([type=hidden])')]
    .filter((element) => isShown(element) && !isHiddenOnPurpose(element))
    .filter((element) => getComputedStyle(element).display !== 'inline')
    // A box is pressed by its label
    .filter((element) => (element.closest('label') ?? element).getBoundingClientRect().height < 24)
    .map(nameOf);
