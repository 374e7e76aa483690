import { area, dataOf, listOf, type Endpoint } from '@platform/http';
import type { byOf } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { invalidTransition } from '../../../machine';
import { refusals } from '../../../refusals';
import { FORM_MARGIN, mediaRefusals } from '../../media/uploads/public';
import { DocumentBody, Kyc, KYC_FILE_LIMIT, KycCorrection, NewKyc } from './kyc.dto';
import { kycRefusals } from './kyc.rules';
import type { KycService } from './kyc.service';

/** Numbers of identity cards are shown to nobody who may not send them in, hence the same ability for all of it. */
export const kycEndpoints = (kyc: KycService, by: ReturnType<typeof byOf>): Endpoint[] =>
  area({ prefix: '/api/verification', tag: 'Authentication and user' }, [
    endpoint({
      get: '',
      summary: 'Merchant identity check status',
      guard: 'kyc.write',
      reply: listOf(Kyc),
      refuses: [],
      handle: ({ caller }) => kyc.all(caller.storeId),
    }),
    endpoint({
      post: '',
      summary: 'Submit identity or business data',
      description:
        'One check of a kind. It is sent in when its documents are complete: of a person `id_card`, `selfie`, of a business `id_card`, `tax_card`, `deed`.',
      guard: 'kyc.write',
      status: 201,
      body: NewKyc,
      reply: dataOf(Kyc, 'Identity check created'),
      refuses: [kycRefusals.alreadySubmitted],
      handle: (input) => kyc.begin(by(input), input.body),
    }),
    endpoint({
      put: '/{id}',
      summary: 'Correct a rejected submission',
      description:
        'Also one that is not complete yet. What was rejected is sent in again by this, once its documents are complete.',
      guard: 'kyc.write',
      body: KycCorrection,
      reply: dataOf(Kyc, 'Identity check updated'),
      refuses: ['notFound', invalidTransition],
      handle: (input) => kyc.correct(by(input), input.params.id, input.body.data),
    }),
    endpoint({
      post: '/{id}/document',
      summary: 'Attach identity document',
      description:
        'A JPEG, PNG or PDF, by its first bytes; it takes the place of one of its kind. The first complete set sends the check in.',
      guard: 'kyc.write',
      status: 201,
      accepts: ['multipart', 'json'],
      files: { file: { maxBytes: KYC_FILE_LIMIT } },
      formLimit: KYC_FILE_LIMIT + FORM_MARGIN,
      body: DocumentBody,
      reply: dataOf(Kyc, 'Document uploaded'),
      refuses: ['notFound', invalidTransition, mediaRefusals.wrongType, refusals.planLimit],
      handle: (input) => kyc.attach(by(input), input.params.id, input.files[0], input.body.kind),
    }),
  ]);
