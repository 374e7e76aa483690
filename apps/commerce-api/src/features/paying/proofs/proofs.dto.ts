import { Choice, Int, Money, Nested, Text } from '@platform/validation';
import { Media } from '../../media/uploads/public';

export const proofStates = ['pending', 'approved', 'rejected'] as const;
export type ProofState = (typeof proofStates)[number];

export class ProofBody {
  @Money({ optional: true, min: 1, description: 'What was transferred; all that is due unless given' }) amount?: number;
  @Text({ optional: true, max: 60, trim: true, description: 'From where' }) bank?: string;
}

export class ProofReview {
  @Text({ format: 'uuid' }) proof_id!: string;
  @Choice(['approve', 'reject']) decision!: 'approve' | 'reject';
  @Money({ optional: true, min: 1, description: 'What came in, where it is not what the proof says' }) amount?: number;
  @Text({ optional: true, max: 500, trim: true, description: 'The reason of a rejection, which needs one' })
  note?: string;
}

/** The picture of a transfer, and what became of it (design 2.2). */
export class Proof {
  @Text({ format: 'uuid' }) id!: string;
  @Text({ format: 'uuid' }) order_id!: string;
  @Nested(() => Media) media!: Media;
  @Int({ nullable: true, description: 'null: all that is due' }) amount!: number | null;
  @Text({ nullable: true }) bank!: string | null;
  @Choice(proofStates) status!: ProofState;
  @Text({ nullable: true, description: 'User id' }) reviewer!: string | null;
  @Text({ nullable: true }) note!: string | null;
  @Text({ format: 'instant' }) created_at!: string;
}
