import type { VNode } from 'preact';
import type { LivePage } from '../page.types';

/**
 * Tells a page its part whenever it looks otherwise than before, by looking every now and then, one look at a time. The part holds no form:
 * what somebody types in it would be lost.
 */
export const follow = async <Q>(
  { stream, html }: LivePage<Q>,
  everyMs: number,
  look: () => Promise<VNode>,
): Promise<void> => {
  let told = '';
  let isLooking = false;
  const tell = async (): Promise<void> => {
    const now = html(await look());
    if (now !== told) stream.send('html', { html: now });
    told = now;
  };
  const again = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    // Whoever comes back is told why it ended
    await tell().catch(() => stream.end());
    isLooking = false;
  };
  await tell();
  stream.every(everyMs, () => void again());
};
