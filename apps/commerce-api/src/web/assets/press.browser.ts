// What comes while somebody presses a link or a button waits until they have let go: a click on what was replaced under the finger is none.

/** For what never ends, such as a menu of the browser. */
const LONGEST_PRESS_MS = 10_000;
/** On a screen that is touched the click comes after the finger has gone. */
const CLICK_MS = 100;

const waiting: (() => void)[] = [];
let pressing: ReturnType<typeof setTimeout> | undefined;
const hold = (ms: number) => (): void => {
  clearTimeout(pressing);
  pressing = setTimeout(() => {
    pressing = undefined;
    for (const work of waiting.splice(0)) work();
  }, ms);
};
addEventListener('pointerdown', hold(LONGEST_PRESS_MS));
for (const name of ['pointerup', 'pointercancel']) addEventListener(name, hold(CLICK_MS));

/** Changes the page now, or when nobody presses any more; in the order of the calls. Resolves once it has. */
export const unpressed = async (change: () => void): Promise<void> => {
  if (pressing !== undefined) await new Promise<void>((resolve) => waiting.push(resolve));
  change();
};
