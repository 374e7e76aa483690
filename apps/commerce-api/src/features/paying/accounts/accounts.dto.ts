import { Choice, Flag, Text } from '@platform/validation';
import { bankCodes, type BankCode } from './banks';

export class TransferAccountBody {
  @Choice(bankCodes) bank_code!: BankCode;
  @Text({ trim: true, min: 5, max: 34, format: 'numeric', description: 'Digits alone' }) number!: string;
  @Text({ trim: true, max: 100 }) holder!: string;
  @Flag({ optional: true, description: '`true` unless given' }) active?: boolean;
}

/** Where buyers transfer to. */
export class TransferAccount {
  @Text({ format: 'uuid' }) id!: string;
  @Choice(bankCodes) bank_code!: BankCode;
  @Text() bank!: string;
  @Text() number!: string;
  @Text() holder!: string;
  @Flag({ description: 'Shown to buyers' }) active!: boolean;
}
