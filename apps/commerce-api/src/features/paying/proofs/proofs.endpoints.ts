import { area, dataOf, type Endpoint } from '@platform/http';
import type { Caller } from '../../../abilities';
import type { byOf } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { invalidTransition } from '../../../machine';
import type { PrivateFiles } from '../../media/links/public';
import { FORM_MARGIN, mediaRefusals } from '../../media/uploads/public';
import { refusals } from '../../../refusals';
import { paymentRefusals } from '../../sales/payments/public';
import { Proof, ProofBody, ProofReview } from './proofs.dto';
import type { ProofsService } from './proofs.service';
import { proofRefusals } from './proofs.sql';

export type { PrivateFiles };

const FILE_LIMIT = 5 * 1024 * 1024;
/** What a form that shows a transfer may carry. */
export const PROOF_FILE = { limit: FILE_LIMIT, margin: FORM_MARGIN } as const;

/** With a link to its file for who may see it. */
const shown = async (privately: PrivateFiles, caller: Caller, made: Promise<Proof>): Promise<Proof> => {
  const proof = await made;
  return { ...proof, media: privately.shownTo(caller, proof.media) };
};

export const proofsEndpoints = (
  proofs: ProofsService,
  privately: PrivateFiles,
  by: ReturnType<typeof byOf>,
): Endpoint[] =>
  area({ prefix: '/api/order', tag: 'E-commerce' }, [
    endpoint({
      post: '/{id}/payment_proof',
      summary: 'Attach transfer proof',
      description: 'A picture or a PDF. Who may see it gets a link that expires.',
      guard: 'order.write',
      status: 201,
      accepts: ['multipart', 'json'],
      files: { file: { maxBytes: FILE_LIMIT } },
      formLimit: FILE_LIMIT + FORM_MARGIN,
      body: ProofBody,
      reply: dataOf(Proof, 'Payment proof created'),
      refuses: [
        'notFound',
        mediaRefusals.wrongType,
        paymentRefusals.paid,
        invalidTransition,
        proofRefusals.tooMany,
        refusals.planLimit,
      ],
      handle: (input) =>
        shown(privately, input.caller, proofs.attach(by(input), input.params.id, input.files[0], input.body)),
    }),
    endpoint({
      post: '/{id}/payment_proof/review',
      summary: 'Approve or reject transfer proof',
      description: 'Approving records the transfer, as if it had been seen on the account.',
      guard: 'payment.record',
      body: ProofReview,
      reply: dataOf(Proof, 'Payment proof updated'),
      refuses: ['notFound', invalidTransition, paymentRefusals.paid, paymentRefusals.gatewayPayment],
      handle: (input) => shown(privately, input.caller, proofs.review(by(input), input.params.id, input.body)),
    }),
  ]);
