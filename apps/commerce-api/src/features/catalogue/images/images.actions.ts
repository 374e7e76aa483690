import { Text } from '@platform/validation';
import type { byOf } from '../../../by';
import type { Reader } from '../../../web/i18n/reader';
import { action } from '../../../web/page';
import { within } from '../../../web/within';
import { ProductImagesService, type MediaLibrary } from './images';
import { imageTexts } from './images.texts';
import { ImagesSection } from './images.view';

class ImageNamed {
  @Text({ format: 'uuid' }) image_id!: string;
}

interface Parts {
  readonly media: MediaLibrary;
  readonly by: ReturnType<typeof byOf>;
}

const said =
  (name: 'added' | 'moved' | 'removed') =>
  ({ product_id }: { readonly product_id: string }, { t }: { readonly t: Reader }) => ({
    ...{ to: `/products/${product_id}`, flash: imageTexts(t)[name] },
  });

const atFile = (name: 'wrongType' | 'tooLarge' | 'tooMany' | 'full') => ({
  ...{ field: 'file', text: (t: Reader) => imageTexts(t)[name] },
});

const conflicts = {
  unsupportedMedia: atFile('wrongType'),
  tooLarge: atFile('tooLarge'),
  too_many_images: atFile('tooMany'),
  plan_limit: atFile('full'),
};
const labels = (t: Reader) => ({ file: imageTexts(t).file });

const actionsOf = ({ media, by }: Parts) => {
  const images = (tx: Parameters<typeof within>[0]) => new ProductImagesService(within(tx), media);
  return {
    image_add: action({
      before: ({ viewer, files }) => media.lay(by(viewer), files[0], 'product'),
      run: async ({ viewer, params, ready, tx }) => {
        const { id } = await media.enter(tx, by(viewer), ready);
        return images(tx).add(by(viewer), params.id ?? '', [], [id]);
      },
      done: said('added'),
    }),
    image_main: action({
      body: ImageNamed,
      run: ({ viewer, params, body, tx }) => images(tx).showFirst(by(viewer), params.id ?? '', body.image_id),
      done: said('moved'),
    }),
    image_remove: action({
      body: ImageNamed,
      run: ({ viewer, params, body, tx }) => images(tx).remove(by(viewer), params.id ?? '', body.image_id),
      done: said('removed'),
    }),
  };
};

/** What people see of the pictures of a product, and do with them. */
export const picturesOfProducts = (parts: Parts) => ({
  ...{ section: ImagesSection, actions: actionsOf(parts), labels, conflicts },
});
