import { area, cursorPage, dataOf, type Endpoint } from '@platform/http';
import type { byOf } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { FORM_MARGIN } from '../../media/uploads/public';
import { KeysAdded, KeysBody, KeysQuery, LicenseKey } from './keys.dto';
import type { KeysService } from './keys.service';

/** Bytes of 5,000 keys of 200 characters that take up to four bytes each, and what is around them. */
export const LIST_LIMIT = 5 * 1024 * 1024;

export const keysEndpoints = (keys: KeysService, by: ReturnType<typeof byOf>): Endpoint[] =>
  area({ prefix: '/api/digital-store', tag: 'E-commerce', refuses: ['notFound'] }, [
    endpoint({
      get: '/{id}/license-keys',
      summary: 'Keys with assignment state',
      guard: 'digital.write',
      query: KeysQuery,
      reply: cursorPage(LicenseKey),
      handle: ({ caller, params, query }) => keys.list(caller, params.id, query),
    }),
    endpoint({
      post: '/{id}/license-keys',
      summary: 'Import licence keys',
      description:
        'A list, or a text file in UTF-8 with one key a line. Those that the product has already are counted, not refused.',
      guard: 'digital.write',
      accepts: ['json', 'multipart'],
      bodyLimit: LIST_LIMIT,
      files: { file: { maxBytes: LIST_LIMIT } },
      formLimit: LIST_LIMIT + FORM_MARGIN,
      body: KeysBody,
      reply: dataOf(KeysAdded, 'Licence keys added'),
      handle: (input) => keys.add(by(input), input.params.id, input.body, input.files[0]),
    }),
  ]);
