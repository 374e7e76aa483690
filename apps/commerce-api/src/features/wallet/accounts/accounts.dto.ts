import { Choice, Flag, Int, Text } from '@platform/validation';
import { bankCodes, type BankCode } from '../../paying/accounts/public';

/** A bank or an electronic wallet that money can be sent to. */
export class PayoutBank {
  @Choice(bankCodes) code!: BankCode;
  @Text() name!: string;
  @Choice(['bank', 'ewallet']) kind!: 'bank' | 'ewallet';
  @Int({ description: 'Of one withdrawal' }) min!: number;
  @Int({ description: 'Of one withdrawal' }) max!: number;
}

export class NewBankAccount {
  @Choice(bankCodes) bank_code!: BankCode;
  @Text({
    trim: true,
    min: 5,
    max: 34,
    format: 'numeric',
    description: 'Digits alone; shown by its last four afterwards',
  })
  number!: string;
  @Text({ trim: true, max: 100, description: 'As the bank has it' }) holder!: string;
}

/** Where a store has its money sent (design 2.2). */
export class BankAccount {
  @Text({ format: 'uuid' }) id!: string;
  @Choice(bankCodes) bank_code!: BankCode;
  @Text() bank!: string;
  @Text() last4!: string;
  @Text() holder!: string;
  @Text({
    format: 'instant',
    nullable: true,
    description: 'Null: nobody has compared the holder with the identity check',
  })
  verified_at!: string | null;
  @Text({ format: 'instant', nullable: true, description: 'A day after it was verified' }) usable_from!: string | null;
  @Flag() is_primary!: boolean;
}
