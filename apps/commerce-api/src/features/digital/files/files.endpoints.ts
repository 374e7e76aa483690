import { area, dataOf, done, uuid, type Endpoint } from '@platform/http';
import type { byOf } from '../../../by';
import { rowEndpoint } from '../../../endpoint';
import { FILE_LIMIT, FORM_MARGIN, mediaRefusals } from '../../media/uploads/public';
import { refusals } from '../../../refusals';
import { fileRefusals, type DigitalFiles } from './files';
import { DigitalFile, FileBody } from './files.dto';

const endpoint = rowEndpoint.withDefaults({ params: { fileId: uuid } });

export const filesEndpoints = (files: DigitalFiles, by: ReturnType<typeof byOf>): Endpoint[] =>
  area({ prefix: '/api/digital-store', tag: 'E-commerce', refuses: ['notFound'] }, [
    endpoint({
      post: '/{id}/files',
      summary: 'Attach downloadable file',
      description: 'Up to 10 MB with the request, up to 200 MB by a presigned upload. Only its buyers get it.',
      guard: 'digital.write',
      status: 201,
      accepts: ['json', 'multipart'],
      files: { file: { maxBytes: FILE_LIMIT } },
      formLimit: FILE_LIMIT + FORM_MARGIN,
      body: FileBody,
      reply: dataOf(DigitalFile, 'File created'),
      refuses: [fileRefusals.tooMany, fileRefusals.attached, mediaRefusals.wrongType, refusals.planLimit],
      handle: async (input) => {
        const { caller, params, body } = input;
        return files.shownTo(caller, await files.attach(by(input), params.id, input.files[0], body.media_id));
      },
    }),
    endpoint({
      delete: '/{id}/files/{fileId}',
      summary: 'Remove file',
      description: 'It is sold no more; whoever has bought it keeps it.',
      guard: 'digital.write',
      reply: done('File deleted'),
      handle: (input) => files.remove(by(input), input.params.id, input.params.fileId),
    }),
  ]);
