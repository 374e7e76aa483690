import { NotFound } from '@platform/errors';
import { endpoint } from '../../endpoint';
import type { FileStore } from './file.store';

export const fileEndpoints = (files: FileStore) => [
  endpoint({
    get: '/files/{filename}',
    summary: 'A stored file',
    description: 'Whole or one range of it. What a browser could run is sent as an attachment.',
    tag: 'files',
    guard: 'perimeter',
    reply: 'bytes',
    handle: async ({ params, headers }) => {
      const answer = await files.serve(params.filename, headers);
      if (!answer) throw new NotFound('file not found');
      return answer;
    },
  }),
];
