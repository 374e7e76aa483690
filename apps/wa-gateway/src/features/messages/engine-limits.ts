import { InvalidInput, TooLarge } from '@platform/errors';
import type { EngineTraits, OutContent } from '../../engines/engine.types';
import { isMedia } from './out-content';

/** Throws when this engine takes less than the others do (design 2.1, 2.2). */
export const checkEngineLimits = ({ limits }: Pick<EngineTraits, 'limits'>, content: OutContent): void => {
  const { textLength = Infinity, mediaBytes = {} } = limits ?? {};
  if (content.kind === 'text' && content.text.length > textLength)
    throw new InvalidInput([{ field: 'text', tag: 'max', message: 'text is not valid' }]);
  if (isMedia(content) && (content.media.size ?? 0) > (mediaBytes[content.kind] ?? Infinity))
    throw new TooLarge('file too large');
};
