import { area, dataOf, type Endpoint } from '@platform/http';
import type { byOf } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { refusals } from '../../../refusals';
import { FILE_LIMIT, FORM_MARGIN, mediaRefusals } from '../../media/uploads/public';
import { ImageOrder, imageRefusals, NewImages, ProductImages, type ProductImagesService } from './images';

const MOST_FILES = 10;

export const imagesEndpoints = (images: ProductImagesService, by: ReturnType<typeof byOf>): Endpoint[] =>
  area({ prefix: '/api/products', tag: 'E-commerce', refuses: ['notFound'] }, [
    endpoint({
      post: '/{id}/images',
      summary: 'Add pictures',
      guard: 'product.write',
      status: 201,
      accepts: ['json', 'multipart'],
      files: { files: { maxBytes: FILE_LIMIT, maxCount: MOST_FILES } },
      formLimit: FILE_LIMIT * MOST_FILES + FORM_MARGIN,
      body: NewImages,
      reply: dataOf(ProductImages, 'Pictures added'),
      refuses: [imageRefusals.tooMany, mediaRefusals.wrongType, refusals.planLimit],
      handle: (input) => images.add(by(input), input.params.id, input.files, input.body.media_ids),
    }),
    endpoint({
      put: '/{id}/images/order',
      summary: 'Reorder pictures',
      guard: 'product.write',
      body: ImageOrder,
      reply: dataOf(ProductImages, 'Pictures updated'),
      handle: (input) => images.reorder(by(input), input.params.id, input.body.ids),
    }),
    endpoint({
      delete: '/{id}/images/{imageId}',
      summary: 'Remove picture',
      guard: 'product.write',
      reply: dataOf(ProductImages, 'Picture removed'),
      handle: (input) => images.remove(by(input), input.params.id, input.params.imageId),
    }),
  ]);
